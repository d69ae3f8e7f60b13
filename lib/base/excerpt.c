/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/excerpt.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* Returns the bytes of the first character of a text, and whether a message may contain it. */
static size_t excerpt_character(gt_string text, bool *is_plain)
{
    uint32_t rune;
    uint8_t first = (uint8_t) text.data[0];
    *is_plain = first >= ' ' && first < 0x7f && first != '"';
    if (first < 0x80)
        return 1;
    size_t size = gt_utf8_decode((const uint8_t *) text.data, text.size, &rune);
    *is_plain = size != 0;
    return size != 0 ? size : 1;
}

void gt_excerpt_put(char *to, size_t most, gt_string text)
{
    size_t size = 0;
    while (text.size > 0) {
        bool is_plain;
        size_t length = excerpt_character(text, &is_plain);
        if (size + length > most) {
            memcpy(to + size, "...", 3);
            size += 3;
            break;
        }
        if (is_plain)
            memcpy(to + size, text.data, length);
        else
            to[size] = *text.data == '"' ? '\'' : '?';
        size += is_plain ? length : 1;
        text.data += length;
        text.size -= length;
    }
    to[size] = '\0';
}
