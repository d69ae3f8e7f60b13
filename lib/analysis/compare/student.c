/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/estimate.h"

/* Newton's method falls monotonically from any start above the root. */
double gt_compare_root(double square)
{
    const double half = 0.5;
    double root = square > 1 ? square : 1;
    if (!(square > 0))
        return 0;
    for (;;) {
        double next = half * (root + square / root);
        if (!(next < root))
            return root;
        root = next;
    }
}

/*
 * For even degrees of freedom the distribution is a finite sum: Abramowitz and Stegun, Handbook of
 * Mathematical Functions, 26.7.4.
 */
double gt_compare_chance(double t, unsigned freedom)
{
    double square = t * t, sum = 1, term = 1;
    double cosine = freedom / (freedom + square);
    for (unsigned i = 2; i < freedom; i += 2) {
        term *= cosine * (i - 1) / i;
        sum += term;
    }
    double chance = 1 - gt_compare_root(square / (freedom + square)) * sum;
    return chance > 0 ? chance : 0;
}

double gt_compare_student(double chance, unsigned freedom)
{
    const double most = 1e6, half = 0.5;
    double low = 0, high = most;
    for (unsigned i = 0; i < 64; i++) {
        double middle = half * (low + high);
        if (gt_compare_chance(middle, freedom) > chance)
            low = middle;
        else
            high = middle;
    }
    return high;
}
