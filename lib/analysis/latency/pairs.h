/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_LATENCY_PAIRS_H
#define GT_ANALYSIS_LATENCY_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/durations.h"
#include "base/array.h"
#include "base/index.h"
#include "base/shared_text.h"

/* A wait that has ended. Stacks are numbers of a gt_stackset. */
struct gt_wait {
    uint32_t waiter;
    uint32_t unblocker;
    struct gt_shared_text *reason;
    int64_t begin;
    int64_t duration;
    int64_t goroutine;
    int64_t ended_by; /* a goroutine, or GT_NO_GOROUTINE */
};

/* The waits of a pair in detail. */
struct gt_pair_waits {
    struct gt_durations durations;
    struct gt_wait longest;
};

/* How often and for how long goroutines waited at one stack until another stack unblocked them. */
struct gt_pair {
    uint32_t waiter;
    uint32_t unblocker;
    uint64_t count;
    int64_t time;
    struct gt_pair_waits *waits; /* NULL: without details, and whatever the reason */
};

struct gt_pairs {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_pair) list;
    struct gt_index index;
    uint64_t most; /* pairs that may be in the list */
    uint64_t lost; /* waits of pairs that did not fit */
    uint64_t secret;
    bool has_waits; /* pairs have details, and are apart by reason */
    struct gt_pool waits;
    struct gt_pool octaves;
};

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most, bool has_waits);
void gt_pairs_destroy(struct gt_pairs *pairs);

/* Counts a wait. */
gt_status gt_pairs_add(struct gt_pairs *pairs, const struct gt_wait *wait);

/* Sorts the list. More pairs may be added afterwards. */
void gt_pairs_sort(struct gt_pairs *pairs);

#endif
