/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_PPROF_READ_H
#define TESTS_ANALYSIS_PPROF_READ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of a profile in pprof's format, and what a first pass over them finds. */
struct pprof_read {
    const uint8_t *data;
    size_t size;
    /* "TYPE/UNIT" of both values and of the period. */
    char types[3][64];
    uint64_t period;
    uint64_t time_nanos;
    uint64_t duration_nanos;
    size_t samples;
    size_t locations;
    size_t functions;
};

/*
 * Asserts that the profile is well-formed, that every id that is used exists once, and that strings
 * are UTF-8.
 */
void pprof_read_open(struct pprof_read *read, const void *data, size_t size);

/* How many strings of the table contain these bytes. */
size_t pprof_read_count(const struct pprof_read *read, const void *bytes, size_t size);

/* Writes the samples in their order, as lines of profiling_lines. */
void pprof_read_lines(const struct pprof_read *read, FILE *to);

#endif
