/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_DECIMAL_H
#define GT_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    /* The number of digits of 2^64-1. */
    GT_DECIMAL_MAX = 20
};

/* The two digits of each number from 00 to 99, one after the other. */
extern const char gt_decimal_pairs[200];

/*
 * Each of these functions writes a number at `to` and returns the end of the written text. The
 * functions for two, four and eight digits write leading zeros; the others do not.
 */

static inline char *gt_decimal_put_pair(char *to, uint32_t value)
{
    memcpy(to, gt_decimal_pairs + (size_t) 2 * value, 2);
    return to + 2;
}

static inline char *gt_decimal_put_four(char *to, uint32_t value)
{
    return gt_decimal_put_pair(gt_decimal_put_pair(to, value / 100), value % 100);
}

static inline char *gt_decimal_put_below_100(char *to, uint32_t value)
{
    if (value >= 10)
        return gt_decimal_put_pair(to, value);
    *to = (char) ('0' + value);
    return to + 1;
}

static inline char *gt_decimal_put_below_10000(char *to, uint32_t value)
{
    if (value < 100)
        return gt_decimal_put_below_100(to, value);
    return gt_decimal_put_pair(gt_decimal_put_below_100(to, value / 100), value % 100);
}

static inline char *gt_decimal_put_eight(char *to, uint32_t value)
{
    return gt_decimal_put_four(gt_decimal_put_four(to, value / 10000), value % 10000);
}

/* Writes a number of at least 10000, out of line. */
char *gt_decimal_put_long(char *to, uint64_t value);

static inline char *gt_decimal_put(char *to, uint64_t value)
{
    if (value < 10000)
        return gt_decimal_put_below_10000(to, (uint32_t) value);
    return gt_decimal_put_long(to, value);
}

/* Returns the number of digits of a number. */
static inline unsigned gt_decimal_count(uint64_t value)
{
    unsigned count = 1;
    for (; value >= 10; value /= 10)
        count++;
    return count;
}

/* Returns the absolute value, which for INT64_MIN exceeds the range of int64_t. */
static inline uint64_t gt_decimal_magnitude(int64_t value)
{
    return value < 0 ? (uint64_t) - (value + 1) + 1 : (uint64_t) value;
}

/* Writes a signed number, with a minus sign if it is negative. */
static inline char *gt_decimal_put_signed(char *to, int64_t value)
{
    if (value < 0)
        *to++ = '-';
    return gt_decimal_put(to, gt_decimal_magnitude(value));
}

/*
 * Reads the decimal digits at the start of a text, and returns their end, or NULL if there are none
 * or their number is greater than `max`.
 */
const char *gt_decimal_read(const char *text, uint64_t max, uint64_t *value);

#endif
