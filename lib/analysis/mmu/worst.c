/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include <string.h>

/*
 * The worst windows are found one after the other. Each is the worst of those that do not overlap
 * the ones found before it: these leave gaps in which a window may start. The mean is linear
 * between its bends, so it is least at a bend or at an end of a gap.
 */
struct worst_gap {
    int64_t first; /* a window may start from `first` to `last` */
    int64_t last;
};

struct worst_search {
    GT_ARRAY(struct worst_gap) gaps; /* by time */
    size_t next;                     /* the first gap that the sliding window has not passed */
    int64_t last_time;
    double last_mean;
    bool has_last;
    gt_utilization worst;
    bool found;
};

/*
 * Considers the window that starts at `at`, which is not after `time`, where the mean is `mean`.
 * It was considered before if it is not after the last time.
 */
static void worst_consider(struct worst_search *search, int64_t at, int64_t time, double mean)
{
    if (at <= search->last_time)
        return;
    if (at < time) {
        double part = (double) (at - search->last_time) / (double) (time - search->last_time);
        mean = search->last_mean + (mean - search->last_mean) * part;
    }
    if (search->found &&
        (mean > search->worst.value || (mean == search->worst.value && at >= search->worst.time)))
        return;
    search->worst = (gt_utilization){at, mean};
    search->found = true;
}

static double worst_take(void *user_data, int64_t time, double mean)
{
    struct worst_search *search = user_data;
    if (!search->has_last)
        search->last_time = time - 1;
    search->has_last = true;
    for (; search->next < search->gaps.count && search->gaps.items[search->next].first <= time;
         search->next++) {
        const struct worst_gap *gap = &search->gaps.items[search->next];
        worst_consider(search, gap->first, time, mean);
        worst_consider(search, gap->last < time ? gap->last : time, time, mean);
        if (gap->last >= time)
            break;
    }
    search->last_time = time;
    search->last_mean = mean;
    return 0;
}

static gt_status worst_find(struct gt_mmu *mmu, int64_t window, struct worst_search *search)
{
    search->found = false;
    for (size_t i = 0; i < gt_mmu_function_count(mmu); i++) {
        struct gt_mmu_function function;
        gt_status status = gt_mmu_build(mmu, i, &function);
        if (status != GT_OK)
            return status;
        search->next = 0;
        search->has_last = false;
        gt_mmu_slide(&function, window, worst_take, search);
    }
    return GT_OK;
}

/* Removes the starts of windows that would overlap the one at `time`. */
static gt_status worst_gap_close(struct gt_mmu *mmu, struct worst_search *search, int64_t time,
                                 int64_t window)
{
    size_t i = 0, parts = 0;
    while (search->gaps.items[i].last < time)
        i++;
    struct worst_gap gap = search->gaps.items[i], both[2];
    if (gap.first <= time - window)
        both[parts++] = (struct worst_gap){gap.first, time - window};
    if (time <= INT64_MAX - window && gap.last >= time + window)
        both[parts++] = (struct worst_gap){time + window, gap.last};
    gt_status status = gt_array_reserve(&mmu->mem, &search->gaps, 1);
    if (status != GT_OK)
        return status;
    memmove(&search->gaps.items[i + parts], &search->gaps.items[i + 1],
            (search->gaps.count - i - 1) * sizeof(struct worst_gap));
    memcpy(&search->gaps.items[i], both, parts * sizeof(struct worst_gap));
    search->gaps.count = search->gaps.count - 1 + parts;
    return GT_OK;
}

gt_status gt_mmu_worst(gt_mmu *mmu, int64_t window, gt_utilization *windows, size_t *count)
{
    if (!mmu || !windows || !count || !mmu->finished)
        return GT_ERR_INVALID_ARGUMENT;
    struct worst_search search = {0};
    size_t found = 0;
    gt_status status = gt_array_add(&mmu->mem, &search.gaps, (struct worst_gap){0, INT64_MAX});
    while (found < *count && status == GT_OK) {
        status = worst_find(mmu, window, &search);
        if (status != GT_OK || !search.found)
            break;
        windows[found++] = search.worst;
        status = worst_gap_close(mmu, &search, search.worst.time, window);
    }
    gt_array_free(&mmu->mem, &search.gaps);
    *count = status == GT_OK ? found : 0;
    return status;
}
