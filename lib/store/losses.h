/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_LOSSES_H
#define GT_STORE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/loss.h"
#include "store/span.h"

/* The time of an announcement for a row, if there was one. */
struct gt_losses_time {
    int64_t time;
    bool is_set;
};

/*
 * The times in which it is not known what goroutines did, because data of the trace was lost. They
 * are announced before the states that they are taken from. All zeros if there are none, but `mem`
 * must be set.
 */
struct gt_losses {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_loss) list;
    /* By the ordinal of a goroutine: the end of its state that is lost. */
    GT_ARRAY(struct gt_losses_time) goroutines;
    /* By the ordinal of a thread: since when all its states are lost. */
    GT_ARRAY(struct gt_losses_time) threads;
};

void gt_losses_destroy(struct gt_losses *losses);

/* Announces that the state of a goroutine that ends at `time` is lost. False: out of memory. */
bool gt_losses_expect_goroutine(struct gt_losses *losses, uint32_t ordinal, int64_t time);
/* Announces that the states on a thread are lost from `time` on. A later announcement replaces an
 * earlier one. */
bool gt_losses_expect_thread(struct gt_losses *losses, uint32_t ordinal, int64_t time);

/*
 * Cuts the part that is lost off a state, and adds it to the losses. Sets `*is_left` to whether any
 * part of the state remains. False: out of memory.
 */
bool gt_losses_take(struct gt_losses *losses, struct gt_span *state, bool *is_left);

#endif
