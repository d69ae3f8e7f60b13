/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PORTABLE_SUM_H
#define TESTS_PORTABLE_SUM_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/*
 * A hash of values in the order in which they are added: of numbers, not of their bytes in memory.
 * Starts with any hash and a count of 0.
 */
struct sum {
    uint64_t hash;
    /* How many values were added. */
    uint64_t count;
};

/* A trace in memory. */
struct trace {
    const uint8_t *data;
    size_t size;
    uint32_t version;
};

void sum_number(struct sum *sum, uint64_t number);
void sum_signed(struct sum *sum, int64_t number);
void sum_bytes(struct sum *sum, const void *data, size_t size);
void sum_string(struct sum *sum, gt_string string);
void sum_frame(struct sum *sum, const gt_frame *frame);

/*
 * Adds a share from 0 to 1 without its last bits, as the 387, the default on i386, rounds less
 * often than other FPUs.
 */
void sum_share(struct sum *sum, double share);

/* A gt_write_fn whose user data is a sum. */
int sum_write(void *user_data, const void *data, size_t size);

/* Opens the trace with these GT_READER_ bits; ends the program if that fails. */
gt_reader *sum_open(const struct trace *trace, uint64_t flags);

/* Add the results of each part of the library for a trace. */
void sum_events(struct sum *sum, const struct trace *trace);
void sum_lenient(struct sum *sum, const struct trace *trace);
void sum_text(struct sum *sum, const struct trace *trace);
void sum_findings(struct sum *sum, const struct trace *trace);
void sum_summary(struct sum *sum, const struct trace *trace);
void sum_latency(struct sum *sum, const struct trace *trace);
void sum_profile(struct sum *sum, const struct trace *trace);
void sum_mmu(struct sum *sum, const struct trace *trace);
void sum_json(struct sum *sum, const struct trace *trace);

#endif
