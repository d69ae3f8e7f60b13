/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_MERGE_H
#define GT_V1_MERGE_H

#include "v1/v1.h"

/* Starts the merge at the first event. May be called again to start over. */
gt_status gt_v1_merge_start(struct gt_v1 *v1);

/*
 * Adds the next events of the trace to output.events in order while there is room. Late events are
 * added at the time at which they happened. Returns GT_END after the last event.
 */
gt_status gt_v1_merge(struct gt_v1 *v1);

#endif
