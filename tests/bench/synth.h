/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_SYNTH_H
#define TESTS_BENCH_SYNTH_H

/*
 * Makes large valid traces without Go: a simulated scheduler whose threads take
 * procs, run goroutines, block, and record what they do as Go's runtime would.
 * The shares of the events, the lengths of their numbers and the tables are about
 * those of a busy HTTP server. Equal options give equal bytes.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct synth_options {
    /** The N of "go 1.N trace": 22, 23, 25 or 26. */
    unsigned version;
    /** About how many bytes to make. */
    uint64_t bytes;
    /** How many threads take part; at least 1. */
    uint32_t threads;
    /** How many procs; 1 to the number of threads. */
    uint32_t procs;
    /** How many goroutines live at a time; at least 1. */
    uint32_t goroutines;
    /** How many generations; at least 1. */
    uint32_t generations;
    uint64_t seed;
};

/** The defaults: 64 MB of Go 1.26 in four generations. */
#define SYNTH_OPTIONS_INIT                                                                         \
    {                                                                                              \
        26, UINT64_C(64000000), 16, 8, 1000, 4, 1                                                  \
    }

/** What was made. */
struct synth_result {
    uint64_t bytes;
    /** Timed events; the API gives a few more, and a Sync for each generation. */
    uint64_t events;
};

/**
 * Writes a trace to `file`. False where the options make no sense, memory ran
 * out, or writing failed.
 */
bool synth_write(const struct synth_options *options, FILE *file, struct synth_result *result);

#endif
