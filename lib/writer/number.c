/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/number.h"

#include <string.h>

#include "base/decimal.h"

/*
 * From here on neighbouring doubles are more than 0.001 apart, so that some
 * nanoseconds share one. Below, thousandths that read back as a double are only one.
 */
#define FAR_NANOSECONDS (1000 * (UINT64_C(1) << 43))

#define UNIT    (INT64_C(1) << 11)
#define MILLION 1000000

/*
 * A double that is far, near a multiple of a million, so that it can be reckoned with
 * in whole numbers.
 */
struct far_time {
    uint64_t millions;
    int64_t rest; /* in thousandths by UNIT, as ... */
    int64_t half; /* ... half of what it is to the next double */
};

static struct far_time far_time_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int exponent = (int) (bits >> 52) - 1075; /* -9 to 1, as the value is far */
    uint64_t whole = exponent >= 0 ? mantissa << exponent : mantissa >> -exponent;
    uint64_t fraction = exponent >= 0 ? 0 : mantissa & ((UINT64_C(1) << -exponent) - 1);
    int64_t rest = (int64_t) (whole % MILLION) * UNIT + (int64_t) (fraction << (11 + exponent));
    return (struct far_time){
        .millions = whole / MILLION,
        .rest = rest * 1000,
        .half = (INT64_C(1) << (exponent + 10)) * 1000,
    };
}

/* The multiple of `step` that is nearest, of equally near ones the even one. */
static int64_t nearest_multiple(int64_t value, int64_t step)
{
    int64_t low = value / step;
    int64_t twice = value % step * 2;
    return (low + (twice > step || (twice == step && low % 2 != 0))) * step;
}

/*
 * The thousandths of the shortest decimal that reads back as the time: what is nearer
 * to it than half of the way to the next double. What is just half way has more digits
 * than the time itself. Nor does it matter that the double below a power of two is
 * nearer: there are eleven that are far, and none has a shorter decimal around.
 */
static uint64_t shortest_thousandths(const struct far_time *time)
{
    /* To end in more zeros makes no number shorter, as all have to be written. */
    int64_t step = INT64_C(1000) * MILLION * UNIT;
    int64_t found = nearest_multiple(time->rest, step);
    /* Multiples of 0.001 are closer to each other than far doubles. */
    while (found - time->rest > time->half || time->rest - found > time->half) {
        step /= 10;
        found = nearest_multiple(time->rest, step);
    }
    return time->millions * MILLION * 1000 + (uint64_t) (found / UNIT);
}

/* clang-format off */
#define THOUSANDTHS(a, b, c)                                                                       \
    {{'0' + (a), '0' + (b), '0' + (c)}, (c) != 0 ? 4 : (b) != 0 ? 3 : (a) != 0 ? 2 : 0}
#define TEN(a, b)                                                                                  \
    THOUSANDTHS(a, b, 0), THOUSANDTHS(a, b, 1), THOUSANDTHS(a, b, 2), THOUSANDTHS(a, b, 3),        \
    THOUSANDTHS(a, b, 4), THOUSANDTHS(a, b, 5), THOUSANDTHS(a, b, 6), THOUSANDTHS(a, b, 7),        \
    THOUSANDTHS(a, b, 8), THOUSANDTHS(a, b, 9)
#define HUNDRED(a)                                                                                 \
    TEN(a, 0), TEN(a, 1), TEN(a, 2), TEN(a, 3), TEN(a, 4), TEN(a, 5), TEN(a, 6), TEN(a, 7),        \
    TEN(a, 8), TEN(a, 9)

const struct gt_thousandths gt_thousandths[1000] = {
    HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
    HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9),
};
/* clang-format on */

char *gt_put_microseconds(char *to, int64_t nanoseconds)
{
    uint64_t thousandths = gt_decimal_magnitude(nanoseconds);
    if (nanoseconds < 0)
        *to++ = '-';
    if (thousandths >= FAR_NANOSECONDS) {
        struct far_time time = far_time_of((double) thousandths / 1000);
        thousandths = shortest_thousandths(&time);
    }
    to = gt_decimal_put(to, thousandths / 1000);
    return gt_put_rest(to, (uint32_t) (thousandths % 1000));
}

char *gt_put_first_time(struct gt_time_digits *known, char *to, int64_t nanoseconds)
{
    /* Those near 0 have no zeros in front, and those that are far not all of their digits. */
    if (nanoseconds >= GT_TIMES_ALIKE &&
        (uint64_t) nanoseconds < FAR_NANOSECONDS - GT_TIMES_ALIKE) {
        uint64_t high = (uint64_t) nanoseconds / GT_TIMES_ALIKE;
        known->base = high * GT_TIMES_ALIKE;
        known->size = (size_t) (gt_decimal_put(known->digits, high) - known->digits);
    }
    return gt_put_microseconds(to, nanoseconds);
}
