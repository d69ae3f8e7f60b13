/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_EXCERPT_H
#define GT_BASE_EXCERPT_H

#include <stddef.h>

#include <gotrace/types.h>

enum {
    /* The bytes that an excerpt may need besides those of the text: three dots and a NUL. */
    GT_EXCERPT_MORE = 4
};

/*
 * Writes the beginning of a text, at most `most` bytes of it, with "?" for what would garble a
 * terminal, a single quote for a double one, as messages quote it, and dots if there is more. The
 * array has room for `most` + GT_EXCERPT_MORE bytes.
 */
void gt_excerpt_put(char *to, size_t most, gt_string text);

#endif
