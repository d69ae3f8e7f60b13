/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ERRORTEXT_H
#define GT_WEB_ERRORTEXT_H

#include <gotrace/status.h>

enum {
    /* A message, a place, and a NUL. */
    GT_WEB_ERROR_TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

/* Writes what is wrong and where: "MESSAGE (offset 12, generation 3)". */
void gt_web_error_describe(const gt_error *error, char text[GT_WEB_ERROR_TEXT_MAX]);

/* Adds the text of errno to the message of an error that has one. */
void gt_web_error_add_errno(gt_error *error);

/* Sets status and message of an error of which nothing but the status is known. */
void gt_web_error_set_status(gt_error *error, gt_status status);

#endif
