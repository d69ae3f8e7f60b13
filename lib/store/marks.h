/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_MARKS_H
#define GT_STORE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct marks_item;
struct marks_log;

/* Logs and CPU samples, in order of time: 16 bytes a sample, 24 a log. */
struct marks {
    struct marks_item *list;
    size_t count, room;
    struct marks_log *logs;
    size_t log_count, log_room;
};

void marks_destroy(struct marks *marks);

/* What is earlier than the last one is taken for as late. False: out of memory. */
bool marks_add_sample(struct marks *marks, int64_t time, uint32_t goroutine, uint32_t stack);
bool marks_add_log(struct marks *marks, int64_t time, uint32_t goroutine, uint32_t stack,
                   uint32_t text);

/* The first at `time` or later. */
size_t marks_find(const struct marks *marks, int64_t time);

struct mark;

/* All but the text, whose id goes to `*text`. */
void marks_get(const struct marks *marks, size_t index, struct mark *mark, uint32_t *text);
size_t marks_memory(const struct marks *marks);

#endif
