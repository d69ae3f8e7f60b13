/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DISTRIBUTION_H
#define GT_WEB_DISTRIBUTION_H

/*
 * How long things of one sort were: how many, all together, and percentiles. Keeps each
 * value until it is made coarse; from then on values go to buckets of one 64th of what
 * they hold, so that memory is bounded.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_distribution {
    uint64_t count;
    /* INT64_MAX if it is more. */
    int64_t sum;
    int64_t least, most;
    /* NULL once there are buckets. */
    int64_t *values;
    size_t kept, capacity;
    uint64_t *buckets;
};

/* Starts as all zeros. Values are not negative. The functions return false without memory. */
bool gt_distribution_add(struct gt_distribution *distribution, int64_t value);
bool gt_distribution_coarsen(struct gt_distribution *distribution);
/* Adds what another has; both are exact, or neither is. */
bool gt_distribution_merge(struct gt_distribution *distribution,
                           const struct gt_distribution *more);

/*
 * The smallest value that no less than `percent` of all do not exceed; 0 of none. Of
 * buckets, the middle of the one that it is in. Changes the order of what is kept.
 */
int64_t gt_distribution_percentile(struct gt_distribution *distribution, unsigned int percent);
double gt_distribution_mean(const struct gt_distribution *distribution);

void gt_distribution_free(struct gt_distribution *distribution);

/* The sum, or INT64_MAX where it is more. Neither is negative. */
static inline int64_t gt_distribution_sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif
