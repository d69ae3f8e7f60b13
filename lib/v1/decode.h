/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_DECODE_H
#define GT_V1_DECODE_H

#include "v1/v1.h"

/*
 * Decodes what the scan has found to be well formed, so nothing here can fail
 * or leave the input.
 */

/* Moves to the proc's next event; 0 where there is none. First: to its first. */
int gt_v1_first(const struct gt_v1 *v1, struct gt_v1_proc *proc);
int gt_v1_next(const struct gt_v1 *v1, struct gt_v1_proc *proc, const uint8_t *p);

/* Decodes the proc's next event to `*event`. Returns where it ends. */
const uint8_t *gt_v1_decode(const struct gt_v1 *v1, struct gt_v1_proc *proc,
                            struct gt_v1_event *event);

/* Decodes an event that was recorded late, without its proc. */
void gt_v1_decode_late(const struct gt_v1 *v1, uint64_t offset, struct gt_v1_event *event);

/*
 * Whether the next event of the goroutine, which the proc's last one was about, is a
 * GoSysBlock; `*ticks` is then its time.
 */
int gt_v1_blocks(const struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t goroutine,
                 int64_t *ticks);

#endif
