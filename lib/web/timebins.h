/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TIMEBINS_H
#define GT_WEB_TIMEBINS_H

/* A range of time in bins of one width, and how many spans there are in each bin on average. */

#include <stddef.h>
#include <stdint.h>

/* The last bin may be shorter than `width`. */
struct gt_timebins {
    int64_t start, end, width;
    size_t count;
};

/* What the spans that are counted together add to one bin. */
struct gt_timebins_cell {
    /* The time of spans that cover the bin in part, in nanoseconds. */
    double part;
    /* How many more spans cover this bin completely than cover the bin before it. */
    double entered;
};

/* Divides a range, whose end is not before its start, into at most `most` bins. */
void gt_timebins_set(struct gt_timebins *bins, int64_t start, int64_t end, size_t most);

int64_t gt_timebins_start(const struct gt_timebins *bins, size_t bin);
int64_t gt_timebins_length(const struct gt_timebins *bins, size_t bin);

/*
 * Adds a span to `cells`, of which there is one more than there are bins. It takes constant time,
 * regardless of the number of bins that the span covers.
 */
void gt_timebins_add(const struct gt_timebins *bins, struct gt_timebins_cell *cells, int64_t start,
                     int64_t end);

/*
 * Returns the mean number of spans in a bin. Must be called for each bin in ascending order, with
 * the same `*whole`, which is 0 at first.
 */
double gt_timebins_mean(const struct gt_timebins *bins, const struct gt_timebins_cell *cells,
                        size_t bin, double *whole);

#endif
