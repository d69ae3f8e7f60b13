/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_STACKSET_H
#define GT_ANALYSIS_STACKSET_H

#include <stdbool.h>

#include <gotrace/event.h>
#include <gotrace/stack.h>

#include "base/texts.h"

enum {
    /* The maximum number of stacks. It leaves four bits of a 32-bit number for other data. */
    GT_STACKSET_MAX = 1 << 28
};

/* A frame, whose texts are numbers in the set's interner. */
struct gt_stackset_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function;
    uint32_t file;
};

/* A stack: the `count` elements of the set's frame_numbers from index `first` on. */
struct gt_stackset_stack {
    size_t first;
    uint32_t count;
    uint32_t root; /* the function of the last frame, even if that frame is not kept */
    bool is_blank; /* it has frames, but no pc */
};

/*
 * The distinct stacks of a trace, numbered from 0 in order of first appearance. Stacks are equal if
 * the pcs of their first GT_STACK_MAX_FRAMES frames are, ignoring frames at the end with a pc of 0,
 * which runtimes write for a missing stack (cmd/trace/pprof.go); such frames are not kept. The
 * frames of a stack are those of its first occurrence. Number 0 is the stack without frames. If
 * `keeps_blank` is set, stacks whose pcs are all 0 are a stack of their own, with one frame.
 *
 * The low bits of a gt_stack number the stacks of a generation, and are the index in `slots`, so
 * each stack is decoded only once in a generation, unless its number is far above how many there
 * are.
 */
struct gt_stackset {
    struct gt_mem *mem;
    bool keeps_blank;
    struct gt_texts texts;
    GT_ARRAY(struct gt_stackset_frame) frames;
    struct gt_index frame_index;
    GT_ARRAY(struct gt_stackset_stack) stacks;
    struct gt_index index;
    GT_ARRAY(uint32_t) frame_numbers;
    uint32_t generation;      /* the high bits of the handles in `slots` */
    GT_ARRAY(uint32_t) slots; /* by the low bits of a handle: the stack's number plus 1, or 0 */
};

gt_status gt_stackset_init(struct gt_stackset *set, struct gt_mem *mem);
void gt_stackset_destroy(struct gt_stackset *set);

/* Does what gt_stackset_number does, for a stack that is new in its generation. */
gt_status gt_stackset_number_new(struct gt_stackset *set, struct gt_reader *reader,
                                 const gt_event *event, gt_stack stack, uint32_t *number);

/*
 * Sets `*number` to the number of a stack of the event, which must belong to the current
 * generation.
 */
static inline gt_status gt_stackset_number(struct gt_stackset *set, struct gt_reader *reader,
                                           const gt_event *event, gt_stack stack, uint32_t *number)
{
    uint32_t slot = (uint32_t) stack;
    if ((uint32_t) (stack >> 32) == set->generation && slot < set->slots.count &&
        set->slots.items[slot] != 0) {
        *number = set->slots.items[slot] - 1;
        return GT_OK;
    }
    return gt_stackset_number_new(set, reader, event, stack, number);
}

/* Returns the function at the root, or an empty text if the stack has no frames. */
gt_string gt_stackset_root(const struct gt_stackset *set, uint32_t number);

/*
 * Writes the first `capacity` frames of a stack to `frames`. Returns the number of frames that the
 * stack has, which is at most GT_STACK_MAX_FRAMES. Texts are valid as long as the set.
 */
size_t gt_stackset_frames(const struct gt_stackset *set, uint32_t number, gt_frame *frames,
                          size_t capacity);

/* Compares the pcs of two stacks one by one: negative, 0 or positive. */
int gt_stackset_compare(const struct gt_stackset *set, uint32_t a, uint32_t b);

#endif
