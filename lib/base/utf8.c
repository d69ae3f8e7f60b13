/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

size_t gt_utf8_decode(const uint8_t *s, size_t size, uint32_t *rune)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : 2;
    if (*s < 0xc0 || *s >= 0xf8 || length > size)
        return 0;
    uint32_t value = *s & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3f);
    }
    if (value < least[length] || !gt_utf8_is_rune(value))
        return 0;
    *rune = value;
    return length;
}

/* The number of bytes in the longest valid prefix of the text, in whole characters. */
static size_t utf8_valid_size(gt_string text)
{
    const uint8_t *s = (const uint8_t *) text.data;
    size_t at = 0;
    while (at < text.size) {
        uint32_t rune;
        size_t length = s[at] < 0x80 ? 1 : gt_utf8_decode(s + at, text.size - at, &rune);
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

gt_string gt_utf8_take(gt_string *rest)
{
    static const gt_string replacement = {"\xef\xbf\xbd", 3};
    size_t size = utf8_valid_size(*rest);
    gt_string piece = size > 0 ? (gt_string){rest->data, size} : replacement;
    if (size == 0)
        size = 1;
    rest->data += size;
    rest->size -= size;
    return piece;
}

size_t gt_utf8_mended_size(gt_string text)
{
    size_t size = 0;
    while (text.size > 0)
        size += gt_utf8_take(&text).size;
    return size;
}

char *gt_utf8_put(char *to, uint32_t rune)
{
    static const uint8_t marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    unsigned length = rune < 0x80 ? 1 : rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
    for (unsigned i = length; --i > 0; rune >>= 6)
        to[i] = (char) (0x80 | (rune & 0x3f));
    to[0] = (char) (marks[length] | rune);
    return to + length;
}
