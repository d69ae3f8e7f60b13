/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_H
#define HOST_H

/*
 * What the command needs of POSIX that wasi-libc does not declare. It is included before every file
 * of the command. host.c has the functions, which fail where WASI has nothing of the kind.
 */

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

#define TIOCGWINSZ 0

struct winsize {
    unsigned short ws_row;
    unsigned short ws_col;
};

int dup(int fd);
int fchmod(int fd, mode_t mode);
int pipe(int ends[2]);
void tzset(void);
FILE *host_tmpfile(void);

/* That of wasi-libc warns, and fails. */
#define tmpfile host_tmpfile

/* There is only one thread. */
#define flockfile(file)   ((void) (file))
#define funlockfile(file) ((void) (file))

#endif
