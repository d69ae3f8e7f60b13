/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_RUN_H
#define TESTS_SWEEP_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/probe.h"

/* A trace in a block of its own size, so that tools see what is read beyond it. */
struct trace {
    char *path;
    uint8_t *data;
    size_t size;
    /* The N of its header. */
    unsigned version;
    int temporary;
};

/* Reads a file; one of testdata by its name in there. */
void trace_read(struct trace *trace, const char *path);
void trace_load(struct trace *trace, const char *name);

/* Takes a copy of bytes, and writes them to a temporary file, which goes with the trace. */
void trace_make(struct trace *trace, const void *data, size_t size);
/* The same of sample_trace: for versions of which nothing was recorded. */
void trace_sample(struct trace *trace, unsigned version, unsigned events);
void trace_free(struct trace *trace);

/* Calls that fail: the one number `at`, from 1, and with `on` all after it; 0 for none. */
struct breaker {
    uint64_t at;
    int on;
    uint64_t calls;
    uint64_t failed;
};

enum run_source {
    FROM_MEMORY,
    FROM_CALLBACK,
    FROM_FILE,
    FROM_DESCRIPTOR,
    RUN_SOURCES
};

/* One use of the library, with what goes wrong from outside and what came of it. */
struct run {
    const struct trace *trace;
    enum run_source source;
    /* From a callback: how many bytes each read gives, and what one that fails says. */
    size_t step;
    int64_t failure;
    /* All that is opened has this allocator. */
    struct probe probe;
    struct breaker reads;
    struct breaker writes;
    /* How it ended, and chain[i] is a hash of the results 0 to i. */
    gt_status status;
    uint64_t *chain;
    size_t count;
    size_t capacity;
    /* What was written. */
    uint8_t *output;
    size_t output_size;
    size_t output_capacity;
    /* The last result may be a Sync that opens no generation, which comes before an error. */
    int bare_sync;
    /* It can do without some of the memory that it asks for. */
    int spares;
    size_t position;
    uint64_t hash;
    int fd;
};

/* Takes what says how it is to be run from `like`, and starts with nothing else. */
void run_init(struct run *run, const struct run *like);
void run_free(struct run *run);

/* Opens the trace as `source` says; flags of gt_reader_options. */
gt_status run_open(struct run *run, uint64_t flags, gt_reader **reader);
gt_status run_open_raw(struct run *run, gt_raw_reader **reader);

/* Adds a result: a number, or bytes. */
void run_add(struct run *run, uint64_t number);
void run_add_bytes(struct run *run, const void *data, size_t size);

/* A gt_write_fn: appends to the output, or fails. */
int run_write(void *user_data, const void *data, size_t size);

/* Asserts that what came of `part` is the beginning of what came of `whole`. */
void run_assert_prefix(const struct run *part, const struct run *whole);
/* Asserts that all came of both that came of either. */
void run_assert_equal(const struct run *a, const struct run *b);

#endif
