/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_FRONTIER_H
#define GT_V2_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "v2/heap.h"
#include "v2/state.h"

/*
 * The threads of a generation that still have events: those whose next event
 * may happen, merged by time, and those that are parked because it cannot yet.
 * Of equal times, that of the thread which appeared first comes first.
 *
 * Go sorts and tries all threads again whenever the first cannot go on, which
 * takes quadratic time (internal/trace/reader.go). Here a thread that cannot go
 * on says what it needs, and is tried again when that has come about.
 */
struct gt_v2_frontier {
    struct gt_mem *mem;
    struct gt_v2_heap_item *ready;
    size_t ready_count;
    struct gt_v2_heap_item *parked;
    size_t parked_count;
    size_t thread_count;    /* of the generation */
    size_t capacity;        /* of `ready`, and ... */
    size_t parked_capacity; /* ... of `parked`, which is made when it is needed */

    /*
     * The first of the ready threads, or NULL. The array learns its time only when
     * another may have to go first: from next_time on. Waking one makes that at once.
     */
    struct gt_v2_thread *first;
    int64_t next_time;

    /* Parked threads by what they need: heads of pairing heaps, chained. */
    struct gt_v2_thread **buckets;
    size_t bucket_mask;
    uint64_t secret; /* of their hash */

    /* No longer parked, and ready once the first thread's next event is known. */
    struct gt_v2_thread *woken;
};

void gt_v2_frontier_init(struct gt_v2_frontier *frontier, struct gt_mem *mem);
void gt_v2_frontier_destroy(struct gt_v2_frontier *frontier);

/* Starts with these threads, in order of their rank, each at its next event. */
gt_status gt_v2_frontier_start(struct gt_v2_frontier *frontier, struct gt_v2_thread **threads,
                               size_t count);

/* The first thread's time is not before next_time any more. Admits who was woken. */
void gt_v2_frontier_resift(struct gt_v2_frontier *frontier);

/* The first thread has no more events. Admits who was woken. */
void gt_v2_frontier_remove(struct gt_v2_frontier *frontier);

/* The first thread needs what its wish says. Admits who was woken. */
gt_status gt_v2_frontier_park(struct gt_v2_frontier *frontier);

void gt_v2_frontier_wake_slow(struct gt_v2_frontier *frontier, const struct gt_v2_wish *wish,
                              int all);

/*
 * What `wish` says has come about: wakes the earliest thread that waits for it,
 * or all of them. One is enough where only one can have its wish.
 */
static inline void gt_v2_frontier_wake(struct gt_v2_frontier *frontier, enum gt_v2_need need,
                                       uint64_t id, uint64_t seq)
{
    if (frontier->parked_count != 0) {
        struct gt_v2_wish wish = {id, seq, need};
        gt_v2_frontier_wake_slow(frontier, &wish, 0);
    }
}

static inline void gt_v2_frontier_wake_all(struct gt_v2_frontier *frontier, enum gt_v2_need need,
                                           uint64_t id)
{
    if (frontier->parked_count != 0) {
        struct gt_v2_wish wish = {id, 0, need};
        gt_v2_frontier_wake_slow(frontier, &wish, 1);
    }
}

/* The earliest time of a parked thread; INT64_MAX where there is none. */
static inline int64_t gt_v2_frontier_parked_time(const struct gt_v2_frontier *frontier)
{
    return frontier->parked_count == 0 ? INT64_MAX : frontier->parked[0].time;
}

#endif
