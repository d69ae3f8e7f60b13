/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PUT_H
#define GT_WEB_PUT_H

/*
 * Functions that compose a text: each writes at `to`, where there must be enough room, and
 * returns the end of what it wrote. No NUL is written.
 */

#include <stddef.h>
#include <string.h>

static inline char *gt_web_put_bytes(char *to, const char *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static inline char *gt_web_put_text(char *to, const char *text)
{
    return gt_web_put_bytes(to, text, strlen(text));
}

#endif
