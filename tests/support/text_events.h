/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEXT_EVENTS_H
#define TESTS_SUPPORT_TEXT_EVENTS_H

#include <stddef.h>

/* An event as the raw text form has it. */
struct text_event {
    const char *name;
    unsigned type;
    /* The names of its arguments, with spaces between them. */
    const char *arguments;
    /* A line with data follows. */
    int has_data;
};

/* The event of a name, or NULL. */
const struct text_event *text_event_find(const char *name, size_t size);

#endif
