/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"

#define EIGHT_DIGITS 100000000u

/* clang-format off */
const char gt_decimal_pairs[200] = {
    "0001020304050607080910111213141516171819"
    "2021222324252627282930313233343536373839"
    "4041424344454647484950515253545556575859"
    "6061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899"};

/* clang-format on */

static char *decimal_put_below_eight(char *to, uint32_t value)
{
    if (value < 10000)
        return gt_decimal_put_below_10000(to, value);
    return gt_decimal_put_four(gt_decimal_put_below_10000(to, value / 10000), value % 10000);
}

char *gt_decimal_put_long(char *to, uint64_t value)
{
    if (value < EIGHT_DIGITS)
        return decimal_put_below_eight(to, (uint32_t) value);
    uint64_t high = value / EIGHT_DIGITS;
    if (high < EIGHT_DIGITS)
        to = decimal_put_below_eight(to, (uint32_t) high);
    else
        to = gt_decimal_put_eight(decimal_put_below_eight(to, (uint32_t) (high / EIGHT_DIGITS)),
                                  (uint32_t) (high % EIGHT_DIGITS));
    return gt_decimal_put_eight(to, (uint32_t) (value % EIGHT_DIGITS));
}

const char *gt_decimal_read(const char *text, uint64_t max, uint64_t *value)
{
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t) (*at - '0');
        if (digit > max || number > (max - digit) / 10)
            return NULL;
        number = number * 10 + digit;
    }
    *value = number;
    return at != text ? at : NULL;
}
