/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_WRAPS_H
#define GT_BASE_WRAPS_H

#include <stdint.h>

/*
 * Marks a function in which unsigned numbers wrap around on purpose, such as a hash. Anywhere else
 * in lib tests/gates/integers.sh takes that for a bug.
 */
#if defined(__clang__)
#define GT_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define GT_WRAPS
#endif

/*
 * Arithmetic on times. A trace may contain any times, so their sums and differences can overflow,
 * and wrap around as they do in Go.
 */
GT_WRAPS static inline int64_t gt_time_plus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a + (uint64_t) b);
}

GT_WRAPS static inline int64_t gt_time_minus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a - (uint64_t) b);
}

/* The span from a time to a later one, which may be too large for an int64_t. */
GT_WRAPS static inline uint64_t gt_time_span(int64_t from, int64_t to)
{
    return (uint64_t) to - (uint64_t) from;
}

#endif
