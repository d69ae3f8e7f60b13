/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include <string.h>

/*
 * The utilisation of windows is spread over [0, 1]: where it goes from a to b in a
 * time, that time is spread evenly from a to b. A quantile is found by adding it up
 * in buckets, and again in the bucket where the quantile is, until that is small
 * enough. So nothing has to be kept or sorted, however long the trace is.
 */
enum {
    BUCKETS = 1024,
    /* 1024^-4 is as good as doubles near 1 get. */
    PASSES = 4
};

struct spread {
    double low; /* of the buckets */
    double width;
    double below; /* time below them, and ... */
    double total; /* ... everywhere */
    double weight;
    double at[BUCKETS];     /* time in the bucket alone */
    double rate[BUCKETS];   /* time in it and in all buckets behind it, until taken off again */
    int64_t rates[BUCKETS]; /* how many of them begin here, less those that end */
    int64_t last_time;
    double last_mean;
    int has_last;
};

static unsigned bucket_of(double place)
{
    return place <= 0 ? 0 : place >= BUCKETS ? BUCKETS - 1 : (unsigned) place;
}

/* Adds `area`, spread evenly from place `a` to place `b`, in buckets, both within them. */
static void add_evenly(struct spread *s, double a, double b, double area)
{
    unsigned first = bucket_of(a);
    unsigned last = bucket_of(b);
    if (first == last) {
        s->at[first] += area;
        return;
    }
    double rate = area / (b - a);
    s->at[first] += rate * (first + 1 - a);
    s->at[last] += rate * (b - last);
    s->rate[first + 1] += rate;
    s->rates[first + 1]++;
    s->rate[last] -= rate;
    s->rates[last]--;
}

static void add(struct spread *s, double from, double to, double area)
{
    double low = from < to ? from : to;
    double high = from < to ? to : from;
    double a = (low - s->low) / s->width;
    double b = (high - s->low) / s->width;
    s->total += area;
    if (b < 0) {
        s->below += area;
    } else if (a == b) {
        if (a <= BUCKETS)
            s->at[bucket_of(a)] += area;
    } else if (a <= BUCKETS) {
        double rate = area / (b - a);
        double start = a > 0 ? a : 0;
        double end = b < BUCKETS ? b : BUCKETS;
        if (a < 0)
            s->below += rate * -a;
        if (end > start)
            add_evenly(s, start, end, rate * (end - start));
    }
}

static double take(void *user_data, int64_t time, double mean)
{
    struct spread *s = user_data;
    if (s->has_last)
        add(s, s->last_mean, mean, s->weight * (double) (time - s->last_time));
    s->has_last = 1;
    s->last_time = time;
    s->last_mean = mean;
    return 0;
}

static gt_status fill(struct gt_mmu *mmu, int64_t window, struct spread *s)
{
    s->below = s->total = 0;
    memset(s->at, 0, sizeof(s->at));
    memset(s->rate, 0, sizeof(s->rate));
    memset(s->rates, 0, sizeof(s->rates));
    for (size_t i = 0; i < gt_mmu_function_count(mmu); i++) {
        const gt_utilization *points;
        size_t count;
        uint32_t procs;
        gt_status status = gt_mmu_build(mmu, i, &points, &count, &procs);
        if (status != GT_OK)
            return status;
        s->weight = procs;
        s->has_last = 0;
        gt_mmu_slide(points, count, window, take, s);
    }
    return GT_OK;
}

/* Makes the bucket where the quantile is all buckets. */
static void narrow(struct spread *s, double quantile)
{
    double wanted = quantile * s->total;
    double sum = s->below;
    double rate = 0;
    int64_t rates = 0;
    /* Where sums are rounded so that they never suffice, the last one with anything in it. */
    unsigned bucket = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        rates += s->rates[i];
        /* What was added and taken off again leaves nothing. */
        rate = rates > 0 ? rate + s->rate[i] : 0;
        if (s->at[i] + rate <= 0)
            continue;
        bucket = i;
        sum += s->at[i] + rate;
        if (sum >= wanted)
            break;
    }
    s->low += bucket * s->width;
    s->width /= BUCKETS;
}

static gt_status find(struct gt_mmu *mmu, int64_t window, struct spread *s, double quantile,
                      double minimum, double *value)
{
    s->low = 0;
    s->width = 1.0 / BUCKETS;
    for (unsigned pass = 0; pass < PASSES; pass++) {
        gt_status status = fill(mmu, window, s);
        if (status != GT_OK)
            return status;
        /* A window as long as all there is has one place only, and no distribution. */
        if (s->total == 0) {
            *value = minimum;
            return GT_OK;
        }
        narrow(s, quantile);
    }
    *value = s->low > minimum ? s->low : minimum;
    return GT_OK;
}

static int are_quantiles(const double *quantiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(quantiles[i] >= 0 && quantiles[i] <= 1) || (i > 0 && quantiles[i] < quantiles[i - 1]))
            return 0;
    }
    return 1;
}

gt_status gt_mmu_quantiles(gt_mmu *mmu, int64_t window, const double *quantiles, size_t count,
                           double *values)
{
    double minimum;
    if (!mmu || !mmu->finished || (count > 0 && (!quantiles || !values)) ||
        !are_quantiles(quantiles, count))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_mmu_minimum(mmu, window, &minimum);
    if (status != GT_OK || count == 0)
        return status;
    struct spread *spread = gt_mem_alloc(&mmu->mem, sizeof(*spread));
    if (!spread)
        return gt_mem_failure(&mmu->mem);
    memset(spread, 0, sizeof(*spread));
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        if (quantiles[i] > 0)
            status = find(mmu, window, spread, quantiles[i], minimum, &values[i]);
        else
            values[i] = minimum;
    }
    gt_mem_free(&mmu->mem, spread, sizeof(*spread));
    return status;
}
