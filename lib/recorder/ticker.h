/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_TICKER_H
#define GT_RECORDER_TICKER_H

#include "recorder/inside.h"

/* The thread of the library, which ends a generation after each period, and answers requests. */

/* Starts the thread, unless it runs or the program ends generations itself. Returns false if it
 * cannot. */
bool gt_recorder_ticker_start(gt_recorder *recorder);

/* Stops the thread, if there is one, and waits for it. */
void gt_recorder_ticker_stop(gt_recorder *recorder);

#endif
