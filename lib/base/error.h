/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ERROR_H
#define GT_BASE_ERROR_H

#include <stdarg.h>
#include <stdint.h>

#include <gotrace/status.h>

/*
 * Sets all of `*error` but its size, and returns `status`. In `text` %u takes a
 * uint64_t, %d an int64_t and %s a string; what does not fit is cut off.
 */
gt_status gt_error_set(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                       const char *text, ...);

/* The same with a list of arguments. */
gt_status gt_error_set_list(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                            const char *text, va_list arguments);

/* Adds `text` to the message, as far as there is room. */
void gt_error_append(gt_error *error, const char *text);

/* The same with gt_status_text and no place. */
gt_status gt_error_plain(gt_error *error, gt_status status);

#endif
