/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/stacks.h"

#include <string.h>

void gt_tl_stacks_init(struct gt_tl_stacks *stacks, struct gt_mem *mem, struct gt_tl_texts *texts,
                       gt_reader *reader, gt_emitter *emitter)
{
    memset(stacks, 0, sizeof(*stacks));
    stacks->mem = mem;
    stacks->texts = texts;
    stacks->reader = reader;
    stacks->emitter = emitter;
}

static void forget(struct gt_tl_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++)
        gt_tl_text_drop(stacks->texts, stacks->list[i].root);
    gt_tl_text_drop(stacks->texts, stacks->empty.root);
    memset(&stacks->empty, 0, sizeof(stacks->empty));
    stacks->count = 0;
}

void gt_tl_stacks_destroy(struct gt_tl_stacks *stacks)
{
    forget(stacks);
    gt_mem_free(stacks->mem, stacks->list, stacks->capacity * sizeof(*stacks->list));
    gt_mem_free(stacks->mem, stacks->emitted, stacks->emitted_capacity * sizeof(*stacks->emitted));
}

static gt_status find(struct gt_tl_stacks *stacks, gt_stack stack, struct gt_tl_stack **found)
{
    uint32_t ordinal = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (ordinal != stacks->ordinal) {
        forget(stacks);
        stacks->ordinal = ordinal;
    }
    if (slot == GT_STACK_EMPTY_SLOT) {
        *found = &stacks->empty;
        return GT_OK;
    }
    if (slot >= stacks->count) {
        gt_status status = gt_mem_reserve(stacks->mem, &stacks->list, &stacks->capacity,
                                          (size_t) slot + 1, sizeof(*stacks->list));
        if (status != GT_OK)
            return status;
        memset(stacks->list + stacks->count, 0, (slot + 1 - stacks->count) * sizeof(*stacks->list));
        stacks->count = (size_t) slot + 1;
    }
    *found = &stacks->list[slot];
    return GT_OK;
}

static gt_status emit(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(stacks->reader, stack, &frames, &count);
    if (status != GT_OK || count == 0)
        return status;
    status = gt_mem_reserve(stacks->mem, &stacks->emitted, &stacks->emitted_capacity, count,
                            sizeof(*stacks->emitted));
    if (status != GT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        gt_emitter_frame *frame = &stacks->emitted[i];
        frame->pc = frames[i].pc;
        frame->line = frames[i].line;
        frame->function = frames[i].function;
        frame->file = frames[i].file;
    }
    return gt_emitter_stack(stacks->emitter, stacks->emitted, count, id);
}

gt_status gt_tl_stack_new_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    *id = 0;
    if (stack == GT_STACK_NONE || (uint32_t) stack == GT_STACK_EMPTY_SLOT)
        return GT_OK;
    struct gt_tl_stack *known;
    gt_status status = find(stacks, stack, &known);
    if (status == GT_OK && !known->has_id) {
        status = emit(stacks, stack, &known->id);
        known->has_id = status == GT_OK;
    }
    if (status == GT_OK)
        *id = known->id;
    return status;
}

gt_status gt_tl_stack_root(struct gt_tl_stacks *stacks, gt_stack stack, struct gt_tl_text **root)
{
    struct gt_tl_stack *known;
    gt_status status = find(stacks, stack, &known);
    if (status != GT_OK)
        return status;
    if (!known->root) {
        gt_string name = {"", 0};
        const gt_frame *frames;
        size_t count;
        status = gt_stack_view(stacks->reader, stack, &frames, &count);
        if (status != GT_OK)
            return status;
        if (count > 0)
            name = frames[count - 1].function;
        known->root = gt_tl_text_of(stacks->texts, name);
        if (!known->root)
            return gt_mem_failure(stacks->mem);
    }
    *root = known->root;
    return GT_OK;
}
