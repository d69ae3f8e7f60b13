/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_FORMAT_STACKTEXTS_H
#define GT_FORMAT_STACKTEXTS_H

/*
 * The texts of stacks. Most events have a stack that an earlier event had, so texts are kept until
 * the next generation.
 */

#include <gotrace/stack.h>

#include "base/array.h"

/* The offset and size of a stack's text in gt_stacktexts.text. Size 0 means that the text is not
 * kept. */
struct gt_stacktext_span {
    uint32_t offset;
    uint32_t size;
};

struct gt_stacktexts {
    struct gt_mem *mem;
    uint32_t generation; /* the high half of the handles whose texts are kept */
    GT_ARRAY(struct gt_stacktext_span) spans; /* indexed by the low half of a handle */
    GT_ARRAY(char) text;
};

void gt_stacktexts_init(struct gt_stacktexts *stacks, struct gt_mem *mem);
void gt_stacktexts_destroy(struct gt_stacktexts *stacks);

/* Discards all texts, and starts to cache those of another generation. */
void gt_stacktexts_forget(struct gt_stacktexts *stacks, uint32_t generation);

/* Returns the text of a stack and its size, or NULL if it is not kept. */
static inline const char *gt_stacktexts_find(struct gt_stacktexts *stacks, gt_stack stack,
                                             size_t *size)
{
    uint32_t generation = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (generation != stacks->generation)
        gt_stacktexts_forget(stacks, generation);
    if (slot >= stacks->spans.count || stacks->spans.items[slot].size == 0)
        return NULL;
    *size = stacks->spans.items[slot].size;
    return stacks->text.items + stacks->spans.items[slot].offset;
}

/* Keeps the text of a stack that gt_stacktexts_find did not find, if there is room. */
void gt_stacktexts_keep(struct gt_stacktexts *stacks, gt_stack stack, const char *text,
                        size_t size);

#endif
