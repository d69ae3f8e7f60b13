/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/emitter.h"
#include "viewer/words.h"

static gt_status take_instant(const struct gt_emitter *emitter, const gt_instant **instant,
                              gt_instant *place)
{
    if (!*instant)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*instant)->size != sizeof(*place)) {
        gt_status status =
            gt_struct_take(place, sizeof(*place), GT_UP_TO(gt_instant, argument_count), *instant);
        if (status != GT_OK)
            return status;
        *instant = place;
    }
    const gt_instant *i = *instant;
    int good = gt_string_is_good(i->name) && gt_string_is_good(i->category) &&
               i->stack <= emitter->frames.count && i->reserved == 0 &&
               gt_arguments_are_good(i->arguments, i->argument_count);
    return good ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}

static gt_status give_instant(struct gt_emitter *emitter, const gt_instant *instant)
{
    gt_instant place;
    gt_status status = take_instant(emitter, &instant, &place);
    if (status != GT_OK)
        return status;
    if (!gt_emitter_in_range(emitter, instant->time) ||
        !gt_emitter_shows(emitter, instant->resource))
        return GT_OK;
    gt_viewer_event event =
        gt_viewer_event_make('I', GT_SECTION_RESOURCES, instant->resource, instant->time);
    event.name = instant->name;
    event.category = instant->category;
    event.scope = GT_WORD(thread_scope, "t");
    event.stack = instant->stack;
    event.arguments = instant->arguments;
    event.argument_count = instant->argument_count;
    return gt_emitter_give(emitter, &event, 0);
}

gt_status gt_emitter_instant(gt_emitter *emitter, const gt_instant *instant)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_instant(emitter, instant));
}

static gt_status take_arrow(const struct gt_emitter *emitter, const gt_arrow **arrow,
                            gt_arrow *place)
{
    if (!*arrow)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*arrow)->size != sizeof(*place)) {
        gt_status status =
            gt_struct_take(place, sizeof(*place), GT_UP_TO(gt_arrow, reserved), *arrow);
        if (status != GT_OK)
            return status;
        *arrow = place;
    }
    int good = gt_string_is_good((*arrow)->name) && (*arrow)->from_stack <= emitter->frames.count &&
               (*arrow)->reserved == 0;
    return good ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}

static gt_status give_ends(struct gt_emitter *emitter, const gt_arrow *arrow, gt_section section)
{
    gt_viewer_event event = gt_viewer_event_make('s', section, arrow->from, arrow->from_time);
    event.id = ++emitter->arrows;
    event.name = arrow->name;
    event.stack = arrow->from_stack;
    gt_status status = gt_emitter_give(emitter, &event, 0);
    if (status != GT_OK)
        return status;
    event.phase = 't';
    event.resource = arrow->to;
    event.time = arrow->to_time;
    event.stack = 0;
    return gt_emitter_give(emitter, &event, 0);
}

static gt_status give_arrow(struct gt_emitter *emitter, const gt_arrow *arrow, gt_section section)
{
    gt_arrow place;
    gt_status status = take_arrow(emitter, &arrow, &place);
    if (status != GT_OK)
        return status;
    if (!gt_emitter_in_range(emitter, arrow->from_time) ||
        !gt_emitter_in_range(emitter, arrow->to_time))
        return GT_OK;
    if (section == GT_SECTION_RESOURCES &&
        (!gt_emitter_shows(emitter, arrow->from) || !gt_emitter_shows(emitter, arrow->to)))
        return GT_OK;
    return give_ends(emitter, arrow, section);
}

gt_status gt_emitter_arrow(gt_emitter *emitter, const gt_arrow *arrow)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_arrow(emitter, arrow, GT_SECTION_RESOURCES));
}

gt_status gt_emitter_task_arrow(gt_emitter *emitter, const gt_arrow *arrow)
{
    gt_status status = gt_emitter_enter(emitter);
    if (status != GT_OK)
        return status;
    return gt_emitter_leave(emitter, give_arrow(emitter, arrow, GT_SECTION_TASKS));
}
