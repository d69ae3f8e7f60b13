/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_PAIRS_H
#define GT_ANALYSIS_LATENCY_PAIRS_H

#include <stdint.h>

#include "base/array.h"
#include "base/index.h"

/* How often and for how long goroutines waited at one stack until another stack unblocked them. */
struct gt_pair {
    uint32_t waiter; /* stacks are numbers of a gt_stackset */
    uint32_t unblocker;
    uint64_t count;
    int64_t time;
};

struct gt_pairs {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_pair) list;
    struct gt_index index;
    uint64_t most; /* pairs that may be in the list */
    uint64_t lost; /* waits of pairs that did not fit */
    uint64_t secret;
};

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most);
void gt_pairs_destroy(struct gt_pairs *pairs);

/* Counts a wait with this duration. */
gt_status gt_pairs_add(struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker, int64_t time);

/* Sorts the list. No pair may be added afterwards. */
void gt_pairs_sort(struct gt_pairs *pairs);

#endif
