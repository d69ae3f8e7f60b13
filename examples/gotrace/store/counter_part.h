/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORE_COUNTER_PART_H
#define STORE_COUNTER_PART_H

/* What the files counter*.c share. */

#include "counter.h"

#define BLOCK_SAMPLES 32
#define NODE_CHILDREN 8

/* What there is from one time to another. */
struct counter_node {
    uint64_t min, max;
    double integral; /* of the value, over time */
};

/* Samples are pairs of LEB128 numbers: the time since the one before, or of the first since
 * `time`; how much the value grew, with the sign in the lowest bit. */
struct counter_block {
    int64_t time;    /* of its first sample */
    uint64_t before; /* the value before that */
    uint8_t *samples;
    struct counter_node node; /* until the next block */
};

static inline double counter_length(int64_t from, int64_t to)
{
    return (double) ((uint64_t) to - (uint64_t) from);
}

static inline void counter_include(struct counter_node *node, uint64_t min, uint64_t max)
{
    node->min = min < node->min ? min : node->min;
    node->max = max > node->max ? max : node->max;
}

#endif
