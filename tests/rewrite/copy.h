/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REWRITE_COPY_H
#define TESTS_REWRITE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/output.h"

/* What a writer makes of a trace. Starts as zeros, but for the options. */
struct copy {
    /* What is to be written. */
    gt_writer_options options;
    uint64_t reader_flags;
    /* The events to write, by their numbers from 1, both included; 0 and 0 for all. */
    uint64_t first, last;

    /* What came of it, and where writing it fails. */
    struct output out;
    gt_status read;  /* how reading ended */
    gt_status wrote; /* how writing ended */
    gt_error error;
    gt_writer_info info;
};

/* Sets everything to defaults, and frees what there was. */
void copy_init(struct copy *copy);
void copy_free(struct copy *copy);

/* Writes the trace of `size` bytes at `data` as `copy` says. */
void copy_make(struct copy *copy, const void *data, size_t size);

/* The same from a reader, which remains open. */
void copy_take(struct copy *copy, gt_reader *reader);

/* Asserts that all of it was read and written. */
void copy_expect_good(const struct copy *copy);

/* Opens the copy for reading. */
gt_reader *copy_open(const struct copy *copy);

/* Asserts that the copy has only records of the version in its header. */
void copy_expect_own_records(const struct copy *copy);

/* The number of findings of a validator, and of events, in a trace; and how reading it ended. */
struct findings {
    gt_status read;
    uint64_t findings;
    uint64_t events;
};

struct findings copy_validate(const void *data, size_t size);

#endif
