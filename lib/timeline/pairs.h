/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_PAIRS_H
#define GT_TIMELINE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/mem.h"

struct gt_tl_pair {
    uint64_t from;
    uint64_t to;
};

/* A set of pairs, in the order in which they came. */
struct gt_tl_pairs {
    struct gt_mem *mem;
    struct gt_tl_pair *list;
    size_t count;
    size_t capacity;
    uint32_t *index; /* of the list, plus 1; 0 where free */
    size_t mask;     /* entries of the index - 1; 0 where there are none */
    uint64_t secret;
};

void gt_tl_pairs_init(struct gt_tl_pairs *pairs, struct gt_mem *mem);
void gt_tl_pairs_destroy(struct gt_tl_pairs *pairs);

/* Adds a pair unless it is there. */
gt_status gt_tl_pairs_add(struct gt_tl_pairs *pairs, uint64_t from, uint64_t to);

#endif
