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

/* Waits until a child has ended. Returns false if that cannot be known, with errno set. */
bool child_wait(pid_t child, int *status);

/* Returns the whole file, from malloc and terminated by NUL, or NULL on failure. */
char *child_read_file(FILE *from);

/*
 * Writes to `text` why the child that was named `program` and ended with `status` failed: the first
 * line that it printed to `said`, or its exit status.
 */
void child_explain(const char *program, FILE *said, int status, char *text, size_t room);

#endif
