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

bool gt_recorder_is_in_child(const gt_recorder *recorder)
{
    return recorder->process != gt_system_process_id();
}

gt_status gt_recorder_may_advance(gt_recorder *recorder)
{
    if (gt_recorder_is_in_child(recorder))
        return GT_ERR_STATE;
    return gt_atomic_get(&recorder->advancer) == gt_system_thread_id() ? GT_ERR_BUSY : GT_OK;
}

gt_status gt_recorder_may_control(gt_recorder *recorder)
{
    gt_status status = gt_recorder_may_advance(recorder);
    if (status == GT_OK && gt_atomic_get(&recorder->ticker_id) == gt_system_thread_id())
        return GT_ERR_BUSY;
    return status;
}
