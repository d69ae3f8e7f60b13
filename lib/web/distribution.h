/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DISTRIBUTION_H
#define GT_WEB_DISTRIBUTION_H

/*
 * The distribution of durations: their number, sum and percentiles. At first each value is kept.
 * From gt_distribution_coarsen on only the number of values in each bucket is kept, so that memory
 * is bounded; the width of a bucket is 1, or at most a 64th of the values in it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

enum {
    /* The most buckets of a distribution whose values are collected. */
    GT_DISTRIBUTION_WINDOWS = 3
};

/* A bucket whose values are collected by a second pass, so that percentiles in it are exact. */
struct gt_distribution_window {
    size_t bucket;
    /* The smallest and the largest value that belong to the bucket. */
    int64_t least, most;
    GT_ARRAY(int64_t) values;
};

/* They start as all zeros. */
struct gt_distribution_windows {
    struct gt_distribution_window list[GT_DISTRIBUTION_WINDOWS];
    size_t count;
};

struct gt_distribution {
    uint64_t count;
    /* At most INT64_MAX. */
    int64_t sum;
    int64_t least, most;
    /* The values that are kept; none once there are buckets. */
    GT_ARRAY(int64_t) values;
    uint64_t *buckets;
    /* The buckets all of whose values were collected. */
    struct gt_distribution_windows windows;
};

/*
 * A distribution starts as all zeros. Values must not be negative. These functions return false if
 * there is not enough memory; `mem` must be the same one in all calls.
 */
bool gt_distribution_add(struct gt_distribution *distribution, struct gt_mem *mem, int64_t value);
bool gt_distribution_coarsen(struct gt_distribution *distribution, struct gt_mem *mem);
/* Adds the values of another distribution. Either both have been coarsened or neither has. */
bool gt_distribution_merge(struct gt_distribution *distribution, struct gt_mem *mem,
                           const struct gt_distribution *more);

/*
 * Adds a window for the bucket of a percentile, unless there is one already or the bucket has only
 * one value. Does nothing without buckets, or if there are more than `most` values in the bucket.
 * Returns how many values the new window will get.
 */
uint64_t gt_distribution_add_window(const struct gt_distribution *distribution,
                                    struct gt_distribution_windows *windows, unsigned int percent,
                                    uint64_t most);
/* Collects the value if it belongs to a window. Returns false if there is not enough memory. */
bool gt_distribution_collect(struct gt_distribution_windows *windows, struct gt_mem *mem,
                             int64_t value);
/*
 * Adds what two passes that had the same windows have collected. A window that has not got all
 * values of its bucket is not added. Returns false if there is not enough memory.
 */
bool gt_distribution_take_windows(struct gt_distribution *distribution, struct gt_mem *mem,
                                  const struct gt_distribution_windows *one,
                                  const struct gt_distribution_windows *other);
void gt_distribution_windows_free(struct gt_distribution_windows *windows, struct gt_mem *mem);

/* Returns whether gt_distribution_percentile is exact. */
bool gt_distribution_is_exact(const struct gt_distribution *distribution, unsigned int percent);
/*
 * Returns the smallest value that at least `percent` % of the values do not exceed, or 0 if there
 * are no values. With buckets it is the middle of the bucket of that value, unless there is a
 * window for the bucket. Changes the order of the kept values.
 */
int64_t gt_distribution_percentile(struct gt_distribution *distribution, unsigned int percent);
/* Returns the mean, or 0 if there are no values. */
double gt_distribution_mean(const struct gt_distribution *distribution);

void gt_distribution_free(struct gt_distribution *distribution, struct gt_mem *mem);

#endif
