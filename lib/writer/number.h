/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_NUMBER_H
#define GT_WRITER_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "base/wraps.h"

/*
 * Writes nanoseconds as microseconds to `to`, which must have room for 24 bytes (20 digits, a sign,
 * a point), and returns the end. The text is the shortest decimal that converts to the double
 * `nanoseconds / 1000.0`, as Go's encoding/json writes a float64.
 */
char *gt_microseconds_put(char *to, int64_t nanoseconds);

/*
 * The rest of this file contains faster variants of gt_decimal_put and gt_microseconds_put for
 * writing events, which are mostly numbers. The number of digits varies between numbers, so a
 * branch on it is often mispredicted, which takes longer than writing digits that are overwritten
 * afterwards.
 */

enum {
    /*
     * Times in nanoseconds share all digits except for the last seven with the preceding multiple
     * of this number.
     */
    GT_TIME_BLOCK = 10000000
};

/*
 * The three digits of a number of thousandths, and the size of the fraction: the point and the
 * digits up to the last one that is not 0. All four bytes are copied at once.
 */
struct gt_thousandths {
    char digits[3];
    uint8_t size;
};

extern const struct gt_thousandths gt_thousandths[1000];

/* Writes a point and a fraction, or nothing for 0. There must be room for 5 bytes in any case. */
static inline char *gt_thousandths_put(char *to, uint32_t thousandths)
{
    to[0] = '.';
    memcpy(to + 1, &gt_thousandths[thousandths], sizeof(gt_thousandths[thousandths]));
    return to + gt_thousandths[thousandths].size;
}

/*
 * Does what gt_decimal_put does, fast for numbers below 1000. There must be room for 3 bytes in any
 * case.
 */
static inline char *gt_number_put(char *to, uint64_t number)
{
    if (number >= 1000)
        return gt_decimal_put(to, number);
    size_t zeros = (size_t) (number < 100) + (number < 10);
    memcpy(to, (const char *) &gt_thousandths[number] + zeros, 3);
    return to + 3 - zeros;
}

/*
 * Writes a key, which must have at least 3 bytes, and a number. A number below 10000 is written
 * with four digits, of which the key then overwrites the leading zeros.
 */
static inline char *gt_number_put_keyed(char *to, const char *key, size_t key_size, uint64_t number)
{
    if (number >= 10000) {
        memcpy(to, key, key_size);
        return gt_decimal_put_long(to + key_size, number);
    }
    char *end = to + key_size + 1 + (number >= 10) + (number >= 100) + (number >= 1000);
    gt_decimal_put_four(end - 4, (uint32_t) number);
    memcpy(to, key, key_size);
    return end;
}

/* Writes a key, which must have at least 3 bytes, and nanoseconds as microseconds. */
static inline char *gt_microseconds_put_keyed(char *to, const char *key, size_t key_size,
                                              int64_t nanoseconds)
{
    if (nanoseconds < 0 || nanoseconds >= GT_TIME_BLOCK) {
        memcpy(to, key, key_size);
        return gt_microseconds_put(to + key_size, nanoseconds);
    }
    uint32_t thousandths = (uint32_t) nanoseconds;
    to = gt_number_put_keyed(to, key, key_size, thousandths / 1000);
    return gt_thousandths_put(to, thousandths % 1000);
}

/* A cache of the leading digits of a time, which most events share with the previous event. */
struct gt_time_digits {
    uint64_t base;   /* nanoseconds, a multiple of GT_TIME_BLOCK */
    size_t size;     /* the number of digits; 0 if none are known */
    char digits[16]; /* of base / GT_TIME_BLOCK */
};

/* Does what gt_microseconds_put does, and keeps the leading digits for calls of gt_time_put. */
char *gt_time_put_first(struct gt_time_digits *known, char *to, int64_t nanoseconds);

/*
 * Does what gt_microseconds_put does, with the cache of leading digits. For a time before the base,
 * the difference wraps around to a large number, which is a cache miss.
 */
GT_WRAPS static inline char *gt_time_put(struct gt_time_digits *known, char *to,
                                         int64_t nanoseconds)
{
    uint64_t past = (uint64_t) nanoseconds - known->base;
    if (known->size == 0 || past >= GT_TIME_BLOCK)
        return gt_time_put_first(known, to, nanoseconds);
    uint32_t thousandths = (uint32_t) past;
    memcpy(to, known->digits, sizeof(known->digits));
    to = gt_decimal_put_four(to + known->size, thousandths / 1000);
    return gt_thousandths_put(to, thousandths % 1000);
}

#endif
