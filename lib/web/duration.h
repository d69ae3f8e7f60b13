/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DURATION_H
#define GT_WEB_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a duration of less than 292 years, such as "250us", "1.5ms", "2s" or "100", which is in
 * nanoseconds. Returns false if it is malformed or too long; `*nanoseconds` then remains unchanged.
 */
bool gt_web_duration_parse(const char *text, int64_t *nanoseconds);

#endif
