/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SYMBOLS_H
#define GT_V1_SYMBOLS_H

#include "v1/v1.h"

/*
 * In version 5 a stack is a list of program counters, and a goroutine starts at a program counter.
 * Asks the caller for their symbols, and fills the table of stacks from what the scan has found,
 * in the wire form of later versions.
 */
gt_status gt_v1_symbolize(struct gt_v1 *v1);

/* Frees what the scan has collected for it. */
void gt_v1_symbols_drop(struct gt_v1 *v1);

#endif
