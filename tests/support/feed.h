/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FEED_H
#define TESTS_SUPPORT_FEED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes that are delivered in pieces: the user data of feed_read, a gt_read_fn. */
struct feed {
    const uint8_t *data;
    size_t size;
    size_t position;
    /*
     * The sizes of the reads, which repeat; without any, each read delivers as many bytes as fit.
     */
    const size_t *steps;
    size_t step_count;
    size_t step;
    /* Reads from this position on return `failure`; SIZE_MAX: none does. */
    size_t fail_at;
    int64_t failure;
    uint64_t calls;
};

void feed_init(struct feed *feed, const void *data, size_t size);

int64_t feed_read(void *user_data, void *buffer, size_t capacity);

/*
 * A child process that writes bytes to a pipe, `step` at a time (0: all at once). Before each step
 * except the first it sends signal `number` to this process (0: none).
 */
struct writer {
    pid_t child;
    /* The end to read from. */
    int fd;
};

void writer_start(struct writer *writer, const void *data, size_t size, size_t step, int number);

/* A child that writes to a FIFO once that is opened for reading; `fd` is not used. */
void writer_start_fifo(struct writer *writer, const char *path, const void *data, size_t size);

/* Closes the pipe, if any, and waits for the child. */
void writer_stop(struct writer *writer);

#endif
