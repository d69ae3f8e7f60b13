/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REWRITE_LOWERED_H
#define TESTS_REWRITE_LOWERED_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* What a downgrader makes of a trace. Starts as zeros, but for the options. */
struct lowered {
    gt_downgrader_options options;
    uint64_t reader_flags;
    /* Where the write function fails, in bytes; 0: nowhere. */
    size_t fail_at;

    /* What came of it. */
    uint8_t *data;
    size_t size;
    size_t capacity;
    gt_status read;  /* how reading ended */
    gt_status wrote; /* how writing ended */
    gt_error error;
    gt_downgrader_info info;
};

void lowered_init(struct lowered *lowered);
void lowered_free(struct lowered *lowered);

/* Writes the trace of `size` bytes at `data` in the format of Go 1.21. */
void lowered_make(struct lowered *lowered, const void *data, size_t size);

/* Asserts that all of it was read and written. */
void lowered_expect_good(const struct lowered *lowered);

#endif
