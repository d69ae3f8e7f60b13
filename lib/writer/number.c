/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/number.h"

#include <string.h>

#include "base/decimal.h"

/*
 * From this number of nanoseconds on, the distance of neighbouring doubles exceeds 0.001, so
 * several nanoseconds share a double. Below it, only one number of thousandths converts to each
 * double.
 */
#define FAR_NANOSECONDS (1000 * (UINT64_C(1) << 43))

/* The unit of fixed-point numbers in struct far_time: 1 / FAR_TIME_UNIT of a thousandth. */
#define FAR_TIME_UNIT (INT64_C(1) << 11)
#define MILLION       1000000

/* The double for a far time, in microseconds, split so that integers represent it exactly. */
struct far_time {
    uint64_t millions;
    int64_t rest;     /* the remainder below a million, fixed-point */
    int64_t half_gap; /* half of the distance to the next double, fixed-point */
};

static struct far_time far_time_make(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int exponent = (int) (bits >> 52) - 1075; /* -9 to 1 for far times */
    uint64_t whole = exponent >= 0 ? mantissa << exponent : mantissa >> -exponent;
    uint64_t fraction = exponent >= 0 ? 0 : mantissa & ((UINT64_C(1) << -exponent) - 1);
    int64_t rest =
        (int64_t) (whole % MILLION) * FAR_TIME_UNIT + (int64_t) (fraction << (11 + exponent));
    return (struct far_time){
        .millions = whole / MILLION,
        .rest = rest * 1000,
        .half_gap = (INT64_C(1) << (exponent + 10)) * 1000,
    };
}

/* Rounds the value to the nearest multiple of `step`, and a tie to the even multiple. */
static int64_t far_time_round(int64_t value, int64_t step)
{
    int64_t low = value / step;
    int64_t twice = value % step * 2;
    return (low + (twice > step || (twice == step && low % 2 != 0))) * step;
}

/*
 * Returns the shortest decimal that reads back as the time, in thousandths: one that is nearer to
 * the time than half of the distance to the next double. A decimal at exactly half the distance
 * has more digits than the time itself. Below a power of two the next double is nearer, but of the
 * eleven powers among far times, none has a shorter decimal around.
 */
static uint64_t far_time_shortest(const struct far_time *time)
{
    /*
     * Larger steps would only add zeros before the decimal point, which are all written, so the
     * search starts with this one.
     */
    int64_t step = INT64_C(1000) * MILLION * FAR_TIME_UNIT;
    int64_t found = far_time_round(time->rest, step);
    /* The loop ends at the latest with multiples of 0.001, which are closer than far doubles. */
    while (found - time->rest > time->half_gap || time->rest - found > time->half_gap) {
        step /= 10;
        found = far_time_round(time->rest, step);
    }
    return time->millions * MILLION * 1000 + (uint64_t) (found / FAR_TIME_UNIT);
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

char *gt_microseconds_put(char *to, int64_t nanoseconds)
{
    uint64_t thousandths = gt_decimal_magnitude(nanoseconds);
    if (nanoseconds < 0)
        *to++ = '-';
    if (thousandths >= FAR_NANOSECONDS) {
        struct far_time time = far_time_make((double) thousandths / 1000);
        thousandths = far_time_shortest(&time);
    }
    to = gt_decimal_put(to, thousandths / 1000);
    return gt_thousandths_put(to, (uint32_t) (thousandths % 1000));
}

char *gt_time_put_first(struct gt_time_digits *known, char *to, int64_t nanoseconds)
{
    /*
     * The shared digits cannot be used near 0, where numbers have no leading zeros, or for far
     * times, which may end in zeros.
     */
    if (nanoseconds >= GT_TIME_BLOCK && (uint64_t) nanoseconds < FAR_NANOSECONDS - GT_TIME_BLOCK) {
        uint64_t high = (uint64_t) nanoseconds / GT_TIME_BLOCK;
        known->base = high * GT_TIME_BLOCK;
        known->size = (size_t) (gt_decimal_put(known->digits, high) - known->digits);
    }
    return gt_microseconds_put(to, nanoseconds);
}
