/* SPDX-License-Identifier: BSD-3-Clause */
#include "walltime.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALLTIME_DAY = 24 * 60 * 60,
    WALLTIME_HOUR_SECONDS = 60 * 60,
    /* Twelve digits reach beyond the year 9999, and no sum of them overflows. */
    WALLTIME_DIGITS = 12,
    WALLTIME_EPOCH = 1970,
    /* The nanoseconds of a tenth of a second. */
    WALLTIME_TENTH = 100000000
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

/*
 * Parses the beginning of the text, in which a digit stands where `form` has one, into fields.
 * Returns the rest of the text, or NULL.
 */
static const char *walltime_parse_fields(const char *text, const char *form, unsigned *fields)
{
    int field = 0;
    for (const char *at = form; *at; at++, text++) {
        if (*at != '0' && *at != *text)
            return NULL;
        if (*at == '0' && (*text < '0' || *text > '9'))
            return NULL;
        if (*at == '0')
            fields[field] = fields[field] * 10 + (unsigned) (*text - '0');
        else
            field++;
    }
    return text;
}

/* Parses a fraction of a second, if there is one. Returns the rest of the text, or NULL. */
static const char *walltime_parse_fraction(const char *text, uint32_t *nanoseconds)
{
    uint32_t unit = WALLTIME_TENTH;
    *nanoseconds = 0;
    if (*text != '.')
        return text;
    for (text++; *text >= '0' && *text <= '9'; text++, unit /= 10) {
        if (unit == 0)
            return NULL;
        *nanoseconds += unit * (uint32_t) (*text - '0');
    }
    return unit == WALLTIME_TENTH ? NULL : text;
}

/* Parses a Z or an offset from UTC, with which the text must end. Sets the offset in seconds. */
static bool walltime_parse_zone(const char *text, int64_t *offset)
{
    unsigned fields[2] = {0};
    *offset = 0;
    if (strcmp(text, "Z") == 0)
        return true;
    const char *end =
        *text == '+' || *text == '-' ? walltime_parse_fields(text + 1, "00:00", fields) : NULL;
    if (!end || *end != '\0' || fields[0] >= 24 || fields[1] >= 60)
        return false;
    *offset =
        (*text == '+' ? 1 : -1) * (int64_t) (fields[0] * WALLTIME_HOUR_SECONDS + fields[1] * 60);
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

bool walltime_parse_date(const char *text, int64_t *seconds, uint32_t *nanoseconds)
{
    unsigned fields[WALLTIME_FIELDS] = {0};
    int64_t offset;
    text = walltime_parse_fields(text, "0000-00-00T00:00:00", fields);
    if (!text || !walltime_fields_are_good(fields))
        return false;
    text = walltime_parse_fraction(text, nanoseconds);
    if (!text || !walltime_parse_zone(text, &offset))
        return false;
    *seconds = (int64_t) walltime_seconds(fields) - offset;
    return *seconds >= 0;
}

bool walltime_parse(const char *text, uint64_t *seconds)
{
    size_t size = strlen(text);
    int64_t date;
    uint32_t nanoseconds;
    *seconds = 0;
    if (size > 0 && size <= WALLTIME_DIGITS && strspn(text, "0123456789") == size)
        *seconds = strtoull(text, NULL, 10);
    else if (walltime_parse_date(text, &date, &nanoseconds) && nanoseconds == 0)
        *seconds = (uint64_t) date;
    return *seconds != 0;
}
