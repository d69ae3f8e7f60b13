/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/stacks.h"

#include <string.h>

void gt_tl_stacks_init(struct gt_tl_stacks *stacks, struct gt_mem *mem,
                       struct gt_shared_texts *texts, gt_reader *reader, gt_emitter *emitter)
{
    memset(stacks, 0, sizeof(*stacks));
    stacks->mem = mem;
    stacks->texts = texts;
    stacks->reader = reader;
    stacks->emitter = emitter;
}

/* Discards the stacks of a generation that has ended. */
static void stacks_forget(struct gt_tl_stacks *stacks)
{
    for (size_t i = 0; i < stacks->list.count; i++)
        gt_shared_text_drop(stacks->texts, stacks->list.items[i].root);
    gt_shared_text_drop(stacks->texts, stacks->empty.root);
    memset(&stacks->empty, 0, sizeof(stacks->empty));
    stacks->list.count = 0;
}

void gt_tl_stacks_destroy(struct gt_tl_stacks *stacks)
{
    gt_array_free(stacks->mem, &stacks->list);
    gt_array_free(stacks->mem, &stacks->frames);
}

/* Returns NULL on failure: see gt_mem_failure. */
static struct gt_tl_stack *stacks_get(struct gt_tl_stacks *stacks, gt_stack stack)
{
    uint32_t generation = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (generation != stacks->generation) {
        stacks_forget(stacks);
        stacks->generation = generation;
    }
    if (slot == GT_STACK_EMPTY_SLOT)
        return &stacks->empty;
    if (gt_array_extend(stacks->mem, &stacks->list, slot + (size_t) 1) != GT_OK)
        return NULL;
    return &stacks->list.items[slot];
}

static gt_status stack_emit(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(stacks->reader, stack, &frames, &count);
    if (status != GT_OK || count == 0)
        return status;
    status = gt_array_reserve(stacks->mem, &stacks->frames, count);
    if (status != GT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        gt_emitter_frame *frame = &stacks->frames.items[i];
        frame->pc = frames[i].pc;
        frame->line = frames[i].line;
        frame->function = frames[i].function;
        frame->file = frames[i].file;
    }
    return gt_emitter_stack(stacks->emitter, stacks->frames.items, count, id);
}

gt_status gt_tl_stack_new_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    *id = 0;
    if (stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT)
        return GT_OK;
    struct gt_tl_stack *known = stacks_get(stacks, stack);
    if (!known)
        return gt_mem_failure(stacks->mem);
    gt_status status = GT_OK;
    if (!known->has_id) {
        status = stack_emit(stacks, stack, &known->id);
        known->has_id = status == GT_OK;
    }
    if (status == GT_OK)
        *id = known->id;
    return status;
}

gt_status gt_tl_stack_root(struct gt_tl_stacks *stacks, gt_stack stack,
                           struct gt_shared_text **root)
{
    struct gt_tl_stack *known = stacks_get(stacks, stack);
    if (!known)
        return gt_mem_failure(stacks->mem);
    if (!known->root) {
        gt_string name = {"", 0};
        const gt_frame *frames;
        size_t count;
        gt_status status = gt_stack_view(stacks->reader, stack, &frames, &count);
        if (status != GT_OK)
            return status;
        if (count > 0)
            name = frames[count - 1].function;
        known->root = gt_shared_text_get(stacks->texts, name);
        if (!known->root)
            return gt_mem_failure(stacks->mem);
    }
    *root = known->root;
    return GT_OK;
}
