/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_TABLES_H
#define GT_RECORDER_TABLES_H

#include "recorder/inside.h"

/* The batches of a generation that are not events: clock, strings, stacks. */

void gt_recorder_write_sync(gt_recorder *recorder, uint64_t generation);
void gt_recorder_write_tables(gt_recorder *recorder, uint64_t generation);

#endif
