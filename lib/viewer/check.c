/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"

int gt_arguments_are_good(const gt_viewer_argument *arguments, size_t count)
{
    if (!arguments)
        return count == 0;
    for (size_t i = 0; i < count; i++) {
        const gt_viewer_argument *argument = &arguments[i];
        if (argument->kind < GT_VIEWER_UNSIGNED || argument->kind > GT_VIEWER_STRING ||
            !gt_string_is_good(argument->key) ||
            (argument->kind == GT_VIEWER_STRING && !gt_string_is_good(argument->string)))
            return 0;
    }
    return 1;
}

/* A phase stands between quotes as it is. */
static int is_phase(uint32_t phase)
{
    return phase > ' ' && phase < 0x7f && phase != '"' && phase != '\\';
}

gt_status gt_viewer_event_take(const gt_viewer_event **event, gt_viewer_event *place)
{
    if (!*event)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*event)->size != sizeof(*place)) {
        gt_status status = gt_struct_take(place, sizeof(*place),
                                          GT_UP_TO(gt_viewer_event, argument_count), *event);
        if (status != GT_OK)
            return status;
        place->size = sizeof(*place);
        *event = place;
    }
    const gt_viewer_event *e = *event;
    int good = is_phase(e->phase) && gt_string_is_good(e->name) && gt_string_is_good(e->category) &&
               gt_string_is_good(e->scope) && gt_string_is_good(e->color) &&
               gt_arguments_are_good(e->arguments, e->argument_count);
    return good ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_viewer_frame_take(const gt_viewer_frame **frame, gt_viewer_frame *place)
{
    if (!*frame)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*frame)->size != sizeof(*place)) {
        gt_status status =
            gt_struct_take(place, sizeof(*place), GT_UP_TO(gt_viewer_frame, file), *frame);
        if (status != GT_OK)
            return status;
        place->size = sizeof(*place);
        *frame = place;
    }
    return gt_string_is_good((*frame)->function) ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}
