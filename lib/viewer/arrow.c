/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/emitter.h"

/* Says what is wrong with an arrow; NULL if nothing is. */
static const char *arrow_fault(const struct gt_emitter *emitter, const gt_arrow *arrow)
{
    if (!gt_string_is_good(arrow->name))
        return "the name of the arrow has no data";
    if (!gt_emitter_has_stack(emitter, arrow->from_stack))
        return "the from_stack of the arrow is not one of the emitter's";
    if (arrow->reserved != 0)
        return "the reserved member of the arrow is not 0";
    return NULL;
}

/* NULL: the arrow is refused. */
static const gt_arrow *arrow_take(struct gt_emitter *emitter, const gt_arrow *in, gt_arrow *copy)
{
    const gt_arrow *arrow = gt_struct_view(in, copy, sizeof(*copy), GT_UP_TO(gt_arrow, reserved));
    const char *fault = arrow ? arrow_fault(emitter, arrow) : "the size of the arrow is wrong";
    if (!fault)
        return arrow;
    gt_emitter_refuse(emitter, fault);
    return NULL;
}

/* An arrow is two events, with the same id. */
static gt_status arrow_emit_ends(struct gt_emitter *emitter, const gt_arrow *arrow,
                                 gt_section section)
{
    gt_viewer_event event = gt_viewer_event_make('s', section, arrow->from, arrow->from_time);
    event.id = ++emitter->arrows;
    event.name = arrow->name;
    event.stack = arrow->from_stack;
    gt_status status = gt_emitter_give(emitter, &event, false);
    if (status != GT_OK)
        return status;
    event.phase = 't';
    event.resource = arrow->to;
    event.time = arrow->to_time;
    event.stack = 0;
    return gt_emitter_give(emitter, &event, false);
}

static gt_status arrow_emit(struct gt_emitter *emitter, const gt_arrow *in, gt_section section)
{
    gt_arrow copy;
    const gt_arrow *arrow = arrow_take(emitter, in, &copy);
    if (!arrow)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_emitter_in_range(emitter, arrow->from_time) ||
        !gt_emitter_in_range(emitter, arrow->to_time))
        return GT_OK;
    if (section == GT_SECTION_RESOURCES &&
        (!gt_emitter_shows(emitter, arrow->from) || !gt_emitter_shows(emitter, arrow->to)))
        return GT_OK;
    return arrow_emit_ends(emitter, arrow, section);
}

gt_status gt_emitter_arrow(gt_emitter *emitter, const gt_arrow *arrow)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, arrow_emit(emitter, arrow, GT_SECTION_RESOURCES))
               : gt_emitter_refusal(emitter);
}

gt_status gt_emitter_task_arrow(gt_emitter *emitter, const gt_arrow *arrow)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, arrow_emit(emitter, arrow, GT_SECTION_TASKS))
               : gt_emitter_refusal(emitter);
}
