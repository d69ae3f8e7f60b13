/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

static int is_per_proc(const struct gt_mmu *mmu)
{
    return (mmu->flags & GT_MMU_PER_PROC) != 0;
}

static uint64_t looked_at(uint64_t count)
{
    return count < GT_MMU_PROCS ? count : GT_MMU_PROCS;
}

#define RESERVE(mmu, array, count, capacity)                                                       \
    gt_mem_reserve(&(mmu)->mem, &(mmu)->array, &(mmu)->capacity, (mmu)->count + 1,                 \
                   sizeof(*(mmu)->array))

static gt_status add_row(struct gt_mmu *mmu, int64_t start)
{
    if (mmu->row_count == INT32_MAX)
        return GT_ERR_LIMIT;
    gt_status status = RESERVE(mmu, rows, row_count, row_capacity);
    if (status == GT_OK)
        mmu->rows[mmu->row_count++] = (struct gt_mmu_row){start, start, -1, -1, 1};
    return status;
}

/* The procs from `first` up to `end`, which are the last ones, go. Returns how many of them had a
 * row, which ends. */
static uint64_t end_touched(struct gt_mmu *mmu, uint64_t first, uint64_t end)
{
    uint64_t rows = 0;
    for (uint64_t word = first / 64; word * 64 < end; word++) {
        uint64_t bits = mmu->touched[word];
        if (first > word * 64)
            bits &= ~((UINT64_C(1) << first % 64) - 1);
        mmu->touched[word] &= ~bits;
        for (uint64_t id = word * 64; bits != 0; bits >>= 1, id++) {
            if (!(bits & 1))
                continue;
            mmu->busy_procs -= mmu->procs[id].busy > 0;
            if (mmu->procs[id].series < 0)
                continue;
            mmu->rows[mmu->procs[id].series].end = mmu->time;
            rows++;
        }
    }
    return rows;
}

/* Leaves `count` procs. Of those that go, the ones of a run of which nothing is known share a row.
 */
static gt_status end_procs(struct gt_mmu *mmu, uint64_t count)
{
    uint64_t end = looked_at(mmu->proc_count);
    while (end > count) {
        const struct gt_mmu_run *run = &mmu->runs[mmu->run_count - 1];
        uint64_t first = run->first > count ? run->first : count;
        uint64_t unknown = end - first - end_touched(mmu, first, end);
        if (is_per_proc(mmu) && unknown > 0) {
            gt_status status = add_row(mmu, run->start);
            if (status != GT_OK)
                return status;
            mmu->rows[mmu->row_count - 1].end = mmu->time;
            mmu->rows[mmu->row_count - 1].procs = (uint32_t) unknown;
        }
        mmu->run_count -= first == run->first;
        end = first;
    }
    return GT_OK;
}

static gt_status add_procs(struct gt_mmu *mmu, uint64_t first)
{
    gt_status status = RESERVE(mmu, runs, run_count, run_capacity);
    if (status == GT_OK)
        mmu->runs[mmu->run_count++] = (struct gt_mmu_run){mmu->time, first};
    return status;
}

/* When a proc that is there came to be. */
static int64_t start_of(const struct gt_mmu *mmu, uint64_t id)
{
    size_t low = 0, high = mmu->run_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (mmu->runs[middle].first <= id)
            low = middle;
        else
            high = middle;
    }
    return mmu->runs[low].start;
}

static gt_status add_point(struct gt_mmu *mmu, double value)
{
    gt_utilization *last = mmu->point_count > 0 ? &mmu->points[mmu->point_count - 1] : NULL;
    if (last && value == mmu->last)
        return GT_OK;
    /* Only the end is at the time of another. */
    if (last && last->time == mmu->time) {
        last->value = mmu->last = value;
        return GT_OK;
    }
    gt_status status = RESERVE(mmu, points, point_count, point_capacity);
    if (status != GT_OK)
        return status;
    mmu->points[mmu->point_count++] = (gt_utilization){mmu->time, value};
    mmu->last = value;
    return GT_OK;
}

static gt_status add_change(struct gt_mmu *mmu)
{
    if (mmu->change_count > 0 && mmu->changes[mmu->change_count - 1].count == mmu->proc_count)
        return GT_OK;
    gt_status status = RESERVE(mmu, changes, change_count, change_capacity);
    if (status == GT_OK)
        mmu->changes[mmu->change_count++] = (struct gt_mmu_procs){mmu->time, mmu->proc_count};
    return status;
}

gt_status gt_mmu_set_procs(struct gt_mmu *mmu, uint64_t count)
{
    uint64_t before = looked_at(mmu->proc_count);
    uint64_t now = looked_at(count);
    gt_status status = now > before ? add_procs(mmu, before) : end_procs(mmu, now);
    if (status != GT_OK)
        return status;
    mmu->proc_count = count;
    mmu->noted = 0;
    if (is_per_proc(mmu) || count == 0)
        return GT_OK;
    if (mmu->point_count == 0)
        status = add_point(mmu, 1);
    return status == GT_OK ? add_change(mmu) : status;
}

static gt_status add_toggle(struct gt_mmu *mmu, uint64_t id)
{
    struct gt_mmu_proc *proc = &mmu->procs[id];
    if (mmu->toggle_count == INT32_MAX)
        return GT_ERR_LIMIT;
    if (proc->series < 0) {
        gt_status status = add_row(mmu, start_of(mmu, id));
        if (status != GT_OK)
            return status;
        proc->series = (int32_t) mmu->row_count - 1;
    }
    gt_status status = RESERVE(mmu, toggles, toggle_count, toggle_capacity);
    if (status != GT_OK)
        return status;
    int32_t index = (int32_t) mmu->toggle_count++;
    struct gt_mmu_row *row = &mmu->rows[proc->series];
    mmu->toggles[index] = (struct gt_mmu_toggle){mmu->time, -1, proc->busy > 0};
    if (row->first < 0)
        row->first = index;
    else
        mmu->toggles[row->last].next = index;
    row->last = index;
    return GT_OK;
}

static struct gt_mmu_proc *touch(struct gt_mmu *mmu, uint64_t id)
{
    uint64_t bit = 1ULL << id % 64;
    if (!(mmu->touched[id / 64] & bit)) {
        mmu->touched[id / 64] |= bit;
        mmu->procs[id] = (struct gt_mmu_proc){0, -1};
    }
    return &mmu->procs[id];
}

gt_status gt_mmu_change_busy(struct gt_mmu *mmu, int64_t id, int change)
{
    /* Events may be on no proc, and before Go 1.22 on what stands in for one. */
    if (id < 0 || (uint64_t) id >= looked_at(mmu->proc_count))
        return GT_OK;
    struct gt_mmu_proc *proc = touch(mmu, (uint64_t) id);
    int before = proc->busy > 0;
    proc->busy += change;
    int after = proc->busy > 0;
    if (before == after)
        return GT_OK;
    if (after)
        mmu->busy_procs++;
    else
        mmu->busy_procs--;
    mmu->noted = 0;
    return is_per_proc(mmu) ? add_toggle(mmu, (uint64_t) id) : GT_OK;
}

gt_status gt_mmu_change_stopped(struct gt_mmu *mmu, int change)
{
    int before = mmu->stopped > 0;
    mmu->stopped += change;
    int after = mmu->stopped > 0;
    mmu->noted = 0;
    if (before == after || !is_per_proc(mmu))
        return GT_OK;
    gt_status status = RESERVE(mmu, stops, stop_count, stop_capacity);
    if (status == GT_OK)
        mmu->stops[mmu->stop_count++] = (struct gt_mmu_toggle){mmu->time, -1, after};
    return status;
}

/* How many procs a point at `time` was reckoned with: at a change there are still as before. */
static uint64_t procs_at(const struct gt_mmu *mmu, int64_t time)
{
    size_t low = 0, high = mmu->change_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (mmu->changes[middle].time < time)
            low = middle;
        else
            high = middle;
    }
    return mmu->changes[low].count;
}

static double less_late(double value, size_t late, uint64_t procs)
{
    value -= (double) late / (double) procs;
    return value > 0 ? value : 0;
}

gt_status gt_mmu_add_late(struct gt_mmu *mmu)
{
    if (is_per_proc(mmu) || mmu->point_count == 0)
        return GT_OK;
    gt_status status = RESERVE(mmu, late, late_count, late_capacity);
    if (status != GT_OK)
        return status;
    mmu->late[mmu->late_count++] = mmu->point_count;
    int64_t time = mmu->points[mmu->point_count - 1].time;
    mmu->last = less_late(mmu->last, 1, procs_at(mmu, time));
    mmu->noted = 0;
    return GT_OK;
}

gt_status gt_mmu_note(struct gt_mmu *mmu)
{
    mmu->noted = 1;
    if (is_per_proc(mmu))
        return GT_OK;
    double busy = mmu->stopped > 0 ? (double) mmu->proc_count : (double) mmu->busy_procs;
    return add_point(mmu, 1 - busy / (double) mmu->proc_count);
}

/* Takes off from each point what showed later. */
static void settle_late(struct gt_mmu *mmu)
{
    size_t late = 0, left = mmu->late_count;
    for (size_t i = mmu->point_count; i > 0; i--) {
        gt_utilization *point = &mmu->points[i - 1];
        for (; left > 0 && mmu->late[left - 1] >= i; left--)
            late++;
        if (late != 0)
            point->value = less_late(point->value, late, procs_at(mmu, point->time));
    }
}

gt_status gt_mmu_end(struct gt_mmu *mmu)
{
    if (is_per_proc(mmu))
        return end_procs(mmu, 0);
    if (mmu->point_count == 0)
        return GT_OK;
    settle_late(mmu);
    mmu->last = mmu->points[mmu->point_count - 1].value;
    return mmu->proc_count > 0 ? add_point(mmu, 0) : GT_OK;
}

size_t gt_mmu_function_count(const struct gt_mmu *mmu)
{
    return is_per_proc(mmu) ? mmu->row_count : mmu->point_count > 0;
}

int gt_mmu_is_within(const struct gt_mmu *mmu, size_t function, int64_t start, int64_t end)
{
    const struct gt_mmu_row *row = &mmu->rows[function];
    return is_per_proc(mmu) && row->start >= start && row->end <= end;
}

static gt_status build_point(struct gt_mmu *mmu, int64_t time, double value)
{
    if (mmu->built_count > 0) {
        gt_utilization *last = &mmu->built[mmu->built_count - 1];
        if (last->value == value)
            return GT_OK;
        /* Of what happens at once the least counts, as in Go's addUtil. */
        if (last->time == time) {
            last->value = value < last->value ? value : last->value;
            return GT_OK;
        }
    }
    gt_status status = RESERVE(mmu, built, built_count, built_capacity);
    if (status == GT_OK)
        mmu->built[mmu->built_count++] = (gt_utilization){time, value};
    return status;
}

/* The first stop or restart of the world that is not before `time`. */
static size_t find_stop(const struct gt_mmu *mmu, int64_t time)
{
    size_t low = 0, high = mmu->stop_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mmu->stops[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Merges what a proc did with when the world was stopped. */
static gt_status build_row(struct gt_mmu *mmu, const struct gt_mmu_row *row)
{
    size_t stop = find_stop(mmu, row->start);
    int32_t toggle = row->first;
    int stopped = stop > 0 && mmu->stops[stop - 1].busy;
    int busy = 0;
    gt_status status = build_point(mmu, row->start, stopped ? 0 : 1);
    while (status == GT_OK) {
        int has_stop = stop < mmu->stop_count && mmu->stops[stop].time <= row->end;
        if (!has_stop && toggle < 0)
            break;
        int64_t time;
        if (has_stop && (toggle < 0 || mmu->stops[stop].time <= mmu->toggles[toggle].time)) {
            time = mmu->stops[stop].time;
            stopped = mmu->stops[stop++].busy;
        } else {
            time = mmu->toggles[toggle].time;
            busy = mmu->toggles[toggle].busy;
            toggle = mmu->toggles[toggle].next;
        }
        status = build_point(mmu, time, stopped || busy ? 0 : 1);
    }
    return status == GT_OK ? build_point(mmu, row->end, 0) : status;
}

gt_status gt_mmu_build(struct gt_mmu *mmu, size_t function, const gt_utilization **points,
                       size_t *count, uint32_t *procs)
{
    *procs = 1;
    if (!is_per_proc(mmu)) {
        *points = mmu->points;
        *count = mmu->point_count;
        return GT_OK;
    }
    mmu->built_count = 0;
    gt_status status = build_row(mmu, &mmu->rows[function]);
    *points = mmu->built;
    *count = mmu->built_count;
    *procs = mmu->rows[function].procs;
    return status;
}
