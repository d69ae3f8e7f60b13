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

/* Whether the process is a child of the one that has opened the recorder. */
bool gt_recorder_is_in_child(const gt_recorder *recorder);

/*
 * Gives up a recorder in a child, where threads that are not there may hold its locks. So the
 * memory remains, but not the descriptors and the timers.
 */
void gt_recorder_forget(gt_recorder *recorder);

/*
 * Why the calling thread cannot end a generation: it does that already, so that it is in the
 * callback that writes, or the process is a child. GT_OK if it can.
 */
gt_status gt_recorder_may_advance(gt_recorder *recorder);

/* The same for starting and stopping, which the library's thread cannot do either. */
gt_status gt_recorder_may_control(gt_recorder *recorder);

#endif
