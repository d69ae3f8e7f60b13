/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/other.h"

#include "base/error.h"

static void other_trace_report(struct gt_repair *repair, gt_error *error)
{
    gt_repair_report(repair, error, "; left out");
    gt_repair_count(repair, error);
}

void gt_other_trace_begins(struct gt_repair *repair, gt_error *error, uint64_t offset)
{
    gt_error_set(error, GT_ERR_BATCH, offset, 0,
                 "another trace begins here, and the one that is read ends before it");
    other_trace_report(repair, error);
}

void gt_other_trace_rest(struct gt_repair *repair, gt_error *error, uint64_t offset, uint64_t size,
                         bool is_older)
{
    gt_error_set(error, GT_ERR_BATCH, offset, 0,
                 "the trace ends here: the %u bytes behind it are of %s", size,
                 is_older ? "another, older trace" : "another trace");
    other_trace_report(repair, error);
}
