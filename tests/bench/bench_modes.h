/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BENCH_MODES_H
#define TESTS_BENCH_BENCH_MODES_H

/* The ways to read a trace that are timed. */

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MESSAGE_SIZE 256

struct bench_run {
    uint64_t events;
    /* Of everything that was read, so that none of it can be left out. */
    uint64_t sum;
    /* Of the reader's own memory; 0 where there is no reader. */
    uint64_t memory_peak;
    /* Why it failed; empty where it did not. */
    char message[BENCH_MESSAGE_SIZE];
};

struct bench_mode {
    const char *name;
    const char *what;
    void (*run)(const char *path, struct bench_run *run);
};

#define BENCH_MODES 12

extern const struct bench_mode bench_modes[BENCH_MODES];

#endif
