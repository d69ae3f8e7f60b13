/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_STACKWEIGHTS_H
#define GT_WEB_STACKWEIGHTS_H

/* Attributes the time of a scope, or the CPU samples in it, to stacks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

enum gt_stackweights_kind {
    /* The number of CPU samples. */
    GT_WEIGHTS_CPU,
    GT_WEIGHTS_RUNNING,
    /* All states, with a separate group for each class. */
    GT_WEIGHTS_WALL,
    /*
     * Waiting, or blocked in a system call: no CPU is used, for a reason other than the lack of
     * one.
     */
    GT_WEIGHTS_OFFCPU,
    GT_WEIGHTS_WAITING,
    GT_WEIGHTS_RUNNABLE,
    GT_WEIGHTS_SYSCALL,
    GT_WEIGHTS_KINDS
};

/* The names of the kinds in requests. */
extern const char *const gt_stackweights_names[];

struct gt_stackweights {
    struct gt_mem *mem;
    enum gt_stackweights_kind kind;
    /*
     * About the most spans to examine; 0: all. If there are more, the weights are estimates from a
     * sample, see struct gt_scan.
     */
    uint64_t most;
    /*
     * The weights by group and leaf frame. GT_WEIGHTS_WALL has one group per class; other kinds
     * use only the first. Frame 0 stands for no stack.
     */
    GT_ARRAY(int64_t) groups[GT_STORE_CLASSES];
    /* The number of spans in the scope, and whether only a sample of them was examined. */
    uint64_t spans;
    bool approximate;
};

/*
 * Computes `*weights`, whose members before `groups` the caller has set, and which the caller frees
 * in any case. Returns false if memory runs out or the client has gone away, which `response` tells
 * unless it is NULL.
 */
bool gt_stackweights_make(struct gt_stackweights *weights, struct gt_store *store,
                          const struct gt_scope *scope, struct gt_response *response);
void gt_stackweights_free(struct gt_stackweights *weights);

/*
 * Returns a copy of all frames, indexed by id; the element at index 0 stands for no frame. The id
 * of a parent is less than that of its child. Returns NULL if memory runs out. The caller frees
 * the copy, of `*count` frames, with gt_mem_free.
 */
struct gt_store_frame *gt_stackweights_frames(struct gt_mem *mem, struct gt_store *store,
                                              size_t *count);

#endif
