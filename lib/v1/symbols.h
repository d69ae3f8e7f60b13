/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SYMBOLS_H
#define GT_V1_SYMBOLS_H

#include "v1/v1.h"

/*
 * Resolves the stacks of version 5. In this version a stack is a list of program counters, and the
 * start of a goroutine is a program counter. Requests their symbols from the caller, and fills the
 * table of stacks from the results of the scan, in the wire format of later versions.
 */
gt_status gt_v1_symbolize(struct gt_v1 *v1);

/* Frees the data that the scan has collected for gt_v1_symbolize. */
void gt_v1_symbols_drop(struct gt_v1 *v1);

#endif
