/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/check.h"
#include "viewer/emitter.h"

/* Passes the newest frame to the consumer. */
static gt_status stack_give_frame(struct gt_emitter *emitter, uint32_t parent,
                                  const gt_emitter_frame *frame)
{
    const gt_consumer *consumer = &emitter->consumer;
    gt_viewer_frame shown = {
        .size = sizeof(shown),
        .id = (uint32_t) emitter->frames.nodes.count,
        .parent = parent,
        .pc = frame->pc,
        .function = frame->function,
        .line = frame->line,
        .file = frame->file,
    };
    if (consumer->frame && consumer->frame(consumer->user_data, &shown) != 0)
        return GT_ERR_CALLBACK;
    return GT_OK;
}

static gt_status stack_add_frame(struct gt_emitter *emitter, uint32_t parent,
                                 const gt_emitter_frame *frame)
{
    if (!gt_string_is_good(frame->function) || !gt_string_is_good(frame->file))
        return gt_emitter_refuse(emitter, "a string of a frame has no data");
    gt_status status = gt_frames_add(&emitter->frames, parent, frame->pc);
    if (status != GT_OK)
        return status;
    return stack_give_frame(emitter, parent, frame);
}

static gt_status stack_find_or_add(struct gt_emitter *emitter, const gt_emitter_frame *frames,
                                   size_t count, uint32_t *stack)
{
    if (!stack || (!frames && count != 0))
        return gt_emitter_refuse(emitter, "the frames or the stack are NULL");
    uint32_t id = 0;
    for (; count > 0; count--) {
        uint32_t parent = id;
        id = gt_frames_find(&emitter->frames, parent, frames[count - 1].pc);
        if (id != 0)
            continue;
        gt_status status = stack_add_frame(emitter, parent, &frames[count - 1]);
        if (status != GT_OK)
            return status;
        id = (uint32_t) emitter->frames.nodes.count;
    }
    *stack = id;
    return GT_OK;
}

gt_status gt_emitter_stack(gt_emitter *emitter, const gt_emitter_frame *frames, size_t count,
                           uint32_t *stack)
{
    if (stack)
        *stack = 0;
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, stack_find_or_add(emitter, frames, count, stack))
               : gt_emitter_refusal(emitter);
}
