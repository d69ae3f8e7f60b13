/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_MARKS_H
#define GT_STORE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct gt_marks_item;

/* The properties of a log that a sample does not have. */
struct gt_marks_log {
    uint32_t stack;
    /* Ids of texts: "[category] message", and the category. */
    uint32_t text, category;
    bool has_task;
    /* The number of its task in the trace. */
    int64_t task;
};

/* Logs and CPU profile samples, ordered by time. A sample takes 16 bytes, a log 40.
 * An object of zeros is empty, but `mem` must be set. */
struct gt_marks {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_marks_item) list;
    GT_ARRAY(struct gt_marks_log) logs;
};

void gt_marks_destroy(struct gt_marks *marks);

/* Append a mark. A time before that of the last mark is replaced by the time of the last mark.
 * False: out of memory. */
bool gt_marks_add_sample(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack);
bool gt_marks_add_log(struct gt_marks *marks, int64_t time, uint32_t goroutine,
                      const struct gt_marks_log *log);

/* The index of the first mark at `time` or later; the number of marks if there is none. */
size_t gt_marks_find(const struct gt_marks *marks, int64_t time);

struct gt_mark;

/* Sets `*mark` except for its texts. The id of its category is stored in `*category`. */
void gt_marks_get(const struct gt_marks *marks, size_t index, struct gt_mark *mark,
                  uint32_t *category);

#endif
