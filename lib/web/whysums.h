/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WHYSUMS_H
#define GT_WEB_WHYSUMS_H

/* The parts of paths added up: by what is printed of them, and by stack. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/path.h>

#include "base/array.h"
#include "base/index.h"
#include "web/flame.h"

/* The time of the parts of one state, with one reason, at one function in goroutines of one group.
 * Texts are numbers in `texts`. */
struct gt_whysum {
    uint32_t group, reason, where, state;
    uint64_t count;
    int64_t time;
    /* The longest of the parts. */
    gt_path_part longest;
};

/* A stack: its leaf in `frames`, or 0 if it has no frames, and the function where it is. */
struct gt_whystack {
    uint32_t leaf, where;
};

/* All zeros, except what gt_whysums_init sets. */
struct gt_whysums {
    struct gt_mem *mem;
    uint64_t secret;
    struct gt_dictionary texts;
    GT_ARRAY(struct gt_whysum) list;
    struct gt_index index;
    /* The indexes of the sums, the longest time first. */
    GT_ARRAY(uint32_t) order;
    GT_ARRAY(struct gt_whystack) stacks;
    struct gt_index stack_index;
    GT_ARRAY(struct gt_store_frame) frames;
    /* The time by class and frame, without what is not known. */
    struct gt_stackweights weights;
    /* Room for the GT_STACK_MAX_FRAMES frames of a stack. */
    gt_frame *room;
};

/* Returns false if there is not enough memory. In any case gt_whysums_free must be called. */
bool gt_whysums_init(struct gt_whysums *sums, struct gt_mem *mem);
void gt_whysums_free(struct gt_whysums *sums);

/* Adds the parts that gt_path_follow has found. Returns false if memory runs out. */
bool gt_whysums_add(struct gt_whysums *sums, const gt_path *path);

/* Sets `*stack` to that of a part. Returns false if memory runs out. */
bool gt_whysums_find_stack(struct gt_whysums *sums, const gt_path *path, size_t part,
                           struct gt_whystack *stack);

/*
 * Returns the class of spans in which the time of a part would be, or GT_STORE_CLASSES if what
 * happened then is not known.
 */
uint32_t gt_whysums_class(const gt_path_part *part);

/* Makes the order of the sums. Returns false if memory runs out. */
bool gt_whysums_sort(struct gt_whysums *sums);

/* Returns the name of a function of the tree that gt_calltree_make makes of the weights. */
gt_flame_text_fn gt_whysums_text;

#endif
