/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_STACKTITLE_H
#define GT_WEB_STACKTITLE_H

/* What a stack is called in a table: the few frames that tell it from others. */

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

enum {
    /* A leaf, the first frame outside of the runtime, and a caller of that. */
    GT_STACKTITLE_MAX = 3
};

/*
 * Ids of frames: the leaf; the first frame outside of the runtime; and, after it, the first one
 * that does not belong to what Go's library waits with either. They are in the order of the stack,
 * and each is there once. `outside` is the index of the second of these or, if all frames are the
 * runtime's, of the leaf.
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
