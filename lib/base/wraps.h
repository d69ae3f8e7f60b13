/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_WRAPS_H
#define GT_BASE_WRAPS_H

#include <stdint.h>

/*
 * A function whose unsigned numbers wrap around on purpose, such as a hash. Anywhere else
 * in lib a number that does is taken for a bug: tests/gates/integers.sh.
 */
#if defined(__clang__)
#define GT_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define GT_WRAPS
#endif

/* Times are the trace's and can be anything: as in Go, what overflows wraps around. */
GT_WRAPS static inline int64_t gt_time_plus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a + (uint64_t) b);
}

GT_WRAPS static inline int64_t gt_time_minus(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a - (uint64_t) b);
}

/* From a time to a later one, which may be further than an int64_t can say. */
GT_WRAPS static inline uint64_t gt_time_span(int64_t from, int64_t to)
{
    return (uint64_t) to - (uint64_t) from;
}

#endif
