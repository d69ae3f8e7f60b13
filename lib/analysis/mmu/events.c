/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/mmu/mmu.h"

/* What is the collector's work: Go's internal/trace/gc.go, MutatorUtilizationV2. */

enum work {
    WORK_OTHER,
    WORK_STOP,
    WORK_ASSIST,
    WORK_SWEEP
};

static int is_text(gt_string string, const char *text)
{
    return string.size == strlen(text) && memcmp(string.data, text, string.size) == 0;
}

static int is_for_gc(gt_string cause)
{
    for (size_t i = 0; i + 2 <= cause.size; i++) {
        if (memcmp(cause.data + i, "GC", 2) == 0)
            return 1;
    }
    return 0;
}

static enum work work_of(const struct gt_mmu *mmu, const gt_range *range)
{
    if (range->has_cause)
        return mmu->flags & GT_MMU_STW && is_for_gc(range->cause) ? WORK_STOP : WORK_OTHER;
    if (mmu->flags & GT_MMU_ASSIST && is_text(range->name, "GC mark assist"))
        return WORK_ASSIST;
    if (mmu->flags & GT_MMU_SWEEP && is_text(range->name, "GC incremental sweep"))
        return WORK_SWEEP;
    return WORK_OTHER;
}

static gt_status take_metric(struct gt_mmu *mmu, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    if (metric.value.kind != GT_VALUE_UINT64 || !is_text(metric.name, "/sched/gomaxprocs:threads"))
        return GT_OK;
    return gt_mmu_set_procs(mmu, metric.value.number);
}

static gt_status begin(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                       enum work work)
{
    if (work == WORK_STOP)
        return gt_mmu_change_stopped(mmu, 1);
    gt_status status = gt_mmu_change_busy(mmu, event->proc, 1);
    if (status != GT_OK || work != WORK_ASSIST || range->scope.kind != GT_RESOURCE_GOROUTINE)
        return status;
    unsigned does = gt_mmu_what_does(mmu, range->scope.id);
    return gt_mmu_set_does(mmu, range->scope.id, does, does | GT_MMU_ASSISTS);
}

/* Later generations say again what is known. */
static gt_status continued(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                           enum work work)
{
    if (!gt_mmu_may_be_late(mmu))
        return GT_OK;
    gt_status status = GT_OK;
    if (work == WORK_SWEEP ||
        (work == WORK_ASSIST && gt_mmu_what_does(mmu, event->goroutine) & GT_MMU_EXECUTES))
        status = gt_mmu_add_late(mmu);
    return status == GT_OK ? begin(mmu, event, range, work) : status;
}

static gt_status end(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                     enum work work)
{
    if (work == WORK_STOP)
        return gt_mmu_change_stopped(mmu, -1);
    gt_status status = gt_mmu_change_busy(mmu, event->proc, -1);
    if (status != GT_OK || work != WORK_ASSIST || range->scope.kind != GT_RESOURCE_GOROUTINE)
        return status;
    unsigned does = gt_mmu_what_does(mmu, range->scope.id);
    return gt_mmu_set_does(mmu, range->scope.id, does, does & ~(unsigned) GT_MMU_ASSISTS);
}

static gt_status take_range(struct gt_mmu *mmu, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    enum work work = work_of(mmu, &range);
    if (work == WORK_OTHER)
        return GT_OK;
    if (event->kind == GT_EVENT_RANGE_BEGIN)
        return begin(mmu, event, &range, work);
    if (event->kind == GT_EVENT_RANGE_ACTIVE)
        return continued(mmu, event, &range, work);
    return end(mmu, event, &range, work);
}

/* A worker is labelled as it starts to run. */
static gt_status take_label(struct gt_mmu *mmu, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    if (!(mmu->flags & GT_MMU_BACKGROUND) || label.label.size < 3 ||
        memcmp(label.label.data, "GC ", 3) != 0 || is_text(label.label, "GC (idle)"))
        return GT_OK;
    if (mmu->flags & GT_MMU_PER_PROC && is_text(label.label, "GC (dedicated)"))
        return GT_OK;
    unsigned does = gt_mmu_what_does(mmu, event->goroutine);
    if (mmu->flags & GT_MMU_EXACT && does & GT_MMU_WORKS)
        return GT_OK;
    gt_status status = gt_mmu_change_busy(mmu, event->proc, 1);
    if (status != GT_OK)
        return status;
    return gt_mmu_set_does(mmu, event->goroutine, does, does | GT_MMU_WORKS);
}

static gt_status take(struct gt_mmu *mmu, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        mmu->syncs++;
        return GT_OK;
    case GT_EVENT_METRIC:
        return take_metric(mmu, event);
    case GT_EVENT_LABEL:
        return mmu->proc_count > 0 ? take_label(mmu, event) : GT_OK;
    default:
        return mmu->proc_count > 0 ? take_range(mmu, event) : GT_OK;
    }
}

gt_status gt_mmu_other(struct gt_mmu *mmu, const gt_event *event)
{
    gt_status status = take(mmu, event);
    if (status == GT_OK && !mmu->noted && mmu->proc_count > 0)
        status = gt_mmu_note(mmu);
    return mmu->failure = status;
}
