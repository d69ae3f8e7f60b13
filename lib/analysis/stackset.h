/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_STACKSET_H
#define GT_ANALYSIS_STACKSET_H

#include <gotrace/stack.h>

#include "base/texts.h"

enum {
    /* So that a number leaves room for more in a word; no memory holds as many. */
    GT_STACKSET_MAX = 1 << 28
};

/* A frame; texts by number. */
struct gt_stackset_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function;
    uint32_t file;
};

/* A stack: `count` numbers of frames, from the one number `first` of the list of all. */
struct gt_stackset_stack {
    size_t first;
    uint32_t count;
    uint32_t root; /* the function of the last frame, which may be one that is left out */
};

/*
 * The stacks of a trace, numbered from 0 as they come. Stacks whose pcs are equal in the
 * first GT_STACK_MAX_FRAMES frames are the same one, as are those that differ only by
 * frames at the end whose pc is 0, which runtimes write for no stack (cmd/trace/pprof.go).
 * The first one is kept, without these. Number 0 is the one without frames.
 *
 * Handles of the reader's are looked up by their low bits, which number the stacks of a
 * generation, so each is decoded once a generation.
 */
struct gt_stackset {
    struct gt_mem *mem;
    struct gt_texts texts;
    GT_ARRAY(struct gt_stackset_frame) frames;
    struct gt_index frame_index;
    GT_ARRAY(struct gt_stackset_stack) stacks;
    struct gt_index index;
    GT_ARRAY(uint32_t) frame_numbers;
    uint32_t generation;      /* the high bits of the handles in `slots` */
    GT_ARRAY(uint32_t) slots; /* by a handle's low bits: the stack's number plus 1, or 0 */
};

gt_status gt_stackset_init(struct gt_stackset *set, struct gt_mem *mem);
void gt_stackset_destroy(struct gt_stackset *set);

/* gt_stackset_number where the handle has not been seen in this generation. */
gt_status gt_stackset_number_new(struct gt_stackset *set, struct gt_reader *reader, gt_stack stack,
                                 uint32_t *number);

/* The number of a stack that can be decoded now. */
static inline gt_status gt_stackset_number(struct gt_stackset *set, struct gt_reader *reader,
                                           gt_stack stack, uint32_t *number)
{
    uint32_t slot = (uint32_t) stack;
    if ((uint32_t) (stack >> 32) == set->generation && slot < set->slots.count &&
        set->slots.items[slot] != 0) {
        *number = set->slots.items[slot] - 1;
        return GT_OK;
    }
    return gt_stackset_number_new(set, reader, stack, number);
}

/* The root's function, which is empty where there are no frames. */
gt_string gt_stackset_root(const struct gt_stackset *set, uint32_t number);

/*
 * Writes the frames of a stack, as many as there is room for, and returns how many it has: at
 * most GT_STACK_MAX_FRAMES.
 */
size_t gt_stackset_frames(const struct gt_stackset *set, uint32_t number, gt_frame *frames,
                          size_t capacity);

/* Below, at or above 0 as the pcs of `a` come before those of `b`, are the same, or come after. */
int gt_stackset_compare(const struct gt_stackset *set, uint32_t a, uint32_t b);

#endif
