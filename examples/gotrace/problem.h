/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <gotrace/status.h>

/*
 * Reports an error of an input as a line on standard error: "gotrace: NAME: WHATMESSAGE (place)".
 */
void problem_report(const char *name, const char *what, const gt_error *error);

enum {
    /* Enough for a message, a place and a NUL. */
    PROBLEM_TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

/* Formats the error as "MESSAGE (place)". */
void problem_describe(const gt_error *error, char text[PROBLEM_TEXT_MAX]);

/* Appends the text of error->system_error, which the library leaves as a number. */
void problem_add_system_error(gt_error *error);

/* Sets the status of an error, and the message to the text of that status. */
void problem_set_status(gt_error *error, gt_status status);

#endif
