/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_RUN_H
#define TESTS_SWEEP_RUN_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/probe.h"

/* A trace in a block of exactly its size, so that tools find accesses beyond it. */
struct trace {
    char *path;
    uint8_t *data;
    size_t size;
    /* The N of its header. */
    unsigned version;
    int temporary;
};

/* Reads a file; one of testdata by its name there. */
void trace_read(struct trace *trace, const char *path);
void trace_load(struct trace *trace, const char *name);

/* Copies bytes, and writes them to a temporary file, which is removed with the trace. */
void trace_make(struct trace *trace, const void *data, size_t size);
/* The same with a sample_trace, for versions of which there is no recorded trace. */
void trace_sample(struct trace *trace, unsigned version, unsigned events);
void trace_free(struct trace *trace);

/* The calls that fail: number `at`, counted from 1, and with `on` all later ones; 0 for none. */
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

/* One use of the library, with the failures from outside and the results. */
struct run {
    const struct trace *trace;
    enum run_source source;
    /* For a callback: how many bytes each read gives, and what a failing read returns. */
    size_t step;
    int64_t failure;
    /* The allocator of all objects. */
    struct probe probe;
    struct breaker reads;
    struct breaker writes;
    /* How it ended; chain[i] is a hash of the results 0 to i. */
    gt_status status;
    uint64_t *chain;
    size_t count;
    size_t capacity;
    /* What was written. */
    uint8_t *output;
    size_t output_size;
    size_t output_capacity;
    /* The last result may be a Sync before an error, which begins no generation. */
    int bare_sync;
    /* Some of its allocations may fail without an error. */
    int spares;
    size_t position;
    uint64_t hash;
    int fd;
};

/* Copies the configuration from `like`, and starts without results. */
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

/* Asserts that the results of `part` are the beginning of those of `whole`. */
void run_assert_prefix(const struct run *part, const struct run *whole);
/* Asserts that both have the same results. */
void run_assert_equal(const struct run *a, const struct run *b);

#endif
