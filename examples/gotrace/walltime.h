/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WALLTIME_H
#define WALLTIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a time of the wall clock: 2026-11-23T14:30:00Z, which is in UTC, or a number of seconds
 * since 1970. Returns whether it is one, and not before the second after 1970 began.
 */
bool walltime_parse(const char *text, uint64_t *seconds);

#endif
