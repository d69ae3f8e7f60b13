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

struct gt_distribution {
    uint64_t count;
    /* At most INT64_MAX. */
    int64_t sum;
    int64_t least, most;
    /* The values that are kept; none once there are buckets. */
    GT_ARRAY(int64_t) values;
    uint64_t *buckets;
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
 * Returns the smallest value that at least `percent` % of the values do not exceed, or 0 if there
 * are no values. With buckets it is the middle of the bucket of that value. Changes the order of
 * the kept values.
 */
int64_t gt_distribution_percentile(struct gt_distribution *distribution, unsigned int percent);
/* Returns the mean, or 0 if there are no values. */
double gt_distribution_mean(const struct gt_distribution *distribution);

void gt_distribution_free(struct gt_distribution *distribution, struct gt_mem *mem);

#endif
