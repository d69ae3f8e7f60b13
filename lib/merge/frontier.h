/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_FRONTIER_H
#define GT_MERGE_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/mem.h"
#include "merge/heap.h"
#include "merge/lane.h"
#include "merge/radix.h"

enum {
    /* How many lanes are kept in a sorted array; with many more, insertion would take too long. */
    GT_FRONTIER_NEAR = 32
};

/*
 * The lanes that still have events, for instance those of the threads of a generation: ready ones,
 * which are merged by the time of their next event, and parked ones, whose next event cannot
 * happen yet. At equal times the lane with the lower rank comes first.
 *
 * Go sorts and tries all lanes again whenever the first cannot continue, which takes quadratic
 * time (internal/trace/reader.go). Here such a lane states a wish, and is tried again when the
 * wish is fulfilled.
 */
struct gt_frontier {
    struct gt_mem *mem;

    /*
     * The ready lanes that precede `until`, in descending order; all others are in `later`. Item 0
     * is `until`, as a sentinel. More than GT_FRONTIER_NEAR lanes that are woken late may precede
     * all that `later` can hold. Then they are a heap, which starts in item 1.
     */
    struct gt_heap_item *near;
    size_t near_count;
    bool is_heap;
    struct gt_radix later;
    struct gt_lane until;

    struct gt_heap_item *parked;
    size_t parked_count;
    size_t lane_count;      /* the most lanes that there can be */
    size_t capacity;        /* of `near` */
    size_t parked_capacity; /* of `parked`, which is allocated when it is first needed */

    /*
     * The first of the ready lanes, or NULL. While it moves through its events, its time in the
     * array is out of date; the array must be updated when the lane's time reaches next_time, as
     * another lane may come first from there on. From easy_until on, that takes more than a move
     * within the sorted array. Both are INT64_MIN after a lane was woken.
     */
    struct gt_lane *first;
    int64_t next_time;
    int64_t easy_until;

    /* A hash table of parked lanes by their wish: lists of heads of pairing heaps. */
    struct gt_lane **buckets;
    size_t bucket_mask;
    uint64_t secret; /* of the hash */

    /* Lanes that are no longer parked; they are added once the first lane's next event is known. */
    struct gt_lane *woken;
};

void gt_frontier_init(struct gt_frontier *frontier, struct gt_mem *mem);
void gt_frontier_destroy(struct gt_frontier *frontier);

/* Starts again with room for `count` lanes, which are then added in order of their rank. */
gt_status gt_frontier_start(struct gt_frontier *frontier, size_t count);

/* Adds a lane, whose next event is known. */
void gt_frontier_add(struct gt_frontier *frontier, struct gt_lane *lane);

void gt_frontier_resift_slow(struct gt_frontier *frontier);

/* The first lane's time has reached next_time: puts it in its place. Adds lanes that were woken. */
static inline void gt_frontier_resift(struct gt_frontier *frontier)
{
    if (GT_UNLIKELY(frontier->first->time >= frontier->easy_until)) {
        gt_frontier_resift_slow(frontier);
        return;
    }
    struct gt_heap_item item = {frontier->first->time, frontier->first};
    gt_sorted_insert(frontier->near, frontier->near_count, item);
    const struct gt_heap_item *last = &frontier->near[frontier->near_count];
    frontier->first = last[0].lane;
    frontier->next_time = last[-1].time;
}

/* The first lane has no more events. Adds lanes that were woken. */
void gt_frontier_remove(struct gt_frontier *frontier);

/* Parks the first lane, whose wish is set. Adds lanes that were woken. */
gt_status gt_frontier_park(struct gt_frontier *frontier);

/* Adds lanes that were woken while no event was being taken. There may be no ready lane. */
void gt_frontier_admit(struct gt_frontier *frontier);

void gt_frontier_wake_slow(struct gt_frontier *frontier, const struct gt_wish *wish, bool all);

/*
 * A wish is fulfilled: wakes the earliest of the lanes that wait for it, or all of them. One is
 * enough if its event makes the wish untrue again.
 */
static inline void gt_frontier_wake(struct gt_frontier *frontier, uint8_t need, uint64_t id,
                                    uint64_t seq)
{
    if (frontier->parked_count != 0) {
        struct gt_wish wish = {id, seq, need};
        gt_frontier_wake_slow(frontier, &wish, false);
    }
}

static inline void gt_frontier_wake_all(struct gt_frontier *frontier, uint8_t need, uint64_t id)
{
    if (frontier->parked_count != 0) {
        struct gt_wish wish = {id, 0, need};
        gt_frontier_wake_slow(frontier, &wish, true);
    }
}

/* The earliest time of a parked lane; INT64_MAX if there is none. */
static inline int64_t gt_frontier_parked_time(const struct gt_frontier *frontier)
{
    return frontier->parked_count == 0 ? INT64_MAX : frontier->parked[0].time;
}

#endif
