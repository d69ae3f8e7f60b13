/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_BITS_H
#define GT_BASE_BITS_H

#include <stdint.h>

/* The position of the highest bit that is set, counted from 0. `value` must not be 0. */
static inline unsigned gt_highest_bit(uint64_t value)
{
#if defined(__GNUC__)
    return 63 - (unsigned) __builtin_clzll(value);
#else
    unsigned bit = 0;
    for (unsigned step = 32; step > 0; step /= 2) {
        if (value >> step != 0) {
            value >>= step;
            bit += step;
        }
    }
    return bit;
#endif
}

/* The position of the lowest bit that is set, counted from 0. `value` must not be 0. */
static inline unsigned gt_lowest_bit(uint32_t value)
{
#if defined(__GNUC__)
    return (unsigned) __builtin_ctz(value);
#else
    unsigned bit = 0;
    while (!(value >> bit & 1))
        bit++;
    return bit;
#endif
}

#endif
