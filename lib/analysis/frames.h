/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_FRAMES_H
#define GT_ANALYSIS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/event.h>

/*
 * Whether gt_event_frames has the frames of the event's stacks: if there is no reader, only a copy
 * or an event that was made has them.
 */
static inline bool gt_frames_are_known(struct gt_reader *reader, const gt_event *event)
{
    const gt_frame *frames;
    size_t count;
    return reader || gt_event_frames(NULL, event, GT_STACK_NONE, &frames, &count) == GT_OK;
}

#endif
