/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include "base/bisect.h"

/* How many of the procs are not ignored. */
static uint64_t proc_count_capped(uint64_t count)
{
    return count < GT_MMU_MAX_PROCS ? count : GT_MMU_MAX_PROCS;
}

static gt_status proc_series_add(struct gt_mmu *mmu, int64_t start, int64_t end, uint32_t procs)
{
    if (mmu->proc_series.count == INT32_MAX)
        return GT_ERR_LIMIT;
    return gt_array_add(&mmu->mem, &mmu->proc_series,
                        (struct gt_mmu_proc_series){start, end, -1, -1, procs});
}

/*
 * Removes the procs from `first` up to `end`, which are the last ones, and ends their series.
 * Returns how many of them had one.
 */
static uint64_t used_procs_end(struct gt_mmu *mmu, uint64_t first, uint64_t end)
{
    uint64_t series = 0;
    for (uint64_t word = first / 64; word * 64 < end; word++) {
        uint64_t bits = mmu->used[word];
        if (first > word * 64)
            bits &= ~((UINT64_C(1) << first % 64) - 1);
        mmu->used[word] &= ~bits;
        for (uint64_t id = word * 64; bits != 0; bits >>= 1, id++) {
            if (!(bits & 1))
                continue;
            mmu->busy_procs -= mmu->procs[id].busy > 0;
            if (mmu->procs[id].series < 0)
                continue;
            mmu->proc_series.items[mmu->procs[id].series].end = mmu->time;
            series++;
        }
    }
    return series;
}

/* Removes all procs but the first `count`. Those of a run that were never busy share a series. */
static gt_status procs_end(struct gt_mmu *mmu, uint64_t count)
{
    uint64_t end = proc_count_capped(mmu->proc_count);
    while (end > count) {
        const struct gt_mmu_proc_run *run = &mmu->runs.items[mmu->runs.count - 1];
        uint64_t first = run->first > count ? run->first : count;
        uint64_t unknown = end - first - used_procs_end(mmu, first, end);
        if (gt_mmu_is_per_proc(mmu) && unknown > 0) {
            gt_status status = proc_series_add(mmu, run->start, mmu->time, (uint32_t) unknown);
            if (status != GT_OK)
                return status;
        }
        mmu->runs.count -= first == run->first;
        end = first;
    }
    return GT_OK;
}

static gt_status proc_run_add(struct gt_mmu *mmu, uint64_t first)
{
    return gt_array_add(&mmu->mem, &mmu->runs, (struct gt_mmu_proc_run){mmu->time, first});
}

/* When an existing proc came into being. */
static int64_t proc_start(const struct gt_mmu *mmu, uint64_t id)
{
    size_t after;
    GT_BISECT(after, 1, mmu->runs.count, mmu->runs.items[after].first <= id);
    return mmu->runs.items[after - 1].start;
}

static gt_status mmu_point_add(struct gt_mmu *mmu, double value)
{
    gt_utilization *last = mmu->points.count > 0 ? &mmu->points.items[mmu->points.count - 1] : NULL;
    if (last && value == mmu->last)
        return GT_OK;
    /* Only the end of the trace can have the time of another point. */
    if (last && last->time == mmu->time) {
        last->value = mmu->last = value;
        return GT_OK;
    }
    mmu->last = value;
    return gt_array_add(&mmu->mem, &mmu->points, (gt_utilization){mmu->time, value});
}

static gt_status proc_count_add(struct gt_mmu *mmu)
{
    if (mmu->proc_counts.count > 0 &&
        mmu->proc_counts.items[mmu->proc_counts.count - 1].count == mmu->proc_count)
        return GT_OK;
    return gt_array_add(&mmu->mem, &mmu->proc_counts,
                        (struct gt_mmu_proc_count){mmu->time, mmu->proc_count});
}

gt_status gt_mmu_procs_set(struct gt_mmu *mmu, uint64_t count)
{
    uint64_t before = proc_count_capped(mmu->proc_count);
    uint64_t now = proc_count_capped(count);
    gt_status status = now > before ? proc_run_add(mmu, before) : procs_end(mmu, now);
    if (status != GT_OK)
        return status;
    mmu->proc_count = count;
    mmu->recorded = false;
    if (gt_mmu_is_per_proc(mmu) || count == 0)
        return GT_OK;
    if (mmu->points.count == 0)
        status = mmu_point_add(mmu, 1);
    return status == GT_OK ? proc_count_add(mmu) : status;
}

static gt_status proc_toggle_add(struct gt_mmu *mmu, uint64_t id)
{
    struct gt_mmu_proc *proc = &mmu->procs[id];
    if (mmu->toggles.count == INT32_MAX)
        return GT_ERR_LIMIT;
    if (proc->series < 0) {
        int64_t start = proc_start(mmu, id);
        gt_status status = proc_series_add(mmu, start, start, 1);
        if (status != GT_OK)
            return status;
        proc->series = (int32_t) mmu->proc_series.count - 1;
    }
    int32_t index = (int32_t) mmu->toggles.count;
    struct gt_mmu_proc_series *series = &mmu->proc_series.items[proc->series];
    gt_status status = gt_array_add(&mmu->mem, &mmu->toggles,
                                    (struct gt_mmu_toggle){mmu->time, -1, proc->busy > 0});
    if (status != GT_OK)
        return status;
    if (series->first < 0)
        series->first = index;
    else
        mmu->toggles.items[series->last].next = index;
    series->last = index;
    return GT_OK;
}

static struct gt_mmu_proc *proc_use(struct gt_mmu *mmu, uint64_t id)
{
    uint64_t bit = 1ULL << id % 64;
    if (!(mmu->used[id / 64] & bit)) {
        mmu->used[id / 64] |= bit;
        mmu->procs[id] = (struct gt_mmu_proc){0, -1};
    }
    return &mmu->procs[id];
}

gt_status gt_mmu_busy_change(struct gt_mmu *mmu, int64_t id, int change)
{
    /* Events may have no proc, or before Go 1.22 a number that stands in for one. */
    if (id < 0 || (uint64_t) id >= proc_count_capped(mmu->proc_count))
        return GT_OK;
    struct gt_mmu_proc *proc = proc_use(mmu, (uint64_t) id);
    bool before = proc->busy > 0;
    proc->busy += change;
    bool after = proc->busy > 0;
    if (before == after)
        return GT_OK;
    if (after)
        mmu->busy_procs++;
    else
        mmu->busy_procs--;
    mmu->recorded = false;
    return gt_mmu_is_per_proc(mmu) ? proc_toggle_add(mmu, (uint64_t) id) : GT_OK;
}

gt_status gt_mmu_stopped_change(struct gt_mmu *mmu, int change)
{
    bool before = mmu->stopped > 0;
    mmu->stopped += change;
    bool after = mmu->stopped > 0;
    mmu->recorded = false;
    if (before == after || !gt_mmu_is_per_proc(mmu))
        return GT_OK;
    return gt_array_add(&mmu->mem, &mmu->stops, (struct gt_mmu_toggle){mmu->time, -1, after});
}

/* The number of procs for which a point was recorded: at a change, the one before it. */
static uint64_t proc_count_at(const struct gt_mmu *mmu, int64_t time)
{
    size_t after;
    GT_BISECT(after, 1, mmu->proc_counts.count, mmu->proc_counts.items[after].time < time);
    return mmu->proc_counts.items[after - 1].count;
}

static double late_subtract(double value, size_t late, uint64_t procs)
{
    value -= (double) late / (double) procs;
    return value > 0 ? value : 0;
}

gt_status gt_mmu_late_add(struct gt_mmu *mmu)
{
    if (gt_mmu_is_per_proc(mmu) || mmu->points.count == 0)
        return GT_OK;
    int64_t time = mmu->points.items[mmu->points.count - 1].time;
    mmu->last = late_subtract(mmu->last, 1, proc_count_at(mmu, time));
    mmu->recorded = false;
    return gt_array_add(&mmu->mem, &mmu->late, mmu->points.count);
}

gt_status gt_mmu_record(struct gt_mmu *mmu)
{
    mmu->recorded = true;
    if (gt_mmu_is_per_proc(mmu))
        return GT_OK;
    double busy = mmu->stopped > 0 ? (double) mmu->proc_count : (double) mmu->busy_procs;
    return mmu_point_add(mmu, 1 - busy / (double) mmu->proc_count);
}

/* Subtracts from each point the activities that turned out later to have been there. */
static void late_settle(struct gt_mmu *mmu)
{
    size_t late = 0, left = mmu->late.count;
    for (size_t i = mmu->points.count; i > 0; i--) {
        gt_utilization *point = &mmu->points.items[i - 1];
        for (; left > 0 && mmu->late.items[left - 1] >= i; left--)
            late++;
        if (late != 0)
            point->value = late_subtract(point->value, late, proc_count_at(mmu, point->time));
    }
}

gt_status gt_mmu_end(struct gt_mmu *mmu)
{
    if (gt_mmu_is_per_proc(mmu))
        return procs_end(mmu, 0);
    if (mmu->points.count == 0)
        return GT_OK;
    late_settle(mmu);
    mmu->last = mmu->points.items[mmu->points.count - 1].value;
    return mmu->proc_count > 0 ? mmu_point_add(mmu, 0) : GT_OK;
}
