/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_NESTING_H
#define GT_MERGE_NESTING_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "merge/repair.h"

/*
 * Regions that do not nest. Go's own reader ends there, although nothing is wrong with the trace: a
 * program may end the regions of a goroutine in any order. A lenient reader gives each end to the
 * innermost open region of the same task and type.
 */
struct gt_nesting {
    gt_string ends; /* the type and the task of the region that ends */
    uint64_t ends_task;
    gt_string inner; /* those of the innermost one */
    uint64_t inner_task;
    int64_t goroutine;
};

/*
 * Sets the error that a region ends which is not the innermost one. Types are shortened, so that
 * the message has room for both.
 */
void gt_nesting_fail(gt_error *error, uint64_t offset, uint64_t generation,
                     const struct gt_nesting *nesting);

/*
 * Forgives that error if the reader is lenient: it has found the region that ends. All are counted,
 * but only the first one of a trace is reported, because such a program has them by the thousand.
 * Returns whether the error was forgiven.
 */
bool gt_nesting_forgive(struct gt_repair *repair, gt_error *error);

#endif
