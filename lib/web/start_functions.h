/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_START_FUNCTIONS_H
#define GT_WEB_START_FUNCTIONS_H

/*
 * Groups goroutines by their start function: how many of them take part in something, and for how
 * long. A struct gt_start_functions belongs to one thread; the results of several threads are
 * merged.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"

struct gt_start_function {
    /* The id of the function's name, or 0 if that is unknown. */
    uint32_t name;
    uint32_t goroutines;
    int64_t time[GT_STORE_CLASSES];
};

/* All zeros except `mem` at first. */
struct gt_start_functions {
    struct gt_mem *mem;
    /*
     * Indexed by the ordinal of a goroutine: the number of its function + 1, or 0 if the
     * goroutine does not take part.
     */
    GT_ARRAY(uint32_t) of;
    /* Indexed by the id of a text: the number of the function with that name + 1. */
    GT_ARRAY(uint32_t) numbers;
    GT_ARRAY(struct gt_start_function) list;
};

/*
 * Returns the times by class of the start function of goroutine `ordinal`, and counts the
 * goroutine if it is new. The caller holds the store's lock. The pointer is valid until the next
 * call. Returns NULL if memory runs out.
 */
int64_t *gt_start_functions_time(struct gt_start_functions *functions, const struct gt_store *store,
                                 uint32_t ordinal);

/* Returns false if memory runs out. */
bool gt_start_functions_merge(struct gt_start_functions *functions,
                              const struct gt_start_functions *more);

/*
 * Sorts the list by total time, the largest first. The numbers in `of` and `numbers` are invalid
 * after this.
 */
void gt_start_functions_sort(struct gt_start_functions *functions);

void gt_start_functions_free(struct gt_start_functions *functions);

#endif
