/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"

#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "base/text.h"
#include "timeline/selector.h"
#include "timeline/transition.h"

static gt_status timeline_options_take(gt_timeline_options *out, gt_allocator *allocator,
                                       const gt_timeline_options *options)
{
    static const gt_timeline_options defaults = GT_TIMELINE_OPTIONS_INIT;
    static const struct gt_options_layout layout =
        GT_OPTIONS_LAYOUT(gt_timeline_options, allocator, GT_TIMELINE_EXACT | GT_TIMELINE_STATES);
    *out = defaults;
    gt_status status = gt_options_take(out, allocator, &layout, options);
    if (status != GT_OK)
        return status;
    if (out->view > GT_VIEW_GOROUTINE)
        return GT_ERR_INVALID_ARGUMENT;
    if ((out->flags & GT_TIMELINE_STATES) != 0 && out->view != GT_VIEW_GOROUTINE)
        return GT_ERR_INVALID_ARGUMENT;
    const gt_selector *selector = out->selector;
    if (selector && (selector->busy || !selector->finished || selector->status != GT_OK))
        return GT_ERR_INVALID_ARGUMENT;
    return GT_OK;
}

static void timeline_destroy(struct gt_timeline *timeline)
{
    gt_tl_tasks_close(timeline);
    gt_pool_destroy(&timeline->ranges.pool);
    gt_idmap_destroy(&timeline->procs.map);
    gt_idmap_destroy(&timeline->procs.threads);
    gt_pool_destroy(&timeline->procs.pool);
    gt_idmap_destroy(&timeline->goroutines.map);
    gt_pool_destroy(&timeline->goroutines.pool);
    gt_tl_stacks_destroy(&timeline->stacks);
    gt_shared_texts_destroy(&timeline->texts);
    gt_array_free(&timeline->mem, &timeline->name.text);
    gt_mem_delete(&timeline->mem, timeline, sizeof(*timeline));
}

static void timeline_set_up(struct gt_timeline *timeline, gt_reader *reader, gt_emitter *emitter,
                            const gt_timeline_options *options)
{
    timeline->reader = reader;
    timeline->emitter = emitter;
    timeline->selector = options->selector;
    timeline->exact = (options->flags & GT_TIMELINE_EXACT) != 0;
    timeline->states = (options->flags & GT_TIMELINE_STATES) != 0;
    timeline->view = options->view;
    if (timeline->selector && timeline->selector->selection != GT_SELECT_FOCUS_TASK)
        timeline->view = GT_VIEW_GOROUTINE;
    struct gt_mem *mem = &timeline->mem;
    gt_shared_texts_init(&timeline->texts, mem, GT_SHARED_TEXT_SPARE);
    gt_tl_stacks_init(&timeline->stacks, mem, &timeline->texts, reader, emitter);
    gt_idmap_init(&timeline->goroutines.map, mem);
    gt_pool_init(&timeline->goroutines.pool, mem, sizeof(struct gt_tl_goroutine));
    gt_idmap_init(&timeline->procs.map, mem);
    gt_idmap_init(&timeline->procs.threads, mem);
    gt_pool_init(&timeline->procs.pool, mem, sizeof(struct gt_tl_proc));
    gt_pool_init(&timeline->ranges.pool, mem, sizeof(struct gt_tl_range));
    gt_tl_tasks_open(timeline);
}

gt_status gt_timeline_open(gt_timeline **out, gt_reader *reader, gt_emitter *emitter,
                           const gt_timeline_options *options)
{
    gt_timeline_options taken;
    gt_allocator allocator;
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    if (!reader || !emitter)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = timeline_options_take(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_timeline *timeline =
        gt_mem_create(sizeof(*timeline), offsetof(struct gt_timeline, mem), &allocator,
                      taken.memory_limit, &status);
    if (!timeline)
        return status;
    timeline_set_up(timeline, reader, emitter, &taken);
    status = timeline->status;
    if (status == GT_OK)
        *out = timeline;
    else
        timeline_destroy(timeline);
    return status;
}

void gt_timeline_close(gt_timeline **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    timeline_destroy(*out);
    *out = NULL;
}

uint32_t gt_tl_stack(struct gt_timeline *timeline, gt_stack stack)
{
    uint32_t id;
    gt_tl_note(timeline, gt_tl_stack_id(&timeline->stacks, stack, &id));
    return id;
}

gt_slice gt_tl_slice(const struct gt_timeline *timeline, int64_t row, int64_t start, int64_t end)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = (uint64_t) row;
    slice.time = gt_tl_elapsed(timeline, start);
    slice.duration = gt_time_minus(end, start);
    return slice;
}

void gt_tl_draw_slice(struct gt_timeline *timeline, const gt_slice *slice)
{
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_slice(timeline->emitter, slice));
}

void gt_tl_draw_instant(struct gt_timeline *timeline, const gt_instant *instant)
{
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_instant(timeline->emitter, instant));
}

void gt_tl_draw_point(struct gt_timeline *timeline, int64_t time, int64_t row, gt_string name,
                      gt_string category)
{
    gt_instant instant = GT_INSTANT_INIT;
    instant.resource = (uint64_t) row;
    instant.time = gt_tl_elapsed(timeline, time);
    instant.name = name;
    instant.category = category;
    instant.stack = timeline->stack;
    gt_tl_draw_instant(timeline, &instant);
}

void gt_tl_name_row(struct gt_timeline *timeline, int64_t row, gt_string name)
{
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_resource(timeline->emitter, (uint64_t) row, name));
}

static void timeline_take_sample(struct gt_timeline *timeline, const gt_event *event)
{
    int64_t row = gt_tl_row(timeline, event);
    if (row == GT_TL_NO_ROW)
        return;
    timeline->stack = gt_tl_stack(timeline, gt_event_stack(event));
    gt_tl_draw_point(timeline, event->time, row, GT_TL_STRING("CPU profile sample"),
                     GT_TL_STRING(""));
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
        gt_tl_name_string(timeline, GT_TL_STRING("["));
        gt_tl_name_string(timeline, log.category);
        gt_tl_name_string(timeline, GT_TL_STRING("] "));
    }
    gt_tl_name_string(timeline, log.message);
    gt_string name = gt_tl_name_take(timeline);
    gt_tl_draw_point(timeline, event->time, row, name, GT_TL_STRING("user event"));
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

/* The same as runGenerator in cmd/trace/gen.go. */
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
    if (!timeline || !event || timeline->busy || timeline->finished)
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

/* Draws ranges before the runs that they are in, which is Go's order. */
static void timeline_draw_open(struct gt_timeline *timeline)
{
    static const char *const types[] = {"PROCS", "OS THREADS", "G"};
    gt_string type = {types[timeline->view], strlen(types[timeline->view])};
    gt_emitter *emitter = timeline->emitter;
    gt_tl_tasks_finish(timeline);
    gt_tl_regions_finish(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_set_resource_type(emitter, type));
    gt_tl_procs_finish(timeline);
    gt_tl_global_finish(timeline);
    gt_tl_goroutines_finish(timeline);
    if (timeline->view == GT_VIEW_PROC)
        gt_tl_procs_name(timeline);
    if (timeline->status == GT_OK && timeline->view == GT_VIEW_GOROUTINE && timeline->selector)
        gt_tl_note(timeline, gt_emitter_focus(emitter, (uint64_t) timeline->selector->focus));
}

gt_status gt_timeline_finish(gt_timeline *timeline)
{
    if (!timeline || timeline->busy || timeline->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (timeline->status != GT_OK)
        return timeline->status;
    timeline->busy = true;
    timeline_draw_open(timeline);
    timeline->busy = false;
    timeline->finished = true;
    return timeline->status;
}

gt_status gt_timeline_get_info(const gt_timeline *timeline, gt_timeline_info *info)
{
    if (!timeline || timeline->busy ||
        !gt_struct_fits(info, GT_UP_TO(gt_timeline_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_timeline_info known = GT_TIMELINE_INFO_INIT;
    known.events = timeline->events;
    known.memory = timeline->mem.used;
    known.memory_peak = timeline->mem.peak;
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
