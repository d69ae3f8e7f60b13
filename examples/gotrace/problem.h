/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <gotrace/status.h>

/*
 * Reports an error of an input as a line on standard error: "gotrace: NAME: WHATMESSAGE (place)".
 */
void problem_report(const char *name, const char *what, const gt_error *error);

/* Sets the status of an error, and the message to the text of that status. */
void problem_set_status(gt_error *error, gt_status status);

#endif
