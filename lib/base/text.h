/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_TEXT_H
#define GT_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

/* Whether both have the same bytes. The data of an empty text may be NULL. */
static inline bool gt_text_equal(gt_string a, gt_string b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Whether the text is the string `literal`. */
static inline bool gt_text_is(gt_string text, const char *literal)
{
    return gt_text_equal(text, (gt_string){literal, strlen(literal)});
}

/* Whether the text is the string `prefix`, or starts with it. */
static inline bool gt_text_starts_with(gt_string text, const char *prefix)
{
    size_t size = strlen(prefix);
    return text.size >= size && (size == 0 || memcmp(text.data, prefix, size) == 0);
}

/* Whether the string `part`, which is not empty, occurs in the text. */
bool gt_text_contains(gt_string text, const char *part);

/* Compares byte by byte: negative, 0 or positive. A prefix comes before what it begins. */
int gt_text_compare(gt_string a, gt_string b);

/* A hash of the bytes. `secret` comes from gt_hash_secret: no file can know what collides. */
uint64_t gt_text_hash(gt_string text, uint64_t secret);

#endif
