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
    if (GT_UNLIKELY(t->stack_depth != 0))
        return gt_recorder_stack_take(t, __builtin_frame_address(0));
    /* Nobody has told the name of a goroutine that a thread brought with it. */
    return GT_UNLIKELY(t->home_go) && gt_recorder_own_go(t) == t->home_go
               ? gt_recorder_own_go(t)->name
               : 0;
}

/*
 * Stores the stack of the code that a signal has interrupted, of which `context` is the ucontext_t;
 * or, if that is NULL, the stack of the caller of a public function, whose frame is `frame`. An
 * instruction that was interrupted has the address after its first byte, as frames are looked up
 * one byte before the address to which they return. Returns how many addresses there are, at most
 * `room`. It may be called in signal handlers.
 */
size_t gt_recorder_stack_interrupted(const gt_rec_thread *thread, const void *context,
                                     const void *frame, uint64_t *pcs, size_t room);

/* The name of the goroutine that the thread runs, or 0. */
static inline gt_rec_text gt_recorder_stack_name(const gt_rec_thread *t)
{
    const gt_rec_go *go = gt_recorder_own_go(t);
    return go ? go->name : 0;
}

/*
 * Adds that name to a stack as its outermost frame, after which tools name the goroutine. Returns
 * how many frames there are then.
 */
static inline size_t gt_recorder_stack_add_name(const gt_rec_thread *t, uint64_t *pcs, size_t count)
{
    gt_rec_text name = gt_recorder_stack_name(t);
    if (name != 0)
        pcs[count++] = GT_STACK_TEXT_PC | name;
    return count;
}

/*
 * Returns the number of a stack in a generation that is over, to whose table it is added; 0 if
 * there is no memory for it.
 */
uint64_t gt_recorder_stack_of_sample(gt_rec_thread *thread, uint64_t generation,
                                     const uint64_t *pcs, size_t count);

/* Frees the table of a thread for a generation. */
void gt_recorder_stacks_free(gt_rec_thread *thread, uint64_t generation);

#endif
