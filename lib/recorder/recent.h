/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_RECENT_H
#define GT_RECORDER_RECENT_H

#include "recorder/inside.h"
#include "recorder/unwind.h"

/*
 * The stacks that a thread has found last by tables. A program comes to the same place by the same
 * way again and again; then all words of the stack that were read are what they were, which is
 * known much faster than the stack is found anew.
 */

enum {
    GT_RECENT_STACKS = 8,
    /* The most frames of a stack that is remembered. */
    GT_RECENT_FRAMES = 32
};

struct gt_recorder_recent_stack {
    /* Where the stack was found. */
    struct gt_unwind_frame frame;
    struct gt_recorder_bounds bounds;
    uint64_t map; /* the number of the tables, which changes with them */
    struct gt_unwind_trail trail;
    size_t count;
    uint64_t pcs[GT_RECENT_FRAMES];
    /* What the stack is in a generation, with the name of a goroutine as its outermost frame. */
    uint64_t generation, number;
    gt_rec_text name;
};

struct gt_recorder_recent {
    /* The stack pointers of all, by which one is found. */
    uint64_t places[GT_RECENT_STACKS];
    size_t next; /* to be replaced */
    struct gt_recorder_recent_stack stacks[GT_RECENT_STACKS];
};

/* The size of what a thread has of these: 0 if stacks are not found by tables. */
size_t gt_recorder_recent_size(const gt_recorder *recorder);

/* Gives a new thread memory of that size for them. */
void gt_recorder_recent_init(gt_rec_thread *thread, void *memory);

/*
 * Finds the stack of a caller in the frame of a public function, from the caller on. Returns what
 * is remembered of it, or NULL if that is too much; then the addresses are in thread->pcs, and how
 * many they are in `*count`.
 */
struct gt_recorder_recent_stack *gt_recorder_recent_unwind(gt_rec_thread *thread,
                                                           struct gt_recorder_bounds bounds,
                                                           struct gt_unwind_frame caller,
                                                           size_t depth, size_t *count);

#endif
