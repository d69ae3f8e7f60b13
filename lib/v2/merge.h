/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_MERGE_H
#define GT_V2_MERGE_H

#include "v2/record.h"
#include "v2/v2.h"

/* Starts to merge the generation that was read last. */
gt_status gt_v2_merge_start(struct gt_v2 *v2);

/*
 * Adds events of the generation to `*events` until that is full or the generation ends. An error
 * comes after the events that were added.
 */
gt_status gt_v2_merge(struct gt_v2 *v2, struct gt_events *events);

/*
 * Adds records of the next events to the block, up to the end of the generation or of the block,
 * for a reading apart, which is strict. `*events` is overwritten.
 */
gt_status gt_v2_merge_packed(struct gt_v2 *v2, struct gt_events *events, struct gt_v2_block *block);

#endif
