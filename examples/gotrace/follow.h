/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FOLLOW_H
#define FOLLOW_H

/*
 * Reads a file that another program is still writing, or a pipe, until the user or the other
 * program ends that.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* When following ends, besides at the user's wish. */
struct follow_rules {
    /* When this process has ended; 0 if that does not matter. */
    pid_t pid;
    /* When nothing has come for this time in nanoseconds; 0 if that does not matter. */
    int64_t idle;
    /* Called before waiting; may be NULL. */
    void (*before_wait)(void *user_data);
    void *user_data;
};

struct follow {
    const struct follow_rules *rules;
    int fd;
    /* The name by which the file was opened; NULL if it is not a regular file. Borrowed. */
    const char *path;
    dev_t device;
    ino_t inode;
    /* Where the next byte of the file is. */
    off_t offset;
    /* When the last bytes came, in milliseconds. */
    int64_t last;
    volatile sig_atomic_t is_stopped;
    /* Why following ended too early, or NULL. */
    const char *fault;
};

/* Begins to follow `fd`, which was opened by the name `path`, or by none if that is NULL. */
void follow_begin(struct follow *follow, const struct follow_rules *rules, int fd,
                  const char *path);

/*
 * Reads as a gt_read_fn does, and waits at the end of a file until it grows. Returns 0 when
 * following has ended.
 */
int64_t follow_read(struct follow *follow, void *buffer, size_t capacity);

/* Ends the following. May be called in a signal handler, and by another thread. */
void follow_stop(struct follow *follow);

#endif
