/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_LATE_H
#define GT_V1_LATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "source/watch.h"

/*
 * An event that was recorded later than it happened: the end of a system call, which had to wait
 * for a proc, or a CPU sample, which passed through a buffer.
 */
struct gt_v1_late_event {
    int64_t time;   /* when it happened, in ticks; in version 5, for an exit, its sequence number */
    uint64_t place; /* the offset of its first byte times 4, plus one of these marks: */
};

enum {
    GT_V1_LATE_MERGED = 2, /* the merge has passed it; it is reported when its time comes */
    GT_V1_LATE_OVER = 3    /* the merge has passed it, and it was reported */
};

/* A list of late events. Those before `next` have been reported. */
struct gt_v1_late {
    struct gt_v1_late_event *events;
    size_t count;
    size_t capacity;
    size_t next;
};

void gt_v1_late_destroy(struct gt_v1_late *late, struct gt_mem *mem);

gt_status gt_v1_late_add(struct gt_v1_late *late, struct gt_mem *mem, int64_t time,
                         uint64_t offset);

/*
 * Sorts the list by time; equal times stay in the order in which they were added. This is a merge
 * sort, as the list consists of few sorted runs, one for each proc, so that few passes are enough.
 * `watch` may be NULL. Returns GT_CANCELLED if reading was cancelled.
 */
gt_status gt_v1_late_sort(struct gt_v1_late *late, struct gt_mem *mem,
                          const struct gt_watch *watch);

/*
 * Finds an event in the sorted list, which must contain it. The search is fast if the event is near
 * `next`.
 */
struct gt_v1_late_event *gt_v1_late_find(const struct gt_v1_late *late, int64_t time,
                                         uint64_t offset);

/* The time of the next event in the list, or INT64_MAX if there is none. */
static inline int64_t gt_v1_late_time(const struct gt_v1_late *late)
{
    return late->next < late->count ? late->events[late->next].time : INT64_MAX;
}

static inline uint64_t gt_v1_late_offset(const struct gt_v1_late_event *event)
{
    return event->place >> 2;
}

static inline unsigned gt_v1_late_mark(const struct gt_v1_late_event *event)
{
    return event->place & 3;
}

#endif
