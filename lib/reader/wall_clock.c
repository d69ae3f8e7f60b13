/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/time.h>

#include "base/decimal.h"
#include "base/text.h"

enum {
    WALL_CLOCK_DAY = 86400,
    WALL_CLOCK_DAYS_OF_400_YEARS = 146097
};

/* A day of the proleptic Gregorian calendar. */
struct wall_clock_date {
    int64_t year;
    uint32_t month; /* 1 to 12 */
    uint32_t day;   /* 1 to 31 */
};

/* Division that rounds down, so that the remainder is never negative. */
static int64_t wall_clock_divide(int64_t value, int64_t by, int64_t *remainder)
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
 * Converts days since 1970-01-01 to a date. Years are counted from March, so that the leap day is
 * the last day of a year.
 */
static struct wall_clock_date wall_clock_date_of(int64_t days)
{
    int64_t day;
    int64_t since_march_of_year_0 = days + 719468;
    int64_t era = wall_clock_divide(since_march_of_year_0, WALL_CLOCK_DAYS_OF_400_YEARS, &day);
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153;
    return (struct wall_clock_date){
        .year = era * 400 + year + (month >= 10),
        .month = (uint32_t) (month < 10 ? month + 3 : month - 9),
        .day = (uint32_t) (day - (153 * month + 2) / 5 + 1),
    };
}

static char *wall_clock_put_year(char *to, int64_t year)
{
    uint64_t value = gt_decimal_magnitude(year);
    if (year < 0)
        *to++ = '-';
    if (value >= 10000)
        return gt_decimal_put(to, value);
    return gt_decimal_put_four(to, (uint32_t) value);
}

/* Writes the character `before` and two digits. */
static char *wall_clock_put_pair(char *to, char before, int64_t value)
{
    *to++ = before;
    return gt_decimal_put_pair(to, (uint32_t) value);
}

static char *wall_clock_put_fraction(char *to, uint32_t nanoseconds)
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

static char *wall_clock_put_zone(char *to, int32_t zone)
{
    if (zone == 0) {
        *to++ = 'Z';
        return to;
    }
    int32_t minutes = zone / 60;
    to = wall_clock_put_pair(to, minutes < 0 ? '-' : '+', (minutes < 0 ? -minutes : minutes) / 60);
    return wall_clock_put_pair(to, ':', (minutes < 0 ? -minutes : minutes) % 60);
}

size_t gt_wall_clock_format(int64_t seconds, uint32_t nanoseconds, int32_t zone, char *text,
                            size_t room)
{
    char whole[GT_WALL_CLOCK_TEXT_SIZE];
    int64_t second;
    if (zone < -WALL_CLOCK_DAY || zone > WALL_CLOCK_DAY)
        zone = 0;
    int64_t days = wall_clock_divide(seconds, WALL_CLOCK_DAY, &second);
    days += wall_clock_divide(second + zone, WALL_CLOCK_DAY, &second);
    struct wall_clock_date date = wall_clock_date_of(days);
    char *to = wall_clock_put_year(whole, date.year);
    to = wall_clock_put_pair(to, '-', date.month);
    to = wall_clock_put_pair(to, '-', date.day);
    to = wall_clock_put_pair(to, 'T', second / 3600);
    to = wall_clock_put_pair(to, ':', second / 60 % 60);
    to = wall_clock_put_pair(to, ':', second % 60);
    to = wall_clock_put_zone(wall_clock_put_fraction(to, nanoseconds), zone);
    return gt_text_give(text, room, whole, (size_t) (to - whole));
}
