/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace with a custom allocator, which counts its memory, and with a
 * memory limit.
 *
 *     allocator FILE [LIMIT]
 *
 * Try a LIMIT of 10000 bytes: running out of memory is an error like any other,
 * and all memory is released.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

struct counts {
    uint64_t calls;
    uint64_t held;
    uint64_t peak;
};

static void count(struct counts *counts, size_t less, size_t more)
{
    counts->calls++;
    counts->held = counts->held - less + more;
    if (counts->held > counts->peak)
        counts->peak = counts->held;
}

static void *allocate(void *context, size_t bytes)
{
    void *block = malloc(bytes);
    if (block)
        count(context, 0, bytes);
    return block;
}

/* The library passes the old size, so an allocator need not store it. */
static void *reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    void *moved = realloc(block, bytes);
    if (moved)
        count(context, old_bytes, bytes);
    return moved;
}

static void release(void *context, void *block, size_t bytes)
{
    free(block);
    count(context, bytes, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: allocator FILE [LIMIT]\n", stderr);
        return 2;
    }
    struct counts counts = {0};
    const gt_allocator allocator = {sizeof(allocator), &counts, allocate, reallocate, release};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.allocator = &allocator;
    options.memory_limit = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

    gt_reader *reader;
    const gt_event *event;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    gt_status status = gt_reader_open_file(&reader, argv[1], &options, &error);
    while (status == GT_OK)
        status = gt_reader_next_event(reader, &event);
    gt_reader_error(reader, &error); /* do nothing if opening failed */
    gt_reader_close(&reader);
    printf("%" PRIu64 " calls, %" PRIu64 " bytes at most, %" PRIu64 " bytes not given back\n",
           counts.calls, counts.peak, counts.held);
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "%s: %s\n", argv[1], text);
    return status == GT_END ? 0 : 1;
}
