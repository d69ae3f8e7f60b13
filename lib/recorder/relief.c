/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/relief.h"

#include "recorder/generation.h"
#include "recorder/hold.h"

/* With the lock of generations. Another thread may have done it while this one has waited. */
static void relief_give(gt_recorder *recorder)
{
    if (!gt_atomic_get(&recorder->is_scarce))
        return;
    if (gt_recorder_is_recording(recorder))
        gt_recorder_end_generation(recorder, false);
    gt_atomic_set(&recorder->is_scarce, false);
    gt_atomic_set(&recorder->enters_slowly, !recorder->has_barrier);
}

void gt_recorder_relieve(gt_rec_thread *t)
{
    gt_recorder *recorder = t->recorder;
    if (t->is_bound || gt_recorder_may_advance(recorder) != GT_OK)
        return;
    /* The thread is within a call: what the program does when it writes cannot be recorded. */
    void *self = gt_system_self_get(&recorder->self);
    gt_system_self_set(&recorder->self, recorder);
    struct gt_recorder_hold hold = gt_recorder_hold(recorder, false);
    gt_recorder_lock(recorder);
    relief_give(recorder);
    gt_recorder_unlock(recorder);
    gt_recorder_release(&hold);
    gt_system_self_set(&recorder->self, self);
}
