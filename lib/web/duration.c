/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/duration.h"

#include <stddef.h>
#include <string.h>

static const struct unit {
    const char *name;
    int64_t nanoseconds;
} duration_units[] = {
    {"", 1},         {"ns", 1},         {"us", 1000},       {"\302\265s", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000},
};

/*
 * Parses 1 to 18 digits into `*value`, multiplies `*scale` by ten for each of them, and advances
 * `*text` past them. Returns false if there are none or more.
 */
static bool duration_digits_parse(const char **text, int64_t *value, int64_t *scale)
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

bool gt_web_duration_parse(const char *text, int64_t *nanoseconds)
{
    int64_t whole = 0, part = 0, ignored = 1, scale = 1;
    if (!duration_digits_parse(&text, &whole, &ignored))
        return false;
    if (*text == '.') {
        text++;
        if (!duration_digits_parse(&text, &part, &scale))
            return false;
    }
    for (size_t i = 0; i < sizeof(duration_units) / sizeof(duration_units[0]); i++) {
        int64_t unit = duration_units[i].nanoseconds;
        if (strcmp(text, duration_units[i].name) != 0)
            continue;
        double value = ((double) whole + (double) part / (double) scale) * (double) unit;
        if (value >= (double) INT64_MAX)
            return false;
        /* A whole number is converted without rounding. */
        *nanoseconds = part == 0 ? whole * unit : (int64_t) (value + 0.5);
        return true;
    }
    return false;
}
