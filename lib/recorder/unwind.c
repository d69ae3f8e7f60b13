/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/unwind.h"

#include "base/bisect.h"
#include "base/wraps.h"
#include "recorder/reads_any.h"

/*
 * Where the kernel puts registers before it calls a signal handler: from the stack pointer of the
 * code to which the handler returns, which is that of x86-64 with Linux.
 */
enum {
    UNWIND_SIGNAL_FP = 120,
    UNWIND_SIGNAL_SP = 160,
    UNWIND_SIGNAL_PC = 168
};

static const struct gt_unwind_part *map_find(const struct gt_unwind_map *map, uint64_t pc)
{
    size_t at, count = map ? map->count : 0;
    GT_BISECT(at, 0, count, map->parts[at].end <= pc);
    return at < count && map->parts[at].begin <= pc ? &map->parts[at] : NULL;
}

/* Where the frame pointer of a frame is from. */
enum unwind_pointer {
    POINTER_FIRST, /* the register in the first frame */
    POINTER_SAVED, /* a word of the stack, which nothing depends on yet */
    POINTER_TOLD   /* the trail tells of it, or it is lost */
};

/* The stack that is read. */
struct unwind_stack {
    struct gt_recorder_bounds bounds;
    uint64_t base; /* of the offsets in `trail` */
    struct gt_unwind_trail *trail;
    enum unwind_pointer pointer;
    uint64_t pointer_at;
};

static inline void trail_add(struct unwind_stack *stack, uint64_t at, uint64_t word)
{
    struct gt_unwind_trail *trail = stack->trail;
    if (!trail)
        return;
    if (trail->count < GT_UNWIND_TRAIL && at >= stack->base && at - stack->base <= UINT32_MAX) {
        trail->offsets[trail->count] = (uint32_t) (at - stack->base);
        trail->words[trail->count++] = word;
    } else {
        trail->count = GT_UNWIND_TRAIL + 1;
    }
}

/* Reads a word of the stack. Unknown bounds contain nothing. */
GT_READS_ANY static inline bool stack_read(const struct unwind_stack *stack, uint64_t at,
                                           uint64_t *word)
{
    struct gt_recorder_bounds bounds = stack->bounds;
    if (at % sizeof(uint64_t) != 0 || at < bounds.low || at >= bounds.high ||
        bounds.high - at < sizeof(uint64_t))
        return false;
    *word = *(const uint64_t *) (uintptr_t) at;
    return true;
}

/* The same for a word by which callers are found. */
static inline bool stack_word(struct unwind_stack *stack, uint64_t at, uint64_t *word)
{
    if (!stack_read(stack, at, word))
        return false;
    trail_add(stack, at, *word);
    return true;
}

/*
 * Reads the frame pointer of a caller. Most functions use that register for something else, with
 * other values each time, so the trail has it only if a frame is found by it.
 */
static inline bool stack_pointer(struct unwind_stack *stack, uint64_t at, uint64_t *pointer)
{
    stack->pointer = POINTER_SAVED;
    stack->pointer_at = at;
    return stack_read(stack, at, pointer);
}

/* The frame pointer, by which something is found. */
static inline uint64_t frame_pointer(const struct gt_unwind_frame *frame,
                                     struct unwind_stack *stack)
{
    if (stack->trail && stack->pointer == POINTER_FIRST)
        stack->trail->needs_pointer = true;
    if (stack->pointer == POINTER_SAVED)
        trail_add(stack, stack->pointer_at, frame->fp);
    stack->pointer = POINTER_TOLD;
    return frame->fp;
}

/* Goes to the frame that a signal has interrupted. */
GT_WRAPS static bool frame_interrupted(struct gt_unwind_frame *frame, struct unwind_stack *stack)
{
    uint64_t at = frame->sp;
    frame->is_exact = true;
    return stack_word(stack, at + UNWIND_SIGNAL_PC, &frame->pc) &&
           stack_pointer(stack, at + UNWIND_SIGNAL_FP, &frame->fp) &&
           stack_word(stack, at + UNWIND_SIGNAL_SP, &frame->sp) && frame->sp > at;
}

/* Finds the CFA, and the frame pointer of the caller, which may be lost. */
GT_WRAPS static inline bool frame_find(struct gt_unwind_frame *frame, struct unwind_stack *stack,
                                       gt_cfi_rule rule, uint64_t *cfa)
{
    uint64_t offset = (uint64_t) gt_cfi_rule_offset(rule);
    uint64_t pointer_offset = (uint64_t) gt_cfi_rule_pointer_offset(rule);
    switch (gt_cfi_rule_frame(rule)) {
    case GT_CFI_SP:
        *cfa = frame->sp + offset;
        break;
    case GT_CFI_FP:
        *cfa = frame_pointer(frame, stack) + offset;
        break;
    case GT_CFI_FP_WORD:
        if (!stack_word(stack, frame_pointer(frame, stack) + offset, cfa))
            return false;
        break;
    case GT_CFI_PLT:
        *cfa = frame->sp + (frame->pc % 16 >= 11 ? 16 : 8);
        break;
    default:
        return false;
    }
    switch (gt_cfi_rule_pointer(rule)) {
    case GT_CFI_SAME:
        return true;
    case GT_CFI_AT_FRAME:
        return stack_pointer(stack, *cfa + pointer_offset, &frame->fp);
    case GT_CFI_AT_FP:
        return stack_pointer(stack, frame_pointer(frame, stack) + pointer_offset, &frame->fp);
    default:
        frame->fp = 0;
        stack->pointer = POINTER_TOLD;
        return true;
    }
}

/* Goes to the caller of a function, by a rule. The caller's stack pointer is above. */
GT_WRAPS static inline bool frame_caller(struct gt_unwind_frame *frame, struct unwind_stack *stack,
                                         gt_cfi_rule rule)
{
    uint64_t cfa, before = frame->sp;
    if (gt_cfi_rule_frame(rule) == GT_CFI_SIGNAL)
        return frame_interrupted(frame, stack);
    if (!frame_find(frame, stack, rule, &cfa) || cfa <= before)
        return false;
    frame->sp = cfa;
    frame->is_exact = false;
    return stack_word(stack, cfa - sizeof(uint64_t), &frame->pc);
}

/* The same where there is no rule, as in code that was made at run time: by the frame pointer. */
GT_WRAPS static bool frame_pointer_caller(struct gt_unwind_frame *frame, struct unwind_stack *stack)
{
    uint64_t at = frame_pointer(frame, stack);
    if (at < frame->sp)
        return false;
    frame->sp = at + 2 * sizeof(uint64_t);
    frame->is_exact = false;
    return stack_pointer(stack, at, &frame->fp) &&
           stack_word(stack, at + sizeof(uint64_t), &frame->pc);
}

GT_WRAPS size_t gt_unwind(const struct gt_unwind_map *map, struct gt_recorder_bounds bounds,
                          struct gt_unwind_frame frame, uint64_t *pcs, size_t room,
                          struct gt_unwind_trail *trail)
{
    struct unwind_stack stack = {bounds, frame.sp, trail, POINTER_FIRST, 0};
    const struct gt_unwind_part *part = NULL;
    size_t count = 0;
    while (count < room) {
        /* A call that does not return may be the last instruction of a function. */
        uint64_t pc = frame.is_exact ? frame.pc : frame.pc - 1;
        if (!part || pc < part->begin || pc >= part->end)
            part = map_find(map, pc);
        gt_cfi_rule rule = part ? gt_cfi_find(part->cfi, pc) : GT_CFI_NONE;
        bool is_found = gt_cfi_rule_frame(rule) == GT_CFI_NONE
                            ? frame_pointer_caller(&frame, &stack)
                            : frame_caller(&frame, &stack, rule);
        if (!is_found || frame.pc == 0)
            break;
        pcs[count++] = frame.is_exact ? frame.pc + 1 : frame.pc;
    }
    return count;
}
