/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_UTF8_H
#define GT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum {
    GT_UTF8_MAX = 4
};

/*
 * The length of the character that the `size` bytes at `s`, at least one of them and
 * not ASCII, begin with. 0 where it is not valid: cut off, longer than need be, a
 * surrogate or past U+10FFFF.
 */
size_t gt_utf8_decode(const uint8_t *s, size_t size, uint32_t *rune);

static inline int gt_utf8_is_rune(uint32_t value)
{
    return value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
}

/* Writes a character, which is a valid one, and returns its end. */
char *gt_utf8_put(char *to, uint32_t rune);

#endif
