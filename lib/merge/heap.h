/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_HEAP_H
#define GT_MERGE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "merge/lane.h"

/*
 * A binary heap of lanes by the time of their next event. Times are kept in
 * the heap, so that sifting touches no lane unless times are equal. With
 * `track` a lane knows its position, which costs a store for each move.
 */
struct gt_heap_item {
    int64_t time;
    struct gt_lane *lane;
};

/* By time, and where equal by first appearance. */
static inline int gt_item_before(const struct gt_heap_item *a, const struct gt_heap_item *b)
{
    if (a->time == b->time)
        return a->lane->rank < b->lane->rank;
    return a->time < b->time;
}

static inline void gt_heap_set(struct gt_heap_item *items, size_t i, struct gt_heap_item item,
                               int track)
{
    items[i] = item;
    if (track)
        item.lane->position = (uint32_t) i;
}

static inline void gt_heap_up(struct gt_heap_item *items, size_t i, struct gt_heap_item item,
                              int track)
{
    while (i > 0 && gt_item_before(&item, &items[(i - 1) / 2])) {
        gt_heap_set(items, i, items[(i - 1) / 2], track);
        i = (i - 1) / 2;
    }
    gt_heap_set(items, i, item, track);
}

static inline void gt_heap_down(struct gt_heap_item *items, size_t count, size_t i,
                                struct gt_heap_item item, int track)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        /* Which child is smaller nobody can predict, so there is no branch. */
        if (child + 1 < count)
            child += (size_t) gt_item_before(&items[child + 1], &items[child]);
        if (!gt_item_before(&items[child], &item))
            break;
        gt_heap_set(items, i, items[child], track);
        i = child;
    }
    gt_heap_set(items, i, item, track);
}

/*
 * An array that is sorted from the last to the first is a better heap for few items: where one
 * goes is one guess of the processor's instead of one for each level. Moves `item` from the
 * place `i`, the end of the array, to its place, which is behind an item 0 that none comes after.
 * Members are copied one by one, as they were stored: what was just stored in two pieces cannot
 * be loaded as one without a wait.
 */
static inline void gt_sorted_put(struct gt_heap_item *items, size_t i, struct gt_heap_item item)
{
    struct gt_heap_item *place = items + i;
    for (; gt_item_before(&place[-1], &item); place--) {
        place[0].time = place[-1].time;
        place[0].lane = place[-1].lane;
    }
    place[0].time = item.time;
    place[0].lane = item.lane;
}

/* Puts `item`, new or from elsewhere in the heap, in place of what is at `i`. */
static inline void gt_heap_put(struct gt_heap_item *items, size_t count, size_t i,
                               struct gt_heap_item item, int track)
{
    if (i > 0 && gt_item_before(&item, &items[(i - 1) / 2]))
        gt_heap_up(items, i, item, track);
    else
        gt_heap_down(items, count, i, item, track);
}

#endif
