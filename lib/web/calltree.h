/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_CALLTREE_H
#define GT_WEB_CALLTREE_H

/*
 * Weights of stacks as one tree of functions: frames that differ only in the line are one,
 * and at most CALLTREE_NODES nodes are left.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/stackweights.h"

enum {
    CALLTREE_NODES = 20000
};

/* What a node is that is no function: these, and from CALLTREE_CLASS on one for each class. */
#define CALLTREE_ROOT     (UINT32_MAX - 64)
#define CALLTREE_NO_STACK (UINT32_MAX - 63)
/* Children that were too small to be kept. */
#define CALLTREE_OTHER (UINT32_MAX - 62)
#define CALLTREE_CLASS (UINT32_MAX - 61)

struct calltree_node {
    /* Its index, which is less than the node's; of the root, itself. */
    uint32_t parent;
    /* A text, or one of the above. */
    uint32_t function;
    int64_t self, total;
};

struct calltree {
    struct calltree_node *nodes;
    size_t count, capacity;
};

/* Starts as all zeros, and is to be freed in any case. False where there is no memory. */
bool calltree_make(struct calltree *tree, const struct stackweights *weights,
                   const struct store_frame *frames, size_t frame_count);
void calltree_free(struct calltree *tree);

#endif
