/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WALLCLOCK_H
#define GT_WEB_WALLCLOCK_H

#include <stdint.h>

enum {
    /* Room for a wall-clock time, whatever its year. */
    GT_WEB_WALLCLOCK_MAX = 64
};

/*
 * Writes a time in UTC as RFC 3339 does, such as 2026-11-21T00:48:33.794275359Z; zeros at the
 * end of the fraction are left out, as in Go. Returns the end of what it wrote.
 */
char *gt_web_wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds);

#endif
