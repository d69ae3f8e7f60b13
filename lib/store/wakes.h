/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_WAKES_H
#define GT_STORE_WAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct gt_wake;
struct gt_wakes_run;
struct gt_wakes_edge;

/*
 * Wakeups: which goroutine woke which other one, and when, in about 9 bytes each. They are added in
 * any order. As soon as there are enough for a run, they are sorted by the waker and then by time.
 * So a query is a binary search in each run, and a linear search in those that are not in a run
 * yet. An object of zeros is empty, but `mem` must be set.
 */
struct gt_wakes {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_wakes_run) runs;
    /* The wakeups that are not in a run yet. */
    GT_ARRAY(struct gt_wakes_edge) latest;
    /* A buffer for as many as are in a run, to sort them; NULL until there is a run. */
    struct gt_wakes_edge *spare;
};

void gt_wakes_destroy(struct gt_wakes *wakes);

/* Adds that `by` woke `goroutine`; both are ordinals. False: out of memory. */
bool gt_wakes_add(struct gt_wakes *wakes, int64_t time, uint32_t by, uint32_t goroutine);

/* See gt_store_wakes. */
size_t gt_wakes_get(const struct gt_wakes *wakes, uint32_t by, int64_t start, int64_t end,
                    struct gt_wake *out, size_t max, uint64_t *total);

#endif
