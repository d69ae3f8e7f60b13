/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHILD_H
#define CHILD_H

/* Other programs that the command runs, without a shell. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    CHILD_STREAMS = 3
};

/*
 * Starts the program `arguments[0]`, which is found by PATH, with `streams` as its standard input,
 * output and error. Signals have their default effects in it. Returns 0 or an errno.
 */
int child_start(char *const arguments[], const int streams[CHILD_STREAMS], pid_t *child);

/* Waits until a child has ended. Returns false, with errno set, if waiting fails. */
bool child_wait(pid_t child, int *status);

/* Returns the whole file, from malloc and terminated by NUL, or NULL on failure. */
char *child_read_file(FILE *from);

/*
 * Writes the reason for which a child failed to `text`. `program` is its name, `status` is the
 * status with which it ended, and `said` has the messages that it printed. The reason is the first
 * of these lines, or else the exit status.
 */
void child_explain(const char *program, FILE *said, int status, char *text, size_t room);

#endif
