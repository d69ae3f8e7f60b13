/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/colors.h"
#include "viewer/emitter.h"

static gt_status take_slice(const struct gt_emitter *emitter, const gt_slice **slice,
                            gt_slice *place)
{
    if (!*slice)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*slice)->size != sizeof(*place)) {
        gt_status status = gt_struct_take(place, sizeof(*place), GT_UP_TO(gt_slice, task), *slice);
        if (status != GT_OK)
            return status;
        *slice = place;
    }
    const gt_slice *s = *slice;
    int good = gt_string_is_good(s->name) && gt_string_is_good(s->category) &&
               gt_string_is_good(s->scope) && s->stack <= emitter->frames.count &&
               s->end_stack <= emitter->frames.count &&
               gt_arguments_are_good(s->arguments, s->argument_count);
    return good ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}

static int64_t end_of(const gt_slice *slice)
{
    if (slice->duration > 0 && slice->time > INT64_MAX - slice->duration)
        return INT64_MAX;
    if (slice->duration < 0 && slice->time < INT64_MIN - slice->duration)
        return INT64_MIN;
    return slice->time + slice->duration;
}

static int overlaps_range(const struct gt_emitter *emitter, int64_t start, int64_t end)
{
    return gt_emitter_in_range(emitter, start) || gt_emitter_in_range(emitter, end) ||
           ((emitter->options.flags & GT_EMITTER_ENCLOSING) != 0 &&
            start < emitter->options.range_start && end > emitter->options.range_end &&
            emitter->options.range_start <= emitter->options.range_end);
}

static gt_status give_slice(struct gt_emitter *emitter, const gt_slice *slice, gt_section section)
{
    gt_slice place;
    gt_status status = take_slice(emitter, &slice, &place);
    if (status != GT_OK)
        return status;
    if (!overlaps_range(emitter, slice->time, end_of(slice)) ||
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
    return gt_emitter_give(emitter, &event, 0);
}

gt_status gt_emitter_slice(gt_emitter *emitter, const gt_slice *slice)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_slice(emitter, slice, GT_SECTION_RESOURCES));
}

gt_status gt_emitter_task_slice(gt_emitter *emitter, const gt_slice *slice)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_slice(emitter, slice, GT_SECTION_TASKS));
}

static gt_status give_ends(struct gt_emitter *emitter, const gt_slice *slice)
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
    gt_status status = gt_emitter_give(emitter, &event, 0);
    if (status != GT_OK)
        return status;
    event.phase = 'e';
    event.time = end_of(slice);
    event.stack = slice->end_stack;
    event.arguments = slice->arguments;
    event.argument_count = slice->argument_count;
    return gt_emitter_give(emitter, &event, 0);
}

static gt_status give_async_slice(struct gt_emitter *emitter, const gt_slice *slice)
{
    gt_slice place;
    gt_status status = take_slice(emitter, &slice, &place);
    if (status != GT_OK)
        return status;
    if (!overlaps_range(emitter, slice->time, end_of(slice)) ||
        !gt_emitter_shows(emitter, slice->resource))
        return GT_OK;
    return give_ends(emitter, slice);
}

gt_status gt_emitter_async_slice(gt_emitter *emitter, const gt_slice *slice)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_async_slice(emitter, slice));
}
