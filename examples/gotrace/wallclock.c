/* SPDX-License-Identifier: BSD-3-Clause */
#include "wallclock.h"

#include <stddef.h>
#include <time.h>

#include "output.h"

enum {
    DAY = 86400,
    DAYS_OF_400_YEARS = 146097
};

/* A day of the proleptic Gregorian calendar. */
struct date {
    int64_t year;
    unsigned int month; /* 1 to 12 */
    unsigned int day;   /* 1 to 31 */
};

/* Divides and rounds down; the remainder is never negative. */
static int64_t wallclock_divide(int64_t value, int64_t by, int64_t *remainder)
{
    int64_t quotient = value / by;
    *remainder = value % by;
    if (*remainder < 0) {
        *remainder += by;
        quotient--;
    }
    return quotient;
}

/* `days` counts from 1970-01-01. Years begin in March, so that the leap day is the last day. */
static struct date wallclock_date_of_days(int64_t days)
{
    int64_t day;
    int64_t era = wallclock_divide(days + 719468, DAYS_OF_400_YEARS, &day); /* since 0000-03-01 */
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153;
    return (struct date){
        .year = era * 400 + year + (month >= 10),
        .month = (unsigned int) (month < 10 ? month + 3 : month - 9),
        .day = (unsigned int) (day - (153 * month + 2) / 5 + 1),
    };
}

/* The inverse of wallclock_date_of_days. */
static int64_t wallclock_days_of_date(struct date date)
{
    int64_t month = date.month >= 3 ? date.month - 3 : date.month + 9;
    int64_t year;
    int64_t era = wallclock_divide(date.year - (date.month < 3), 400, &year);
    return era * DAYS_OF_400_YEARS + 365 * year + year / 4 - year / 100 + (153 * month + 2) / 5 +
           date.day - 1 - 719468;
}

int64_t wallclock_zone(int64_t seconds)
{
    time_t time = (time_t) seconds;
    struct tm tm;
    if (time != seconds || !localtime_r(&time, &tm))
        return 0;
    struct date date = {tm.tm_year + (int64_t) 1900, (unsigned int) tm.tm_mon + 1,
                        (unsigned int) tm.tm_mday};
    int64_t local =
        wallclock_days_of_date(date) * DAY + tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec;
    return local - seconds;
}

static char *wallclock_put_fraction(char *to, uint32_t nanoseconds)
{
    if (nanoseconds == 0)
        return to;
    *to++ = '.';
    to = put_padded(to, nanoseconds, 9);
    while (to[-1] == '0')
        to--;
    return to;
}

static char *wallclock_put_zone(char *to, int64_t zone)
{
    if (zone == 0)
        return put_text(to, "Z");
    int64_t minutes = zone / 60;
    *to++ = minutes < 0 ? '-' : '+';
    if (minutes < 0)
        minutes = -minutes;
    to = put_padded(to, (uint64_t) minutes / 60, 2);
    *to++ = ':';
    return put_padded(to, (uint64_t) minutes % 60, 2);
}

char *wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds, int64_t zone)
{
    int64_t second;
    struct date date = wallclock_date_of_days(wallclock_divide(seconds + zone, DAY, &second));
    if (date.year < 0)
        *to++ = '-';
    to = put_padded(to, (uint64_t) (date.year < 0 ? -date.year : date.year), 4);
    *to++ = '-';
    to = put_padded(to, date.month, 2);
    *to++ = '-';
    to = put_padded(to, date.day, 2);
    *to++ = 'T';
    to = put_padded(to, (uint64_t) second / 3600, 2);
    *to++ = ':';
    to = put_padded(to, (uint64_t) second / 60 % 60, 2);
    *to++ = ':';
    to = put_padded(to, (uint64_t) second % 60, 2);
    return wallclock_put_zone(wallclock_put_fraction(to, nanoseconds), zone);
}
