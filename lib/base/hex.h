/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_HEX_H
#define GT_BASE_HEX_H

#include <stdint.h>

enum {
    /* The number of digits of 2^64-1. */
    GT_HEX_MAX = 16
};

/* Writes the lowest `count` hexadecimal digits of a number, in lower case, and returns the end. */
static inline char *gt_hex_put_digits(char *to, uint64_t value, unsigned count)
{
    for (unsigned left = count; left > 0; left--)
        *to++ = "0123456789abcdef"[value >> (4 * (left - 1)) & 15];
    return to;
}

/* Writes a number without leading zeros, and without 0x, and returns the end. */
static inline char *gt_hex_put(char *to, uint64_t value)
{
    unsigned count = 1;
    while (count < GT_HEX_MAX && value >> (4 * count) != 0)
        count++;
    return gt_hex_put_digits(to, value, count);
}

#endif
