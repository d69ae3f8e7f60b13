/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include "base/hash.h"

bool gt_text_contains(gt_string text, const char *part)
{
    size_t size = strlen(part);
    while (text.size >= size) {
        const char *at = memchr(text.data, part[0], text.size - size + 1);
        if (!at)
            return false;
        if (memcmp(at, part, size) == 0)
            return true;
        text.size -= (size_t) (at + 1 - text.data);
        text.data = at + 1;
    }
    return false;
}

size_t gt_text_give(char *to, size_t room, const char *data, size_t size)
{
    if (!to || room == 0)
        return 0;
    size_t fitting = size < room ? size : room - 1;
    *gt_text_put_bytes(to, data, fitting) = '\0';
    return fitting;
}

bool gt_text_contains_lower(gt_string text, gt_string part)
{
    for (size_t i = 0; i + part.size <= text.size; i++) {
        size_t same = 0;
        while (same < part.size && gt_text_lower(text.data[i + same]) == part.data[same])
            same++;
        if (same == part.size)
            return true;
    }
    return false;
}

int gt_text_compare(gt_string a, gt_string b)
{
    size_t least = a.size < b.size ? a.size : b.size;
    int order = least == 0 ? 0 : memcmp(a.data, b.data, least);
    if (order != 0)
        return order;
    return a.size < b.size ? -1 : a.size > b.size;
}

uint64_t gt_text_hash(gt_string text, uint64_t secret)
{
    uint64_t hash = text.size, word;
    for (; text.size > sizeof(word); text.size -= sizeof(word)) {
        memcpy(&word, text.data, sizeof(word));
        hash = gt_hash(hash ^ word, secret);
        text.data += sizeof(word);
    }
    word = 0;
    if (text.size > 0)
        memcpy(&word, text.data, text.size);
    return gt_hash(hash ^ word, secret);
}
