/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GETTERS_H
#define TESTS_SUPPORT_GETTERS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* A cache of hashes of stacks, by handle. */
#define FOLD_STACKS 1024

/*
 * A hash of events that were read through all their getters. Starts as zeros, except for `reader`.
 */
struct fold {
    gt_reader *reader;
    /* Not NULL: the frames are those of this copy of an event. */
    const gt_event *copy;
    uint64_t hash;
    gt_stack stacks[FOLD_STACKS];
    uint64_t stack_hashes[FOLD_STACKS];
};

/*
 * Adds everything in `event` to fold->hash: the results of every getter of its kind, every string,
 * value, attribute, batch, argument and frame. Asserts that every other getter refuses and does not
 * touch its output. Returns the status of gt_stack_frames if that fails for want of memory.
 */
gt_status fold_event(struct fold *fold, const gt_event *event);

#endif
