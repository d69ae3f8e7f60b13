/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include <assert.h>
#include <stddef.h>

#include "base/sized.h"

/* The first release's layout; members are only ever added at the end. */
struct mmu_options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

static_assert(sizeof(gt_mmu_options) == sizeof(struct mmu_options_v1), "gt_mmu_options");

static gt_status take_options(gt_mmu_options *out, gt_allocator *allocator,
                              const gt_mmu_options *options)
{
    const uint64_t known = GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_SWEEP |
                           GT_MMU_PER_PROC | GT_MMU_EXACT;
    *out = (gt_mmu_options) GT_MMU_OPTIONS_INIT;
    if (!options)
        return gt_allocator_take(allocator, NULL);
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct mmu_options_v1), options);
    if (status == GT_OK && (out->flags & ~known))
        status = GT_ERR_INVALID_ARGUMENT;
    return status == GT_OK ? gt_allocator_take(allocator, out->allocator) : status;
}

gt_status gt_mmu_open(gt_mmu **out, const gt_mmu_options *options)
{
    gt_mmu_options taken;
    gt_allocator allocator;
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_mmu *mmu = gt_mem_create(sizeof(*mmu), offsetof(struct gt_mmu, mem), &allocator,
                                       taken.memory_limit, &status);
    if (!mmu)
        return status;
    mmu->flags = taken.flags;
    mmu->time = -1; /* No reader's times are below. */
    gt_idmap_init(&mmu->goroutines, &mmu->mem);
    *out = mmu;
    return GT_OK;
}

void gt_mmu_close(gt_mmu **out)
{
    if (!out || !*out)
        return;
    struct gt_mmu *mmu = *out;
    struct gt_mem *mem = &mmu->mem;
    *out = NULL;
    gt_idmap_destroy(&mmu->goroutines);
    gt_mem_free(mem, mmu->runs, mmu->run_capacity * sizeof(*mmu->runs));
    gt_mem_free(mem, mmu->points, mmu->point_capacity * sizeof(*mmu->points));
    gt_mem_free(mem, mmu->late, mmu->late_capacity * sizeof(*mmu->late));
    gt_mem_free(mem, mmu->changes, mmu->change_capacity * sizeof(*mmu->changes));
    gt_mem_free(mem, mmu->rows, mmu->row_capacity * sizeof(*mmu->rows));
    gt_mem_free(mem, mmu->toggles, mmu->toggle_capacity * sizeof(*mmu->toggles));
    gt_mem_free(mem, mmu->stops, mmu->stop_capacity * sizeof(*mmu->stops));
    gt_mem_free(mem, mmu->built, mmu->built_capacity * sizeof(*mmu->built));
    struct gt_mem last = *mem;
    gt_mem_free(&last, mmu, sizeof(*mmu));
}

/* Whether anything can follow from an event that is no transition. */
static int matters(uint32_t kind)
{
    const uint32_t kinds = 1u << GT_EVENT_SYNC | 1u << GT_EVENT_METRIC | 1u << GT_EVENT_LABEL |
                           1u << GT_EVENT_RANGE_BEGIN | 1u << GT_EVENT_RANGE_ACTIVE |
                           1u << GT_EVENT_RANGE_END;
    return kind < 32 && (kinds >> kind & 1);
}

/* From most events nothing follows, so these are soon done. */
gt_status gt_mmu_event(gt_mmu *mmu, const gt_event *event)
{
    if (!mmu || !event || mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (mmu->failure != GT_OK)
        return mmu->failure;
    if (event->time < mmu->time)
        return GT_ERR_INVALID_ARGUMENT;
    mmu->time = event->time;
    if (event->kind != GT_EVENT_STATE_TRANSITION)
        return matters(event->kind) ? gt_mmu_other(mmu, event) : GT_OK;
    if (mmu->proc_count == 0 || (mmu->goroutine_count == 0 && !gt_mmu_follows_all(mmu)))
        return GT_OK;
    return gt_mmu_transition(mmu, event);
}

gt_status gt_mmu_finish(gt_mmu *mmu)
{
    if (!mmu || mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (mmu->failure != GT_OK)
        return mmu->failure;
    mmu->failure = gt_mmu_end(mmu);
    mmu->finished = mmu->failure == GT_OK;
    return mmu->failure;
}

gt_status gt_mmu_range(gt_mmu *mmu, int64_t *start, int64_t *end)
{
    if (!mmu || !start || !end || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    *start = *end = 0;
    for (size_t i = 0; i < gt_mmu_function_count(mmu); i++) {
        const gt_utilization *points;
        size_t count;
        uint32_t procs;
        if (i > 0 && gt_mmu_is_within(mmu, i, *start, *end))
            continue;
        gt_status status = gt_mmu_build(mmu, i, &points, &count, &procs);
        if (status != GT_OK)
            return status;
        if (i == 0 || points[0].time < *start)
            *start = points[0].time;
        if (i == 0 || points[count - 1].time > *end)
            *end = points[count - 1].time;
    }
    return GT_OK;
}

gt_status gt_mmu_series(gt_mmu *mmu, size_t series, const gt_utilization **points, size_t *count)
{
    uint32_t procs;
    if (!mmu || !points || !count || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (series >= gt_mmu_function_count(mmu))
        return GT_ERR_NOT_AVAILABLE;
    return gt_mmu_build(mmu, series, points, count, &procs);
}

/* One edge of a window that moves on: where it is, and the integral up to there. */
struct edge {
    const gt_utilization *points;
    size_t at;
    size_t last;
    double sum; /* up to points[at] */
};

static double move_edge(struct edge *edge, int64_t time)
{
    const gt_utilization *p = edge->points;
    for (; edge->at < edge->last && p[edge->at + 1].time <= time; edge->at++)
        edge->sum += p[edge->at].value * (double) (p[edge->at + 1].time - p[edge->at].time);
    return edge->sum + p[edge->at].value * (double) (time - p[edge->at].time);
}

static int64_t next_change(const struct edge *edge)
{
    return edge->at < edge->last ? edge->points[edge->at + 1].time : INT64_MAX;
}

void gt_mmu_slide(const gt_utilization *points, size_t count, int64_t window, gt_mmu_mean_fn *take,
                  void *user_data)
{
    struct edge left = {points, 0, count - 1, 0};
    struct edge right = left;
    int64_t time = points[0].time;
    int64_t length = points[count - 1].time - time;
    if (window > length)
        window = length;
    if (window <= 0)
        return;
    int64_t end = points[count - 1].time - window;
    for (;;) {
        double before = move_edge(&left, time);
        double mean = (move_edge(&right, time + window) - before) / (double) window;
        double fall = take(user_data, time, mean);
        if (fall < 0 || time == end)
            return;
        int64_t next = next_change(&left);
        int64_t other = next_change(&right);
        if (other != INT64_MAX && other - window < next)
            next = other - window;
        /* The mean falls by at most 1/window a nanosecond. */
        double ahead = fall * (double) window;
        if (ahead >= (double) (end - time))
            next = end;
        else if (time + (int64_t) ahead > next)
            next = time + (int64_t) ahead;
        time = next < end ? next : end;
    }
}

static double take_minimum(void *user_data, int64_t time, double mean)
{
    double *minimum = user_data;
    (void) time;
    if (mean < *minimum)
        *minimum = mean;
    return *minimum == 0 ? -1 : mean - *minimum;
}

gt_status gt_mmu_minimum(gt_mmu *mmu, int64_t window, double *minimum)
{
    if (!mmu || !minimum || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    *minimum = window > 0 ? 1 : 0;
    for (size_t i = 0; i < gt_mmu_function_count(mmu) && *minimum > 0; i++) {
        const gt_utilization *points;
        size_t count;
        uint32_t procs;
        gt_status status = gt_mmu_build(mmu, i, &points, &count, &procs);
        if (status != GT_OK)
            return status;
        gt_mmu_slide(points, count, window, take_minimum, minimum);
    }
    return GT_OK;
}
