/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WALLCLOCK_H
#define GT_WEB_WALLCLOCK_H

#include <stdint.h>

enum {
    /* The size of a buffer for a wall-clock time of any year. */
    GT_WEB_WALLCLOCK_MAX = 64
};

/*
 * Writes a time in UTC in the format of RFC 3339, such as 2026-11-21T00:48:33.794275359Z. As in
 * Go, trailing zeros of the fraction are omitted. Returns the end of the text, which has no NUL.
 */
char *gt_web_wallclock_put(char *to, int64_t seconds, uint32_t nanoseconds);

#endif
