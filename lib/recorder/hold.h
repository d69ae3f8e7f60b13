/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_HOLD_H
#define GT_RECORDER_HOLD_H

#include "recorder/inside.h"

/* The locks of what starts, stops and ends generations. */

/* The calling thread must not be cancelled, and perhaps has the lock of starting and stopping. */
struct gt_recorder_hold {
    gt_recorder *recorder;
    bool has_control;
    int cancel;
};

/* `control` says whether recording is to be started or stopped. */
struct gt_recorder_hold gt_recorder_hold(gt_recorder *recorder, bool control);
void gt_recorder_release(const struct gt_recorder_hold *hold);

/* The lock of generations. */
void gt_recorder_lock(gt_recorder *recorder);
void gt_recorder_unlock(gt_recorder *recorder);

/* Whether the calling thread ends a generation: it is in the callback that writes. */
bool gt_recorder_is_in_callback(gt_recorder *recorder);

/* The same, or whether it is the library's thread, which cannot be stopped then. */
bool gt_recorder_is_in_any_callback(gt_recorder *recorder);

#endif
