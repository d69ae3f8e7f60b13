/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_COMPARE_ESTIMATE_H
#define GT_ANALYSIS_COMPARE_ESTIMATE_H

#include <stdbool.h>

#include "analysis/compare/compare.h"

/* A figure of one side, and how certain it is. */
struct gt_compare_estimate {
    double value;
    double variance;
    uint64_t count;   /* what the figure is made of */
    double amount;    /* the sum of it per second */
    unsigned freedom; /* the degrees of freedom, an even number; 0: the variance is not known */
};

enum {
    /* The number of buckets of a histogram. */
    GT_COMPARE_BUCKETS = GT_OCTAVES * GT_OCTAVE_BUCKETS
};

/* A figure that is computed. */
struct gt_compare_figure {
    const struct gt_compare_set *set;
    const struct gt_compare_series *series;
    uint64_t *counts; /* room for GT_COMPARE_BUCKETS numbers, all 0 before and after each call */
    uint32_t statistic;
};

/* Computes a figure of one side, without its variance. */
void gt_compare_estimate(const struct gt_compare_figure *of, uint32_t side,
                         struct gt_compare_estimate *estimate);

/* Adds the variance and its degrees of freedom, which takes much longer. */
void gt_compare_spread(const struct gt_compare_figure *of, uint32_t side,
                       struct gt_compare_estimate *estimate);

/* Returns the probability that Student's t, of either sign, is larger. `freedom` is even. */
double gt_compare_chance(double t, unsigned freedom);

/* Returns the t that has the probability `chance`. */
double gt_compare_student(double chance, unsigned freedom);

double gt_compare_root(double square);

#endif
