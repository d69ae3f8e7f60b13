/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_START_FUNCTIONS_H
#define GT_WEB_START_FUNCTIONS_H

/*
 * Goroutines by the function that they start with: which of them had a part in something,
 * and for how long. One thread's; what several found is added up.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct gt_start_function {
    /* Its text; 0 where it is not known. */
    uint32_t name;
    uint32_t goroutines;
    int64_t time[GT_STORE_CLASSES];
};

struct gt_start_functions {
    /* By a goroutine's ordinal: the number of its function + 1, or 0 if it had no part. */
    uint32_t *of;
    size_t goroutines;
    /* By a text: the number of the function of that name + 1. */
    uint32_t *numbers;
    size_t texts;
    struct gt_start_function *list;
    size_t count, capacity;
};

/*
 * The times of the function of goroutine `ordinal`, which has a part from now on; with the
 * lock held. Good until the next call. NULL where there is no memory.
 */
int64_t *gt_start_functions_time(struct gt_start_functions *functions, const struct gt_store *store,
                                 uint32_t ordinal);

/* False where there is no memory. */
bool gt_start_functions_merge(struct gt_start_functions *functions,
                              const struct gt_start_functions *more);

/* By time, the most first. The numbers do not hold any more. */
void gt_start_functions_sort(struct gt_start_functions *functions);

void gt_start_functions_free(struct gt_start_functions *functions);

#endif
