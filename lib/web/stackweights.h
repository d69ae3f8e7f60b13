/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_STACKWEIGHTS_H
#define GT_WEB_STACKWEIGHTS_H

/* Which stacks the time of a scope, or the samples in it, goes to. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

enum gt_stackweights_kind {
    /* CPU samples. */
    GT_WEIGHTS_CPU,
    GT_WEIGHTS_RUNNING,
    /* All states, each class by itself. */
    GT_WEIGHTS_WALL,
    /* Where time passes on no CPU, but not for the want of one. */
    GT_WEIGHTS_OFFCPU,
    GT_WEIGHTS_WAITING,
    GT_WEIGHTS_RUNNABLE,
    GT_WEIGHTS_SYSCALL,
    GT_WEIGHTS_KINDS
};

/* Their names in requests. */
extern const char *const gt_stackweights_names[];

struct gt_stackweights {
    enum gt_stackweights_kind kind;
    /*
     * By class, or in the first one where classes are not told apart: by frame, how much
     * goes to stacks with that leaf; NULL for nothing. Frame 0 is for no stack.
     */
    int64_t *groups[GT_STORE_CLASSES];
    size_t frames[GT_STORE_CLASSES];
    /* There was no time for all. */
    bool cut;
};

/*
 * Fills `*weights`, whose kind is set, and which is to be freed in any case. `response` is
 * asked whether to go on, unless it is NULL. False where there is no memory or nobody who waits.
 */
bool gt_stackweights_make(struct gt_stackweights *weights, struct gt_store *store,
                          const struct gt_scope *scope, struct gt_response *response);
void gt_stackweights_free(struct gt_stackweights *weights);

/*
 * Copies all frames, by id; the first element is for none. NULL without memory. A parent is
 * less than its child.
 */
struct gt_store_frame *gt_stackweights_frames(struct gt_store *store, size_t *count);

#endif
