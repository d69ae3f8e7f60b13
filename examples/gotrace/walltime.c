/* SPDX-License-Identifier: BSD-3-Clause */
#include "walltime.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALLTIME_DAY = 24 * 60 * 60,
    /* Twelve digits reach beyond the year 9999, and no sum of them overflows. */
    WALLTIME_DIGITS = 12,
    WALLTIME_EPOCH = 1970
};

/* The fields of a date and a time, in the order of the text. */
enum walltime_field {
    WALLTIME_YEAR,
    WALLTIME_MONTH,
    WALLTIME_MONTH_DAY,
    WALLTIME_HOUR,
    WALLTIME_MINUTE,
    WALLTIME_SECOND,
    WALLTIME_FIELDS
};

static bool walltime_is_leap(unsigned year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned walltime_month_days(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && walltime_is_leap(year) ? 1u : 0u);
}

/* Parses the text, in which a digit stands where `form` has one, into fields. */
static bool walltime_parse_fields(const char *text, unsigned *fields)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    int field = 0;
    if (strlen(text) != sizeof(form) - 1)
        return false;
    for (const char *at = form; *at; at++, text++) {
        if (*at != '0' && *at != *text)
            return false;
        if (*at == '0' && (*text < '0' || *text > '9'))
            return false;
        if (*at == '0')
            fields[field] = fields[field] * 10 + (unsigned) (*text - '0');
        else
            field++;
    }
    return true;
}

static bool walltime_fields_are_good(const unsigned *fields)
{
    return fields[WALLTIME_YEAR] >= WALLTIME_EPOCH && fields[WALLTIME_MONTH] >= 1 &&
           fields[WALLTIME_MONTH] <= 12 && fields[WALLTIME_MONTH_DAY] >= 1 &&
           fields[WALLTIME_MONTH_DAY] <=
               walltime_month_days(fields[WALLTIME_YEAR], fields[WALLTIME_MONTH]) &&
           fields[WALLTIME_HOUR] < 24 && fields[WALLTIME_MINUTE] < 60 &&
           fields[WALLTIME_SECOND] < 60;
}

static uint64_t walltime_seconds(const unsigned *fields)
{
    uint64_t days = fields[WALLTIME_MONTH_DAY] - 1;
    for (unsigned year = WALLTIME_EPOCH; year < fields[WALLTIME_YEAR]; year++)
        days += 365 + walltime_is_leap(year);
    for (unsigned month = 1; month < fields[WALLTIME_MONTH]; month++)
        days += walltime_month_days(fields[WALLTIME_YEAR], month);
    return days * WALLTIME_DAY + fields[WALLTIME_HOUR] * 3600 + fields[WALLTIME_MINUTE] * 60 +
           fields[WALLTIME_SECOND];
}

bool walltime_parse(const char *text, uint64_t *seconds)
{
    unsigned fields[WALLTIME_FIELDS + 1] = {0};
    size_t size = strlen(text);
    *seconds = 0;
    if (size > 0 && size <= WALLTIME_DIGITS && strspn(text, "0123456789") == size)
        *seconds = strtoull(text, NULL, 10);
    else if (walltime_parse_fields(text, fields) && walltime_fields_are_good(fields))
        *seconds = walltime_seconds(fields);
    return *seconds != 0;
}
