/* SPDX-License-Identifier: BSD-3-Clause */
#include "spans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"

enum {
    SPANS_PIECE = 256 << 10
};

static struct span *span_new(struct spans *spans)
{
    if (spans->count == spans->capacity) {
        size_t capacity = 2 * spans->capacity + 16;
        void *list = realloc(spans->list, capacity * sizeof(*spans->list));
        if (!list) {
            spans->has_failed = true;
            return NULL;
        }
        spans->list = list;
        spans->capacity = capacity;
    }
    struct span *span = &spans->list[spans->count++];
    *span = (struct span){.fd = -1};
    return span;
}

void spans_add(struct spans *spans, int fd, uint64_t offset, uint64_t size)
{
    struct span *span = size > 0 ? span_new(spans) : NULL;
    if (!span)
        return;
    span->fd = fd;
    span->offset = offset;
    span->size = size;
    spans->bytes += size;
}

void spans_add_batch(struct spans *spans, int fd, const struct batch *batch, size_t old_head_size)
{
    struct span *span = span_new(spans);
    if (!span)
        return;
    span->head_size = batch_head_write(batch, span->head);
    span->fd = fd;
    span->offset = batch->offset + old_head_size;
    span->size = batch->size;
    spans->bytes += span->head_size + span->size;
}

/* Adds a generation with another batch after its first one, which gets the number and the time. */
static void spans_add_with(struct spans *spans, int fd, const struct generation *generation,
                           struct batch info)
{
    size_t head_size = info.head_size;
    info.generation = generation->number;
    info.time = generation->first.time;
    spans_add(spans, fd, generation->offset, generation->second_offset - generation->offset);
    spans_add_batch(spans, fd, &info, head_size);
    spans_add(spans, fd, generation->second_offset,
              generation->offset + generation->size - generation->second_offset);
}

void spans_add_generation(struct spans *spans, const struct generations *input, size_t number)
{
    const struct generation *generation = &input->list[number];
    const struct batch *info = &input->list[0].info;
    bool is_first = spans->count == 0;
    if (is_first)
        spans_add(spans, input->fd, 0, TRACE_HEAD);
    if (is_first && info->type != 0 && generation->info.type == 0)
        spans_add_with(spans, input->fd, generation, *info);
    else
        spans_add(spans, input->fd, generation->offset, generation->size);
}

void spans_add_tail(struct spans *spans, const struct generations *input, uint64_t number)
{
    struct batch tail = input->tail;
    if (tail.type == 0)
        return;
    tail.generation = number;
    /* Headers may be longer than they need be. */
    if (number == input->tail.generation)
        spans_add(spans, input->fd, tail.offset, tail.head_size + tail.size);
    else
        spans_add_batch(spans, input->fd, &tail, tail.head_size);
}

void spans_rewind(struct spans *spans)
{
    spans->next = 0;
    spans->taken = 0;
}

/* Reads from the range of a span. Returns the number of bytes, or -1 on failure. */
static int64_t span_read_range(struct spans *spans, const struct span *span, void *buffer,
                               size_t capacity)
{
    uint64_t at = spans->taken - span->head_size;
    uint64_t left = span->size - at;
    ssize_t got = pread(span->fd, buffer, left < capacity ? (size_t) left : capacity,
                        (off_t) (span->offset + at));
    if (got > 0)
        return got;
    /* A file that has become shorter since it was scanned cannot be read, either. */
    spans->system_error = got < 0 ? errno : EIO;
    return -1;
}

static int64_t span_read(struct spans *spans, const struct span *span, void *buffer,
                         size_t capacity)
{
    if (spans->taken >= span->head_size)
        return span_read_range(spans, span, buffer, capacity);
    size_t left = span->head_size - (size_t) spans->taken;
    size_t size = left < capacity ? left : capacity;
    memcpy(buffer, span->head + spans->taken, size);
    return (int64_t) size;
}

int64_t spans_read(void *user_data, void *buffer, size_t capacity)
{
    struct spans *spans = user_data;
    while (spans->next < spans->count &&
           spans->taken == spans->list[spans->next].head_size + spans->list[spans->next].size) {
        spans->next++;
        spans->taken = 0;
    }
    if (spans->next == spans->count)
        return 0;
    int64_t got = span_read(spans, &spans->list[spans->next], buffer, capacity);
    spans->taken += got > 0 ? (uint64_t) got : 0;
    return got;
}

gt_status spans_write(struct spans *spans, struct tracefile *file)
{
    char *piece = malloc(SPANS_PIECE);
    gt_status status = piece && !spans->has_failed ? GT_OK : GT_ERR_NO_MEMORY;
    int64_t got = 0;
    spans_rewind(spans);
    while (status == GT_OK && (got = spans_read(spans, piece, SPANS_PIECE)) > 0) {
        if (tracefile_write(file, piece, (size_t) got) != 0)
            status = GT_ERR_IO;
        else if (interrupt_has_come())
            status = GT_CANCELLED;
    }
    free(piece);
    return status == GT_OK && got < 0 ? GT_ERR_IO : status;
}

void spans_clear(struct spans *spans)
{
    spans->count = 0;
    spans->bytes = 0;
    spans_rewind(spans);
}

void spans_free(struct spans *spans)
{
    free(spans->list);
    *spans = (struct spans){.list = NULL};
}
