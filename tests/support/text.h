/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include <stddef.h>

#include "support/wire.h"

/*
 * Writes the bytes of a trace that is given in Go's raw text form. The table of
 * events that it uses is its own, so that a fault in the library's shows.
 *
 * One directive is added in a comment, so that other readers of the form skip
 * it: "#!width N" makes all varints from there on N bytes wide or wider, as the
 * runtime pads some of them; sizes of batches are as the text states them.
 *
 * Returns 0, or the number of the first line that is malformed, with the reason
 * printed. `text` ends with a NUL at text[size].
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
 * file; a text that is a trace from its start on is expected to be good.
 * Returns 0, or -1 where a section is missing or malformed.
 */
int text_parse_case(struct text_case *result, const char *text, size_t size);

#endif
