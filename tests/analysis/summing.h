/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_SUMMING_H
#define TESTS_ANALYSIS_SUMMING_H

#include "support/gen_events.h"
#include "support/test.h"

/* Times of a goroutine or a region, without those by name. */
struct spent {
    int64_t execution;
    int64_t sched_wait;
    int64_t syscall;
    int64_t syscall_block;
    int64_t block;
    int64_t unknown;
    int64_t total;
};

/* Begins a trace of this version: generation 1 begins at 1000, and each event is 10 ns later. */
void summing_begin(struct gen *gen, unsigned version);

/* Ends the trace, sums it up, and closes the reader. */
gt_summary *summing_read(struct gen *gen, const gt_summary_options *options);

/* The same of bytes; false where memory ran out, and `*summary` may be there or not. */
int summing_bytes(gt_summary **summary, const void *data, size_t size,
                  const gt_summary_options *options);

void assert_spent(const gt_summary_times *times, struct spent expected);

/* Asserts that there are `count` names, of which this has that time. */
void assert_named(const gt_summary_time *list, size_t size, size_t count, const char *name,
                  int64_t time);

#define SPENT(...) ((struct spent){__VA_ARGS__})

#endif
