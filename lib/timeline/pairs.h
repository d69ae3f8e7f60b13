/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_PAIRS_H
#define GT_TIMELINE_PAIRS_H

#include <stdint.h>

#include "base/array.h"
#include "base/index.h"

struct gt_tl_pair {
    uint64_t from;
    uint64_t to;
};

/* A set of pairs, in the order in which they were added. */
struct gt_tl_pairs {
    struct gt_mem *mem;
    uint64_t secret; /* hashes the pairs */
    GT_ARRAY(struct gt_tl_pair) list;
    struct gt_index index;
};

void gt_tl_pairs_init(struct gt_tl_pairs *pairs, struct gt_mem *mem);
void gt_tl_pairs_destroy(struct gt_tl_pairs *pairs);

/* Adds a pair, unless the set contains it already. */
gt_status gt_tl_pairs_add(struct gt_tl_pairs *pairs, uint64_t from, uint64_t to);

#endif
