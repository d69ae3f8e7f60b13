/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_CONVERT_H
#define TESTS_FUZZ_CONVERT_H

#include "fuzz/input.h"

/* The result of reading and writing records. Starts as zeros. */
struct converted {
    uint8_t *data;
    size_t size;
    size_t capacity;
    /* How opening or reading ended, and the first failure of the writer. */
    gt_status status;
    gt_status written;
    gt_error error;
    gt_raw_info info;
};

void converted_free(struct converted *out);

/* A gt_write_fn that appends to a struct converted. */
int converted_take(void *user_data, const void *data, size_t size);

/*
 * Reads all records from memory, and writes them in a gt_raw_form with flags of gt_raw_options.
 * Only a bad input makes it fail.
 */
void convert(struct converted *out, const void *data, size_t size, uint32_t form, uint64_t flags);

/*
 * Does the same with the trouble that the input asks for. Asserts that the result is `plain`, or a
 * part of it followed by a report of the trouble.
 */
void convert_troubled(const struct input *input, uint32_t form, uint64_t flags,
                      const struct converted *plain);

/* Asserts that two conversions wrote the same. */
void converted_assert_equal(const struct converted *a, const struct converted *b);

#endif
