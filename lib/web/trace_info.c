/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/trace_info.h"

#include "base/text.h"

static const char gomaxprocs[] = "/sched/gomaxprocs:threads";

/*
 * Computes the wall-clock time of the first event from an event that has the time of both clocks.
 */
static void trace_info_note_sync(struct gt_trace_info *info, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    if (info->has_clock || gt_event_sync(event, &sync) != GT_OK || sync.has_clock == 0)
        return;
    int64_t since = (int64_t) ((uint64_t) sync.clock_trace - (uint64_t) info->first);
    int64_t nanoseconds = (int64_t) sync.clock_nanoseconds - since % 1000000000;
    info->has_clock = true;
    info->seconds = (int64_t) ((uint64_t) sync.clock_seconds - (uint64_t) (since / 1000000000));
    if (nanoseconds < 0) {
        nanoseconds += 1000000000;
        info->seconds--;
    } else if (nanoseconds >= 1000000000) {
        nanoseconds -= 1000000000;
        info->seconds++;
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
