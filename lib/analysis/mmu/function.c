/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include "base/bisect.h"

size_t gt_mmu_function_count(const struct gt_mmu *mmu)
{
    return gt_mmu_is_per_proc(mmu) ? mmu->proc_series.count : mmu->points.count > 0;
}

bool gt_mmu_is_within(const struct gt_mmu *mmu, size_t function, int64_t start, int64_t end)
{
    const struct gt_mmu_proc_series *series = &mmu->proc_series.items[function];
    return gt_mmu_is_per_proc(mmu) && series->start >= start && series->end <= end;
}

static gt_status built_point_add(struct gt_mmu *mmu, int64_t time, double value)
{
    if (mmu->built.count > 0) {
        gt_utilization *last = &mmu->built.items[mmu->built.count - 1];
        if (last->value == value)
            return GT_OK;
        /* Of several values at one time the least counts, as in Go's addUtil. */
        if (last->time == time) {
            last->value = value < last->value ? value : last->value;
            return GT_OK;
        }
    }
    return gt_array_add(&mmu->mem, &mmu->built, (gt_utilization){time, value});
}

/* The index of the first stop or restart of the world that is not before `time`. */
static size_t stop_find(const struct gt_mmu *mmu, int64_t time)
{
    size_t first;
    GT_BISECT(first, 0, mmu->stops.count, mmu->stops.items[first].time < time);
    return first;
}

/* Merges the toggles of a proc with the stops of the world. */
static gt_status proc_series_build(struct gt_mmu *mmu, const struct gt_mmu_proc_series *series)
{
    size_t stop = stop_find(mmu, series->start);
    int32_t toggle = series->first;
    bool stopped = stop > 0 && mmu->stops.items[stop - 1].busy;
    bool busy = false;
    gt_status status = built_point_add(mmu, series->start, stopped ? 0 : 1);
    while (status == GT_OK) {
        bool has_stop = stop < mmu->stops.count && mmu->stops.items[stop].time <= series->end;
        if (!has_stop && toggle < 0)
            break;
        int64_t time;
        if (has_stop &&
            (toggle < 0 || mmu->stops.items[stop].time <= mmu->toggles.items[toggle].time)) {
            time = mmu->stops.items[stop].time;
            stopped = mmu->stops.items[stop++].busy;
        } else {
            time = mmu->toggles.items[toggle].time;
            busy = mmu->toggles.items[toggle].busy;
            toggle = mmu->toggles.items[toggle].next;
        }
        status = built_point_add(mmu, time, stopped || busy ? 0 : 1);
    }
    return status == GT_OK ? built_point_add(mmu, series->end, 0) : status;
}

gt_status gt_mmu_build(struct gt_mmu *mmu, size_t number, struct gt_mmu_function *function)
{
    *function = (struct gt_mmu_function){mmu->points.items, mmu->points.count, 1};
    if (!gt_mmu_is_per_proc(mmu))
        return GT_OK;
    const struct gt_mmu_proc_series *series = &mmu->proc_series.items[number];
    mmu->built.count = 0;
    gt_status status = proc_series_build(mmu, series);
    *function = (struct gt_mmu_function){mmu->built.items, mmu->built.count, series->procs};
    return status;
}
