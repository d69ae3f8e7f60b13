/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/trace_info.h"

#include "base/procs.h"
#include "base/time.h"

/*
 * Computes the wall-clock time of the first event from an event that has the time of both clocks.
 */
static void trace_info_note_sync(struct gt_trace_info *info, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    if (info->has_clock || gt_event_sync(event, &sync) != GT_OK || sync.has_clock == 0)
        return;
    int64_t since = gt_time_minus(sync.clock_trace, info->first);
    int64_t nanoseconds = (int64_t) sync.clock_nanoseconds - since % 1000000000;
    info->has_clock = true;
    info->seconds = gt_time_minus(sync.clock_seconds, since / 1000000000);
    if (nanoseconds < 0) {
        nanoseconds += 1000000000;
        gt_time_add_to(&info->seconds, -1);
    } else if (nanoseconds >= 1000000000) {
        nanoseconds -= 1000000000;
        gt_time_add_to(&info->seconds, 1);
    }
    info->nanoseconds = (uint32_t) nanoseconds;
}

static void trace_info_note_metric(struct gt_trace_info *info, const gt_event *event)
{
    gt_procs_take(event, &info->gomaxprocs);
}

void gt_trace_info_note(struct gt_trace_info *info, const gt_event *event)
{
    if (!info->has_first) {
        info->has_first = true;
        info->first = event->time;
    }
    if (event->kind == GT_EVENT_SYNC)
        trace_info_note_sync(info, event);
    else if (event->kind == GT_EVENT_METRIC)
        trace_info_note_metric(info, event);
}
