/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_TIME_H
#define GOTRACE_TIME_H

/**
 * @file
 * Durations and wall-clock times as text, in the form in which Go prints them.
 *
 * The functions that format write at most `room` bytes, of which the last is a NUL, and return
 * the length of the text without the NUL. What does not fit is cut off. With a room of 0 they
 * write nothing and return 0. They depend neither on the locale nor on the environment.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The size of a buffer for any duration, with its NUL. @since 0.1.0 */
#define GT_DURATION_TEXT_SIZE 40

/**
 * Writes a duration of `nanoseconds` to the `room` bytes at `text` as Go's Duration.String does,
 * such as "1.5ms", "2m0.5s" or "0s". The sign of microseconds is U+00B5, in UTF-8.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_duration_format(int64_t nanoseconds, char *text, size_t room);

/**
 * Parses a duration that people write: a decimal number without a sign, of at most 18 digits on
 * either side of the point, and one of the units ns, us, ms, s, m and h, such as "250us" or
 * "1.5ms". Without a unit it is in nanoseconds.
 * Thread-safety: safe.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `text` is no duration or one of more
 *         than 292 years. `*nanoseconds` is then unchanged.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_duration_parse(const char *text, int64_t *nanoseconds);

/** The size of a buffer for any wall-clock time, with its NUL. @since 0.1.0 */
#define GT_WALL_CLOCK_TEXT_SIZE 64

/**
 * Writes a time to the `room` bytes at `text`, in the format of RFC 3339, such as
 * "2026-11-21T01:48:33.794275359+01:00". It is given as `seconds` since 1970-01-01 UTC and
 * `nanoseconds` from 0 to 999999999, as gt_event_wall_clock returns them. `zone` says by how many
 * seconds local time is ahead of UTC, at most a day either way; with 0 the text ends with "Z". As
 * in Go, the fraction has no trailing zeros, and the year may have more than four digits.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_wall_clock_format(int64_t seconds, uint32_t nanoseconds, int32_t zone, char *text,
                                   size_t room);

#ifdef __cplusplus
}
#endif

#endif
