/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_PAIRS_H
#define GT_ANALYSIS_LATENCY_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Stacks are numbers of a gt_stackset. */
struct gt_pair {
    uint32_t waiter;
    uint32_t unblocker;
    uint64_t count; /* 0: the slot is free */
    int64_t time;
};

/* Pairs in a hash table, and when they are sorted in an array. */
struct gt_pairs {
    struct gt_mem *mem;
    struct gt_pair *slots;
    size_t mask; /* slots - 1, a power of two less one; 0 where there are none */
    size_t count;
    uint64_t most;
    uint64_t lost; /* waits of pairs beyond `most` */
    uint64_t secret;
};

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most);
void gt_pairs_destroy(struct gt_pairs *pairs);

/* Counts a wait of this duration. */
gt_status gt_pairs_add(struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker, int64_t time);

/* Moves them to the first slots, in order; nothing can be added any more. */
void gt_pairs_sort(struct gt_pairs *pairs);

#endif
