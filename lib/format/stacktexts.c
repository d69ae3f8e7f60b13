/* SPDX-License-Identifier: BSD-3-Clause */
#include "format/stacktexts.h"

#include <string.h>

enum {
    /* The limits of the cache. Stacks that exceed them are formatted each time. */
    SPAN_MAX = 1 << 20,
    TEXT_MAX = 64 << 20
};

void gt_stacktexts_init(struct gt_stacktexts *stacks, struct gt_mem *mem)
{
    memset(stacks, 0, sizeof(*stacks));
    stacks->mem = mem;
}

void gt_stacktexts_destroy(struct gt_stacktexts *stacks)
{
    gt_array_free(stacks->mem, &stacks->spans);
    gt_array_free(stacks->mem, &stacks->text);
}

void gt_stacktexts_forget(struct gt_stacktexts *stacks, uint32_t generation)
{
    stacks->spans.count = 0;
    stacks->text.count = 0;
    stacks->generation = generation;
}

void gt_stacktexts_keep(struct gt_stacktexts *stacks, gt_stack stack, const char *text, size_t size)
{
    uint32_t slot = (uint32_t) stack;
    /* A stack without frames has no text, for which there need be no memory yet. */
    if (size == 0 || slot >= SPAN_MAX || size > TEXT_MAX - stacks->text.count)
        return;
    if (gt_array_extend(stacks->mem, &stacks->spans, (size_t) slot + 1) != GT_OK ||
        gt_array_reserve(stacks->mem, &stacks->text, size) != GT_OK)
        return;
    memcpy(stacks->text.items + stacks->text.count, text, size);
    stacks->spans.items[slot] =
        (struct gt_stacktext_span){(uint32_t) stacks->text.count, (uint32_t) size};
    stacks->text.count += size;
}
