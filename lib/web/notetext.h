/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_NOTETEXT_H
#define GT_WEB_NOTETEXT_H

/*
 * The text of the user's notes on a trace, as the host keeps it and as the page exports it:
 * {"version":1,"notes":[{"time":5,"end":9,"row":"goroutine:1","text":"why?"}]}.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/types.h>

enum {
    GT_NOTETEXT_NOTES_MAX = 1000,
    /* The longest text of a note, in 16-bit units of UTF-16, by which the page measures it. */
    GT_NOTETEXT_TEXT_MAX = 2000
};

struct gt_notetext {
    /* The list of notes within the text that was checked: valid JSON in valid UTF-8. */
    gt_string list;
    /* The reason why the text is not valid, or NULL if it is. */
    const char *why;
    /* The number of the invalid note, counted from 1, or 0 if the fault is in none of the notes. */
    size_t note;
};

/*
 * Checks a text from an untrusted source. Unknown members are refused, because storing the notes
 * again would drop them. Returns whether the text is valid, and fills `*out`.
 */
bool gt_notetext_check(gt_string text, struct gt_notetext *out);

#endif
