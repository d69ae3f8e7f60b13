/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UNPACKER_H
#define UNPACKER_H

/*
 * Decompresses by running `gzip -dc` or `zstd -dc`. The output of the program is streamed, so that
 * it needs no memory that grows with the data.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <gotrace/status.h>

enum {
    /* The number of bytes by which the compression is recognised. */
    UNPACKER_MAGIC = 4,
    UNPACKER_ROOM = 16 * 1024
};

struct unpacker {
    /* "gzip" or "zstd"; NULL if nothing is decompressed. */
    const char *program;
    /* 0 if it does not run. */
    pid_t child;
    /* The standard input of the child if it is fed from here, and its standard output, or -1. */
    int to;
    int out;
    /* The messages that it prints to standard error. */
    FILE *said;
    /* The bytes that were read from the source and not yet passed to the child. */
    char waiting[UNPACKER_ROOM];
    size_t waiting_start;
    size_t waiting_size;
    /* Why it failed, in one line; empty if nothing went wrong. */
    char error[GT_ERROR_MESSAGE_SIZE];
};

/* Returns the program that decompresses data that starts like this, or NULL. */
const char *unpacker_recognise(const char *start, size_t size);

/*
 * Starts the program. It reads the file `from` by itself, from where that is positioned; or if
 * `is_fed` is set, it gets `start`, which was read before, and what unpacker_read reads from
 * `from`. On failure returns false and sets the error. unpacker_stop must be called in any case.
 */
bool unpacker_start(struct unpacker *unpacker, const char *program, int from, bool is_fed,
                    const char *start, size_t start_size);

/*
 * Reads decompressed bytes. Returns their number, 0 at the end, or -1 if decompressing failed, with
 * the error set.
 */
int64_t unpacker_read(struct unpacker *unpacker, int from, void *buffer, size_t capacity);

/* Ends the program if it still runs, and frees everything except the error. */
void unpacker_stop(struct unpacker *unpacker);

#endif
