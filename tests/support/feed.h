/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FEED_H
#define TESTS_SUPPORT_FEED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Bytes given out a few at a time: the user data of feed_read, a gt_read_fn.
 */
struct feed {
    const uint8_t *data;
    size_t size;
    size_t position;
    /* Sizes of the reads in turn, from the start again after the last; none
     * for as many bytes as there are and fit. */
    const size_t *steps;
    size_t step_count;
    size_t step;
    /* From this position on reads return `failure`; SIZE_MAX for never. */
    size_t fail_at;
    int64_t failure;
    uint64_t calls;
};

void feed_init(struct feed *feed, const void *data, size_t size);

int64_t feed_read(void *user_data, void *buffer, size_t capacity);

/*
 * A child process that writes bytes to a pipe, `step` at a time (0 for all at
 * once), and before each step but the first sends signal `number` to this process
 * (0 for none).
 */
struct writer {
    pid_t child;
    /* The end to read from. */
    int fd;
};

void writer_start(struct writer *writer, const void *data, size_t size, size_t step, int number);

/* A child that writes to a FIFO, once that is opened for reading; there is no `fd`. */
void writer_start_fifo(struct writer *writer, const char *path, const void *data, size_t size);

/* Closes the pipe if there is one, and waits for the child. */
void writer_stop(struct writer *writer);

#endif
