/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"

#include <string.h>

const void *gt_struct_view_copy(const void *in, void *copy, size_t size, size_t least)
{
    if (gt_struct_take(copy, size, least, in) != GT_OK)
        return NULL;
    memcpy(copy, &size, sizeof(size));
    return copy;
}

const gt_viewer_frame *gt_viewer_frame_take(const gt_viewer_frame *in, gt_viewer_frame *copy)
{
    const gt_viewer_frame *frame =
        gt_struct_view(in, copy, sizeof(*copy), GT_UP_TO(gt_viewer_frame, file));
    return frame && gt_string_is_good(frame->function) ? frame : NULL;
}
