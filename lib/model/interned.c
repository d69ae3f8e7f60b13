/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/interned.h"

#include <string.h>

#include "base/hash.h"

void gt_interned_destroy(struct gt_interned *interned, struct gt_mem *mem)
{
    if (!interned->is_started)
        return;
    for (size_t i = 0; i < interned->stacks.count; i++) {
        const struct gt_interned_stack *stack = &interned->stacks.items[i];
        gt_mem_free(mem, stack->frames, stack->count * sizeof(*stack->frames));
    }
    gt_array_free(mem, &interned->stacks);
    gt_index_free(&interned->index, mem);
    gt_texts_destroy(&interned->texts);
    interned->is_started = false;
}

/* Replaces a text by the one that all equal texts share. */
static gt_status interned_share(struct gt_interned *interned, gt_string *text)
{
    uint32_t number;
    gt_status status = gt_texts_add(&interned->texts, *text, &number);
    if (status == GT_OK)
        *text = interned->texts.list.items[number];
    return status;
}

static uint64_t interned_hash(const struct gt_interned *interned, const gt_frame *frames,
                              size_t count)
{
    uint64_t hash = count, secret = interned->texts.secret;
    for (size_t i = 0; i < count; i++) {
        const gt_frame *frame = &frames[i];
        hash = gt_hash(hash ^ gt_hash_pair(frame->pc, frame->line, secret), secret);
        hash = gt_hash(hash ^ gt_hash_pair((uintptr_t) frame->function.data,
                                           (uintptr_t) frame->file.data, secret),
                       secret);
    }
    return hash;
}

/* Whether frames are those of the stack. Equal texts are at the same address. */
static bool interned_is_same(const struct gt_interned_stack *stack, const gt_frame *frames,
                             size_t count)
{
    if (stack->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const gt_frame *a = &stack->frames[i], *b = &frames[i];
        if (a->pc != b->pc || a->line != b->line || a->function.data != b->function.data ||
            a->file.data != b->file.data)
            return false;
    }
    return true;
}

/* Numbers frames whose texts are shared. Sets `*is_new`: they are then in use. */
static gt_status interned_number(struct gt_interned *interned, struct gt_mem *mem, gt_frame *frames,
                                 size_t count, uint32_t *id, bool *is_new)
{
    uint64_t hash = interned_hash(interned, frames, count);
    const struct gt_interned_stack *known;
    *is_new = false;
    GT_INDEX_FIND(known, &interned->stacks, &interned->index, hash,
                  interned_is_same(known, frames, count));
    if (known) {
        *id = (uint32_t) gt_array_index(&interned->stacks, known) + 1;
        return GT_OK;
    }
    gt_status status = gt_index_append(&interned->index, &interned->stacks, mem, hash,
                                       (struct gt_interned_stack){frames, count});
    *is_new = status == GT_OK;
    *id = *is_new ? (uint32_t) interned->stacks.count : 0;
    return status;
}

gt_status gt_interned_add(struct gt_interned *interned, struct gt_mem *mem, const gt_frame *frames,
                          size_t count, uint32_t *id)
{
    gt_status status = GT_OK;
    bool is_new = false;
    *id = 0;
    if (count == 0)
        return GT_OK;
    if (!interned->is_started) {
        status = gt_texts_init(&interned->texts, mem);
        interned->is_started = status == GT_OK;
        if (status != GT_OK)
            return status;
    }
    gt_frame *shared = gt_mem_alloc(mem, count * sizeof(*shared));
    if (!shared)
        return gt_mem_failure(mem);
    memcpy(shared, frames, count * sizeof(*shared));
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        status = interned_share(interned, &shared[i].function);
        if (status == GT_OK)
            status = interned_share(interned, &shared[i].file);
    }
    if (status == GT_OK)
        status = interned_number(interned, mem, shared, count, id, &is_new);
    if (!is_new)
        gt_mem_free(mem, shared, count * sizeof(*shared));
    return status;
}
