/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include <stdio.h>

#include "terminal.h"

void problem_report(const char *name, const char *what, const gt_error *error)
{
    char text[GT_ERROR_TEXT_SIZE];
    gt_error said = *error;
    /* Only a signal cancels what a command does, whoever notices it. */
    if (said.status == GT_CANCELLED)
        snprintf(said.message, sizeof(said.message), "interrupted");
    gt_error_format(&said, text, sizeof(text));
    terminal_report("%s: %s%s", name, what, text);
}

void problem_set_status(gt_error *error, gt_status status)
{
    error->status = status;
    snprintf(error->message, sizeof(error->message), "%s", gt_status_text(status));
}
