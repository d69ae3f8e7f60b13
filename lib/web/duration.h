/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DURATION_H
#define GT_WEB_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "250us", "1.5ms", "2s" or "100" (nanoseconds) and the like, of less than 292 years. */
bool gt_web_duration_parse(const char *text, int64_t *nanoseconds);

#endif
