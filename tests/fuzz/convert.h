/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_CONVERT_H
#define TESTS_FUZZ_CONVERT_H

#include "fuzz/input.h"

/* What records became that were read and written. Starts as all zeros. */
struct converted {
    uint8_t *data;
    size_t size;
    size_t capacity;
    /* How the reading ended, opening included; and the first failure of the writer. */
    gt_status status;
    gt_status written;
    gt_error error;
    gt_raw_info info;
};

void converted_free(struct converted *out);

/* A gt_write_fn that appends to a struct converted. */
int converted_take(void *user_data, const void *data, size_t size);

/*
 * Reads all records from memory, and writes them in a gt_raw_form with flags of
 * gt_raw_options. Nothing fails but what is wrong with the input.
 */
void convert(struct converted *out, const void *data, size_t size, uint32_t form, uint64_t flags);

/*
 * Does the same as the input says, and asserts that it comes out as `plain`, or that the
 * trouble is reported behind a part of that.
 */
void convert_troubled(const struct input *input, uint32_t form, uint64_t flags,
                      const struct converted *plain);

/* Asserts that two conversions wrote the same. */
void converted_assert_equal(const struct converted *a, const struct converted *b);

#endif
