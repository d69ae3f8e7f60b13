/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSONSTRING_H
#define JSONSTRING_H

#include <gotrace/types.h>

#include "output.h"

enum {
    /* The most bytes that one character can become. */
    JSONSTRING_STEP = 8
};

/*
 * Writes a string of the trace as Go's encoding/json does: in double quotes, with characters that
 * are special in HTML escaped, and with U+FFFD in place of invalid UTF-8.
 */
void jsonstring_write(struct output *out, gt_string string);

/*
 * Decodes the UTF-8 character at the beginning of a string that is not empty. Returns its size in
 * bytes, or 0 if it is invalid.
 */
size_t jsonstring_decode(gt_string string, uint32_t *character);

/*
 * The same without the quotes, to the `room` bytes at `to`: it writes as much as fits and advances
 * `*rest`. Returns how many bytes it wrote; that is more than 0 if there is room for
 * JSONSTRING_STEP bytes.
 */
size_t jsonstring_escape(gt_string *rest, char *to, size_t room);

#endif
