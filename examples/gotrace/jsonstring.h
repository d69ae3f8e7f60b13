/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSONSTRING_H
#define JSONSTRING_H

#include <gotrace/types.h>

#include "output.h"

enum {
    /* The most bytes that one character becomes. */
    JSONSTRING_STEP = 8
};

/*
 * Writes a string of the trace as Go's encoding/json does: between double quotes, with
 * what is special to HTML escaped, and U+FFFD for what is not UTF-8.
 */
void jsonstring_write(struct output *out, gt_string string);

/* How many bytes the UTF-8 character that a string, not empty, begins with has, and which it
 * is; 0 where it is none. */
size_t jsonstring_decode(gt_string string, uint32_t *character);

/*
 * The same without the quotes, to the `room` bytes at `to`: as much as fits, and
 * `*rest` moves behind that. Returns how many bytes were written. With
 * JSONSTRING_STEP bytes of room there is progress.
 */
size_t jsonstring_escape(gt_string *rest, char *to, size_t room);

#endif
