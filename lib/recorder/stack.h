/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_STACK_H
#define GT_RECORDER_STACK_H

#include "base/likely.h"
#include "recorder/inside.h"

/*
 * Stacks of events. Each thread has a table of its own in each generation, whose stacks are written
 * with the names of their frames when the generation is over.
 */

enum {
    /* The number of the first stack. Those up to there are of texts. */
    GT_STACK_FIRST = 65536
};

/*
 * Addresses that stand for texts are where programs have no code, and small enough for the numbers
 * of JavaScript.
 */
#define GT_STACK_TEXT_PC (UINT64_C(1) << 52)

/*
 * Returns the number of the stack of the calling thread, which is in a section of a generation that
 * is recorded. `frame` is the frame of a public function, where its caller's frame pointer and the
 * address in its caller are.
 */
uint64_t gt_recorder_stack_take(gt_rec_thread *thread, const void *frame);

/* The number of the stack of whoever has called the function into which this is inlined, or 0. */
static GT_ALWAYS_INLINE uint64_t gt_recorder_stack(gt_rec_thread *t)
{
    return GT_UNLIKELY(t->stack_depth != 0) ? gt_recorder_stack_take(t, __builtin_frame_address(0))
                                            : 0;
}

/* Frees the table of a thread for a generation. */
void gt_recorder_stacks_free(gt_rec_thread *thread, uint64_t generation);

#endif
