/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/trace_info.h"

#include "base/text.h"
#include "base/time.h"

static const char gomaxprocs[] = "/sched/gomaxprocs:threads";

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
    gt_metric metric = GT_METRIC_INIT;
    if (gt_event_metric(event, &metric) == GT_OK && metric.value.kind == GT_VALUE_UINT64 &&
        gt_text_is(metric.name, gomaxprocs))
        info->gomaxprocs = metric.value.number;
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
