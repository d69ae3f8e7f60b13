/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/stack.h>

#include <string.h>

#include "reader/reader.h"

static struct gt_table *table_of(struct gt_reader *reader, uint32_t ordinal)
{
    return reader->v1 ? gt_v1_table(reader->v1) : gt_v2_table(&reader->v2, ordinal);
}

/* Finds the table that the stack is in, and its slot. */
static gt_status find(struct gt_reader *reader, gt_stack stack, struct gt_table **table,
                      uint32_t *slot)
{
    uint32_t ordinal = (uint32_t) (stack >> 32);
    *slot = (uint32_t) stack;
    if (ordinal == 0 || ordinal > (reader->v1 ? 1 : reader->v2.generations))
        return GT_ERR_INVALID_ARGUMENT;
    *table = table_of(reader, ordinal);
    if (!*table)
        return GT_ERR_EXPIRED;
    if (*slot == 0 || (*slot > (*table)->stacks.slots.count && *slot != GT_STACK_EMPTY_SLOT))
        return GT_ERR_INVALID_ARGUMENT;
    return GT_OK;
}

gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                        size_t *count)
{
    struct gt_table *table;
    uint32_t slot;
    if (!frames || !count)
        return GT_ERR_INVALID_ARGUMENT;
    *frames = NULL;
    *count = 0;
    if (!reader || reader->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (stack == GT_STACK_NONE)
        return GT_OK;
    gt_status status = find(reader, stack, &table, &slot);
    if (status != GT_OK)
        return status;
    if (gt_stacks_is_decoded(&table->stacks, slot)) {
        *frames = table->stacks.decoded[slot - 1].frames;
        *count = table->stacks.decoded[slot - 1].count;
        return GT_OK;
    }
    reader->busy = 1;
    status = gt_stacks_view(&table->stacks, &table->strings, slot, frames, count);
    reader->busy = 0;
    return status;
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
