/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include <stddef.h>

#include "support/wire.h"

/*
 * Appends the bytes of a trace that is given in text form, by the library's own
 * reader and writer of records. Returns 0, or -1 with the reason printed.
 */
int text_encode(struct wire *wire, const char *text, size_t size);

/* A trace in text form with the verdict expected of it. */
struct text_case {
    /* 1 where the trace must be read to its end, 0 where it must fail. */
    int success;
    /* The trace, inside the text that was parsed. */
    const char *trace;
    size_t trace_size;
};

/*
 * Finds the sections "-- expect --" and "-- trace --" in the text of a .test
 * file, which ends with a NUL; a text that is a trace from its start on is
 * expected to be good. Returns 0, or -1 where a section is missing or malformed.
 */
int text_parse_case(struct text_case *result, const char *text, size_t size);

#endif
