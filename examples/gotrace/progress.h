/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROGRESS_H
#define PROGRESS_H

/*
 * The line on standard error that says how far the reading of a trace has come: "gotrace: 42%, 47
 * of 111 MB, 120 MB/s, 1 s left: NAME". It appears once reading has taken half a second, is drawn
 * again at most ten times a second, and is erased before anything else is written to the terminal.
 * The program has one.
 */

#include <stdbool.h>

#include <gotrace/reader.h>

enum progress_mode {
    PROGRESS_ON_TERMINAL, /* if standard error is a terminal */
    PROGRESS_FORCED,      /* even if standard error is not a terminal, and from the beginning */
    PROGRESS_OFF
};

/* Begins to measure the time. `name` is the file, which must remain valid until progress_end. */
void progress_begin(const char *name, enum progress_mode mode);

/* A gt_progress_fn; `user_data` is not used. */
int progress_report(void *user_data, const gt_progress *to);

/* Erases the line until it is drawn again, or for good. */
void progress_clear(void);
void progress_end(void);

#endif
