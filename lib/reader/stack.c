/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/stack.h>

#include "reader/reader.h"

static struct gt_table *table_of(struct gt_reader *reader, uint32_t ordinal)
{
    return reader->v1 ? gt_v1_table(reader->v1) : gt_v2_table(&reader->v2, ordinal);
}

gt_status gt_stack_frames(struct gt_reader *reader, gt_stack stack, gt_frame *frames,
                          size_t capacity, size_t *count)
{
    if (!reader || reader->busy || !count || (!frames && capacity != 0))
        return GT_ERR_INVALID_ARGUMENT;
    *count = 0;
    if (stack == GT_STACK_NONE)
        return GT_OK;
    uint32_t ordinal = (uint32_t) (stack >> 32);
    uint32_t slot = (uint32_t) stack;
    if (ordinal == 0 || ordinal > (reader->v1 ? 1 : reader->v2.generations))
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_table *table = table_of(reader, ordinal);
    if (!table)
        return GT_ERR_EXPIRED;
    if (slot == 0 || (slot > table->stacks.slots.count && slot != GT_STACK_EMPTY_SLOT))
        return GT_ERR_INVALID_ARGUMENT;
    reader->busy = 1;
    gt_status status =
        gt_stacks_frames(&table->stacks, &table->strings, slot, frames, capacity, count);
    reader->busy = 0;
    return status;
}
