/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_TIME_H
#define GT_BASE_TIME_H

/*
 * Arithmetic on times and durations in nanoseconds. A trace may contain any times, so a sum of
 * durations can exceed what an int64_t holds even though no event is later than that. Times are
 * added and subtracted only by these functions; tests/gates/times.py looks for other places.
 */

#include <stdint.h>

#include "base/likely.h"
#include "base/wraps.h"

/* Returns the sum of two times, or the nearest number that an int64_t can hold. */
GT_WRAPS static inline int64_t gt_time_plus(int64_t a, int64_t b)
{
    int64_t sum = (int64_t) ((uint64_t) a + (uint64_t) b);
    /* It has overflowed if both numbers have the same sign and the sum has the other one. */
    if (GT_UNLIKELY(((a ^ sum) & (b ^ sum)) < 0))
        return b >= 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

/* Returns the difference of two times, or the nearest number that an int64_t can hold. */
GT_WRAPS static inline int64_t gt_time_minus(int64_t a, int64_t b)
{
    int64_t difference = (int64_t) ((uint64_t) a - (uint64_t) b);
    if (GT_UNLIKELY(((a ^ b) & (a ^ difference)) < 0))
        return b >= 0 ? INT64_MIN : INT64_MAX;
    return difference;
}

/* Adds to a sum of times. */
static inline void gt_time_add_to(int64_t *sum, int64_t more)
{
    *sum = gt_time_plus(*sum, more);
}

/* Returns how long [start, end) lies within [from, to), with which it must overlap. */
static inline int64_t gt_time_overlap(int64_t start, int64_t end, int64_t from, int64_t to)
{
    return gt_time_minus(end < to ? end : to, start > from ? start : from);
}

/* Returns the span from a time to a later one, which may be too large for an int64_t. */
GT_WRAPS static inline uint64_t gt_time_span(int64_t from, int64_t to)
{
    return (uint64_t) to - (uint64_t) from;
}

/* The sum of two clock readings of a trace before they become times. It wraps around as in Go. */
GT_WRAPS static inline int64_t gt_ticks_plus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a + (uint64_t) b);
}

/* The difference of two clock readings of a trace. It wraps around as in Go. */
GT_WRAPS static inline int64_t gt_ticks_minus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a - (uint64_t) b);
}

#endif
