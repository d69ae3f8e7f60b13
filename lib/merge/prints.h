/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_PRINTS_H
#define GT_MERGE_PRINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "merge/repair.h"

/*
 * Text in a trace: many programs print to the file that their trace goes to, as to their standard
 * output. Go writes each batch with one call, so that the text lies between batches, and nothing is
 * lost.
 */

enum {
    /* The bytes of the first line that a message quotes. */
    GT_PRINTS_LINE = 48,

    /* The least bytes of text that cannot be bytes of the trace which look so by chance. */
    GT_PRINTS_SURE = 6
};

/* Bytes that may be text, which are looked at one by one. */
struct gt_prints_run {
    uint64_t offset; /* of the first byte */
    uint64_t size;
    uint64_t lines;
    bool is_text;                  /* so far */
    bool is_in_line;               /* the last line has not ended */
    uint8_t more;                  /* how many bytes of the last character are to come */
    char line[GT_PRINTS_LINE + 4]; /* with room for a whole character at its end */
    size_t line_size; /* that of the first line that is not empty, cut off behind GT_PRINTS_LINE */
    bool has_line;
};

/* All text of a trace. */
struct gt_prints {
    uint64_t lines;
    struct gt_prints_run first; /* the first run, which a message quotes */
};

/* Begins a run at an offset of the input, and adds its next byte. */
void gt_prints_run_begin(struct gt_prints_run *run, uint64_t offset);
void gt_prints_run_add(struct gt_prints_run *run, uint8_t byte);

/*
 * Whether the run has bytes, and they are text: UTF-8 without control characters but those of
 * lines, colours and the like.
 */
bool gt_prints_run_is_text(const struct gt_prints_run *run);

/* Whether it is text, and not bytes that look so by chance: it ends with a line, or is long. */
bool gt_prints_run_is_likely(const struct gt_prints_run *run);

/* Whether the run, which is text, ends with a line, and is long. */
bool gt_prints_run_is_lines(const struct gt_prints_run *run);

/* Whether text may contain this byte. */
bool gt_prints_may_have(uint8_t byte);

/* Adds a run, which is text. */
void gt_prints_add(struct gt_prints *prints, const struct gt_prints_run *run);

/* Reports all text as one repair, if there is any, and forgets it. */
void gt_prints_report(struct gt_prints *prints, struct gt_repair *repair, gt_error *error);

#endif
