/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_STACKS_H
#define GT_TIMELINE_STACKS_H

#include <stdbool.h>

#include <gotrace/emitter.h>
#include <gotrace/reader.h>
#include <gotrace/stack.h>

#include "base/array.h"
#include "base/shared_text.h"

/* The cached properties of a stack of the current generation. */
struct gt_tl_stack {
    uint32_t id; /* the emitter's */
    bool has_id;
    struct gt_shared_text *root; /* the outermost function; NULL while nobody has asked for it */
};

/*
 * Translates stacks of the reader to those of the emitter. A stack is decoded at its first use in
 * its generation. Only the emitter's ids are valid beyond the generation.
 */
struct gt_tl_stacks {
    struct gt_mem *mem;
    struct gt_shared_texts *texts;
    gt_reader *reader;
    gt_emitter *emitter;
    uint32_t generation; /* the high half of the handles of its stacks */
    struct gt_tl_stack empty;
    GT_ARRAY(struct gt_tl_stack) list; /* by the low half of their handles */
    GT_ARRAY(gt_emitter_frame) frames; /* scratch memory for one stack */
};

void gt_tl_stacks_init(struct gt_tl_stacks *stacks, struct gt_mem *mem,
                       struct gt_shared_texts *texts, gt_reader *reader, gt_emitter *emitter);
void gt_tl_stacks_destroy(struct gt_tl_stacks *stacks);

/* Implements gt_tl_stack_id for a stack that has no id yet, and for GT_STACK_NONE. */
gt_status gt_tl_stack_new_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id);

/* Sets `*id` to the emitter's id of a stack, 0 for GT_STACK_NONE. */
static inline gt_status gt_tl_stack_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    uint32_t generation = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (generation != stacks->generation || slot >= stacks->list.count ||
        !stacks->list.items[slot].has_id)
        return gt_tl_stack_new_id(stacks, stack, id);
    *id = stacks->list.items[slot].id;
    return GT_OK;
}

/*
 * Sets `*root` to the name of the outermost function of a stack, which must not be
 * GT_STACK_NONE. The reference belongs to `stacks` and lasts for the generation.
 */
gt_status gt_tl_stack_root(struct gt_tl_stacks *stacks, gt_stack stack,
                           struct gt_shared_text **root);

#endif
