/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/mmu/mmu.h"

#include <string.h>

/*
 * The utilisation of the windows is distributed over [0, 1]: where it goes from a to b in some
 * time, that time is distributed evenly from a to b. A quantile is found by adding the times up in
 * buckets, and then again within the bucket that contains the quantile, until that is small enough.
 * So nothing must be kept or sorted, however long the trace is.
 */
enum {
    BUCKETS = 1024,
    /* 1024^-4 is about the precision of a double near 1. */
    PASSES = 4
};

/* The buckets of a pass. They are kept, as several quantiles often lie in the same bucket. */
struct distribution {
    double low;             /* where the first bucket starts; -1: nothing was added yet */
    double width;           /* of a bucket */
    double below;           /* the time below the first bucket */
    double total;           /* the time everywhere */
    double weight;          /* of the function that is being added: its number of procs */
    double at[BUCKETS];     /* the time in the bucket alone */
    double rate[BUCKETS];   /* the time in this bucket and in each one after it, as differences */
    int64_t rates[BUCKETS]; /* how many such times start here, minus those that end */
    int64_t last_time;
    double last_mean;
    bool has_last;
};

static unsigned bucket_index(double place)
{
    return place <= 0 ? 0 : place >= BUCKETS ? BUCKETS - 1 : (unsigned) place;
}

/* Adds a time that is distributed evenly from `a` to `b`, which are within the buckets. */
static void distribution_add_within(struct distribution *distribution, double a, double b,
                                    double area)
{
    unsigned first = bucket_index(a);
    unsigned last = bucket_index(b);
    if (first == last) {
        distribution->at[first] += area;
        return;
    }
    double rate = area / (b - a);
    distribution->at[first] += rate * (first + 1 - a);
    distribution->at[last] += rate * (b - last);
    distribution->rate[first + 1] += rate;
    distribution->rates[first + 1]++;
    distribution->rate[last] -= rate;
    distribution->rates[last]--;
}

static void distribution_add(struct distribution *distribution, double from, double to, double area)
{
    double low = from < to ? from : to;
    double high = from < to ? to : from;
    double a = (low - distribution->low) / distribution->width;
    double b = (high - distribution->low) / distribution->width;
    distribution->total += area;
    if (b < 0) {
        distribution->below += area;
    } else if (a == b) {
        if (a <= BUCKETS)
            distribution->at[bucket_index(a)] += area;
    } else if (a <= BUCKETS) {
        double rate = area / (b - a);
        double start = a > 0 ? a : 0;
        double end = b < BUCKETS ? b : BUCKETS;
        if (a < 0)
            distribution->below += rate * -a;
        if (end > start)
            distribution_add_within(distribution, start, end, rate * (end - start));
    }
}

static double distribution_take(void *user_data, int64_t time, double mean)
{
    struct distribution *distribution = user_data;
    if (distribution->has_last)
        distribution_add(distribution, distribution->last_mean, mean,
                         distribution->weight * (double) (time - distribution->last_time));
    distribution->has_last = true;
    distribution->last_time = time;
    distribution->last_mean = mean;
    return 0;
}

/* Adds up the time in the buckets from `low` on, unless they have it already. */
static gt_status distribution_fill(struct gt_mmu *mmu, int64_t window,
                                   struct distribution *distribution, double low)
{
    if (distribution->low == low)
        return GT_OK;
    distribution->low = low;
    distribution->below = distribution->total = 0;
    memset(distribution->at, 0, sizeof(distribution->at));
    memset(distribution->rate, 0, sizeof(distribution->rate));
    memset(distribution->rates, 0, sizeof(distribution->rates));
    for (size_t i = 0; i < gt_mmu_function_count(mmu); i++) {
        struct gt_mmu_function function;
        gt_status status = gt_mmu_build(mmu, i, &function);
        if (status != GT_OK)
            return status;
        distribution->weight = function.procs;
        distribution->has_last = false;
        gt_mmu_slide(&function, window, distribution_take, distribution);
    }
    return GT_OK;
}

/* Returns where the bucket starts that contains the quantile. */
static double distribution_narrow(const struct distribution *distribution, double quantile)
{
    double wanted = quantile * distribution->total;
    double sum = distribution->below;
    double rate = 0;
    int64_t rates = 0;
    /* The last bucket with any time in it, in case rounding errors keep the sum too small. */
    unsigned bucket = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        rates += distribution->rates[i];
        /* Without this, rounding errors would remain of times that have ended. */
        rate = rates > 0 ? rate + distribution->rate[i] : 0;
        if (distribution->at[i] + rate <= 0)
            continue;
        bucket = i;
        sum += distribution->at[i] + rate;
        if (sum >= wanted)
            break;
    }
    return distribution->low + bucket * distribution->width;
}

/* `passes` are the distributions of all passes. */
static gt_status quantile_find(struct gt_mmu *mmu, int64_t window, struct distribution *passes,
                               double quantile, double minimum, double *value)
{
    double low = 0;
    for (unsigned i = 0; i < PASSES; i++) {
        gt_status status = distribution_fill(mmu, window, &passes[i], low);
        if (status != GT_OK)
            return status;
        /* A window as long as the whole trace has only one place, and no distribution. */
        if (passes[i].total == 0) {
            *value = minimum;
            return GT_OK;
        }
        low = distribution_narrow(&passes[i], quantile);
    }
    *value = low > minimum ? low : minimum;
    return GT_OK;
}

/* Creates the empty distributions of all passes. NULL: no memory. */
static struct distribution *passes_new(struct gt_mmu *mmu)
{
    struct distribution *passes = gt_mem_alloc(&mmu->mem, PASSES * sizeof(*passes));
    double width = 1;
    for (unsigned i = 0; passes && i < PASSES; i++) {
        passes[i].low = -1;
        width /= BUCKETS;
        passes[i].width = width;
    }
    return passes;
}

/* Whether all are quantiles, in ascending order. */
static bool quantiles_are_sorted(const double *quantiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(quantiles[i] >= 0 && quantiles[i] <= 1) || (i > 0 && quantiles[i] < quantiles[i - 1]))
            return false;
    }
    return true;
}

gt_status gt_mmu_quantiles(gt_mmu *mmu, int64_t window, const double *quantiles, size_t count,
                           double *values)
{
    double minimum;
    if (!mmu || !mmu->finished || (count > 0 && (!quantiles || !values)) ||
        !quantiles_are_sorted(quantiles, count))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_mmu_least(mmu, window, false, &minimum);
    if (status != GT_OK || count == 0)
        return status;
    struct distribution *passes = passes_new(mmu);
    if (!passes)
        return gt_mem_failure(&mmu->mem);
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        if (quantiles[i] > 0)
            status = quantile_find(mmu, window, passes, quantiles[i], minimum, &values[i]);
        else
            values[i] = minimum;
    }
    gt_mem_free(&mmu->mem, passes, PASSES * sizeof(*passes));
    return status;
}
