/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WALLTIME_H
#define WALLTIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a date and a time as 'gotrace dump' prints them, 2026-11-23T14:30:00.25Z, or with an
 * offset from UTC, such as +01:00, instead of the Z. Sets seconds since 1970, and a number of
 * nanoseconds below 10^9. Returns whether it is one, and not before 1970.
 */
bool walltime_parse_date(const char *text, int64_t *seconds, uint32_t *nanoseconds);

/*
 * Parses a time of the wall clock: a date and a time of whole seconds, or a number of seconds since
 * 1970. Returns whether it is one, and not before the second after 1970 began.
 */
bool walltime_parse(const char *text, uint64_t *seconds);

#endif
