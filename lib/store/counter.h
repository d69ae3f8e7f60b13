/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_COUNTER_H
#define GT_STORE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#define GT_COUNTER_LEVELS 12 /* enough for more samples than there can be memory */

struct gt_counter_block;
struct gt_store_pool;

/* What there is from one time to another. */
struct gt_counter_node {
    uint64_t min, max;
    double integral; /* of the value, over time */
};

struct gt_counter_level {
    struct gt_counter_node *nodes;
    size_t count, room;
};

/*
 * A value over time: a sample holds until the next. A counter of zeros is an empty one, and may
 * be moved about in memory. Members are private to counter*.c. The samples are in a pool, which
 * counters may share, and which must stay as long as they do.
 */
struct gt_store_counter {
    struct gt_counter_block *blocks; /* the last one grows */
    size_t block_count, block_room;
    struct gt_counter_level levels[GT_COUNTER_LEVELS]; /* nodes of 8 blocks, of 8 nodes, ... */
    uint8_t *tail, *next;        /* the samples of the last block; after them */
    uint64_t before;             /* the value before the last block */
    struct gt_counter_node node; /* of the last block until now */
    size_t memory;
    int64_t time; /* of the last sample */
    uint64_t value;
    uint32_t tail_count;
};

void gt_counter_free(
    struct gt_store_counter *counter); /* leaves an empty one; the pool is freed besides */

/*
 * Appends a sample. A time before the last one's is taken for that. False: out of memory; then
 * the counter is as it was.
 */
bool gt_counter_append(struct gt_store_counter *counter, struct gt_store_pool *pool, int64_t time,
                       uint64_t value);

/* Besides the struct itself and what is in the pool. Costs nothing. */
size_t gt_counter_memory(const struct gt_store_counter *counter);

/* The value that holds at `time`: 0 before the first sample. */
uint64_t gt_counter_at(const struct gt_store_counter *counter, int64_t time);

struct gt_counter_bin {
    int64_t start;
    uint64_t min, max; /* of the values at its start and within it, however briefly they hold */
    uint64_t last;     /* the value at its end */
    double mean;       /* over time */
};

/*
 * Fills `out` with `count` bins, which divide [start, end) evenly but for whole ns. In a bin
 * without length everything is the value at its start. Costs a logarithm for each bin.
 */
void gt_counter_bins(const struct gt_store_counter *counter, int64_t start, int64_t end,
                     size_t count, struct gt_counter_bin *out);

#endif
