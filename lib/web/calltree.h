/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_CALLTREE_H
#define GT_WEB_CALLTREE_H

/*
 * Weights of stacks as one tree of functions: frames that differ only in the line are one,
 * and at most GT_CALLTREE_NODES nodes are left.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/stackweights.h"

enum {
    GT_CALLTREE_NODES = 20000
};

/* What a node is that is no function: these, and from GT_CALLTREE_CLASS on one for each class. */
#define GT_CALLTREE_ROOT     (UINT32_MAX - 64)
#define GT_CALLTREE_NO_STACK (UINT32_MAX - 63)
/* Children that were too small to be kept. */
#define GT_CALLTREE_OTHER (UINT32_MAX - 62)
#define GT_CALLTREE_CLASS (UINT32_MAX - 61)

struct gt_calltree_node {
    /* Its index, which is less than the node's; of the root, itself. */
    uint32_t parent;
    /* A text, or one of the above. */
    uint32_t function;
    int64_t self, total;
};

struct gt_calltree {
    struct gt_calltree_node *nodes;
    size_t count, capacity;
};

/* Starts as all zeros, and is to be freed in any case. False where there is no memory. */
bool gt_calltree_make(struct gt_calltree *tree, const struct gt_stackweights *weights,
                      const struct gt_store_frame *frames, size_t frame_count);
void gt_calltree_free(struct gt_calltree *tree);

#endif
