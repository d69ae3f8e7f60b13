/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_MERGE_H
#define GT_V1_MERGE_H

#include "v1/v1.h"

/* Starts at the beginning, also for a second time. */
gt_status gt_v1_merge_start(struct gt_v1 *v1);

/*
 * The next event of the trace, in v1->event: in order, and late ones where they
 * happened. GT_END after the last.
 */
gt_status gt_v1_merge_next(struct gt_v1 *v1);

/*
 * After an event of a GoSysCall: whether the goroutine's next event of all is a
 * GoSysBlock. As in Go, a CPU sample of it in between counts as one.
 */
int gt_v1_merge_blocks(const struct gt_v1 *v1, const struct gt_v1_event *event);

#endif
