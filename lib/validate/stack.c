/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/stack.h"

#include "validate/validator.h"

enum {
    /* The version that Go 1.5 and 1.6 write, whose frames have addresses only. */
    NAMELESS_VERSION = 5,
    /*
     * The largest pc of a frame without a function. A goroutine that was created for calls from C
     * starts at 0, to which Go 1.21 and older add the size of the smallest instruction, which is at
     * most 4.
     */
    NO_PC_MAX = 4
};

/*
 * Returns whether the stack is seen for the first time. Drops the stacks of previous generations.
 */
static bool stack_is_new(struct gt_validator *v, gt_stack stack)
{
    struct gt_seen_stacks *seen = &v->stacks;
    uint32_t generation = (uint32_t) (stack >> 32);
    uint32_t slot = (uint32_t) stack;
    if (seen->generation != generation || seen->reader != v->reader) {
        seen->reader = v->reader;
        seen->generation = generation;
        seen->words.count = 0;
        return true;
    }
    return slot / 64 >= seen->words.count || !(seen->words.items[slot / 64] >> slot % 64 & 1);
}

/* Marks the stack as seen. */
static gt_status stack_mark(struct gt_validator *v, gt_stack stack)
{
    struct gt_seen_stacks *seen = &v->stacks;
    uint32_t slot = (uint32_t) stack;
    gt_status status = gt_array_extend(&v->mem, &seen->words, (size_t) slot / 64 + 1);
    if (status == GT_OK)
        seen->words.items[slot / 64] |= (uint64_t) 1 << slot % 64;
    return status;
}

/* Returns the name of a missing part of the frame, or NULL. */
static const char *frame_missing_part(const gt_frame *frame)
{
    if (frame->pc == 0)
        return "pc";
    if (frame->function.size == 0)
        return "function";
    if (frame->file.size == 0)
        return "file";
    return frame->line == 0 ? "line" : NULL;
}

static bool frame_is_zero(const gt_frame *frame)
{
    return frame->pc <= NO_PC_MAX && frame->function.size == 0 && frame->file.size == 0 &&
           frame->line == 0;
}

/*
 * Validates the frames of a stack. Go's validator accepts anything as the first frame, since the
 * runtime writes a frame of zeros for a stack that it cannot walk. In recorded traces such a frame
 * also follows others, but there is at most one, and no frame lacks only some parts.
 */
static gt_status stack_check_frames(struct gt_validator *v, const gt_frame *frames, size_t count)
{
    unsigned zero = 0;
    for (size_t i = 0; i < count; i++) {
        const gt_frame *frame = &frames[i];
        const char *what = frame_missing_part(frame);
        if (!what || (v->options.version == NAMELESS_VERSION && frame->pc != 0))
            continue;
        if (frame_is_zero(frame) && zero++ == 0)
            continue;
        return gt_validator_report(v, GT_RULE_FRAME, "frame %u of the stack has no %s",
                                   (uint64_t) i, what);
    }
    return GT_OK;
}

gt_status gt_validate_stack(struct gt_validator *v, gt_stack stack)
{
    if (stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT || !v->reader ||
        !stack_is_new(v, stack))
        return GT_OK;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(v->reader, stack, &frames, &count);
    if (status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT)
        return status;
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_stack_view", status);
    status = stack_mark(v, stack);
    return status != GT_OK ? status : stack_check_frames(v, frames, count);
}
