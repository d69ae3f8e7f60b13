/* SPDX-License-Identifier: BSD-3-Clause */
#include "format/digits.h"

#define EIGHT_DIGITS 100000000u

/* clang-format off */
#define DIGIT(n) (char) ('0' + (n))
#define WORD(a, b, c)                                                                              \
    {{(a) != 0 ? DIGIT(a) : (b) != 0 ? DIGIT(b) : DIGIT(c),                                        \
      (a) != 0 ? DIGIT(b) : DIGIT(c), DIGIT(c)}, (a) != 0 ? 3 : (b) != 0 ? 2 : 1}
#define TEN(a, b)                                                                                  \
    WORD(a, b, 0), WORD(a, b, 1), WORD(a, b, 2), WORD(a, b, 3), WORD(a, b, 4), WORD(a, b, 5),      \
    WORD(a, b, 6), WORD(a, b, 7), WORD(a, b, 8), WORD(a, b, 9)
#define HUNDRED(a)                                                                                 \
    TEN(a, 0), TEN(a, 1), TEN(a, 2), TEN(a, 3), TEN(a, 4), TEN(a, 5), TEN(a, 6), TEN(a, 7),        \
    TEN(a, 8), TEN(a, 9)

const struct gt_digits_word gt_digits_words[1000] = {
    HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
    HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9),
};

/* clang-format on */

static char *digits_put_below_eight(char *to, uint32_t value)
{
    uint32_t high = value / 1000, low = value % 1000;
    if (value < 1000)
        return gt_digits_put_word(to, value);
    if (high >= 1000) {
        to = gt_digits_put_word(to, high / 1000);
        *to = (char) ('0' + high / 100 % 10);
        to = gt_decimal_put_pair(to + 1, high % 100);
    } else {
        to = gt_digits_put_word(to, high);
    }
    *to = (char) ('0' + low / 100);
    return gt_decimal_put_pair(to + 1, low % 100);
}

char *gt_digits_put_long(char *to, uint64_t value)
{
    uint64_t high = value / EIGHT_DIGITS;
    if (value < EIGHT_DIGITS)
        return digits_put_below_eight(to, (uint32_t) value);
    if (high < EIGHT_DIGITS) {
        to = digits_put_below_eight(to, (uint32_t) high);
    } else {
        to = digits_put_below_eight(to, (uint32_t) (high / EIGHT_DIGITS));
        to = gt_decimal_put_eight(to, (uint32_t) (high % EIGHT_DIGITS));
    }
    return gt_decimal_put_eight(to, (uint32_t) (value % EIGHT_DIGITS));
}
