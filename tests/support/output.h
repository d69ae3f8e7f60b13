/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_OUTPUT_H
#define TESTS_SUPPORT_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that the library writes. Starts as zeros. */
struct output {
    uint8_t *data;
    size_t size;
    size_t capacity;
    /* Writing fails where there would be more bytes than this; 0: nowhere. */
    size_t fail_at;
};

/* A gt_write_fn that appends to the struct output at `user_data`. */
int output_write(void *user_data, const void *data, size_t size);

void output_free(struct output *output);

/*
 * Asserts that `go tool trace` prints the same events of a trace as this library, if $GT_PEER names
 * a binary that does what it does.
 */
void output_expect_peer_reads(const void *data, size_t size);

#endif
