/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/*
 * Handles Ctrl-C while a trace is read: it cancels the reader, so that the command can print its
 * results so far. A second Ctrl-C, or one at any other time, ends the program immediately, as
 * SIGTERM and SIGHUP do; but temporary files are removed first.
 */

#include <stdbool.h>

#include <gotrace/raw.h>
#include <gotrace/reader.h>

/*
 * Lets SIGINT cancel one of these readers, of which the other is NULL, unless the program was
 * started with SIGINT ignored. If both are NULL, those who read ask interrupt_has_come.
 */
void interrupt_arm(gt_reader *reader, gt_raw_reader *raw);

/* SIGINT ends the program again. Must be called after the reading, before the reader is
 * closed. Does nothing if it was called before. */
void interrupt_disarm(void);

/* A function that is called in a signal handler. */
typedef void interrupt_fn(void *user_data);

/*
 * Lets the first SIGINT or SIGTERM call `stop`, which ends a source that would go on, such as a
 * recording. What was recorded is then read to its end as usual. Further signals have the effect
 * that they have without this function.
 */
void interrupt_guard(interrupt_fn *stop, void *user_data);

/* Must be called when the source has ended. Does nothing if there is none. */
void interrupt_unguard(void);

/*
 * Lets SIGINT, SIGTERM and SIGHUP remove the files of temporary.h before they end the program. Does
 * nothing to a signal that is handled already, or was ignored when the program started.
 */
void interrupt_protect(void);

/* Removes the files of temporary.h and ends the program by the signal. For signal handlers. */
void interrupt_end(int number);

/* Returns whether SIGINT has cancelled a reader since the first call of interrupt_arm, so that
 * waiting for input must end. Any thread may call it. */
bool interrupt_has_come(void);

/* If SIGINT has cancelled a reader, ends the program by this signal, because the parent process,
 * such as a shell, expects that. */
void interrupt_raise(void);

#endif
