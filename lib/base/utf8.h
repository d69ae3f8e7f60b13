/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_UTF8_H
#define GT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    /* The character that replaces bytes that are not valid UTF-8. */
    GT_UTF8_REPLACEMENT = 0xfffd
};

/*
 * Decodes the character at the start of the `size` bytes at `s`, of which there must be at least
 * one, and which must not be ASCII. Returns its length in bytes, or 0 if it is not valid: cut off,
 * encoded with more bytes than needed, a surrogate, or beyond U+10FFFF.
 */
size_t gt_utf8_decode(const uint8_t *s, size_t size, uint32_t *rune);

/*
 * Converts a text to valid UTF-8, in which U+FFFD replaces each invalid byte, piece by piece.
 * Returns a piece of the result for the start of `*rest`, which must not be empty, and advances
 * `*rest` past the corresponding bytes.
 */
gt_string gt_utf8_take(gt_string *rest);

/* The size of the text after the conversion by gt_utf8_take. */
size_t gt_utf8_mended_size(gt_string text);

/* Whether `value` is a Unicode code point that UTF-8 can encode. */
static inline bool gt_utf8_is_rune(uint32_t value)
{
    return value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
}

/* Encodes a character, which must be valid, and returns the end of its bytes. */
char *gt_utf8_put(char *to, uint32_t rune);

#endif
