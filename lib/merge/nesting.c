/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/nesting.h"

#include "base/error.h"
#include "base/excerpt.h"

enum {
    /* The bytes of a type in a message, which also has numbers and what was repaired. */
    TYPE_SIZE = 26
};

void gt_nesting_fail(gt_error *error, uint64_t offset, uint64_t generation,
                     const struct gt_nesting *nesting)
{
    char ends[TYPE_SIZE + GT_EXCERPT_MORE], inner[TYPE_SIZE + GT_EXCERPT_MORE];
    gt_excerpt_put(ends, TYPE_SIZE, nesting->ends);
    gt_excerpt_put(inner, TYPE_SIZE, nesting->inner);
    gt_error_set(
        error, GT_ERR_ORDER, offset, generation,
        "region \"%s\" of task %u ends on goroutine %d, whose innermost is \"%s\" of task %u", ends,
        nesting->ends_task, nesting->goroutine, inner, nesting->inner_task);
}

bool gt_nesting_forgive(struct gt_repair *repair, gt_error *error)
{
    if (!repair->lenient)
        return false;
    if (repair->unnested++ == 0)
        gt_repair_report(repair, error, "; regions that do not nest were paired by name");
    gt_repair_count(repair, error);
    return true;
}
