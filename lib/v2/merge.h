/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_MERGE_H
#define GT_V2_MERGE_H

#include "v2/v2.h"

/* Starts to merge the generation that was read last. */
gt_status gt_v2_merge_start(struct gt_v2 *v2);

/*
 * Adds events of the generation to `*events` until that is full or the generation ends. An error
 * comes after the events that were added.
 */
gt_status gt_v2_merge(struct gt_v2 *v2, struct gt_events *events);

#endif
