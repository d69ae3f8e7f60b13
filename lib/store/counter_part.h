/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_COUNTER_PART_H
#define GT_STORE_COUNTER_PART_H

/* The declarations that the files counter*.c share and that are private to them. */

#include "base/time.h"
#include "base/varint.h"
#include "base/wraps.h"
#include "store/counter.h"

#define GT_BLOCK_SAMPLES 64
#define GT_NODE_CHILDREN 8

/*
 * How a sample is stored, in the lowest bits of its first LEB128 number. The bits above have the
 * time since the sample before; for the first of a block, since the block's `time`. Most counters
 * count something, and so change by 1 nearly always.
 */
enum gt_counter_step {
    /* A second number has the difference to the value before, with its sign in the lowest bit. */
    GT_COUNTER_STEP_ANY,
    GT_COUNTER_STEP_UP,   /* the value grows by 1 */
    GT_COUNTER_STEP_DOWN, /* it shrinks by 1 */
    /* The first number has no room for the time: two more numbers are time and difference. */
    GT_COUNTER_STEP_LONG
};

#define GT_COUNTER_STEP_BITS 2
#define GT_COUNTER_STEP_MASK ((UINT64_C(1) << GT_COUNTER_STEP_BITS) - 1)

/*
 * A block of samples.
 *
 * In all blocks except the last, the node of the block comes before the samples. It covers the time
 * up to the next block. It consists of the integral as a double in the host's format, and of LEB128
 * numbers: the value before the block, and the differences between this value and the minimum and
 * the maximum, with their signs in the lowest bit.
 */
struct gt_counter_block {
    int64_t time; /* of its first sample */
    const uint8_t *bytes;
};

/* ZigZag encoding: moves the sign of a difference to the lowest bit, and back. */
GT_WRAPS static inline uint64_t gt_counter_fold(uint64_t growth)
{
    return growth << 1 ^ (0 - (growth >> 63));
}

GT_WRAPS static inline uint64_t gt_counter_unfold(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

/* Returns the value before a block. Sets `*samples` to its first sample and `*node` to its node,
 * except for the last block, which has no node yet. */
uint64_t gt_counter_open(const struct gt_store_counter *counter, size_t block,
                         struct gt_counter_node *node, const uint8_t **samples);

static inline double gt_counter_length(int64_t from, int64_t to)
{
    return (double) gt_time_span(from, to);
}

static inline void gt_counter_include(struct gt_counter_node *node, uint64_t min, uint64_t max)
{
    node->min = min < node->min ? min : node->min;
    node->max = max > node->max ? max : node->max;
}

#endif
