/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PUT_H
#define GT_WEB_PUT_H

/* Texts that are put together: each writes at `to`, and returns the end of what it wrote. */

#include <stddef.h>
#include <stdint.h>
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

/* In lower case, without 0x; at most 16 digits. */
static inline char *gt_web_put_hex(char *to, uint64_t value)
{
    unsigned int count = 1;
    while (count < 16 && value >> (4 * count) != 0)
        count++;
    for (unsigned int i = count; i > 0; i--) {
        to[i - 1] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
    return to + count;
}

#endif
