/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"

#include <string.h>

#include "base/error.h"
#include "base/object.h"
#include "timeline/selector.h"

static bool timeline_options_are_valid(const void *taken, gt_error *failure)
{
    const gt_timeline_options *options = taken;
    const gt_selector *selector = options->selector;
    const char *fault = NULL;
    if (options->view > GT_VIEW_GOROUTINE)
        fault = "options.view is not a gt_view";
    else if ((options->flags & GT_TIMELINE_STATES) != 0 && options->view != GT_VIEW_GOROUTINE)
        fault = "options.flags has GT_TIMELINE_STATES, but options.view is not GT_VIEW_GOROUTINE";
    else if (options->reserved != 0)
        fault = "options.reserved is not 0";
    else if (selector && (selector->busy || !selector->finished))
        fault = "options.selector is not finished";
    else if (selector && selector->status != GT_OK)
        fault = "options.selector has failed";
    return !fault || gt_error_refuse(failure, fault) == GT_OK;
}

void gt_timeline_close(gt_timeline **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_timeline *timeline = *out;
    *out = NULL;
    gt_tl_tasks_close(timeline);
    gt_pool_destroy(&timeline->ranges.pool);
    gt_idmap_destroy(&timeline->procs.map);
    gt_idmap_destroy(&timeline->procs.threads);
    gt_idmap_destroy(&timeline->goroutines.map);
    gt_tl_stacks_destroy(&timeline->stacks);
    gt_shared_texts_destroy(&timeline->texts);
    gt_tl_name_destroy(&timeline->name);
    gt_mem_delete(&timeline->mem, timeline, sizeof(*timeline));
}

static void timeline_set_up(struct gt_timeline *timeline, gt_reader *reader, gt_emitter *emitter)
{
    timeline->reader = reader;
    timeline->emitter = emitter;
    timeline->selector = timeline->options.selector;
    timeline->exact = (timeline->options.flags & GT_TIMELINE_EXACT) != 0;
    timeline->states = (timeline->options.flags & GT_TIMELINE_STATES) != 0;
    timeline->view = timeline->options.view;
    if (timeline->selector && timeline->selector->selection != GT_SELECT_FOCUS_TASK)
        timeline->view = GT_VIEW_GOROUTINE;
    struct gt_mem *mem = &timeline->mem;
    gt_shared_texts_init(&timeline->texts, mem, GT_SHARED_TEXT_SPARE);
    gt_tl_name_init(&timeline->name, mem);
    gt_tl_stacks_init(&timeline->stacks, mem, &timeline->texts, reader, emitter);
    gt_idmap_init_objects(&timeline->goroutines.map, mem, sizeof(struct gt_tl_goroutine));
    gt_idmap_init_objects(&timeline->procs.map, mem, sizeof(struct gt_tl_proc));
    gt_idmap_init(&timeline->procs.threads, mem);
    gt_pool_init(&timeline->ranges.pool, mem, sizeof(struct gt_tl_range));
    gt_tl_tasks_open(timeline);
}

gt_status gt_timeline_open(gt_timeline **out, gt_reader *reader, gt_emitter *emitter,
                           const gt_timeline_options *options, gt_error *error)
{
    static const gt_timeline_options defaults = GT_TIMELINE_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "timeline", gt_timeline, gt_timeline_options, allocator,
        GT_TIMELINE_EXACT | GT_TIMELINE_STATES, &defaults, timeline_options_are_valid);
    if (!out)
        return gt_error_report_refusal(error, "timeline is NULL");
    *out = NULL;
    if (!reader || !emitter)
        return gt_error_report_refusal(error, reader ? "emitter is NULL" : "reader is NULL");
    gt_status status;
    struct gt_timeline *timeline = gt_object_open(out, &layout, options, error, &status);
    if (!timeline)
        return status;
    timeline_set_up(timeline, reader, emitter);
    /* The status is ignored, because an emitter that has failed reports that again at the next
     * call. */
    (void) gt_emitter_follow_go(emitter);
    status = timeline->status;
    if (status != GT_OK)
        gt_timeline_close(&timeline);
    *out = timeline;
    return gt_error_report_plain(error, status);
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

/* Draws ranges before the runs that they are in, which is Go's order. */
static void timeline_draw_open(struct gt_timeline *timeline)
{
    static const char *const types[] = {"PROCS", "OS THREADS", "G"};
    gt_string type = {types[timeline->view], strlen(types[timeline->view])};
    gt_emitter *emitter = timeline->emitter;
    gt_tl_tasks_finish(timeline);
    gt_tl_regions_finish(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, type));
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
