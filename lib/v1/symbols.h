/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SYMBOLS_H
#define GT_V1_SYMBOLS_H

#include "v1/v1.h"

/*
 * With N = 5 stacks are rows of pcs, and a goroutine starts at a pc. Asks the
 * caller for their symbols, and fills the table of stacks from the scan's `bare`
 * and `pcs`, in the form that later versions have on the wire.
 */
gt_status gt_v1_symbolize(struct gt_v1 *v1);

/* Frees what the scan has kept for it. */
void gt_v1_symbols_drop(struct gt_v1 *v1);

#endif
