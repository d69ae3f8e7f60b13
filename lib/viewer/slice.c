/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/colors.h"
#include "viewer/emitter.h"

/* Says what is wrong with a slice; NULL if nothing is. */
static const char *slice_fault(const struct gt_emitter *emitter, const gt_slice *slice)
{
    if (!gt_string_is_good(slice->name))
        return "the name of the slice has no data";
    if (!gt_string_is_good(slice->category))
        return "the category of the slice has no data";
    if (!gt_string_is_good(slice->scope))
        return "the scope of the slice has no data";
    if (!gt_emitter_has_stack(emitter, slice->stack))
        return "the stack of the slice is not one of the emitter's";
    if (!gt_emitter_has_stack(emitter, slice->end_stack))
        return "the end_stack of the slice is not one of the emitter's";
    if (slice->duration < 0 && !emitter->follows_go)
        return "the duration of the slice is negative";
    if (!gt_arguments_are_good(slice->arguments, slice->argument_count))
        return "an argument of the slice is not valid";
    return NULL;
}

/* NULL: the slice is refused. */
static const gt_slice *slice_take(struct gt_emitter *emitter, const gt_slice *in, gt_slice *copy)
{
    const gt_slice *slice = gt_struct_view(in, copy, sizeof(*copy), GT_UP_TO(gt_slice, task));
    const char *fault = slice ? slice_fault(emitter, slice) : "the size of the slice is wrong";
    if (!fault)
        return slice;
    gt_emitter_refuse(emitter, fault);
    return NULL;
}

/* Returns the end of a slice. The sum saturates. */
static int64_t slice_end(const gt_slice *slice)
{
    if (slice->duration > 0 && slice->time > INT64_MAX - slice->duration)
        return INT64_MAX;
    if (slice->duration < 0 && slice->time < INT64_MIN - slice->duration)
        return INT64_MIN;
    return slice->time + slice->duration;
}

static bool slice_is_in_range(const struct gt_emitter *emitter, const gt_slice *slice)
{
    const gt_emitter_options *options = &emitter->options;
    int64_t start = slice->time, end = slice_end(slice);
    return gt_emitter_in_range(emitter, start) || gt_emitter_in_range(emitter, end) ||
           ((options->flags & GT_EMITTER_ENCLOSING) != 0 && start < options->range_start &&
            end > options->range_end && options->range_start <= options->range_end);
}

static gt_status slice_emit(struct gt_emitter *emitter, const gt_slice *in, gt_section section)
{
    gt_slice copy;
    const gt_slice *slice = slice_take(emitter, in, &copy);
    if (!slice)
        return GT_ERR_INVALID_ARGUMENT;
    if (!slice_is_in_range(emitter, slice) ||
        (section == GT_SECTION_RESOURCES && !gt_emitter_shows(emitter, slice->resource)))
        return GT_OK;
    gt_viewer_event event = gt_viewer_event_make('X', section, slice->resource, slice->time);
    event.duration = slice->duration;
    event.name = slice->name;
    event.category = slice->category;
    event.stack = slice->stack;
    event.end_stack = slice->end_stack;
    event.arguments = slice->arguments;
    event.argument_count = slice->argument_count;
    if (section == GT_SECTION_TASKS)
        event.color = gt_color_of_task(slice->resource);
    return gt_emitter_give(emitter, &event, false);
}

gt_status gt_emitter_slice(gt_emitter *emitter, const gt_slice *slice)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, slice_emit(emitter, slice, GT_SECTION_RESOURCES))
               : gt_emitter_refusal(emitter);
}

gt_status gt_emitter_task_slice(gt_emitter *emitter, const gt_slice *slice)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, slice_emit(emitter, slice, GT_SECTION_TASKS))
               : gt_emitter_refusal(emitter);
}

/* An asynchronous slice is two events, with the same id. */
static gt_status async_slice_emit_ends(struct gt_emitter *emitter, const gt_slice *slice)
{
    gt_viewer_event event =
        gt_viewer_event_make('b', GT_SECTION_RESOURCES, slice->resource, slice->time);
    event.id = ++emitter->async_slices;
    event.name = slice->name;
    event.category = slice->category;
    event.scope = slice->scope;
    event.stack = slice->stack;
    if (slice->task != 0)
        event.color = gt_color_of_task(slice->task);
    gt_status status = gt_emitter_give(emitter, &event, false);
    if (status != GT_OK)
        return status;
    event.phase = 'e';
    event.time = slice_end(slice);
    event.stack = slice->end_stack;
    event.arguments = slice->arguments;
    event.argument_count = slice->argument_count;
    return gt_emitter_give(emitter, &event, false);
}

static gt_status async_slice_emit(struct gt_emitter *emitter, const gt_slice *in)
{
    gt_slice copy;
    const gt_slice *slice = slice_take(emitter, in, &copy);
    if (!slice)
        return GT_ERR_INVALID_ARGUMENT;
    if (!slice_is_in_range(emitter, slice) || !gt_emitter_shows(emitter, slice->resource))
        return GT_OK;
    return async_slice_emit_ends(emitter, slice);
}

gt_status gt_emitter_async_slice(gt_emitter *emitter, const gt_slice *slice)
{
    return gt_emitter_enter(emitter) ? gt_emitter_leave(emitter, async_slice_emit(emitter, slice))
                                     : gt_emitter_refusal(emitter);
}
