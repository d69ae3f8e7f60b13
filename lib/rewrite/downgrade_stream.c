/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/downgrade_stream.h"

#include <string.h>

#include <gotrace/wire.h>

#include "base/time.h"
#include "base/varint.h"
#include "v1/spec.h"

enum {
    /* Bytes are passed to the caller, and records to a batch, in pieces of about this size. */
    PIECE = 64 << 10,
    MOST_ARGUMENTS = 4,
    /* A type, a length, the time and the arguments. */
    RECORD_MAX = 2 + (1 + MOST_ARGUMENTS) * GT_VARINT_MAX,
    HEAD_MAX = 1 + 2 * GT_VARINT_MAX,
    /* Streams are written when they hold more memory than this. */
    OPEN_MAX = 4 << 20
};

gt_status gt_downgrade_flush(struct gt_downgrader *d)
{
    size_t size = d->piece.count;
    d->piece.count = 0;
    if (size != 0 && d->write(d->user_data, d->piece.items, size) != 0)
        return gt_downgrade_fail(d, GT_ERR_IO, "writing failed");
    d->info.bytes += size;
    return GT_OK;
}

gt_status gt_downgrade_bytes(struct gt_downgrader *d, const void *data, size_t size)
{
    if (d->piece.count + size > PIECE) {
        gt_status status = gt_downgrade_flush(d);
        if (status != GT_OK)
            return status;
    }
    if (size == 0)
        return GT_OK;
    if (gt_array_reserve(&d->mem, &d->piece, size) != GT_OK)
        return gt_downgrade_no_memory(d);
    memcpy(d->piece.items + d->piece.count, data, size);
    d->piece.count += size;
    return GT_OK;
}

gt_status gt_downgrade_frequency(struct gt_downgrader *d, uint64_t frequency)
{
    uint8_t record[1 + GT_VARINT_MAX] = {GT_V1_FREQUENCY};
    return gt_downgrade_bytes(d, record, (size_t) (gt_varint_put(record + 1, frequency) - record));
}

gt_status gt_downgrade_stream_flush(struct gt_downgrader *d, struct gt_downgrade_stream *stream)
{
    uint8_t head[HEAD_MAX];
    uint8_t *to = head;
    if (stream->bytes.count == 0)
        return GT_OK;
    *to++ = GT_V1_BATCH | 1 << 6;
    to = gt_varint_put(to, (uint64_t) stream->id);
    to = gt_varint_put(to, (uint64_t) stream->base);
    gt_status status = gt_downgrade_bytes(d, head, (size_t) (to - head));
    if (status == GT_OK)
        status = gt_downgrade_bytes(d, stream->bytes.items, stream->bytes.count);
    stream->bytes.count = 0;
    return status;
}

/* Writes a stream that need not be kept, and frees its memory. */
static gt_status stream_empty(struct gt_downgrader *d, struct gt_downgrade_stream *stream)
{
    if (stream->is_kept)
        return GT_OK;
    gt_status status = gt_downgrade_stream_flush(d, stream);
    d->open_bytes -= stream->bytes.capacity;
    gt_array_free(&d->mem, &stream->bytes);
    return status;
}

gt_status gt_downgrade_streams_flush(struct gt_downgrader *d)
{
    gt_status status = stream_empty(d, &d->none.stream);
    if (status == GT_OK)
        status = stream_empty(d, &d->samples);
    for (size_t i = 0; status == GT_OK && i < d->procs.count; i++)
        status = stream_empty(d, &d->procs.items[i]->stream);
    return status;
}

/* Makes room for `size` bytes at the end of a stream, in a batch that begins at `time` if new. */
static gt_status stream_reserve(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                int64_t time, size_t size)
{
    gt_status status = GT_OK;
    if (stream->bytes.count > PIECE - RECORD_MAX && !stream->is_kept)
        status = gt_downgrade_stream_flush(d, stream);
    if (status == GT_OK && d->open_bytes > OPEN_MAX)
        status = gt_downgrade_streams_flush(d);
    if (status != GT_OK)
        return status;
    size_t before = stream->bytes.capacity;
    if (gt_array_reserve(&d->mem, &stream->bytes, size) != GT_OK)
        return gt_downgrade_no_memory(d);
    if (!stream->is_kept)
        d->open_bytes += stream->bytes.capacity - before;
    if (stream->bytes.count == 0)
        stream->base = stream->time = time;
    return GT_OK;
}

gt_status gt_downgrade_put_list(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                int64_t time, uint32_t type, const uint64_t *arguments,
                                size_t count)
{
    uint8_t numbers[RECORD_MAX];
    uint8_t *end = numbers;
    gt_status status = stream_reserve(d, stream, time, RECORD_MAX);
    if (status != GT_OK)
        return status;
    end = gt_varint_put(end, gt_time_span(stream->time, time));
    for (size_t i = 0; i < count; i++)
        end = gt_varint_put(end, arguments[i]);
    uint8_t *to = stream->bytes.items + stream->bytes.count;
    size_t code = count < GT_V1_COUNTED ? count : GT_V1_COUNTED;
    *to++ = (uint8_t) (type | code << 6);
    if (code == GT_V1_COUNTED)
        to = gt_varint_put(to, (uint64_t) (end - numbers));
    memcpy(to, numbers, (size_t) (end - numbers));
    stream->bytes.count = (size_t) (to - stream->bytes.items) + (size_t) (end - numbers);
    stream->time = time;
    /* Readers since Go 1.23 deliver no event for a GoSysBlock. */
    if (time > d->last_record && type != GT_V1_GO_SYS_BLOCK)
        d->last_record = time;
    return GT_OK;
}

gt_status gt_downgrade_put_text(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                gt_string text)
{
    size_t before = stream->bytes.capacity;
    if (gt_array_reserve(&d->mem, &stream->bytes, GT_VARINT_MAX + text.size) != GT_OK)
        return gt_downgrade_no_memory(d);
    if (!stream->is_kept)
        d->open_bytes += stream->bytes.capacity - before;
    uint8_t *to = gt_varint_put(stream->bytes.items + stream->bytes.count, text.size);
    if (text.size != 0)
        memcpy(to, text.data, text.size);
    stream->bytes.count = (size_t) (to - stream->bytes.items) + text.size;
    return GT_OK;
}

gt_status gt_downgrade_start_release(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                     uint64_t label)
{
    if (!proc->has_start)
        return GT_OK;
    proc->has_start = false;
    uint64_t number = proc->goroutine->number;
    if (label != 0)
        return gt_downgrade_put(d, &proc->stream, proc->start_time, GT_V1_GO_START_LABEL, number,
                                proc->start_sequence, label);
    if (proc->start_is_local)
        return gt_downgrade_put(d, &proc->stream, proc->start_time, GT_V1_GO_START_LOCAL, number);
    return gt_downgrade_put(d, &proc->stream, proc->start_time, GT_V1_GO_START, number,
                            proc->start_sequence);
}

gt_status gt_downgrade_add_list(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                int64_t time, uint32_t type, const uint64_t *arguments,
                                size_t count)
{
    gt_status status = gt_downgrade_start_release(d, proc, 0);
    proc->has_begun |= time >= GT_DOWNGRADE_FIRST_TIME;
    return status == GT_OK ? gt_downgrade_put_list(d, &proc->stream, time, type, arguments, count)
                           : status;
}
