/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_MERGE_H
#define GT_V2_MERGE_H

#include <gotrace/status.h>

#include "v2/v2.h"

/* Starts on the generation that was read. */
gt_status gt_v2_merge_start(struct gt_v2 *v2);

/*
 * Adds events of the generation to `*events` until that is full, or the
 * generation over. An error comes after the events that were added.
 */
gt_status gt_v2_merge(struct gt_v2 *v2, struct gt_events *events);

/*
 * The time to deliver an event with that takes place at `time`. Time must go on:
 * what is not later than the event before it is moved to 1 ns after. At the very
 * end of time it stands still.
 */
static inline int64_t gt_v2_next_time(struct gt_v2 *v2, int64_t time)
{
    if (time <= v2->last_time)
        time = v2->last_time + (v2->last_time < INT64_MAX);
    v2->last_time = time;
    return time;
}

#endif
