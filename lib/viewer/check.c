/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"

gt_status gt_viewer_event_adapt(const gt_viewer_event **event, gt_viewer_event *place)
{
    gt_status status =
        gt_struct_take(place, sizeof(*place), GT_UP_TO(gt_viewer_event, argument_count), *event);
    if (status != GT_OK)
        return status;
    place->size = sizeof(*place);
    *event = place;
    return GT_OK;
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
