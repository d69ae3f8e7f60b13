/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

#include <string.h>

#include "analysis/frames.h"

/*
 * Puts the functions of a stack, from the root to the leaf, at the end of the room for a name.
 * Those that are nearest to the root are left out if they do not fit.
 */
static gt_string stack_name_write(struct gt_compare *compare, uint32_t number)
{
    const struct gt_stackset *set = &compare->stacks;
    const struct gt_stackset_stack *stack = &set->stacks.items[number];
    size_t at = sizeof(compare->stack_name);
    for (size_t i = 0; i < stack->count; i++) {
        uint32_t frame = set->frame_numbers.items[stack->first + i];
        gt_string function = set->texts.list.items[set->frames.items[frame].function];
        if (i > 0 && function.size + 1 > at)
            break;
        if (i > 0)
            compare->stack_name[--at] = ';';
        if (function.size > at)
            function.size = at;
        at -= function.size;
        if (function.size > 0)
            memcpy(compare->stack_name + at, function.data, function.size);
    }
    return (gt_string){compare->stack_name + at, sizeof(compare->stack_name) - at};
}

/* Names of stacks are long, so only as many are made as there may be series of stacks. */
static gt_status compare_stack_get(struct gt_compare *compare, uint32_t number, uint32_t *name)
{
    gt_status status = gt_array_extend(&compare->mem, &compare->stack_names, (size_t) number + 1);
    if (status != GT_OK)
        return status;
    *name = compare->stack_names.items[number];
    if (*name != 0 || gt_compare_set_is_full(&compare->set, GT_COMPARE_STACK))
        return GT_OK;
    status = gt_texts_add(&compare->texts, stack_name_write(compare, number), name);
    compare->stack_names.items[number] = *name;
    return status;
}

gt_status gt_compare_stack_take(struct gt_compare *compare, struct gt_compare_goroutine *goroutine,
                                gt_stack stack)
{
    uint32_t number;
    if ((compare->options.flags & GT_COMPARE_STACKS) == 0 || stack == GT_STACK_NONE ||
        !gt_frames_are_known(compare->reader, compare->event))
        return GT_OK;
    gt_status status =
        gt_stackset_number(&compare->stacks, compare->reader, compare->event, stack, &number);
    return status == GT_OK ? compare_stack_get(compare, number, &goroutine->stack) : status;
}

gt_status gt_compare_stack_leave(struct gt_compare *compare,
                                 const struct gt_compare_goroutine *goroutine, uint32_t measure)
{
    struct gt_compare_key key = {GT_COMPARE_STACK, measure, goroutine->stack, 0, false};
    if (goroutine->stack == 0)
        return GT_OK;
    if (measure == GT_COMPARE_BLOCKED)
        key.detail = goroutine->reason;
    return gt_compare_add_time(&compare->set, &key, goroutine->since);
}
