/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WALLCLOCK_H
#define WALLCLOCK_H

#include <stdint.h>

enum {
    /* Enough for a wall-clock time of any year. */
    WALLCLOCK_MAX = 64
};

/*
 * Returns by how many seconds local time is ahead of UTC at `seconds` since 1970-01-01 UTC, or 0
 * for a time that the C library cannot convert.
 */
int64_t wallclock_zone(int64_t seconds);

/*
 * Writes a time in the form of RFC 3339, such as 2026-11-21T01:48:33.794275359+01:00, in a zone
 * that is `zone` seconds ahead of UTC. As in Go, the fraction has no trailing zeros, and years have
 * as many digits as they need. Returns the end.
 */
char *wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds, int64_t zone);

#endif
