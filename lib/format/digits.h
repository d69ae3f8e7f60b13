/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_FORMAT_DIGITS_H
#define GT_FORMAT_DIGITS_H

/*
 * Decimal numbers for a sink. The text of an event consists mostly of them, so these functions
 * avoid branches that depend on the number of digits, which would be mispredicted whenever that
 * changes. In return they need room for four bytes, even if they write fewer.
 */

#include "base/decimal.h"

/* Up to three digits. All four bytes are copied in one move. */
struct gt_digits_word {
    char digits[3];
    uint8_t size;
};

/* The numbers from 0 to 999. */
extern const struct gt_digits_word gt_digits_words[1000];

/* Writes a number below 1000. */
static inline char *gt_digits_put_word(char *to, uint64_t value)
{
    memcpy(to, &gt_digits_words[value], sizeof(gt_digits_words[value]));
    return to + gt_digits_words[value].size;
}

/* Implements gt_digits_put for numbers of 1000 and more. */
char *gt_digits_put_long(char *to, uint64_t value);

/* Writes a number at `to` and returns its end. */
static inline char *gt_digits_put(char *to, uint64_t value)
{
    if (value >= 1000)
        return gt_digits_put_long(to, value);
    return gt_digits_put_word(to, value);
}

static inline char *gt_digits_put_signed(char *to, int64_t value)
{
    if (value >= 0)
        return gt_digits_put(to, (uint64_t) value);
    *to = '-';
    return gt_digits_put(to + 1, gt_decimal_magnitude(value));
}

#endif
