/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REWRITE_LOWERED_H
#define TESTS_REWRITE_LOWERED_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/output.h"

/* What a downgrader makes of a trace. Starts as zeros, but for the options. */
struct lowered {
    gt_downgrader_options options;
    uint64_t reader_flags;

    /* What came of it, and where writing it fails. */
    struct output out;
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
