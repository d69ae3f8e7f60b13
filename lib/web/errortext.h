/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ERRORTEXT_H
#define GT_WEB_ERRORTEXT_H

#include <gotrace/status.h>

enum {
    /* Room for a message, the place of the error and a NUL. */
    GT_WEB_ERROR_TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

/*
 * Writes the message of an error and, as far as they are known, the offset and the generation, such
 * as "MESSAGE (offset 12, generation 3)".
 */
void gt_web_error_describe(const gt_error *error, char text[GT_WEB_ERROR_TEXT_MAX]);

/* Appends the text of error->system_error to the message, unless it is 0. */
void gt_web_error_add_errno(gt_error *error);

/* Sets the status, and as the message the status's own text. */
void gt_web_error_set_status(gt_error *error, gt_status status);

#endif
