/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* The most bytes of a character. */
    UTF8_MAX = 4
};

/*
 * Decodes the character at the start of `size` bytes, of which there must be at least one. Returns
 * its length in bytes, or 0 if it is not valid.
 */
size_t utf8_decode(const char *data, size_t size, uint32_t *character);

#endif
