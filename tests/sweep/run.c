/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

#define BEFORE_VERSION "go 1."

static void take_bytes(struct trace *trace, const void *data, size_t size)
{
    trace->size = size;
    trace->data = malloc(size ? size : 1);
    assert_non_null(trace->data);
    memcpy(trace->data, data, size);
    trace->version = 0;
    trace->temporary = 0;
    if (size >= 16 && memcmp(data, BEFORE_VERSION, strlen(BEFORE_VERSION)) == 0)
        trace->version = (unsigned) strtoul((const char *) data + strlen(BEFORE_VERSION), NULL, 10);
}

void trace_read(struct trace *trace, const char *path)
{
    size_t size;
    uint8_t *data = files_read(path, &size);

    trace->path = strdup(path);
    assert_non_null(trace->path);
    take_bytes(trace, data, size);
    free(data);
}

void trace_load(struct trace *trace, const char *name)
{
    char *path = files_join(files_testdata(), name);

    trace_read(trace, path);
    free(path);
}

void trace_make(struct trace *trace, const void *data, size_t size)
{
    trace->path = files_temporary(data, size);
    take_bytes(trace, data, size);
    trace->temporary = 1;
}

void trace_sample(struct trace *trace, unsigned version, unsigned events)
{
    struct wire wire = {0};

    sample_trace(&wire, version, 2, events);
    trace_make(trace, wire.data, wire.size);
    wire_free(&wire);
}

void trace_free(struct trace *trace)
{
    if (trace->temporary)
        remove(trace->path);
    free(trace->data);
    free(trace->path);
}

/* Counts a call, and returns whether it fails. */
static int breaks(struct breaker *breaker)
{
    breaker->calls++;
    if (breaker->at == 0 || breaker->calls < breaker->at ||
        (breaker->calls > breaker->at && !breaker->on))
        return 0;
    breaker->failed++;
    return 1;
}

void run_init(struct run *run, const struct run *like)
{
    memset(run, 0, sizeof(*run));
    probe_init(&run->probe);
    run->trace = like->trace;
    run->source = like->source;
    run->step = like->step;
    run->failure = like->failure;
    run->fd = -1;
}

void run_free(struct run *run)
{
    free(run->chain);
    free(run->output);
    run->chain = NULL;
    run->output = NULL;
    if (run->fd >= 0)
        close(run->fd);
    run->fd = -1;
}

static int64_t read_piece(void *user_data, void *buffer, size_t capacity)
{
    struct run *run = user_data;
    size_t count = run->step < capacity ? run->step : capacity;

    if (breaks(&run->reads))
        return run->failure == INT64_MAX ? (int64_t) capacity + 1 : run->failure;
    if (count > run->trace->size - run->position)
        count = run->trace->size - run->position;
    memcpy(buffer, run->trace->data + run->position, count);
    run->position += count;
    return (int64_t) count;
}

static int open_descriptor(struct run *run)
{
    if (run->fd >= 0)
        close(run->fd);
    run->fd = open(run->trace->path, O_RDONLY);
    assert_true(run->fd >= 0);
    return run->fd;
}

gt_status run_open(struct run *run, uint64_t flags, gt_reader **reader)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const struct trace *trace = run->trace;

    options.flags = flags;
    options.allocator = &run->probe.allocator;
    run->position = 0;
    switch (run->source) {
    case FROM_CALLBACK:
        return gt_reader_open_callback(reader, read_piece, run, &options, NULL);
    case FROM_FILE:
        return gt_reader_open_file(reader, trace->path, &options, NULL);
    case FROM_DESCRIPTOR:
        return gt_reader_open_fd(reader, open_descriptor(run), &options, NULL);
    default:
        return gt_reader_open_memory(reader, trace->data, trace->size, &options, NULL);
    }
}

gt_status run_open_raw(struct run *run, gt_raw_reader **reader)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    const struct trace *trace = run->trace;

    options.allocator = &run->probe.allocator;
    run->position = 0;
    switch (run->source) {
    case FROM_CALLBACK:
        return gt_raw_reader_open_callback(reader, read_piece, run, &options, NULL);
    case FROM_FILE:
        return gt_raw_reader_open_file(reader, trace->path, &options, NULL);
    case FROM_DESCRIPTOR:
        return gt_raw_reader_open_fd(reader, open_descriptor(run), &options, NULL);
    default:
        return gt_raw_reader_open_memory(reader, trace->data, trace->size, &options, NULL);
    }
}

void run_add(struct run *run, uint64_t number)
{
    uint64_t hash = (run->hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);

    if (run->count == run->capacity) {
        run->capacity = run->capacity ? 2 * run->capacity : 64;
        run->chain = realloc(run->chain, run->capacity * sizeof(*run->chain));
        assert_non_null(run->chain);
    }
    run->hash = hash ^ (hash >> 29);
    run->chain[run->count++] = run->hash;
}

void run_add_bytes(struct run *run, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t hash = size;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    run_add(run, hash);
}

int run_write(void *user_data, const void *data, size_t size)
{
    struct run *run = user_data;

    if (breaks(&run->writes))
        return -1;
    assert_true(size > 0);
    if (run->output_capacity - run->output_size < size) {
        run->output_capacity = 2 * (run->output_size + size);
        run->output = realloc(run->output, run->output_capacity);
        assert_non_null(run->output);
    }
    memcpy(run->output + run->output_size, data, size);
    run->output_size += size;
    return 0;
}

/* Returns how many results are the same, from the first on. */
static size_t common(const struct run *a, const struct run *b)
{
    size_t i = 0;

    while (i < a->count && i < b->count && a->chain[i] == b->chain[i])
        i++;
    return i;
}

void run_assert_prefix(const struct run *part, const struct run *whole)
{
    size_t count = common(part, whole);

    if (part->bare_sync && count + 1 == part->count)
        count++;
    assert_int_equal(count, part->count);
    assert_true(part->output_size <= whole->output_size);
    if (part->output_size > 0)
        assert_memory_equal(part->output, whole->output, part->output_size);
}

void run_assert_equal(const struct run *a, const struct run *b)
{
    assert_status(a->status, b->status);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->output_size, b->output_size);
    run_assert_prefix(a, b);
}
