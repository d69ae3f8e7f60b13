/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_COUNTER_H
#define GT_STORE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

enum gt_counter_kind {
    GT_COUNTER_HEAP,
    GT_COUNTER_GOAL,
    GT_COUNTER_RUNNING,
    GT_COUNTER_RUNNABLE,
    GT_COUNTER_GC_WAITING,
    GT_COUNTER_THREADS_RUNNING,
    GT_COUNTER_THREADS_SYSCALL,
    GT_COUNTERS
};

#define GT_COUNTER_LEVELS 12 /* enough for more samples than fit into memory */

struct gt_counter_block;
struct gt_store_pool;

/* A summary of the values over an interval. */
struct gt_counter_node {
    uint64_t min, max;
    double integral; /* of the value over time, in units of value times ns */
};

/*
 * A value over time: each sample holds until the next one. A counter of zeros is empty, and a
 * counter may be moved in memory. The members are private to counter*.c. The samples are in a pool,
 * which counters may share and which must outlive them.
 */
struct gt_store_counter {
    GT_ARRAY(struct gt_counter_block) blocks; /* only the last one still grows */
    /* A tree: a node of level 0 sums up 8 blocks, any other 8 nodes of the level below. */
    GT_ARRAY(struct gt_counter_node) levels[GT_COUNTER_LEVELS];
    uint8_t *tail, *next;        /* the samples of the last block, and the end of these */
    uint64_t before;             /* the value before the last block */
    struct gt_counter_node node; /* sums up the last block so far */
    int64_t time;                /* of the last sample */
    uint64_t value;
    uint32_t tail_count;
};

/* Frees all memory outside the pool, whose `mem` is passed; the counter is then empty. */
void gt_counter_free(struct gt_store_counter *counter, struct gt_mem *mem);

/*
 * Appends a sample. A time before that of the last sample is replaced by the time of the last
 * sample. False: out of memory, and nothing changes.
 */
bool gt_counter_append(struct gt_store_counter *counter, struct gt_store_pool *pool, int64_t time,
                       uint64_t value);

/* The value at `time`; 0 before the first sample. Takes logarithmic time. */
uint64_t gt_counter_at(const struct gt_store_counter *counter, int64_t time);

struct gt_counter_bin {
    int64_t start;
    uint64_t min, max; /* of the values at its start and within it, however short-lived */
    uint64_t last;     /* the value at its end */
    double mean;       /* over time */
};

/*
 * Fills `out` with `count` bins, which divide [start, end) evenly, rounded to whole ns. In a bin
 * without length all members are the value at its start. Takes logarithmic time for each bin.
 */
void gt_counter_bins(const struct gt_store_counter *counter, int64_t start, int64_t end,
                     size_t count, struct gt_counter_bin *out);

#endif
