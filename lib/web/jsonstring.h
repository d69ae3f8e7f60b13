/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_JSONSTRING_H
#define GT_WEB_JSONSTRING_H

#include <gotrace/types.h>

enum {
    /* The most bytes that one character becomes. */
    GT_WEB_JSONSTRING_STEP = 8
};

/*
 * The length of the UTF-8 character that a string, which is not empty, begins with, and the
 * character itself; 0 where the string begins with none.
 */
size_t gt_web_utf8_decode(gt_string string, uint32_t *character);

/*
 * Writes a string of the trace as Go's encoding/json does, without the quotes: what is special
 * to HTML is escaped, and what is not UTF-8 becomes U+FFFD. Writes as much as fits to the `room`
 * bytes at `to`, and moves `*rest` behind that. Returns how many bytes were written: at least
 * one where there are GT_WEB_JSONSTRING_STEP bytes of room.
 */
size_t gt_web_jsonstring_escape(gt_string *rest, char *to, size_t room);

#endif
