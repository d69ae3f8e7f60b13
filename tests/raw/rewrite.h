/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RAW_REWRITE_H
#define TESTS_RAW_REWRITE_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* The result of reading an input and writing its records again. Starts as all zeros. */
struct rewritten {
    /* Ends with a NUL at data[size]. */
    char *data;
    size_t size;
    size_t capacity;
    uint64_t events;
    /* The status and the error at which reading or opening ended. */
    gt_status status;
    gt_error error;
};

/* A gt_write_fn that appends to a struct rewritten. */
int rewritten_take(void *user_data, const void *data, size_t size);

/* Frees the memory; the structure can then be used again. */
void rewritten_free(struct rewritten *out);

/*
 * Reads all records from memory, and writes them in a gt_raw_form, with flags of gt_raw_options for
 * the writer. Asserts that they can be written.
 */
void rewrite(struct rewritten *out, const void *data, size_t size, uint32_t form, uint64_t flags);

/* The same with records as text, through a reader that is fed with `step` bytes at a time. */
void rewrite_pushed(struct rewritten *out, const void *data, size_t size, size_t step);

/*
 * The same through a callback that gives `step` bytes at a time. Asserts that rewrite_pushed has
 * the same result.
 */
void rewrite_in_steps(struct rewritten *out, const void *data, size_t size, size_t step);

/* Asserts that a text is read to its end, from memory and byte by byte, and becomes `expected`. */
void rewrite_assert(const char *text, const char *expected);

#endif
