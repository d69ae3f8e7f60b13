/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_CHECK_H
#define GT_VIEWER_CHECK_H

#include <stddef.h>

#include <gotrace/emitter.h>

#include "base/sized.h"

/* A gt_string of a literal. */
#define GT_LITERAL(text)                                                                           \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static inline int gt_string_is_good(gt_string string)
{
    return string.data || string.size == 0;
}

/* Whether keys, kinds and strings are what they can be. */
int gt_arguments_are_good(const gt_viewer_argument *arguments, size_t count);

/*
 * Checks all of an event but its stacks. Where it has another size than ours, it is
 * copied to `*place`, and `*event` points there.
 */
gt_status gt_viewer_event_take(const gt_viewer_event **event, gt_viewer_event *place);

/* The same for a frame. */
gt_status gt_viewer_frame_take(const gt_viewer_frame **frame, gt_viewer_frame *place);

#endif
