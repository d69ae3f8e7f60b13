/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_TEXT_H
#define GT_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

/* Returns whether both texts have the same bytes. The data of an empty text may be NULL. */
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

/*
 * These functions compose a text: each writes at `to`, where there must be room, and returns the
 * end of the written bytes. They write no NUL.
 */
static inline char *gt_text_put_bytes(char *to, const char *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static inline char *gt_text_put(char *to, const char *literal)
{
    return gt_text_put_bytes(to, literal, strlen(literal));
}

/*
 * Copies a text, followed by a NUL, to the `room` bytes at `to` that a caller of the API provides.
 * A text that does not fit is truncated. Returns how many bytes of the text were copied.
 */
size_t gt_text_give(char *to, size_t room, const char *data, size_t size);

/* Whether the string `part`, which is not empty, occurs in the text. */
bool gt_text_contains(gt_string text, const char *part);

/* Converts an ASCII capital letter to lower case; returns any other character as it is. */
static inline char gt_text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/*
 * Returns whether `part` occurs in the text, ignoring the case of ASCII letters. `part` must not
 * contain ASCII capitals.
 */
bool gt_text_contains_lower(gt_string text, gt_string part);

/*
 * Compares two texts byte by byte. The result is negative, 0 or positive. A prefix comes before a
 * longer text.
 */
int gt_text_compare(gt_string a, gt_string b);

/*
 * Returns a hash of the bytes. `secret` comes from gt_hash_secret, so that no file can provoke
 * collisions.
 */
uint64_t gt_text_hash(gt_string text, uint64_t secret);

#endif
