/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/wallclock.h"

#include <stdint.h>

#include "base/decimal.h"

enum {
    WALLCLOCK_DAY = 86400,
    WALLCLOCK_DAYS_OF_400_YEARS = 146097
};

/* A day of the proleptic Gregorian calendar. */
struct wallclock_date {
    int64_t year;
    uint32_t month; /* 1 to 12 */
    uint32_t day;   /* 1 to 31 */
};

/* Division that rounds down, so that the remainder is never negative. */
static int64_t utc_divide(int64_t value, int64_t by, int64_t *remainder)
{
    int64_t quotient = value / by;
    *remainder = value % by;
    if (*remainder < 0) {
        *remainder += by;
        quotient--;
    }
    return quotient;
}

/*
 * Converts days since 1970-01-01 to a date. Years are counted from March, so that a leap day is
 * the last day of its year.
 */
static struct wallclock_date wallclock_date_of(int64_t days)
{
    int64_t day;
    int64_t since_march_of_year_0 = days + 719468;
    int64_t era = utc_divide(since_march_of_year_0, WALLCLOCK_DAYS_OF_400_YEARS, &day);
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153;
    return (struct wallclock_date){
        .year = era * 400 + year + (month >= 10),
        .month = (uint32_t) (month < 10 ? month + 3 : month - 9),
        .day = (uint32_t) (day - (153 * month + 2) / 5 + 1),
    };
}

static char *wallclock_put_year(char *to, int64_t year)
{
    uint64_t value = gt_decimal_magnitude(year);
    if (year < 0)
        *to++ = '-';
    if (value >= 10000)
        return gt_decimal_put(to, value);
    return gt_decimal_put_four(to, (uint32_t) value);
}

/* Writes `before` and two digits. */
static char *wallclock_put_pair(char *to, char before, int64_t value)
{
    *to++ = before;
    return gt_decimal_put_pair(to, (uint32_t) value);
}

static char *utc_put_fraction(char *to, uint32_t nanoseconds)
{
    if (nanoseconds == 0)
        return to;
    *to++ = '.';
    for (uint32_t unit = 100000000; unit != 0; unit /= 10)
        *to++ = (char) ('0' + nanoseconds / unit % 10);
    while (to[-1] == '0')
        to--;
    return to;
}

char *gt_web_wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds)
{
    int64_t second;
    struct wallclock_date date = wallclock_date_of(utc_divide(seconds, WALLCLOCK_DAY, &second));
    to = wallclock_put_year(to, date.year);
    to = wallclock_put_pair(to, '-', date.month);
    to = wallclock_put_pair(to, '-', date.day);
    to = wallclock_put_pair(to, 'T', second / 3600);
    to = wallclock_put_pair(to, ':', second / 60 % 60);
    to = wallclock_put_pair(to, ':', second % 60);
    to = utc_put_fraction(to, nanoseconds);
    *to++ = 'Z';
    return to;
}
