/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/mmu.h"

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

static unsigned what_does(const struct gt_mmu *mmu, int64_t id)
{
    return (unsigned) gt_idmap_get_number(&mmu->goroutines, (uint64_t) id);
}

/* Changes what a goroutine does from `before`, and forgets it once that is nothing. */
static gt_status set_does(struct gt_mmu *mmu, int64_t id, unsigned before, unsigned does)
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
    unsigned does = what_does(mmu, range->scope.id);
    return set_does(mmu, range->scope.id, does, does | GT_MMU_ASSISTS);
}

/* In the first generation ranges can show to have been there since the trace began. */
static int may_be_late(const struct gt_mmu *mmu)
{
    return mmu->syncs <= 1;
}

/* Later generations say again what is known. */
static gt_status continued(struct gt_mmu *mmu, const gt_event *event, const gt_range *range,
                           enum work work)
{
    if (!may_be_late(mmu))
        return GT_OK;
    gt_status status = GT_OK;
    if (work == WORK_SWEEP ||
        (work == WORK_ASSIST && what_does(mmu, event->goroutine) & GT_MMU_EXECUTES))
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
    unsigned does = what_does(mmu, range->scope.id);
    return set_does(mmu, range->scope.id, does, does & ~(unsigned) GT_MMU_ASSISTS);
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

static int executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/* Who works for the collector does so only while it runs. Most events are transitions. */
static gt_status take_transition(struct gt_mmu *mmu, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    int follows = mmu->flags & GT_MMU_ASSIST && may_be_late(mmu);
    if (!follows && mmu->goroutine_count == 0)
        return GT_OK;
    gt_event_transition(event, &transition);
    int before = executes(transition.from);
    int after = executes(transition.to);
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE || (before == after && !follows))
        return GT_OK;
    int64_t id = transition.resource.id;
    unsigned does = what_does(mmu, id);
    if (before != after && does & (GT_MMU_ASSISTS | GT_MMU_WORKS)) {
        gt_status status = gt_mmu_change_busy(mmu, event->proc, after - before);
        if (status != GT_OK)
            return status;
    }
    if (transition.to == GT_GO_NOT_EXIST)
        return set_does(mmu, id, does, 0);
    unsigned now = does & ~(unsigned) GT_MMU_EXECUTES;
    if (follows && after)
        now |= GT_MMU_EXECUTES;
    if (mmu->flags & GT_MMU_EXACT && !after)
        now &= ~(unsigned) GT_MMU_WORKS;
    return set_does(mmu, id, does, now);
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
    unsigned does = what_does(mmu, event->goroutine);
    if (mmu->flags & GT_MMU_EXACT && does & GT_MMU_WORKS)
        return GT_OK;
    gt_status status = gt_mmu_change_busy(mmu, event->proc, 1);
    if (status != GT_OK)
        return status;
    return set_does(mmu, event->goroutine, does, does | GT_MMU_WORKS);
}

static gt_status take(struct gt_mmu *mmu, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        mmu->syncs++;
        return GT_OK;
    case GT_EVENT_METRIC:
        return take_metric(mmu, event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return mmu->proc_count > 0 ? take_range(mmu, event) : GT_OK;
    case GT_EVENT_STATE_TRANSITION:
        return mmu->proc_count > 0 ? take_transition(mmu, event) : GT_OK;
    case GT_EVENT_LABEL:
        return mmu->proc_count > 0 ? take_label(mmu, event) : GT_OK;
    default:
        return GT_OK;
    }
}

gt_status gt_mmu_event(gt_mmu *mmu, const gt_event *event)
{
    if (!mmu || !event || mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (mmu->failure != GT_OK)
        return mmu->failure;
    if (event->time < mmu->time)
        return GT_ERR_INVALID_ARGUMENT;
    mmu->time = event->time;
    gt_status status = take(mmu, event);
    if (status == GT_OK && !mmu->noted && mmu->proc_count > 0)
        status = gt_mmu_note(mmu);
    return mmu->failure = status;
}
