/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RECORDER_STRESS_H
#define TESTS_RECORDER_STRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tests share that run random programs: how many, and the logs of what their threads do. */

/* A list of letters that grows. Starts as zeros. Its text is released by free. */
struct log {
    char *text;
    size_t size, capacity;
};

void log_add(struct log *log, char letter);

/* Adds that the state of a goroutine has changed, as "12X": goroutine 12 is executed. */
void log_add_change(struct log *log, uint64_t go, char state);

/* Returns all letters, which are none before the first one was added. */
const char *log_text(const struct log *log);

/* The same as an assertion, for threads in which those of cmocka cannot fail. */
void stress_require(bool is_so, const char *what);

void stress_nap(unsigned microseconds);

/* Returns $GT_RECORDER_ROUNDS, by which a test runs more programs; `standard` if it is not set. */
uint64_t stress_rounds(uint64_t standard);

/* Returns $GT_RECORDER_SEED, from which the seeds of the programs are counted, or 0. */
uint64_t stress_seed(void);

#endif
