/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <string.h>

#include <gotrace/time.h>

#include "base/decimal.h"
#include "base/text.h"

static const struct duration_unit {
    const char *name;
    int64_t nanoseconds;
} duration_units[] = {
    {"", 1},         {"ns", 1},         {"us", 1000},       {"\302\265s", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000},
};

/* Writes `value` / `unit` as a decimal number, and the name of the unit. */
static char *duration_put_in_unit(char *to, uint64_t value, uint64_t unit, const char *name)
{
    uint64_t rest = value % unit;
    to = gt_decimal_put(to, value / unit);
    if (rest != 0) {
        *to++ = '.';
        for (; rest != 0; rest %= unit) {
            unit /= 10;
            *to++ = (char) ('0' + rest / unit);
        }
    }
    return gt_text_put(to, name);
}

/* Writes a duration as Go's time.Duration.String does: time/time.go. */
static char *duration_put(char *to, int64_t nanoseconds)
{
    const uint64_t second = 1000000000;
    uint64_t value = gt_decimal_magnitude(nanoseconds);
    if (nanoseconds < 0)
        *to++ = '-';
    if (value < 1000)
        return value == 0 ? gt_text_put(to, "0s") : duration_put_in_unit(to, value, 1, "ns");
    if (value < 1000000)
        return duration_put_in_unit(to, value, 1000, "\302\265s");
    if (value < second)
        return duration_put_in_unit(to, value, 1000000, "ms");
    if (value >= 3600 * second)
        to = gt_text_put(gt_decimal_put(to, value / (3600 * second)), "h");
    if (value >= 60 * second)
        to = gt_text_put(gt_decimal_put(to, value / (60 * second) % 60), "m");
    return duration_put_in_unit(to, value % (60 * second), second, "s");
}

size_t gt_duration_format(int64_t nanoseconds, char *text, size_t room)
{
    char whole[GT_DURATION_TEXT_SIZE];
    return gt_text_give(text, room, whole, (size_t) (duration_put(whole, nanoseconds) - whole));
}

/*
 * Parses 1 to 18 digits into `*value`, multiplies `*scale` by ten for each of them, and advances
 * `*text` past them. Returns false if there are none, or more than 18.
 */
static bool duration_parse_digits(const char **text, int64_t *value, int64_t *scale)
{
    const char *at = *text;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (at - *text == 18)
            return false;
        *value = *value * 10 + (*at - '0');
        *scale *= 10;
    }
    bool found = at > *text;
    *text = at;
    return found;
}

static const struct duration_unit *duration_find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof(duration_units) / sizeof(duration_units[0]); i++) {
        if (strcmp(name, duration_units[i].name) == 0)
            return &duration_units[i];
    }
    return NULL;
}

gt_status gt_duration_parse(const char *text, int64_t *nanoseconds)
{
    int64_t whole = 0, part = 0, ignored = 1, scale = 1;
    if (!text || !nanoseconds || !duration_parse_digits(&text, &whole, &ignored))
        return GT_ERR_INVALID_ARGUMENT;
    if (*text == '.') {
        text++;
        if (!duration_parse_digits(&text, &part, &scale))
            return GT_ERR_INVALID_ARGUMENT;
    }
    const struct duration_unit *unit = duration_find_unit(text);
    if (!unit)
        return GT_ERR_INVALID_ARGUMENT;
    double size = (double) unit->nanoseconds;
    double value = ((double) whole + (double) part / (double) scale) * size;
    if (value >= (double) INT64_MAX)
        return GT_ERR_INVALID_ARGUMENT;
    /* Whole numbers are computed separately, so that they are exact. */
    *nanoseconds = part == 0 ? whole * unit->nanoseconds : (int64_t) (value + 0.5);
    return GT_OK;
}
