/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "timeline/selector.h"

/* The first release's layouts; members are only ever added at the end. */
struct timeline_options_v1 {
    size_t size;
    uint64_t flags;
    uint32_t view;
    uint32_t reserved;
    const gt_selector *selector;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

struct timeline_info_v1 {
    size_t size;
    uint64_t events;
    uint64_t memory;
    uint64_t memory_peak;
};

static_assert(sizeof(gt_timeline_options) == sizeof(struct timeline_options_v1),
              "gt_timeline_options");
static_assert(sizeof(gt_timeline_info) == sizeof(struct timeline_info_v1), "gt_timeline_info");

static gt_status take_options(gt_timeline_options *out, gt_allocator *allocator,
                              const gt_timeline_options *options)
{
    memset(out, 0, sizeof(*out));
    if (!options)
        return gt_allocator_take(allocator, NULL);
    gt_status status =
        gt_struct_take(out, sizeof(*out), sizeof(struct timeline_options_v1), options);
    if (status != GT_OK)
        return status;
    const gt_selector *selector = out->selector;
    if ((out->flags & ~(uint64_t) (GT_TIMELINE_EXACT | GT_TIMELINE_STATES)) != 0 ||
        out->view > GT_VIEW_GOROUTINE)
        return GT_ERR_INVALID_ARGUMENT;
    if ((out->flags & GT_TIMELINE_STATES) != 0 && out->view != GT_VIEW_GOROUTINE)
        return GT_ERR_INVALID_ARGUMENT;
    if (selector && (selector->busy || !selector->finished || selector->status != GT_OK))
        return GT_ERR_INVALID_ARGUMENT;
    return gt_allocator_take(allocator, out->allocator);
}

static void destroy(struct gt_timeline *t)
{
    gt_tl_tasks_close(t);
    gt_pool_destroy(&t->ranges.pool);
    gt_idmap_destroy(&t->procs.map);
    gt_idmap_destroy(&t->procs.threads);
    gt_pool_destroy(&t->procs.pool);
    gt_idmap_destroy(&t->goroutines.map);
    gt_pool_destroy(&t->goroutines.pool);
    gt_tl_stacks_destroy(&t->stacks);
    gt_tl_texts_destroy(&t->texts);
    gt_mem_free(&t->mem, t->name.data, t->name.capacity);
    struct gt_mem mem = t->mem;
    gt_mem_free(&mem, t, sizeof(*t));
}

static void set_up(struct gt_timeline *t, gt_reader *reader, gt_emitter *emitter,
                   const gt_timeline_options *options)
{
    t->reader = reader;
    t->emitter = emitter;
    t->selector = options->selector;
    t->exact = (options->flags & GT_TIMELINE_EXACT) != 0;
    t->states = (options->flags & GT_TIMELINE_STATES) != 0;
    t->view = options->view;
    if (t->selector && t->selector->selection != GT_SELECT_FOCUS_TASK)
        t->view = GT_VIEW_GOROUTINE;
    gt_tl_texts_init(&t->texts, &t->mem);
    gt_tl_stacks_init(&t->stacks, &t->mem, &t->texts, reader, emitter);
    gt_idmap_init(&t->goroutines.map, &t->mem);
    gt_pool_init(&t->goroutines.pool, &t->mem, sizeof(struct gt_tl_goroutine));
    gt_idmap_init(&t->procs.map, &t->mem);
    gt_idmap_init(&t->procs.threads, &t->mem);
    gt_pool_init(&t->procs.pool, &t->mem, sizeof(struct gt_tl_proc));
    gt_pool_init(&t->ranges.pool, &t->mem, sizeof(struct gt_tl_range));
    gt_tl_tasks_open(t);
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
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_timeline *t = gt_mem_create(sizeof(*t), offsetof(struct gt_timeline, mem), &allocator,
                                          taken.memory_limit, &status);
    if (!t)
        return status;
    set_up(t, reader, emitter, &taken);
    status = t->status;
    if (status == GT_OK)
        *out = t;
    else
        destroy(t);
    return status;
}

void gt_timeline_close(gt_timeline **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    destroy(*out);
    *out = NULL;
}

uint32_t gt_tl_stack(struct gt_timeline *t, gt_stack stack)
{
    uint32_t id;
    gt_tl_note(t, gt_tl_stack_id(&t->stacks, stack, &id));
    return id;
}

gt_slice gt_tl_slice(const struct gt_timeline *t, int64_t row, int64_t from, int64_t to)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = (uint64_t) row;
    slice.time = gt_tl_elapsed(t, from);
    slice.duration = gt_time_minus(to, from);
    return slice;
}

void gt_tl_instant(struct gt_timeline *t, int64_t time, int64_t row, gt_string name,
                   gt_string category)
{
    gt_instant instant = GT_INSTANT_INIT;
    instant.resource = (uint64_t) row;
    instant.time = gt_tl_elapsed(t, time);
    instant.name = name;
    instant.category = category;
    instant.stack = t->stack;
    if (t->status == GT_OK)
        gt_tl_note(t, gt_emitter_instant(t->emitter, &instant));
}

static void take_sample(struct gt_timeline *t, const gt_event *event)
{
    int64_t row = gt_tl_row(t, event);
    if (row == GT_TL_NOWHERE)
        return;
    t->stack = gt_tl_stack(t, gt_event_stack(event));
    gt_tl_instant(t, event->time, row, GT_TL_STRING("CPU profile sample"), GT_TL_STRING(""));
}

static void take_log(struct gt_timeline *t, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    int64_t row = gt_tl_row(t, event);
    if (row == GT_TL_NOWHERE)
        return;
    t->stack = gt_tl_stack(t, gt_event_stack(event));
    gt_event_log(event, &log);
    if (log.category.size > 0) {
        gt_tl_name_string(t, GT_TL_STRING("["));
        gt_tl_name_string(t, log.category);
        gt_tl_name_string(t, GT_TL_STRING("] "));
    }
    gt_tl_name_string(t, log.message);
    gt_string name = gt_tl_name_take(t);
    gt_tl_instant(t, event->time, row, name, GT_TL_STRING("user event"));
}

static int is_text(gt_string string, const char *text)
{
    return string.size == strlen(text) && memcmp(string.data, text, string.size) == 0;
}

static void take_metric(struct gt_timeline *t, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    int64_t time = gt_tl_elapsed(t, event->time);
    gt_event_metric(event, &metric);
    if (metric.value.kind != GT_VALUE_UINT64)
        return;
    if (is_text(metric.name, "/memory/classes/heap/objects:bytes"))
        gt_tl_note(t, gt_emitter_heap(t->emitter, time, metric.value.number));
    else if (is_text(metric.name, "/gc/heap/goal:bytes"))
        gt_tl_note(t, gt_emitter_heap_goal(t->emitter, time, metric.value.number));
}

static void take_range(struct gt_timeline *t, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    t->stack = gt_tl_stack(t, gt_event_stack(event));
    if (range.scope.kind == GT_RESOURCE_GOROUTINE)
        gt_tl_goroutine_range(t, event, &range);
    else if (range.scope.kind == GT_RESOURCE_PROC)
        gt_tl_proc_range(t, event, &range);
    else if (range.scope.kind == GT_RESOURCE_NONE)
        gt_tl_global_range(t, event, &range);
}

static void take_transition(struct gt_timeline *t, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(event, &transition);
    t->stack = gt_tl_stack(t, gt_event_stack(event));
    if (transition.resource.kind == GT_RESOURCE_GOROUTINE)
        gt_tl_goroutine_changes(t, event, &transition);
    else if (transition.resource.kind == GT_RESOURCE_PROC)
        gt_tl_proc_changes(t, event, &transition);
}

static void take_of_user(struct gt_timeline *t, const gt_event *event)
{
    int is_task = event->kind == GT_EVENT_TASK_BEGIN || event->kind == GT_EVENT_TASK_END;
    if (is_task ? !t->tasks.has_tasks : !t->tasks.has_regions)
        return;
    t->stack = gt_tl_stack(t, gt_event_stack(event));
    if (is_task)
        gt_tl_task_changes(t, event);
    else
        gt_tl_region_changes(t, event);
}

/* runGenerator in cmd/trace/gen.go. */
static void take(struct gt_timeline *t, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        t->syncs++;
        gt_tl_texts_forget(&t->texts);
        break;
    case GT_EVENT_STACK_SAMPLE:
        take_sample(t, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        take_range(t, event);
        break;
    case GT_EVENT_METRIC:
        take_metric(t, event);
        break;
    case GT_EVENT_LABEL:
        gt_tl_goroutine_label(t, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        take_transition(t, event);
        break;
    case GT_EVENT_LOG:
        take_log(t, event);
        break;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        take_of_user(t, event);
        break;
    default:
        break;
    }
}

gt_status gt_timeline_event(gt_timeline *t, const gt_event *event)
{
    if (!t || !event || t->busy || t->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (t->status != GT_OK)
        return t->status;
    t->busy = 1;
    if (t->events++ == 0)
        t->start = event->time;
    t->now = event->time;
    take(t, event);
    t->busy = 0;
    return t->status;
}

/* Ranges before the runs that they are in, as Go has it. */
static void finish(struct gt_timeline *t)
{
    static const char *const types[] = {"PROCS", "OS THREADS", "G"};
    gt_string type = {types[t->view], strlen(types[t->view])};
    gt_tl_tasks_finish(t);
    gt_tl_regions_finish(t);
    if (t->status == GT_OK)
        gt_tl_note(t, gt_emitter_set_resource_type(t->emitter, type));
    gt_tl_procs_finish(t);
    gt_tl_global_finish(t);
    gt_tl_goroutines_finish(t);
    if (t->view == GT_VIEW_PROC)
        gt_tl_procs_name(t);
    if (t->status == GT_OK && t->view == GT_VIEW_GOROUTINE && t->selector)
        gt_tl_note(t, gt_emitter_focus(t->emitter, (uint64_t) t->selector->focus));
}

gt_status gt_timeline_finish(gt_timeline *t)
{
    if (!t || t->busy || t->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (t->status != GT_OK)
        return t->status;
    t->busy = 1;
    finish(t);
    t->busy = 0;
    t->finished = 1;
    return t->status;
}

gt_status gt_timeline_get_info(const gt_timeline *t, gt_timeline_info *info)
{
    if (!t || t->busy || !gt_struct_fits(info, sizeof(struct timeline_info_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_timeline_info known = GT_TIMELINE_INFO_INIT;
    known.events = t->events;
    known.memory = t->mem.used;
    known.memory_peak = t->mem.peak;
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
