/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ERROR_H
#define GT_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/status.h>

/*
 * Sets every member of `*error` but `size`, and returns `status`. In `format`, %u and %x (without
 * 0x) take a uint64_t, %d an int64_t and %s a string. A message that is too long is cut off.
 */
gt_status gt_error_set(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                       const char *format, ...);

/* Does what gt_error_set does, with the arguments as a va_list. */
gt_status gt_error_set_list(gt_error *error, gt_status status, uint64_t offset, uint64_t generation,
                            const char *format, va_list arguments);

/*
 * Sets error->system_error to an errno, or to 0 for none, and appends the text of the errno to the
 * message. Returns the status.
 */
gt_status gt_error_set_system(gt_error *error, int code);

/* Sets the error to `status`, with the text of the status as its message and without a place. */
gt_status gt_error_plain(gt_error *error, gt_status status);

/* Sets the error to GT_ERR_INVALID_ARGUMENT, with a constant message and without a place. */
gt_status gt_error_refuse(gt_error *error, const char *message);

/* Appends `string` to the message, as far as there is room. */
void gt_error_append(gt_error *error, const char *string);

/*
 * These two functions serve public functions that report a failure in a structure of the caller's,
 * which may be NULL. gt_error_is_usable returns whether `error` is NULL or large enough. If
 * `failure` holds an error and `*error` is large enough, gt_error_report fills in `*error`. It
 * returns failure->status.
 */
bool gt_error_is_usable(const gt_error *error);
gt_status gt_error_report(gt_error *error, const gt_error *failure);

/*
 * These functions report a failure in the caller's structure if that is not NULL and large enough:
 * gt_error_report_plain reports a status with its usual text, and the other one an argument that is
 * not valid. Both return the status.
 */
gt_status gt_error_report_plain(gt_error *error, gt_status status);
gt_status gt_error_report_refusal(gt_error *error, const char *message);

/*
 * Copies `from` to the caller's structure. Returns GT_ERR_INVALID_ARGUMENT if that structure is
 * NULL or too small.
 */
gt_status gt_error_give(gt_error *error, const gt_error *from);

#endif
