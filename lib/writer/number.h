/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_NUMBER_H
#define GT_WRITER_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "base/wraps.h"

enum {
    /* The longest numbers: 20 digits, a sign, a point. */
    GT_NUMBER_SIZE = 24
};

/*
 * Writes nanoseconds as microseconds to `to`, which has GT_NUMBER_SIZE bytes, and returns the end:
 * the shortest decimal that reads back as the double `nanoseconds / 1000.0`, which is how Go's
 * encoding/json has a float64.
 */
char *gt_put_microseconds(char *to, int64_t nanoseconds);

/*
 * What follows is gt_decimal_put and gt_put_microseconds for where they take most of the
 * time there is. How many digits a number has changes from one to the next, so that a
 * branch on it is guessed wrong, and that takes longer than to write some digits in vain.
 */

enum {
    /* How far apart times are that have all but their last digits in common. */
    GT_TIMES_ALIKE = 10000000
};

/*
 * The digits of a rest of thousandths, and how many are left without zeros at the end, with
 * the point before them. All four bytes are copied, for that is one move.
 */
struct gt_thousandths {
    char digits[3];
    uint8_t size;
};

extern const struct gt_thousandths gt_thousandths[1000];

/* Writes a point and a rest below 1000, or nothing for 0. Needs room for 5 bytes anyway. */
static inline char *gt_put_rest(char *to, uint32_t rest)
{
    const struct gt_thousandths *thousandths = &gt_thousandths[rest];
    to[0] = '.';
    memcpy(to + 1, thousandths, sizeof(*thousandths));
    return to + thousandths->size;
}

/* Without zeros in front. Needs room for 3 digits anyway, and one that is larger for all. */
static inline char *gt_put_count(char *to, uint64_t number)
{
    if (number >= 1000)
        return gt_decimal_put(to, number);
    size_t zeros = (size_t) (number < 100) + (number < 10);
    memcpy(to, (const char *) &gt_thousandths[number] + zeros, 3);
    return to + 3 - zeros;
}

/*
 * Writes a key, of at least 3 bytes, and a number. One with up to four digits gets four, and
 * the key goes over the zeros in front.
 */
static inline char *gt_put_keyed(char *to, const char *key, size_t key_size, uint64_t number)
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

/* The same for nanoseconds, as microseconds. */
static inline char *gt_put_keyed_microseconds(char *to, const char *key, size_t key_size,
                                              int64_t nanoseconds)
{
    if (nanoseconds < 0 || nanoseconds >= GT_TIMES_ALIKE) {
        memcpy(to, key, key_size);
        return gt_put_microseconds(to + key_size, nanoseconds);
    }
    uint32_t thousandths = (uint32_t) nanoseconds;
    return gt_put_rest(gt_put_keyed(to, key, key_size, thousandths / 1000), thousandths % 1000);
}

/* What a time has in common with the next ones, which come more or less in order. */
struct gt_time_digits {
    uint64_t base; /* nanoseconds, a multiple of GT_TIMES_ALIKE, ... */
    size_t size;   /* ... and its digits; 0: none are known */
    char digits[16];
};

/* gt_put_microseconds, which also notes the digits for gt_put_time. */
char *gt_put_first_time(struct gt_time_digits *known, char *to, int64_t nanoseconds);

/* The same as gt_put_microseconds. A time before the base wraps around to one far after it. */
GT_WRAPS static inline char *gt_put_time(struct gt_time_digits *known, char *to,
                                         int64_t nanoseconds)
{
    uint64_t past = (uint64_t) nanoseconds - known->base;
    if (known->size == 0 || past >= GT_TIMES_ALIKE)
        return gt_put_first_time(known, to, nanoseconds);
    uint32_t thousandths = (uint32_t) past;
    memcpy(to, known->digits, sizeof(known->digits));
    to = gt_decimal_put_four(to + known->size, thousandths / 1000);
    return gt_put_rest(to, thousandths % 1000);
}

#endif
