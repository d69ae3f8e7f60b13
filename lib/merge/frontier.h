/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_FRONTIER_H
#define GT_MERGE_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/mem.h"
#include "merge/heap.h"
#include "merge/lane.h"
#include "merge/radix.h"

enum {
    /* How many lanes are kept sorted: of many that would take quadratic time. */
    GT_FRONTIER_NEAR = 32
};

/*
 * The lanes, of the threads of a generation say, that still have events: those whose next event
 * may happen, merged by time, and those that are parked because it cannot yet.
 * Of equal times, that of the lane which appeared first comes first.
 *
 * Go sorts and tries all lanes again whenever the first cannot go on, which
 * takes quadratic time (internal/trace/reader.go). Here a lane that cannot go
 * on says what it needs, and is tried again when that has come about.
 */
struct gt_frontier {
    struct gt_mem *mem;

    /*
     * The ready ones that come before `until`, the first of them last; the others are in `later`.
     * Item 0 is `until`. Where more than GT_FRONTIER_NEAR were woken so late that they come before
     * all that `later` can have, they are a heap, with the first in item 1.
     */
    struct gt_heap_item *near;
    size_t near_count;
    int is_heap;
    struct gt_radix later;
    struct gt_lane until;

    struct gt_heap_item *parked;
    size_t parked_count;
    size_t lane_count;      /* that there is room for */
    size_t capacity;        /* of `near`, and ... */
    size_t parked_capacity; /* ... of `parked`, which is made when it is needed */

    /*
     * The first of the ready lanes, or NULL. The array learns its time only when
     * another may have to go first: from next_time on. Waking one makes that at once.
     * Where its own time is not before `easy_until` it takes more than a move in a sorted array.
     */
    struct gt_lane *first;
    int64_t next_time;
    int64_t easy_until;

    /* Parked lanes by what they need: heads of pairing heaps, chained. */
    struct gt_lane **buckets;
    size_t bucket_mask;
    uint64_t secret; /* of their hash */

    /* No longer parked, and ready once the first lane's next event is known. */
    struct gt_lane *woken;
};

void gt_frontier_init(struct gt_frontier *frontier, struct gt_mem *mem);
void gt_frontier_destroy(struct gt_frontier *frontier);

/* Starts anew, with room for `count` lanes, which then are added in order of their rank. */
gt_status gt_frontier_start(struct gt_frontier *frontier, size_t count);

/* Adds a lane that is at its next event. */
void gt_frontier_add(struct gt_frontier *frontier, struct gt_lane *lane);

void gt_frontier_resift_slow(struct gt_frontier *frontier);

/* The first lane's time is not before next_time any more. Admits who was woken. */
static inline void gt_frontier_resift(struct gt_frontier *frontier)
{
    if (GT_UNLIKELY(frontier->first->time >= frontier->easy_until)) {
        gt_frontier_resift_slow(frontier);
        return;
    }
    struct gt_heap_item item = {frontier->first->time, frontier->first};
    gt_sorted_put(frontier->near, frontier->near_count, item);
    const struct gt_heap_item *last = &frontier->near[frontier->near_count];
    frontier->first = last[0].lane;
    frontier->next_time = last[-1].time;
}

/* The first lane has no more events. Admits who was woken. */
void gt_frontier_remove(struct gt_frontier *frontier);

/* The first lane needs what its wish says. Admits who was woken. */
gt_status gt_frontier_park(struct gt_frontier *frontier);

/* Admits who was woken while no lane was being merged, be one ready or not. */
void gt_frontier_admit(struct gt_frontier *frontier);

void gt_frontier_wake_slow(struct gt_frontier *frontier, const struct gt_wish *wish, int all);

/*
 * What `wish` says has come about: wakes the earliest lane that waits for it,
 * or all of them. One is enough where only one can have its wish.
 */
static inline void gt_frontier_wake(struct gt_frontier *frontier, uint8_t need, uint64_t id,
                                    uint64_t seq)
{
    if (frontier->parked_count != 0) {
        struct gt_wish wish = {id, seq, need};
        gt_frontier_wake_slow(frontier, &wish, 0);
    }
}

static inline void gt_frontier_wake_all(struct gt_frontier *frontier, uint8_t need, uint64_t id)
{
    if (frontier->parked_count != 0) {
        struct gt_wish wish = {id, 0, need};
        gt_frontier_wake_slow(frontier, &wish, 1);
    }
}

/* The earliest time of a parked lane; INT64_MAX where there is none. */
static inline int64_t gt_frontier_parked_time(const struct gt_frontier *frontier)
{
    return frontier->parked_count == 0 ? INT64_MAX : frontier->parked[0].time;
}

#endif
