/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/recent.h"

#include <string.h>

#include "recorder/modules.h"
#include "recorder/reads_any.h"

size_t gt_recorder_recent_size(const gt_recorder *recorder)
{
    return gt_recorder_has_tables(recorder) && recorder->stack_depth > 0
               ? sizeof(struct gt_recorder_recent)
               : 0;
}

/* What is remembered of a stack is written before it is read. */
void gt_recorder_recent_init(gt_rec_thread *t, void *memory)
{
    t->recent = gt_recorder_recent_size(t->recorder) > 0 ? memory : NULL;
    if (!t->recent)
        return;
    memset(t->recent->places, 0, sizeof(t->recent->places));
    t->recent->next = 0;
}

static bool recent_begins(const struct gt_recorder_recent_stack *stack,
                          struct gt_recorder_bounds bounds, struct gt_unwind_frame caller,
                          uint64_t map)
{
    return stack->frame.pc == caller.pc &&
           (!stack->trail.needs_pointer || stack->frame.fp == caller.fp) &&
           stack->bounds.low == bounds.low && stack->bounds.high == bounds.high &&
           stack->map == map;
}

/* The words that were read lie within the bounds, which are the same. */
GT_READS_ANY static bool recent_goes_on(const struct gt_recorder_recent_stack *stack)
{
    const struct gt_unwind_trail *trail = &stack->trail;
    uint64_t difference = 0;
    for (size_t i = 0; i < trail->count; i++) {
        uint64_t at = stack->frame.sp + trail->offsets[i];
        difference |= *(const uint64_t *) (uintptr_t) at ^ trail->words[i];
    }
    return difference == 0;
}

static struct gt_recorder_recent_stack *recent_find(struct gt_recorder_recent *recent,
                                                    struct gt_recorder_bounds bounds,
                                                    struct gt_unwind_frame caller, uint64_t map)
{
    for (size_t i = 0; i < GT_RECENT_STACKS; i++) {
        struct gt_recorder_recent_stack *stack = &recent->stacks[i];
        if (recent->places[i] == caller.sp && recent_begins(stack, bounds, caller, map) &&
            recent_goes_on(stack))
            return stack;
    }
    return NULL;
}

struct gt_recorder_recent_stack *gt_recorder_recent_unwind(gt_rec_thread *t,
                                                           struct gt_recorder_bounds bounds,
                                                           struct gt_unwind_frame caller,
                                                           size_t depth, size_t *count)
{
    struct gt_recorder_recent *recent = t->recent;
    const struct gt_unwind_map *map = gt_recorder_modules_map(t->recorder);
    uint64_t number = map ? map->number : 0;
    struct gt_recorder_recent_stack *stack = recent_find(recent, bounds, caller, number);
    if (stack)
        return stack;
    stack = &recent->stacks[recent->next];
    recent->places[recent->next] = 0;
    stack->trail.count = 0;
    stack->trail.needs_pointer = false;
    t->pcs[0] = caller.pc;
    *count = 1 + gt_unwind(map, bounds, caller, t->pcs + 1, depth - 1, &stack->trail);
    if (*count > GT_RECENT_FRAMES || stack->trail.count > GT_UNWIND_TRAIL)
        return NULL;
    recent->places[recent->next] = caller.sp;
    recent->next = (recent->next + 1) % GT_RECENT_STACKS;
    stack->frame = caller;
    stack->bounds = bounds;
    stack->map = number;
    stack->count = *count;
    stack->generation = 0;
    memcpy(stack->pcs, t->pcs, *count * sizeof(t->pcs[0]));
    return stack;
}
