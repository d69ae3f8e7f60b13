/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include "base/hash.h"

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
