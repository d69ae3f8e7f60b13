/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include "base/procs.h"
#include "base/text.h"

/* What counts as the collector's work is as in MutatorUtilizationV2 of Go's internal/trace/gc.go.
 */

enum mmu_work {
    WORK_OTHER,
    WORK_STOP,
    WORK_ASSIST,
    WORK_SWEEP
};

static enum mmu_work range_work(const struct gt_mmu *mmu, const gt_range *range)
{
    if (range->has_cause)
        return mmu->options.flags & GT_MMU_STW && gt_text_contains(range->cause, "GC") ? WORK_STOP
                                                                                       : WORK_OTHER;
    if (mmu->options.flags & GT_MMU_ASSIST && gt_text_is(range->name, "GC mark assist"))
        return WORK_ASSIST;
    if (mmu->options.flags & GT_MMU_SWEEP && gt_text_is(range->name, "GC incremental sweep"))
        return WORK_SWEEP;
    return WORK_OTHER;
}

static gt_status mmu_metric_take(struct gt_mmu *mmu, const gt_event *event)
{
    uint64_t procs;
    return gt_procs_take(event, &procs) ? gt_mmu_procs_set(mmu, procs) : GT_OK;
}

/* The work begins, if `change` is 1, or ends, if it is -1. */
static gt_status mmu_work_change(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                                 enum mmu_work work, int change)
{
    if (work == WORK_STOP)
        return gt_mmu_stopped_change(mmu, change);
    gt_status status = gt_mmu_busy_change(mmu, event->proc, change);
    if (status != GT_OK || work != WORK_ASSIST || range->scope.kind != GT_RESOURCE_GOROUTINE)
        return status;
    unsigned activity = gt_mmu_activity(mmu, range->scope.id), assists = GT_MMU_ASSISTS;
    return gt_mmu_activity_set(mmu, range->scope.id, activity,
                               change > 0 ? activity | assists : activity & ~assists);
}

/* Handles a range that has begun before. Later generations only repeat what is known. */
static gt_status mmu_work_active(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                                 enum mmu_work work)
{
    if (!gt_mmu_may_be_late(mmu))
        return GT_OK;
    gt_status status = GT_OK;
    if (work == WORK_SWEEP ||
        (work == WORK_ASSIST && gt_mmu_activity(mmu, event->goroutine) & GT_MMU_EXECUTES))
        status = gt_mmu_late_add(mmu);
    return status == GT_OK ? mmu_work_change(mmu, event, range, work, 1) : status;
}

static gt_status mmu_range_take(struct gt_mmu *mmu, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    enum mmu_work work = range_work(mmu, &range);
    if (work == WORK_OTHER)
        return GT_OK;
    if (event->kind == GT_EVENT_RANGE_ACTIVE)
        return mmu_work_active(mmu, event, &range, work);
    return mmu_work_change(mmu, event, &range, work, event->kind == GT_EVENT_RANGE_BEGIN ? 1 : -1);
}

/* A worker of the collector gets its label when it starts to run. */
static gt_status mmu_label_take(struct gt_mmu *mmu, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    if (!(mmu->options.flags & GT_MMU_BACKGROUND) || !gt_text_starts_with(label.label, "GC ") ||
        gt_text_is(label.label, "GC (idle)"))
        return GT_OK;
    if (mmu->options.flags & GT_MMU_PER_PROC && gt_text_is(label.label, "GC (dedicated)"))
        return GT_OK;
    unsigned activity = gt_mmu_activity(mmu, event->goroutine);
    if (mmu->options.flags & GT_MMU_EXACT && activity & GT_MMU_WORKS)
        return GT_OK;
    gt_status status = gt_mmu_busy_change(mmu, event->proc, 1);
    if (status != GT_OK)
        return status;
    return gt_mmu_activity_set(mmu, event->goroutine, activity, activity | GT_MMU_WORKS);
}

static gt_status mmu_other_take(struct gt_mmu *mmu, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        mmu->syncs++;
        return GT_OK;
    case GT_EVENT_METRIC:
        return mmu_metric_take(mmu, event);
    case GT_EVENT_LABEL:
        return mmu->proc_count > 0 ? mmu_label_take(mmu, event) : GT_OK;
    default:
        return mmu->proc_count > 0 ? mmu_range_take(mmu, event) : GT_OK;
    }
}

gt_status gt_mmu_other(struct gt_mmu *mmu, const gt_event *event)
{
    gt_status status = mmu_other_take(mmu, event);
    if (status == GT_OK && !mmu->recorded && mmu->proc_count > 0)
        status = gt_mmu_record(mmu);
    return mmu->failure = status;
}
