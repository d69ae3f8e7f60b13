/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GETTERS_H
#define TESTS_SUPPORT_GETTERS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* Frames of stacks that were hashed lately, by handle. */
#define FOLD_STACKS 1024

/*
 * A hash of events that were read through all their getters. Starts as all
 * zeros but for `reader`.
 */
struct fold {
    gt_reader *reader;
    uint64_t hash;
    gt_stack stacks[FOLD_STACKS];
    uint64_t stack_hashes[FOLD_STACKS];
};

/*
 * Reads all that `event` says into fold->hash: every getter that goes with its
 * kind, every string, value, attribute, batch, argument and frame. Asserts
 * that every other getter refuses and leaves its output alone. Returns the
 * status of gt_stack_frames where that fails for want of memory.
 */
gt_status fold_event(struct fold *fold, const gt_event *event);

#endif
