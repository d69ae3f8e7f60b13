/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

gt_status gt_mmu_set_does(struct gt_mmu *mmu, int64_t id, unsigned before, unsigned does)
{
    if (does == before)
        return GT_OK;
    if (does == 0) {
        gt_idmap_remove(&mmu->goroutines, (uint64_t) id);
        mmu->goroutine_count--;
        return GT_OK;
    }
    gt_status status = gt_idmap_put_number(&mmu->goroutines, (uint64_t) id, does);
    if (status == GT_OK)
        mmu->goroutine_count += before == 0;
    return status;
}

static int executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/* Who works for the collector does so only while it runs. */
static gt_status take(struct gt_mmu *mmu, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    int follows = gt_mmu_follows_all(mmu);
    gt_event_transition(event, &transition);
    int before = executes(transition.from);
    int after = executes(transition.to);
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE || (before == after && !follows))
        return GT_OK;
    int64_t id = transition.resource.id;
    unsigned does = gt_mmu_what_does(mmu, id);
    if (before != after && does & (GT_MMU_ASSISTS | GT_MMU_WORKS)) {
        gt_status status = gt_mmu_change_busy(mmu, event->proc, after - before);
        if (status != GT_OK)
            return status;
    }
    if (transition.to == GT_GO_NOT_EXIST)
        return gt_mmu_set_does(mmu, id, does, 0);
    unsigned now = does & ~(unsigned) GT_MMU_EXECUTES;
    if (follows && after)
        now |= GT_MMU_EXECUTES;
    if (mmu->flags & GT_MMU_EXACT && !after)
        now &= ~(unsigned) GT_MMU_WORKS;
    return gt_mmu_set_does(mmu, id, does, now);
}

gt_status gt_mmu_transition(struct gt_mmu *mmu, const gt_event *event)
{
    gt_status status = take(mmu, event);
    if (status == GT_OK && !mmu->noted)
        status = gt_mmu_note(mmu);
    return mmu->failure = status;
}
