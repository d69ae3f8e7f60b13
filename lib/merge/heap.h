/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_HEAP_H
#define GT_MERGE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "merge/lane.h"

/*
 * A binary heap of lanes by the time of their next event. The times are stored in the heap, so that
 * sifting reads no lane unless times are equal. If `track` is set, each lane's position in the heap
 * is stored in the lane, which takes one more store for each move.
 */
struct gt_heap_item {
    int64_t time;
    struct gt_lane *lane;
};

/* Returns whether `a` comes first: by time, and at equal times by rank. */
static inline bool gt_heap_item_before(const struct gt_heap_item *a, const struct gt_heap_item *b)
{
    if (a->time == b->time)
        return a->lane->rank < b->lane->rank;
    return a->time < b->time;
}

static inline void gt_heap_set(struct gt_heap_item *items, size_t i, struct gt_heap_item item,
                               bool track)
{
    items[i] = item;
    if (track)
        item.lane->position = (uint32_t) i;
}

static inline void gt_heap_up(struct gt_heap_item *items, size_t i, struct gt_heap_item item,
                              bool track)
{
    while (i > 0 && gt_heap_item_before(&item, &items[(i - 1) / 2])) {
        gt_heap_set(items, i, items[(i - 1) / 2], track);
        i = (i - 1) / 2;
    }
    gt_heap_set(items, i, item, track);
}

static inline void gt_heap_down(struct gt_heap_item *items, size_t count, size_t i,
                                struct gt_heap_item item, bool track)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        /* The smaller child cannot be predicted, so it is chosen without a branch. */
        if (child + 1 < count)
            child += (size_t) gt_heap_item_before(&items[child + 1], &items[child]);
        if (!gt_heap_item_before(&items[child], &item))
            break;
        gt_heap_set(items, i, items[child], track);
        i = child;
    }
    gt_heap_set(items, i, item, track);
}

/* Replaces the item at index `i` by `item`, and sifts it up or down to its position. */
static inline void gt_heap_replace(struct gt_heap_item *items, size_t count, size_t i,
                                   struct gt_heap_item item, bool track)
{
    if (i > 0 && gt_heap_item_before(&item, &items[(i - 1) / 2]))
        gt_heap_up(items, i, item, track);
    else
        gt_heap_down(items, count, i, item, track);
}

#endif
