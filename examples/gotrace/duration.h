/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>
#include <stdint.h>

enum {
    /* The most bytes that duration_put writes. */
    DURATION_MAX = 40
};

/* Writes a duration as Go does, such as "1.5ms". Returns the end. */
char *duration_put(char *to, int64_t nanoseconds);

/*
 * Parses a duration such as "250us", "1.5ms", "2s" or "100" (nanoseconds) of less than 292 years.
 */
bool duration_parse(const char *text, int64_t *nanoseconds);

#endif
