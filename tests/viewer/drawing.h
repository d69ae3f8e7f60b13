/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEWER_DRAWING_H
#define TESTS_VIEWER_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/viewer_perfetto.h>

/* A file of Perfetto that is written by calls of the callbacks of a consumer. */
struct drawing {
    gt_perfetto_writer *writer;
    gt_consumer consumer;
    char *data;
    size_t size;
    size_t calls;
    size_t fail_at; /* the call of the write function that fails, from 1; 0: none */
    /* The write function tries to use the writer. */
    bool meddles;
};

/* Opens a writer. Returns what that returns. */
gt_status drawing_open(struct drawing *drawing, uint32_t rows, const gt_perfetto_options *options);

/* Opens a writer, which must succeed. */
void drawing_begin(struct drawing *drawing, uint32_t rows, const gt_perfetto_options *options);

/* Passes an event to the consumer. Returns the status of the writer. */
gt_status drawing_add(struct drawing *drawing, const gt_viewer_event *event);

/* The same for a frame. */
gt_status drawing_add_frame(struct drawing *drawing, uint32_t id, uint32_t parent,
                            const char *function, const char *file, uint64_t line);

/* Flushes and finishes. Returns the status of the writer. */
gt_status drawing_finish(struct drawing *drawing);

/* Finishes, and returns what was written as text, which the caller frees; see packets_text. */
char *drawing_text(struct drawing *drawing);

/*
 * Finishes, and asserts that the text has these lines after the packets with which each file
 * begins. Closes the writer.
 */
#define assert_drawing(drawing, expected) drawing_check((drawing), (expected), __FILE__, __LINE__)
void drawing_check(struct drawing *drawing, const char *expected, const char *file, int line);

void drawing_close(struct drawing *drawing);

/* Returns an event with these members. */
gt_viewer_event event_of(char phase, uint64_t resource, int64_t time, int64_t duration,
                         const char *name);

gt_viewer_argument text_argument(const char *key, const char *value);
gt_viewer_argument number_argument(const char *key, uint64_t value);

#endif
