/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_MERGE_H
#define GT_V1_MERGE_H

#include "v1/v1.h"

/* Starts at the beginning, also for a second time. */
gt_status gt_v1_merge_start(struct gt_v1 *v1);

/*
 * Adds the next events of the trace to v1->events, as long as there is room: in order,
 * and late ones where they happened. GT_END after the last.
 */
gt_status gt_v1_merge(struct gt_v1 *v1);

#endif
