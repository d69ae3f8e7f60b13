/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PUT_H
#define GT_WEB_PUT_H

/* Texts that are put together: each writes at `to`, and returns the end of what it wrote. */

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
