/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_INTERNED_H
#define GT_MODEL_INTERNED_H

#include <stdbool.h>

#include <gotrace/stack.h>

#include "base/array.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/texts.h"

struct gt_interned_stack {
    gt_frame *frames;
    size_t count; /* not 0 */
};

/*
 * The different stacks of a trace, numbered from 1 in the order in which they were asked for. Equal
 * texts of frames are at the same address. All zeros is empty.
 */
struct gt_interned {
    bool is_started;
    struct gt_texts texts;
    GT_ARRAY(struct gt_interned_stack) stacks;
    struct gt_index index;
};

void gt_interned_destroy(struct gt_interned *interned, struct gt_mem *mem);

/* Sets `*id` to the number of the stack with these frames; 0 if there are none. */
gt_status gt_interned_add(struct gt_interned *interned, struct gt_mem *mem, const gt_frame *frames,
                          size_t count, uint32_t *id);

#endif
