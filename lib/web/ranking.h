/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RANKING_H
#define GT_WEB_RANKING_H

/*
 * Selects the first few of many items by a key. Memory is used only for as many as are wanted. Of
 * items with equal keys, the one that was added earlier comes first.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct gt_ranked {
    int64_t key;
    /* The number of items that were added before this one. */
    uint64_t number;
    /* The caller's identification of the item. */
    uint64_t what;
};

struct gt_ranking {
    struct gt_mem *mem;
    struct gt_ranked *list;
    size_t count, capacity, wanted;
    bool largest_first;
    /* The number of items that were added. */
    uint64_t total;
};

/* Initialises a ranking of the first `wanted` items; `wanted` must be at least 1. */
void gt_ranking_init(struct gt_ranking *ranking, struct gt_mem *mem, size_t wanted,
                     bool largest_first);

/* Returns false if memory runs out. */
bool gt_ranking_add(struct gt_ranking *ranking, int64_t key, uint64_t what);

/* Sorts the list. After this nothing may be added. */
void gt_ranking_finish(struct gt_ranking *ranking);

void gt_ranking_free(struct gt_ranking *ranking);

#endif
