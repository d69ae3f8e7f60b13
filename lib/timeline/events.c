/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/reader.h>

#include "base/text.h"
#include "timeline/arguments.h"
#include "timeline/timeline.h"
#include "timeline/transition.h"

/* Dispatches each kind of event to the function that draws it. */

static void timeline_take_sample(struct gt_timeline *timeline, const gt_event *event)
{
    int64_t row = gt_tl_row(timeline, event);
    if (row == GT_TL_NO_ROW)
        return;
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    gt_tl_draw_point(timeline, event->time, row, GT_TL_STRING("CPU profile sample"),
                     GT_TL_STRING(""));
}

/* Draws a log. Go's viewers get its category only as a part of the name. */
static void timeline_draw_log(struct gt_timeline *timeline, const gt_event *event, int64_t row,
                              const gt_log *log)
{
    struct gt_tl_arguments arguments;
    gt_instant instant = GT_INSTANT_INIT;
    arguments.count = 0;
    if (timeline->states && log->category.size > 0)
        gt_tl_arguments_add_string(&arguments, GT_TL_STRING("category"), log->category);
    if (timeline->states && log->task != GT_BACKGROUND_TASK && log->task != GT_NO_TASK)
        gt_tl_arguments_add(&arguments, GT_TL_STRING("task"), GT_VIEWER_UNSIGNED, log->task);
    instant.resource = (uint64_t) row;
    instant.time = gt_tl_elapsed(timeline, event->time);
    instant.name = gt_tl_name_end(timeline);
    instant.category = GT_TL_STRING("user event");
    instant.stack = timeline->stack;
    instant.arguments = arguments.count > 0 ? arguments.list : NULL;
    instant.argument_count = arguments.count;
    gt_tl_draw_instant(timeline, &instant);
}

static void timeline_take_log(struct gt_timeline *timeline, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    int64_t row = gt_tl_row(timeline, event);
    if (row == GT_TL_NO_ROW)
        return;
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    gt_event_log(event, &log);
    if (log.category.size > 0) {
        gt_tl_name_string(&timeline->name, GT_TL_STRING("["));
        gt_tl_name_string(&timeline->name, log.category);
        gt_tl_name_string(&timeline->name, GT_TL_STRING("] "));
    }
    gt_tl_name_string(&timeline->name, log.message);
    timeline_draw_log(timeline, event, row, &log);
}

static void timeline_take_metric(struct gt_timeline *timeline, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    int64_t time = gt_tl_elapsed(timeline, event->time);
    gt_event_metric(event, &metric);
    uint64_t bytes = metric.value.number;
    if (metric.value.kind != GT_VALUE_UINT64)
        return;
    if (gt_text_is(metric.name, "/memory/classes/heap/objects:bytes"))
        gt_tl_note(timeline, gt_emitter_heap(timeline->emitter, time, bytes));
    else if (gt_text_is(metric.name, "/gc/heap/goal:bytes"))
        gt_tl_note(timeline, gt_emitter_heap_goal(timeline->emitter, time, bytes));
}

static void timeline_take_range(struct gt_timeline *timeline, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    if (range.scope.kind == GT_RESOURCE_GOROUTINE)
        gt_tl_goroutine_range(timeline, event, &range);
    else if (range.scope.kind == GT_RESOURCE_PROC)
        gt_tl_proc_range(timeline, event, &range);
    else if (range.scope.kind == GT_RESOURCE_NONE)
        gt_tl_global_range(timeline, event, &range);
}

static void timeline_take_transition(struct gt_timeline *timeline, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(event, &transition);
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    if (transition.resource.kind == GT_RESOURCE_GOROUTINE)
        gt_tl_goroutine_transition(timeline, event, &transition);
    else if (transition.resource.kind == GT_RESOURCE_PROC)
        gt_tl_proc_transition(timeline, event, &transition);
}

/* A task or a region begins or ends. */
static void timeline_take_annotation(struct gt_timeline *timeline, const gt_event *event)
{
    bool is_task = event->kind == GT_EVENT_TASK_BEGIN || event->kind == GT_EVENT_TASK_END;
    if (is_task ? !timeline->tasks.has_tasks : !timeline->tasks.has_regions)
        return;
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    if (is_task)
        gt_tl_task_event(timeline, event);
    else
        gt_tl_region_event(timeline, event);
}

/* Does what runGenerator does in cmd/trace/gen.go of Go's source. */
static void timeline_take(struct gt_timeline *timeline, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        timeline->syncs++;
        gt_recent_texts_clear(&timeline->recent_texts, &timeline->texts);
        gt_shared_texts_sweep(&timeline->texts);
        break;
    case GT_EVENT_STACK_SAMPLE:
        timeline_take_sample(timeline, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        timeline_take_range(timeline, event);
        break;
    case GT_EVENT_METRIC:
        timeline_take_metric(timeline, event);
        break;
    case GT_EVENT_LABEL:
        gt_tl_goroutine_label(timeline, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        timeline_take_transition(timeline, event);
        break;
    case GT_EVENT_LOG:
        timeline_take_log(timeline, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        timeline_take_annotation(timeline, event);
        break;
    default:
        break;
    }
}

gt_status gt_timeline_event(gt_timeline *timeline, const gt_event *event)
{
    if (!timeline || timeline->busy || timeline->finished ||
        !gt_reader_has_event(timeline->reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    if (timeline->status != GT_OK)
        return timeline->status;
    timeline->busy = true;
    if (timeline->events++ == 0)
        timeline->start = event->time;
    timeline->now = event->time;
    timeline_take(timeline, event);
    timeline->busy = false;
    return timeline->status;
}
