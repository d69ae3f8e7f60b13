/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/stack.h>

#include <string.h>

#include "reader/reader.h"

/* Finds the table that contains the stack, and its slot in the table. */
static gt_status stack_find(const struct gt_reader *reader, gt_stack stack, struct gt_table **table,
                            uint32_t *slot)
{
    uint32_t ordinal = (uint32_t) (stack >> 32);
    *slot = (uint32_t) stack;
    if (ordinal == 0 || ordinal > gt_decoder_last_ordinal(&reader->decoder))
        return GT_ERR_INVALID_ARGUMENT;
    *table = gt_decoder_table(&reader->decoder, ordinal);
    if (!*table)
        return GT_ERR_EXPIRED;
    if (*slot == 0 || (*slot > (*table)->stacks.slots.count && *slot != GT_STACK_EMPTY_SLOT))
        return GT_ERR_INVALID_ARGUMENT;
    return GT_OK;
}

/* Returns the copy of a stack whose generation has ended, or NULL if there is none. */
static struct gt_kept_stack *stack_find_kept(const struct gt_reader *reader, gt_stack stack)
{
    return reader->live ? gt_kept_stack_find(&reader->live->kept, stack) : NULL;
}

gt_status gt_reader_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count)
{
    struct gt_table *table;
    uint32_t slot;
    *frames = NULL;
    *count = 0;
    if (stack == GT_STACK_NONE)
        return GT_OK;
    gt_status status = stack_find(reader, stack, &table, &slot);
    const struct gt_kept_stack *kept =
        status == GT_ERR_EXPIRED ? stack_find_kept(reader, stack) : NULL;
    if (kept) {
        *frames = kept->frames;
        *count = kept->count;
        return GT_OK;
    }
    if (status != GT_OK)
        return status;
    if (gt_stacks_is_decoded(&table->stacks, slot)) {
        *frames = table->stacks.decoded[slot - 1].frames;
        *count = table->stacks.decoded[slot - 1].count;
        return GT_OK;
    }
    bool was_busy = reader->input.busy;
    reader->input.busy = true;
    status = gt_stacks_view(&table->stacks, &table->strings, slot, frames, count);
    reader->input.busy = was_busy;
    return status;
}

gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                        size_t *count)
{
    if (!frames || !count)
        return GT_ERR_INVALID_ARGUMENT;
    *frames = NULL;
    *count = 0;
    if (!reader || reader->input.busy)
        return GT_ERR_INVALID_ARGUMENT;
    return gt_reader_stack_view(reader, stack, frames, count);
}

gt_status gt_stack_frames(struct gt_reader *reader, gt_stack stack, gt_frame *frames,
                          size_t capacity, size_t *count)
{
    const gt_frame *all;
    if (!frames && capacity != 0)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_stack_view(reader, stack, &all, count);
    if (status == GT_OK && *count != 0 && capacity != 0)
        memcpy(frames, all, (*count < capacity ? *count : capacity) * sizeof(*frames));
    return status;
}

/* Where the number of a stack in the whole trace is stored. Its frames must have been viewed. */
static uint32_t *stack_interned_place(struct gt_reader *reader, gt_stack stack)
{
    struct gt_table *table;
    uint32_t slot;
    if (stack_find(reader, stack, &table, &slot) == GT_OK)
        return &table->stacks.decoded[slot - 1].interned;
    return &stack_find_kept(reader, stack)->interned;
}

gt_status gt_stack_intern(struct gt_reader *reader, gt_stack stack, uint32_t *id)
{
    const gt_frame *frames;
    size_t count;
    if (!id)
        return GT_ERR_INVALID_ARGUMENT;
    *id = 0;
    gt_status status = gt_stack_view(reader, stack, &frames, &count);
    if (status != GT_OK || count == 0)
        return status;
    uint32_t *known = stack_interned_place(reader, stack);
    if (*known == 0) {
        reader->input.busy = true;
        status = gt_interned_add(&reader->interned, &reader->input.mem, frames, count, known);
        reader->input.busy = false;
    }
    *id = *known;
    return status;
}

gt_status gt_stack_interned(const gt_reader *reader, uint32_t id, const gt_frame **frames,
                            size_t *count)
{
    if (!frames || !count)
        return GT_ERR_INVALID_ARGUMENT;
    *frames = NULL;
    *count = 0;
    if (!reader || reader->input.busy || id > reader->interned.stacks.count)
        return GT_ERR_INVALID_ARGUMENT;
    if (id == 0)
        return GT_OK;
    *frames = reader->interned.stacks.items[id - 1].frames;
    *count = reader->interned.stacks.items[id - 1].count;
    return GT_OK;
}

uint32_t gt_stack_interned_count(const gt_reader *reader)
{
    return reader && !reader->input.busy ? (uint32_t) reader->interned.stacks.count : 0;
}
