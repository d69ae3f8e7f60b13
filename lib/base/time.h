/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_TIME_H
#define GT_BASE_TIME_H

/*
 * Arithmetic on times and durations in nanoseconds. A trace may contain arbitrary times, so a sum
 * of durations can overflow an int64_t even though every time fits one. Times are added and
 * subtracted only by these functions; tests/gates/times.py looks for other places.
 */

#include <stdint.h>

#include "base/likely.h"
#include "base/wraps.h"

/* Returns the sum of two times, saturated to the range of int64_t. */
GT_WRAPS static inline int64_t gt_time_plus(int64_t a, int64_t b)
{
    int64_t sum = (int64_t) ((uint64_t) a + (uint64_t) b);
    /* The sum has overflowed if both numbers have the same sign and the sum has the other one. */
    if (GT_UNLIKELY(((a ^ sum) & (b ^ sum)) < 0))
        return b >= 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

/* Returns the difference of two times, saturated to the range of int64_t. */
GT_WRAPS static inline int64_t gt_time_minus(int64_t a, int64_t b)
{
    int64_t difference = (int64_t) ((uint64_t) a - (uint64_t) b);
    if (GT_UNLIKELY(((a ^ b) & (a ^ difference)) < 0))
        return b >= 0 ? INT64_MIN : INT64_MAX;
    return difference;
}

/* Adds `more` to a sum of times, which saturates. */
static inline void gt_time_add_to(int64_t *sum, int64_t more)
{
    *sum = gt_time_plus(*sum, more);
}

/* Returns the length of the overlap of [start, end) and [from, to), which must not be disjoint. */
static inline int64_t gt_time_overlap(int64_t start, int64_t end, int64_t from, int64_t to)
{
    return gt_time_minus(end < to ? end : to, start > from ? start : from);
}

/* Returns the span from a time to a later one, which may be too large for an int64_t. */
GT_WRAPS static inline uint64_t gt_time_span(int64_t from, int64_t to)
{
    return (uint64_t) to - (uint64_t) from;
}

/*
 * Returns the sum of two clock readings before they are converted to times. It wraps around as in
 * Go.
 */
GT_WRAPS static inline int64_t gt_ticks_plus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a + (uint64_t) b);
}

/* Returns the difference of two clock readings. It wraps around as in Go. */
GT_WRAPS static inline int64_t gt_ticks_minus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a - (uint64_t) b);
}

#endif
