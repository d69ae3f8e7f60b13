/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/*
 * The names of temporary files that must not remain when a signal ends the program. Any thread may
 * call these functions.
 */

#include <stdbool.h>

/*
 * Adds a file, whose name must remain valid until temporary_forget has returned true. Returns false
 * if there are too many, and then the file is left to the caller alone.
 */
bool temporary_add(const char *path);

/*
 * Forgets a file that was added. Returns false if a signal handler has removed it, which may still
 * need the name.
 */
bool temporary_forget(const char *path);

/*
 * What is created between these two calls is added before temporary_remove_all can run in the
 * signal handler of another thread. If that has run already, the first call does not return, as the
 * program is about to end. Signals must be blocked.
 */
void temporary_hold(void);
void temporary_release(void);

/* Removes all files that were added. May be called in a signal handler; after it, the program must
 * end. */
void temporary_remove_all(void);

#endif
