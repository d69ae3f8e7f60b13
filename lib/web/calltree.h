/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_CALLTREE_H
#define GT_WEB_CALLTREE_H

/*
 * A call tree built from weights of stacks. Frames that differ only in the line become one node,
 * unless `by_line` is set. If there are more than GT_CALLTREE_NODES nodes, the smallest are merged
 * into nodes that stand for the rest.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/stackweights.h"

enum {
    GT_CALLTREE_NODES = 20000
};

/*
 * Values of gt_calltree_node.function that are no functions. From GT_CALLTREE_CLASS on there is one
 * for each class of spans.
 */
#define GT_CALLTREE_ROOT     (UINT32_MAX - 64)
#define GT_CALLTREE_NO_STACK (UINT32_MAX - 63)
/* Stands for the children of a node that were too small to be kept. */
#define GT_CALLTREE_OTHER (UINT32_MAX - 62)
#define GT_CALLTREE_CLASS (UINT32_MAX - 61)

struct gt_calltree_node {
    /* The index of the parent, which is less than the node's own. The root is its own parent. */
    uint32_t parent;
    /* The id of a text of the store, or one of the values above. */
    uint32_t function;
    /*
     * The position in the source of the call of the next function, or of the leaf: the id of the
     * file's name, and the line, which is 0 if the frames of the node have several.
     */
    uint32_t file;
    uint64_t line;
    /*
     * The weight of the node itself, and of the node with all of its descendants; at most
     * INT64_MAX. The unit is that of the weights: nanoseconds or samples.
     */
    int64_t self, total;
};

struct gt_calltree {
    /* The root comes first. */
    struct gt_mem *mem;
    struct gt_calltree_node *nodes;
    size_t count, capacity;
    /* Frames that differ only in the line are separate nodes. */
    bool by_line;
};

/*
 * Builds `*tree`, which must be all zeros except `by_line`, with the memory of the weights from
 * these and the `frame_count` frames of gt_stackweights_frames. Returns false if there is not
 * enough memory. In either case gt_calltree_free must be called.
 */
bool gt_calltree_make(struct gt_calltree *tree, const struct gt_stackweights *weights,
                      const struct gt_store_frame *frames, size_t frame_count);
void gt_calltree_free(struct gt_calltree *tree);

#endif
