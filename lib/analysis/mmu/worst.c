/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include <string.h>

/*
 * The worst windows are found one after the other: each is the worst of those that
 * overlap none of the ones before it. Where a window may begin is a list of gaps. The mean is
 * linear between bends, so the least is at a bend or at an end of a gap.
 */
struct gap {
    int64_t first; /* a window may begin from here ... */
    int64_t last;  /* ... to here */
};

struct search {
    struct gap *gaps; /* by time */
    size_t count;
    size_t capacity;
    size_t next; /* the first gap that is not behind the window that slides */
    int64_t last_time;
    double last_mean;
    int has_last;
    gt_utilization worst;
    int found;
};

/* At a time up to `time`, where the mean is `mean`, and after the last one. */
static void consider(struct search *s, int64_t at, int64_t time, double mean)
{
    if (at <= s->last_time)
        return;
    if (at < time) {
        double part = (double) (at - s->last_time) / (double) (time - s->last_time);
        mean = s->last_mean + (mean - s->last_mean) * part;
    }
    if (s->found && (mean > s->worst.value || (mean == s->worst.value && at >= s->worst.time)))
        return;
    s->worst = (gt_utilization){at, mean};
    s->found = 1;
}

static double take(void *user_data, int64_t time, double mean)
{
    struct search *s = user_data;
    if (!s->has_last)
        s->last_time = time - 1;
    s->has_last = 1;
    for (; s->next < s->count && s->gaps[s->next].first <= time; s->next++) {
        const struct gap *gap = &s->gaps[s->next];
        consider(s, gap->first, time, mean);
        consider(s, gap->last < time ? gap->last : time, time, mean);
        if (gap->last >= time)
            break;
    }
    s->last_time = time;
    s->last_mean = mean;
    return 0;
}

static gt_status find(struct gt_mmu *mmu, int64_t window, struct search *s)
{
    s->found = 0;
    for (size_t i = 0; i < gt_mmu_function_count(mmu); i++) {
        const gt_utilization *points;
        size_t count;
        uint32_t procs;
        gt_status status = gt_mmu_build(mmu, i, &points, &count, &procs);
        if (status != GT_OK)
            return status;
        s->next = 0;
        s->has_last = 0;
        gt_mmu_slide(points, count, window, take, s);
    }
    return GT_OK;
}

/* No window may begin any more that overlaps the one at `time`. */
static gt_status close_gap(struct gt_mmu *mmu, struct search *s, int64_t time, int64_t window)
{
    size_t i = 0, parts = 0;
    while (s->gaps[i].last < time)
        i++;
    struct gap gap = s->gaps[i], both[2];
    if (gap.first <= time - window)
        both[parts++] = (struct gap){gap.first, time - window};
    if (time <= INT64_MAX - window && gap.last >= time + window)
        both[parts++] = (struct gap){time + window, gap.last};
    gt_status status =
        gt_mem_reserve(&mmu->mem, &s->gaps, &s->capacity, s->count + 1, sizeof(*s->gaps));
    if (status != GT_OK)
        return status;
    memmove(&s->gaps[i + parts], &s->gaps[i + 1], (s->count - i - 1) * sizeof(*s->gaps));
    memcpy(&s->gaps[i], both, parts * sizeof(*s->gaps));
    s->count = s->count - 1 + parts;
    return GT_OK;
}

gt_status gt_mmu_worst(gt_mmu *mmu, int64_t window, gt_utilization *windows, size_t *count)
{
    if (!mmu || !windows || !count || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    struct search s = {0};
    size_t found = 0;
    gt_status status = gt_mem_reserve(&mmu->mem, &s.gaps, &s.capacity, 1, sizeof(*s.gaps));
    if (status != GT_OK)
        return status;
    s.gaps[s.count++] = (struct gap){0, INT64_MAX};
    while (found < *count && status == GT_OK) {
        status = find(mmu, window, &s);
        if (status != GT_OK || !s.found)
            break;
        windows[found++] = s.worst;
        status = close_gap(mmu, &s, s.worst.time, window);
    }
    gt_mem_free(&mmu->mem, s.gaps, s.capacity * sizeof(*s.gaps));
    *count = status == GT_OK ? found : 0;
    return status;
}
