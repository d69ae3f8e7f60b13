/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_FRAMES_H
#define GT_ANALYSIS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/event.h>

/*
 * Returns whether gt_event_frames can return the frames of the event's stacks: without a reader,
 * only copies and events that were made have them.
 */
static inline bool gt_frames_are_known(struct gt_reader *reader, const gt_event *event)
{
    const gt_frame *frames;
    size_t count;
    return reader || gt_event_frames(NULL, event, GT_STACK_NONE, &frames, &count) == GT_OK;
}

#endif
