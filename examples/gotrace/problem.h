/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <gotrace/status.h>

/* What is wrong with an input: a line on standard error, "gotrace: NAME: WHATMESSAGE (place)". */
void problem_report(const char *name, const char *what, const gt_error *error);

enum {
    /* A message, a place, and a NUL. */
    PROBLEM_TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

/* What is wrong and where: "MESSAGE (place)". */
void problem_describe(const gt_error *error, char text[PROBLEM_TEXT_MAX]);

/* Adds to the message why the system would not read, which the library leaves to a number. */
void problem_add_system_error(gt_error *error);

/* Fills an error that the library says nothing of but its status. */
void problem_set_status(gt_error *error, gt_status status);

#endif
