/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/real.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "base/wraps.h"

/*
 * The free-format algorithm of Burger and Dybvig, "Printing Floating-Point Numbers Quickly and
 * Accurately" (1996), with exact integers. It is not the fastest, but needs no tables.
 */

enum {
    /* 2^1074 and 10^324 are the greatest factors, and each has less than 1080 bits. */
    BIG_WORDS = 40,
    /* Every double is identified by so many significant digits. */
    REAL_DIGITS = 17,
    MANTISSA_BITS = 52,
    LEAST_EXPONENT = -1074
};

/* A natural number of arbitrary size, as words from the least significant one on. */
struct big {
    uint32_t words[BIG_WORDS];
};

GT_WRAPS static void big_set(struct big *big, uint64_t value, unsigned shift)
{
    unsigned word = shift / 32, bits = shift % 32;
    memset(big, 0, sizeof(*big));
    big->words[word] = (uint32_t) (value << bits);
    value = bits == 0 ? value >> 32 : value >> (32 - bits);
    big->words[word + 1] = (uint32_t) value;
    big->words[word + 2] = (uint32_t) (value >> 32);
}

static void big_times_10(struct big *big)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t) big->words[i] * 10;
        big->words[i] = (uint32_t) carry;
        carry >>= 32;
    }
}

static void big_add(struct big *sum, const struct big *a, const struct big *b)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t) a->words[i] + b->words[i];
        sum->words[i] = (uint32_t) carry;
        carry >>= 32;
    }
}

/* `b` must not be greater than `*a`. */
static void big_subtract(struct big *a, const struct big *b)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < BIG_WORDS; i++) {
        uint64_t taken = (uint64_t) b->words[i] + borrow;
        borrow = a->words[i] < taken;
        a->words[i] = (uint32_t) (a->words[i] + ((uint64_t) borrow << 32) - taken);
    }
}

static int big_compare(const struct big *a, const struct big *b)
{
    for (size_t i = BIG_WORDS; i > 0; i--) {
        if (a->words[i - 1] != b->words[i - 1])
            return a->words[i - 1] < b->words[i - 1] ? -1 : 1;
    }
    return 0;
}

/*
 * A positive number: rest / unit. A decimal converts to this double if its distance is less than
 * half of the gap to the next double.
 */
struct real {
    struct big rest;
    struct big unit;
    struct big above; /* half of the gap to the next double, in the same unit */
    struct big below;
    bool is_even; /* a decimal at exactly half of the gap converts to the number, too */
    int point;    /* the number of digits before the decimal point */
};

static void real_set(struct real *real, uint64_t mantissa, int exponent)
{
    /* The double below a power of two is only half as far away as the one above. */
    unsigned is_power = mantissa == UINT64_C(1) << MANTISSA_BITS && exponent > LEAST_EXPONENT;
    unsigned up = exponent > 0 ? (unsigned) exponent : 0;
    unsigned down = exponent < 0 ? (unsigned) -exponent : 0;
    big_set(&real->rest, mantissa, up + 1 + is_power);
    big_set(&real->unit, 1, down + 1 + is_power);
    big_set(&real->above, 1, up + is_power);
    big_set(&real->below, 1, up);
    real->is_even = mantissa % 2 == 0;
    real->point = 0;
}

/* Returns whether the upper bound of decimals for the number, or ten times that, is at least 1. */
static bool real_reaches_unit(const struct real *real, bool is_tenfold)
{
    struct big end;
    big_add(&end, &real->rest, &real->above);
    if (is_tenfold)
        big_times_10(&end);
    int order = big_compare(&end, &real->unit);
    return order > 0 || (order == 0 && real->is_even);
}

static void real_times_10(struct real *real)
{
    big_times_10(&real->rest);
    big_times_10(&real->above);
    big_times_10(&real->below);
}

/* Scales the number by powers of ten to the range from 0.1 to 1. */
static void real_scale(struct real *real)
{
    for (; real_reaches_unit(real, false); real->point++)
        big_times_10(&real->unit);
    for (; !real_reaches_unit(real, true); real->point--)
        real_times_10(real);
}

static unsigned real_take_digit(struct real *real)
{
    unsigned digit = 0;
    real_times_10(real);
    for (; big_compare(&real->rest, &real->unit) >= 0; digit++)
        big_subtract(&real->rest, &real->unit);
    return digit;
}

/*
 * Returns whether the last digit must be rounded up to be nearest to the number; a tie is rounded
 * to the even digit.
 */
static bool real_rounds_up(const struct real *real, unsigned digit)
{
    struct big twice;
    big_add(&twice, &real->rest, &real->rest);
    int order = big_compare(&twice, &real->unit);
    return order > 0 || (order == 0 && digit % 2 != 0);
}

/* Writes the digits and returns their number. */
static size_t real_digits(struct real *real, char *digits)
{
    size_t count = 0;
    while (count < REAL_DIGITS) {
        unsigned digit = real_take_digit(real);
        int order = big_compare(&real->rest, &real->below);
        bool low = order < 0 || (order == 0 && real->is_even);
        bool high = real_reaches_unit(real, false);
        if (high && (!low || real_rounds_up(real, digit)))
            digit++;
        digits[count++] = (char) ('0' + digit);
        if (low || high)
            break;
    }
    return count;
}

static char *real_put_zeros(char *to, int count)
{
    for (; count > 0; count--)
        *to++ = '0';
    return to;
}

static char *real_put_digits(char *to, const char *digits, size_t count)
{
    memcpy(to, digits, count);
    return to + count;
}

static char *real_put_fixed(char *to, const char *digits, size_t count, int point)
{
    if (point <= 0) {
        *to++ = '0';
        *to++ = '.';
        return real_put_digits(real_put_zeros(to, -point), digits, count);
    }
    if ((size_t) point >= count)
        return real_put_zeros(real_put_digits(to, digits, count), point - (int) count);
    to = real_put_digits(to, digits, (size_t) point);
    *to++ = '.';
    return real_put_digits(to, digits + point, count - (size_t) point);
}

static char *real_put_exponent(char *to, const char *digits, size_t count, int point)
{
    *to++ = digits[0];
    if (count > 1) {
        *to++ = '.';
        to = real_put_digits(to, digits + 1, count - 1);
    }
    *to++ = 'e';
    *to++ = point > 0 ? '+' : '-';
    return gt_decimal_put(to, gt_decimal_magnitude(point - 1));
}

char *gt_real_put(char *to, double value)
{
    uint64_t bits;
    char digits[REAL_DIGITS];
    memcpy(&bits, &value, sizeof(bits));
    uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    int exponent = (int) (bits >> MANTISSA_BITS & 0x7ff);
    if (bits >> 63 != 0)
        *to++ = '-';
    if (exponent == 0 && mantissa == 0) {
        *to++ = '0';
        return to;
    }
    if (exponent != 0)
        mantissa |= UINT64_C(1) << MANTISSA_BITS;
    struct real real;
    real_set(&real, mantissa, (exponent != 0 ? exponent : 1) + LEAST_EXPONENT - 1);
    real_scale(&real);
    size_t count = real_digits(&real, digits);
    bool is_fixed = real.point > -6 && real.point <= 21;
    return is_fixed ? real_put_fixed(to, digits, count, real.point)
                    : real_put_exponent(to, digits, count, real.point);
}
