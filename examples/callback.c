/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace from standard input through a read callback.
 *
 *     curl -s localhost:6060/debug/pprof/trace?seconds=5 | callback
 *
 * Shows how to read from any source of bytes: an archive, a decompressor, or a
 * connection.
 */
#include <inttypes.h>
#include <stdio.h>

#include <gotrace/gotrace.h>

/* The source of the bytes, and statistics about it. */
struct source {
    FILE *stream;
    uint64_t calls;
    uint64_t bytes;
};

/* Called by the reader, from within gt_reader_open_callback and gt_reader_next_event. */
static int64_t read_source(void *user_data, void *buffer, size_t capacity)
{
    struct source *source = user_data;
    /* Returning fewer bytes than `capacity` is allowed, but 0 means the end of the trace. */
    size_t count = fread(buffer, 1, capacity, source->stream);
    if (count == 0 && ferror(source->stream))
        return -1; /* the reader ends with GT_ERR_IO */
    source->calls++;
    source->bytes += count;
    return (int64_t) count;
}

int main(void)
{
    struct source source = {.stream = stdin};
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    if (gt_reader_open_callback(&reader, read_source, &source, NULL, &error) != GT_OK) {
        fprintf(stderr, "callback: %s\n", error.message);
        return 1;
    }

    uint64_t events = 0;
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        events++;
    printf("%" PRIu64 " events from %" PRIu64 " bytes in %" PRIu64 " calls\n", events, source.bytes,
           source.calls);

    if (status != GT_END) {
        char text[GT_ERROR_TEXT_SIZE];
        gt_reader_error(reader, &error);
        gt_error_format(&error, text, sizeof(text));
        fprintf(stderr, "callback: %s\n", text);
    }
    gt_reader_close(&reader);
    return status == GT_END ? 0 : 1;
}
