/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SCAN_H
#define GT_V1_SCAN_H

#include "v1/v1.h"

/*
 * Reads the whole input once. Checks that every record is well formed, so that it can be decoded
 * later without checks, and finds the batches of each proc, strings, stacks, the frequency,
 * timers, and the events that were recorded late.
 */
gt_status gt_v1_scan(struct gt_v1 *v1);

#endif
