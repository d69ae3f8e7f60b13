/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/hold.h"

struct gt_recorder_hold gt_recorder_hold(gt_recorder *recorder, bool control)
{
    struct gt_recorder_hold hold = {recorder, control, gt_system_hold_cancel()};
    if (control)
        gt_system_lock(&recorder->control);
    return hold;
}

void gt_recorder_release(const struct gt_recorder_hold *hold)
{
    if (hold->has_control)
        gt_system_unlock(&hold->recorder->control);
    gt_system_release_cancel(hold->cancel);
}

void gt_recorder_lock(gt_recorder *recorder)
{
    gt_system_lock(&recorder->advancing);
    gt_atomic_set(&recorder->advancer, gt_system_thread_id());
}

void gt_recorder_unlock(gt_recorder *recorder)
{
    gt_atomic_set(&recorder->advancer, 0);
    gt_system_unlock(&recorder->advancing);
}

bool gt_recorder_is_in_callback(gt_recorder *recorder)
{
    return gt_atomic_get(&recorder->advancer) == gt_system_thread_id();
}

bool gt_recorder_is_in_any_callback(gt_recorder *recorder)
{
    return gt_recorder_is_in_callback(recorder) ||
           gt_atomic_get(&recorder->ticker_id) == gt_system_thread_id();
}
