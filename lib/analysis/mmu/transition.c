/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

gt_status gt_mmu_activity_set(struct gt_mmu *mmu, int64_t id, unsigned before, unsigned activity)
{
    if (activity == before)
        return GT_OK;
    if (activity == 0) {
        gt_idmap_remove(&mmu->goroutines, (uint64_t) id);
        mmu->goroutine_count--;
        return GT_OK;
    }
    gt_status status = gt_idmap_put_number(&mmu->goroutines, (uint64_t) id, activity);
    if (status == GT_OK)
        mmu->goroutine_count += before == 0;
    return status;
}

static bool state_executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/* A goroutine works for the collector only while it executes. */
static gt_status mmu_transition_take(struct gt_mmu *mmu, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    bool follows = gt_mmu_follows_all(mmu);
    gt_event_transition(event, &transition);
    bool before = state_executes(transition.from);
    bool after = state_executes(transition.to);
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE || (before == after && !follows))
        return GT_OK;
    int64_t id = transition.resource.id;
    unsigned activity = gt_mmu_activity(mmu, id);
    if (before != after && activity & (GT_MMU_ASSISTS | GT_MMU_WORKS)) {
        gt_status status = gt_mmu_busy_change(mmu, event->proc, after - before);
        if (status != GT_OK)
            return status;
    }
    if (transition.to == GT_GO_NOT_EXIST)
        return gt_mmu_activity_set(mmu, id, activity, 0);
    unsigned now = activity & ~(unsigned) GT_MMU_EXECUTES;
    if (follows && after)
        now |= GT_MMU_EXECUTES;
    if (mmu->options.flags & GT_MMU_EXACT && !after)
        now &= ~(unsigned) GT_MMU_WORKS;
    return gt_mmu_activity_set(mmu, id, activity, now);
}

gt_status gt_mmu_transition(struct gt_mmu *mmu, const gt_event *event)
{
    gt_status status = mmu_transition_take(mmu, event);
    if (status == GT_OK && !mmu->recorded)
        status = gt_mmu_record(mmu);
    return mmu->failure = status;
}
