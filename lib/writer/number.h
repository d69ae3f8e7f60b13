/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_NUMBER_H
#define GT_WRITER_NUMBER_H

#include <stdint.h>

enum {
    /* The longest numbers: 20 digits, a sign, a point. */
    GT_NUMBER_SIZE = 24
};

/*
 * Writes nanoseconds as microseconds to `to`, which has GT_NUMBER_SIZE bytes, and returns the end:
 * the shortest decimal that reads back as the double `nanoseconds / 1000.0`, which is how Go's
 * encoding/json has a float64.
 */
char *gt_put_microseconds(char *to, int64_t nanoseconds);

/* How many digits a number has. */
unsigned gt_count_digits(uint64_t number);

#endif
