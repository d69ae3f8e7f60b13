/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_KEPT_STACK_H
#define GT_READER_KEPT_STACK_H

#include <stdbool.h>

#include <gotrace/stack.h>

#include "base/idmap.h"
#include "base/shared_text.h"

struct gt_reader;

/* A copy of the frames of a stack. Its texts are those of an interner. */
struct gt_kept_stack {
    gt_frame *frames;
    size_t count; /* not 0 */
    uint64_t references;
    uint32_t interned; /* its number in the whole trace; 0: not known yet */
};

/*
 * The stacks of live goroutines whose generations have ended, by their handles. The memory is
 * bounded by what is alive, since a stack is freed with its last reference.
 */
struct gt_kept_stacks {
    struct gt_mem *mem;
    struct gt_shared_texts *texts;
    struct gt_idmap stacks;
};

void gt_kept_stacks_init(struct gt_kept_stacks *kept, struct gt_mem *mem,
                         struct gt_shared_texts *texts);

/* Frees all stacks, even those that still have references, but not the texts. */
void gt_kept_stacks_destroy(struct gt_kept_stacks *kept);

/* Returns the stack with this handle, or NULL if it is not kept. */
static inline struct gt_kept_stack *gt_kept_stack_find(const struct gt_kept_stacks *kept,
                                                       gt_stack stack)
{
    return gt_idmap_get(&kept->stacks, stack);
}

/*
 * Adds a reference to a stack, which is copied unless it is kept already, and sets `*is_held`. Does
 * nothing for a stack without frames, and for one that the reader does not have any more.
 */
gt_status gt_kept_stack_hold(struct gt_kept_stacks *kept, struct gt_reader *reader, gt_stack stack,
                             bool *is_held);

/* Removes a reference. */
void gt_kept_stack_drop(struct gt_kept_stacks *kept, gt_stack stack);

#endif
