/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WHYROWS_H
#define WHYROWS_H

/* The rows of critical paths, by what is printed of them. */

#include <gotrace/path.h>

#include "table.h"

enum {
    /* The time of the slow intervals and that of the ones in the middle; or one of them. */
    WHYROWS_SIDES = 2
};

struct whyrow {
    gt_string group;
    gt_string what;
    gt_string reason;
    gt_string where;
    /* The sums, and then the means over the intervals of each side. */
    int64_t time[WHYROWS_SIDES];
};

struct whyrows {
    struct whyrow *list;
    size_t count;
    size_t capacity;
    /* Owned texts that rows point to. */
    char **texts;
    size_t text_count;
    size_t text_capacity;
};

/* Copies the frames of an element of `path`: gt_path_row_frames or gt_path_part_frames. */
typedef gt_status whyrows_frames_fn(const gt_path *path, size_t index, gt_frame *frames,
                                    size_t capacity, size_t *count);

/*
 * Sets `*text` to where an element was: the innermost function outside of package runtime, or the
 * stack. Returns false if there is not enough memory.
 */
bool whyrows_describe(struct whyrows *rows, gt_string *text, const gt_path *path, size_t index,
                      whyrows_frames_fn *frames_of, bool by_stack);

/*
 * Adds the rows of the selection to one side. A structure of zeros is empty. Returns false if there
 * is not enough memory.
 */
bool whyrows_add(struct whyrows *rows, const gt_path *path, size_t side, bool by_stack);

/* Merges rows that have the same texts, and sorts them by the difference of the sides. `counts` are
 * the numbers of intervals, and `is_mean` asks for means over them. */
void whyrows_merge(struct whyrows *rows, const size_t *counts, bool is_mean);

void whyrows_free(struct whyrows *rows);

#endif
