/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WALLCLOCK_H
#define WALLCLOCK_H

#include <stdint.h>

enum {
    /* Room for a wall-clock time, whatever its year. */
    WALLCLOCK_MAX = 64
};

/*
 * Seconds that local time is ahead of UTC at `seconds` since 1970-01-01 UTC; 0
 * for a time that the C library cannot convert.
 */
int64_t wallclock_zone(int64_t seconds);

/*
 * Writes a time as RFC 3339 does, such as 2026-11-21T01:48:33.794275359+01:00,
 * in a zone that is `zone` seconds ahead of UTC. As Go does it, zeros at the
 * end of the fraction are left out, and years take as many digits as they need.
 * Returns the end.
 */
char *wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds, int64_t zone);

#endif
