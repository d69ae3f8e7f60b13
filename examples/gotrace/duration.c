/* SPDX-License-Identifier: BSD-3-Clause */
#include "duration.h"

#include <string.h>

#include "output.h"

static const struct unit {
    const char *name;
    int64_t nanoseconds;
} units[] = {
    {"", 1},         {"ns", 1},         {"us", 1000},       {"\302\265s", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000},
};

/* Writes `value` / `unit` as a decimal number, and the name of the unit. */
static char *duration_put_in_unit(char *to, uint64_t value, uint64_t unit, const char *name)
{
    uint64_t rest = value % unit;
    to = put_unsigned(to, value / unit);
    if (rest != 0) {
        *to++ = '.';
        for (; rest != 0; rest %= unit) {
            unit /= 10;
            *to++ = (char) ('0' + rest / unit);
        }
    }
    return put_text(to, name);
}

char *duration_put(char *to, int64_t nanoseconds)
{
    const uint64_t second = 1000000000;
    uint64_t value = nanoseconds < 0 ? 0 - (uint64_t) nanoseconds : (uint64_t) nanoseconds;
    if (nanoseconds < 0)
        *to++ = '-';
    if (value < 1000)
        return value == 0 ? put_text(to, "0s") : duration_put_in_unit(to, value, 1, "ns");
    if (value < 1000000)
        return duration_put_in_unit(to, value, 1000, "\302\265s");
    if (value < second)
        return duration_put_in_unit(to, value, 1000000, "ms");
    if (value >= 3600 * second)
        to = put_text(put_unsigned(to, value / (3600 * second)), "h");
    if (value >= 60 * second)
        to = put_text(put_unsigned(to, value / (60 * second) % 60), "m");
    return duration_put_in_unit(to, value % (60 * second), second, "s");
}

/* Parses up to 18 digits and advances `*text`. Returns false if there are none, or more. */
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

bool duration_parse(const char *text, int64_t *nanoseconds)
{
    int64_t whole = 0, part = 0, ignored = 1, scale = 1;
    if (!duration_parse_digits(&text, &whole, &ignored))
        return false;
    if (*text == '.') {
        text++;
        if (!duration_parse_digits(&text, &part, &scale))
            return false;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        int64_t unit = units[i].nanoseconds;
        if (strcmp(text, units[i].name) != 0)
            continue;
        double value = ((double) whole + (double) part / (double) scale) * (double) unit;
        if (value >= (double) INT64_MAX)
            return false;
        /* Whole numbers are exact. */
        *nanoseconds = part == 0 ? whole * unit : (int64_t) (value + 0.5);
        return true;
    }
    return false;
}
