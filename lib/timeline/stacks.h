/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_STACKS_H
#define GT_TIMELINE_STACKS_H

#include <gotrace/emitter.h>
#include <gotrace/reader.h>
#include <gotrace/stack.h>

#include "base/mem.h"
#include "timeline/texts.h"

/* What is known of a stack of the generation. */
struct gt_tl_stack {
    uint32_t id;
    uint32_t has_id;
    struct gt_tl_text *root; /* NULL: not asked for yet */
};

/*
 * From stacks of the reader to those of the emitter. A stack is decoded when it is
 * first met in its generation; what outlives a generation is the emitter's id.
 */
struct gt_tl_stacks {
    struct gt_mem *mem;
    struct gt_tl_texts *texts;
    gt_reader *reader;
    gt_emitter *emitter;
    uint32_t ordinal; /* of the generation: the high half of its handles */
    struct gt_tl_stack empty;
    struct gt_tl_stack *list; /* by the low half */
    size_t count;
    size_t capacity;
    gt_emitter_frame *emitted;
    size_t emitted_capacity;
};

void gt_tl_stacks_init(struct gt_tl_stacks *stacks, struct gt_mem *mem, struct gt_tl_texts *texts,
                       gt_reader *reader, gt_emitter *emitter);
void gt_tl_stacks_destroy(struct gt_tl_stacks *stacks);

/* The emitter's id of a stack of which that is not known yet. */
gt_status gt_tl_stack_new_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id);

/* The emitter's id. */
static inline gt_status gt_tl_stack_id(struct gt_tl_stacks *stacks, gt_stack stack, uint32_t *id)
{
    uint32_t ordinal = (uint32_t) (stack >> 32), slot = (uint32_t) stack;
    if (ordinal != stacks->ordinal || slot >= stacks->count || !stacks->list[slot].has_id)
        return gt_tl_stack_new_id(stacks, stack, id);
    *id = stacks->list[slot].id;
    return GT_OK;
}

/* The outermost function of a stack that is not GT_STACK_NONE; held by `stacks`. */
gt_status gt_tl_stack_root(struct gt_tl_stacks *stacks, gt_stack stack, struct gt_tl_text **root);

#endif
