/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_STACKTITLE_H
#define GT_WEB_STACKTITLE_H

/* The title of a stack in a table: the few frames that distinguish it from other stacks. */

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

enum {
    /* A leaf, the first frame outside of the runtime, and a caller of that. */
    GT_STACKTITLE_MAX = 3
};

/*
 * The ids of up to three frames: the leaf; the first frame outside of the runtime; and the first
 * caller of that frame that is neither in the runtime nor a function in which Go's library waits.
 * They are in the order of the stack, without duplicates. `outside` is the index of the first frame
 * outside of the runtime, or of the leaf if all frames belong to the runtime.
 */
struct gt_stacktitle {
    uint32_t frames[GT_STACKTITLE_MAX];
    size_t count, outside;
};

/*
 * Sets `*title` to the title of `stack`, a frame of the store. It has no frames if there is no
 * stack. The caller holds the store's lock.
 */
void gt_stacktitle_find(struct gt_stacktitle *title, const struct gt_store *store, uint32_t stack);

#endif
