/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include <stddef.h>

#include "support/wire.h"

/*
 * Appends the bytes of a trace in text form, with the library's own reader and writer of records.
 * Returns 0, or -1 after it has printed the reason.
 */
int text_encode(struct wire *wire, const char *text, size_t size);

/* A trace in text form with the expected verdict. */
struct text_case {
    /* 1 if the trace must be read to its end, 0 if reading it must fail. */
    int success;
    /* The trace, within the parsed text. */
    const char *trace;
    size_t trace_size;
};

/*
 * Finds the sections "-- expect --" and "-- trace --" in the text of a .test file, which ends in
 * NUL; a text without sections is a trace that must be good. Returns 0, or -1 if a section is
 * missing or malformed.
 */
int text_parse_case(struct text_case *result, const char *text, size_t size);

#endif
