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

enum stackweights_kind {
    /* CPU samples. */
    WEIGHTS_CPU,
    WEIGHTS_RUNNING,
    /* All states, each class by itself. */
    WEIGHTS_WALL,
    /* Where time passes on no CPU, but not for the want of one. */
    WEIGHTS_OFFCPU,
    WEIGHTS_WAITING,
    WEIGHTS_RUNNABLE,
    WEIGHTS_SYSCALL,
    WEIGHTS_KINDS
};

/* Their names in requests. */
extern const char *const stackweights_names[];

struct stackweights {
    enum stackweights_kind kind;
    /*
     * By class, or in the first one where classes are not told apart: by frame, how much
     * goes to stacks with that leaf; NULL for nothing. Frame 0 is for no stack.
     */
    int64_t *groups[STORE_CLASSES];
    size_t frames[STORE_CLASSES];
    /* There was no time for all. */
    bool cut;
};

/*
 * Fills `*weights`, whose kind is set, and which is to be freed in any case. `response` is
 * asked whether to go on, unless it is NULL. False where there is no memory or nobody who waits.
 */
bool stackweights_make(struct stackweights *weights, struct store *store, const struct scope *scope,
                       struct gt_response *response);
void stackweights_free(struct stackweights *weights);

/*
 * Copies all frames, by id; the first element is for none. NULL without memory. A parent is
 * less than its child.
 */
struct store_frame *stackweights_frames(struct store *store, size_t *count);

#endif
