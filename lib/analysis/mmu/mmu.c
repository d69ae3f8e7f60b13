/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include "base/object.h"
#include "base/time.h"

gt_status gt_mmu_open(gt_mmu **out, const gt_mmu_options *options, gt_error *error)
{
    static const gt_mmu_options defaults = GT_MMU_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("mmu", gt_mmu, gt_mmu_options, allocator,
                         GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_SWEEP |
                             GT_MMU_PER_PROC | GT_MMU_EXACT,
                         &defaults, NULL);
    gt_status status;
    struct gt_mmu *mmu = gt_object_open(out, &layout, options, error, &status);
    if (!mmu)
        return status;
    mmu->time = -1; /* before any time of a reader's events */
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
    gt_array_free(mem, &mmu->runs);
    gt_array_free(mem, &mmu->points);
    gt_array_free(mem, &mmu->late);
    gt_array_free(mem, &mmu->proc_counts);
    gt_array_free(mem, &mmu->proc_series);
    gt_array_free(mem, &mmu->toggles);
    gt_array_free(mem, &mmu->stops);
    gt_array_free(mem, &mmu->built);
    gt_mem_delete(mem, mmu, sizeof(*mmu));
}

/* Whether an event that is not a transition is not ignored. */
static bool mmu_event_matters(uint32_t kind)
{
    const uint32_t kinds = 1u << GT_EVENT_SYNC | 1u << GT_EVENT_METRIC | 1u << GT_EVENT_LABEL |
                           1u << GT_EVENT_RANGE_BEGIN | 1u << GT_EVENT_RANGE_ACTIVE |
                           1u << GT_EVENT_RANGE_END;
    return kind < 32 && (kinds >> kind & 1);
}

/* Most events are ignored, so this is fast. */
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
        return mmu_event_matters(event->kind) ? gt_mmu_other(mmu, event) : GT_OK;
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
        struct gt_mmu_function function;
        if (i > 0 && gt_mmu_is_within(mmu, i, *start, *end))
            continue;
        gt_status status = gt_mmu_build(mmu, i, &function);
        if (status != GT_OK)
            return status;
        int64_t first = function.points[0].time, last = function.points[function.count - 1].time;
        if (i == 0 || first < *start)
            *start = first;
        if (i == 0 || last > *end)
            *end = last;
    }
    return GT_OK;
}

gt_status gt_mmu_series(gt_mmu *mmu, size_t series, const gt_utilization **points, size_t *count)
{
    struct gt_mmu_function function;
    if (!mmu || !points || !count || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (series >= gt_mmu_function_count(mmu))
        return GT_ERR_NOT_AVAILABLE;
    gt_status status = gt_mmu_build(mmu, series, &function);
    *points = function.points;
    *count = function.count;
    return status;
}

/* One edge of the sliding window, with the integral of the function up to it. */
struct window_edge {
    const gt_utilization *points;
    size_t at;
    size_t last;
    double sum; /* the integral up to points[at] */
};

static double window_edge_move(struct window_edge *edge, int64_t time)
{
    const gt_utilization *p = edge->points;
    for (; edge->at < edge->last && p[edge->at + 1].time <= time; edge->at++)
        edge->sum += p[edge->at].value * (double) (p[edge->at + 1].time - p[edge->at].time);
    return edge->sum + p[edge->at].value * (double) (time - p[edge->at].time);
}

static int64_t window_edge_next(const struct window_edge *edge)
{
    return edge->at < edge->last ? edge->points[edge->at + 1].time : INT64_MAX;
}

void gt_mmu_slide(const struct gt_mmu_function *function, int64_t window, gt_mmu_mean_fn *take,
                  void *user_data)
{
    const gt_utilization *points = function->points;
    size_t count = function->count;
    struct window_edge left = {points, 0, count - 1, 0};
    struct window_edge right = left;
    int64_t time = points[0].time;
    int64_t length = points[count - 1].time - time;
    if (window > length)
        window = length;
    if (window <= 0)
        return;
    int64_t end = points[count - 1].time - window;
    for (;;) {
        double before = window_edge_move(&left, time);
        double mean = (window_edge_move(&right, time + window) - before) / (double) window;
        double fall = take(user_data, time, mean);
        if (fall < 0 || time == end)
            return;
        int64_t next = window_edge_next(&left);
        int64_t other = window_edge_next(&right);
        if (other != INT64_MAX && other - window < next)
            next = other - window;
        /* The mean falls by at most 1/window in a nanosecond. */
        double ahead = fall * (double) window;
        if (ahead >= (double) (end - time))
            next = end;
        else if (time + (int64_t) ahead > next)
            next = time + (int64_t) ahead;
        time = next < end ? next : end;
    }
}

enum {
    /* Into how many bands of equal length Go divides a function at most. */
    BANDS_MAX = 1000,
    /* From how near Go searches a point one after another. */
    BANDS_NEAR = 8
};

/*
 * The mean over the last window, as Go computes it with an edge that has gone past its beginning:
 * the point that it takes for the one before the window may be too late (integrator.advance).
 */
static double bands_last_mean(const struct gt_mmu_function *function, struct window_edge left,
                              double total, int64_t window)
{
    const gt_utilization *points = function->points;
    int64_t time = points[left.last].time - window;
    bool is_near = left.at + BANDS_NEAR <= left.last && points[left.at + BANDS_NEAR].time > time;
    if (points[left.at].time > time && !is_near) {
        left.at--;
        left.sum -=
            points[left.at].value * (double) (points[left.at + 1].time - points[left.at].time);
    }
    double before = left.sum + points[left.at].value * (double) (time - points[left.at].time);
    return (total - before) / (double) window;
}

/*
 * Go looks for the minimum in bands, of which there are too many if their length was rounded up. It
 * takes the function for 0 after its end, so windows that begin in such a band are too low: Go's
 * internal/trace/gc.go, mkBandUtil and bandMMU. This shows in traces of less than a millisecond.
 */
static void bands_minimum(const struct gt_mmu_function *function, int64_t window, double *minimum)
{
    struct window_edge left = {function->points, 0, function->count - 1, 0};
    struct window_edge right = left;
    int64_t first = function->points[0].time;
    int64_t length = function->points[left.last].time - first;
    if (window > length)
        window = length;
    if (window <= 0 || length > INT64_MAX / 4)
        return;
    int64_t bands = function->count < BANDS_MAX ? (int64_t) function->count : BANDS_MAX;
    int64_t band = (length + bands - 1) / bands;
    int64_t last = bands + 1 - (window + 2 * (band - 1)) / band;
    for (int64_t i = (length - window) / band + 1; i <= last; i++) {
        /* A band behind the end of the function can begin after the last time there is. */
        int64_t begin = gt_time_plus(first, i * band);
        double before = window_edge_move(&left, begin);
        double total = window_edge_move(&right, gt_time_plus(begin, window));
        double mean = (total - before) / (double) window;
        if (mean > 0 && bands_last_mean(function, left, total, window) < mean)
            mean = bands_last_mean(function, left, total, window);
        if (mean < *minimum)
            *minimum = mean;
    }
}

static double minimum_take(void *user_data, int64_t time, double mean)
{
    double *minimum = user_data;
    (void) time;
    if (mean < *minimum)
        *minimum = mean;
    return *minimum == 0 ? -1 : mean - *minimum;
}

gt_status gt_mmu_least(struct gt_mmu *mmu, int64_t window, bool with_bands, double *minimum)
{
    *minimum = window > 0 ? 1 : 0;
    for (size_t i = 0; i < gt_mmu_function_count(mmu) && *minimum > 0; i++) {
        struct gt_mmu_function function;
        gt_status status = gt_mmu_build(mmu, i, &function);
        if (status != GT_OK)
            return status;
        gt_mmu_slide(&function, window, minimum_take, minimum);
        if (with_bands)
            bands_minimum(&function, window, minimum);
    }
    return GT_OK;
}

gt_status gt_mmu_minimum(gt_mmu *mmu, int64_t window, double *minimum)
{
    if (!mmu || !minimum || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    return gt_mmu_least(mmu, window, !(mmu->options.flags & GT_MMU_EXACT), minimum);
}
