/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_FRONTIER_H
#define GT_MERGE_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/mem.h"
#include "base/wraps.h"
#include "merge/heap.h"
#include "merge/lane.h"

/*
 * The lanes that still have events, for instance those of the threads of a generation: ready ones,
 * which are merged by the time of their next event, and parked ones, whose next event cannot
 * happen yet. At equal times the lane with the lower rank comes first.
 *
 * Go sorts and tries all lanes again whenever the first cannot continue, which takes quadratic
 * time (internal/trace/reader.go). Here such a lane states a wish, and is tried again when the
 * wish is fulfilled.
 *
 * The ready lanes are the leaves of a tournament: a complete binary tree, in which each inner node
 * holds the lesser of the two keys below it. A key is a lane's time and rank in one number, so that
 * a lane finds its new place with a comparison for each level, none of which is a branch: with
 * many threads nobody can predict which of them is next.
 */
struct gt_frontier {
    struct gt_mem *mem;

    /*
     * The tree: the root is keys[1], the children of keys[i] are keys[2 * i] and the one behind it,
     * and the leaf of the lane with rank i is keys[leaves + i]. GT_FRONTIER_NONE: no lane is ready
     * there. Any number of leaves will do, but if it is a power of two, all are of one depth, so
     * that the loops over the levels are predicted.
     */
    uint64_t *keys;
    struct gt_lane **lanes; /* by rank, those that were added; behind the keys */
    size_t leaves;
    unsigned rank_bits; /* the number of low bits of a key for the rank; the others hold the time */
    size_t rank_mask;
    int64_t base;  /* the time that a key represents as 0 */
    uint64_t span; /* the largest time in a key, relative to the base; 0: no lane was added yet */
    /*
     * Some lane's time did not fit a key. Since then keys consist of ranks only, and the times of
     * the lanes themselves are compared.
     */
    bool is_far;

    struct gt_heap_item *parked;
    size_t parked_count;
    size_t lane_count;      /* the maximum number of lanes; ranks are below it */
    size_t capacity;        /* the number of leaves for which memory is allocated */
    size_t parked_capacity; /* the capacity of `parked`, which is allocated on first use */

    /*
     * The ready lane whose event comes first, or NULL. While the merge takes events of this lane,
     * its key is not updated. The key must be updated when the lane's time reaches next_time, as
     * another lane may come first from there on. If is_hard is set, updating the key is not enough:
     * either a lane was woken, and next_time is INT64_MIN, or is_far is set.
     */
    struct gt_lane *first;
    int64_t next_time;
    bool is_hard;

    /*
     * A hash table of parked lanes by their wish. Each bucket is a list of the heads of pairing
     * heaps.
     */
    struct gt_lane **buckets;
    size_t bucket_mask;
    uint64_t secret; /* the secret of the hash function */

    /*
     * Lanes that are no longer parked. They are added to the tree once the first lane's next event
     * is known.
     */
    struct gt_lane *woken;
};

/* The key of a leaf without a ready lane, which is greater than all others. */
#define GT_FRONTIER_NONE UINT64_MAX

void gt_frontier_init(struct gt_frontier *frontier, struct gt_mem *mem);
void gt_frontier_destroy(struct gt_frontier *frontier);

/* Starts a merge of at most `count` lanes, whose ranks are below `count`. */
gt_status gt_frontier_start(struct gt_frontier *frontier, size_t count);

/* Adds a lane, whose next event must be known. */
void gt_frontier_add(struct gt_frontier *frontier, struct gt_lane *lane);

void gt_frontier_resift_slow(struct gt_frontier *frontier);

/* The key of a ready lane whose time is `span` after the base. */
static inline uint64_t gt_frontier_key(const struct gt_frontier *frontier,
                                       const struct gt_lane *lane, uint64_t span)
{
    return span << frontier->rank_bits | lane->rank;
}

/* The time of the lane relative to the base. It exceeds frontier->span if it does not fit a key. */
GT_WRAPS static inline uint64_t gt_frontier_span(const struct gt_frontier *frontier,
                                                 const struct gt_lane *lane)
{
    return (uint64_t) lane->time - (uint64_t) frontier->base;
}

/* Sets the key of the lane with this rank, and updates the inner nodes up to the root. */
static inline void gt_frontier_set_key(struct gt_frontier *frontier, uint32_t rank, uint64_t key)
{
    uint64_t *keys = frontier->keys;
    size_t i = frontier->leaves + rank;
    for (; i > 1; i /= 2) {
        uint64_t other = keys[i ^ 1];
        keys[i] = key;
        key = key < other ? key : other;
    }
    keys[1] = key;
}

/* Determines the first lane, which must exist, and the time of the second one. */
GT_WRAPS static inline void gt_frontier_find_first(struct gt_frontier *frontier)
{
    const uint64_t *keys = frontier->keys;
    size_t rank = (size_t) keys[1] & frontier->rank_mask;
    uint64_t second = GT_FRONTIER_NONE;
    for (size_t i = frontier->leaves + rank; i > 1; i /= 2)
        second = keys[i ^ 1] < second ? keys[i ^ 1] : second;
    frontier->first = frontier->lanes[rank];
    int64_t time = (int64_t) ((uint64_t) frontier->base + (second >> frontier->rank_bits));
    frontier->next_time = second == GT_FRONTIER_NONE ? INT64_MAX : time;
}

/*
 * Moves the first lane, whose time has reached next_time, to its new position, and determines the
 * new first lane. Adds lanes that were woken.
 */
static inline void gt_frontier_resift(struct gt_frontier *frontier)
{
    struct gt_lane *lane = frontier->first;
    uint64_t span = gt_frontier_span(frontier, lane);
    if (GT_UNLIKELY(frontier->is_hard || span > frontier->span)) {
        gt_frontier_resift_slow(frontier);
        return;
    }
    gt_frontier_set_key(frontier, lane->rank, gt_frontier_key(frontier, lane, span));
    gt_frontier_find_first(frontier);
}

/* Removes the first lane, which has no more events. Adds lanes that were woken. */
void gt_frontier_remove(struct gt_frontier *frontier);

/* Parks the first lane, whose wish is set. Adds lanes that were woken. */
gt_status gt_frontier_park(struct gt_frontier *frontier);

/*
 * Adds lanes that were woken while no event was being taken. Unlike in the other functions, no lane
 * need be ready.
 */
void gt_frontier_admit(struct gt_frontier *frontier);

void gt_frontier_wake_slow(struct gt_frontier *frontier, const struct gt_wish *wish, bool all);

/*
 * Signals that a wish is fulfilled: gt_frontier_wake wakes the earliest lane that waits for it, and
 * gt_frontier_wake_all wakes all of them. Waking one lane suffices if its event makes the condition
 * false again.
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

/* The earliest time of a parked lane, or INT64_MAX if no lane is parked. */
static inline int64_t gt_frontier_parked_time(const struct gt_frontier *frontier)
{
    return frontier->parked_count == 0 ? INT64_MAX : frontier->parked[0].time;
}

#endif
