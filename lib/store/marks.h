/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_MARKS_H
#define GT_STORE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_marks_item;
struct gt_marks_log;

/* Logs and CPU profile samples, ordered by time. A sample takes 16 bytes, a log 24. */
struct gt_marks {
    struct gt_marks_item *list;
    size_t count, room;
    struct gt_marks_log *logs;
    size_t log_count, log_room;
};

void gt_marks_destroy(struct gt_marks *marks);

/* Append a mark. A time before that of the last mark is replaced by that. False: out of memory. */
bool gt_marks_add_sample(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack);
bool gt_marks_add_log(struct gt_marks *marks, int64_t time, uint32_t goroutine, uint32_t stack,
                      uint32_t text);

/* The index of the first mark at `time` or later; the number of marks if there is none. */
size_t gt_marks_find(const struct gt_marks *marks, int64_t time);

struct gt_mark;

/* Sets `*mark` except for its text, whose id is stored in `*text`. */
void gt_marks_get(const struct gt_marks *marks, size_t index, struct gt_mark *mark, uint32_t *text);
size_t gt_marks_memory(const struct gt_marks *marks);

#endif
