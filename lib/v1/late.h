/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_LATE_H
#define GT_V1_LATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/*
 * Events that were recorded later than they happened: ends of system calls,
 * which had to wait for a proc, and CPU samples, which come by way of a buffer.
 */
struct gt_v1_late_event {
    int64_t time;   /* when it happened, in ticks; with N = 5 its sequence number */
    uint64_t place; /* the offset of its first byte, times 4, and what was done: */
};

enum {
    GT_V1_LATE_GIVEN = 1,  /* it was given when its time had come */
    GT_V1_LATE_MERGED = 2, /* the merge came by first, and left it for its time */
    GT_V1_LATE_OVER = 3    /* the merge came by first, and gave it */
};

/* A list of them, and the first that was not taken yet. */
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
 * Sorts by time, and equal times as they were added. The list is made of runs
 * that are sorted already, those of a proc, and the time is that of merging them.
 */
gt_status gt_v1_late_sort(struct gt_v1_late *late, struct gt_mem *mem);

/* The event, which must be in the sorted list; fast for one that is near `next`. */
struct gt_v1_late_event *gt_v1_late_find(const struct gt_v1_late *late, int64_t time,
                                         uint64_t offset);

/* The time of the first that is left, or INT64_MAX. */
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
