/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"

#include <string.h>

#include "base/likely.h"
#include "base/time.h"
#include "base/varint.h"
#include "v2/spec.h"

enum {
    /*
     * Bytes are collected to pieces of about this size, which are passed to the caller. Larger
     * data is passed as it is, because copying it would take longer than a further call.
     */
    PIECE = 64 << 10,
    PIECE_OF_ITS_OWN = PIECE / 4,
    /* The most arguments of an event, in addition to its type and time. */
    MOST_ARGUMENTS = 4,
    RECORD_MAX = 1 + (1 + MOST_ARGUMENTS) * GT_VARINT_MAX,
    /* The maximum size of the header of a batch: the type, the experiment and four numbers. */
    HEAD_MAX = 2 + 4 * GT_VARINT_MAX,
    /* Open batches are written when their total size exceeds this limit. */
    OPEN_MAX = 4 << 20
};

/* From this time on, a double cannot represent every nanosecond. */
#define EXACT_TIMES (INT64_C(1) << 53)

/* Passes bytes to the caller. */
static gt_status bytes_pass(struct gt_writer *writer, const void *data, size_t size)
{
    if (writer->write(writer->user_data, data, size) != 0)
        return gt_rewrite_fail(writer, GT_ERR_IO, "writing failed");
    writer->info.bytes += size;
    return GT_OK;
}

uint64_t gt_rewrite_bytes_count(const struct gt_writer *writer)
{
    return writer->info.bytes + writer->piece.count + writer->open_used;
}

gt_status gt_rewrite_flush(struct gt_writer *writer)
{
    size_t size = writer->piece.count;
    writer->piece.count = 0;
    return size == 0 ? GT_OK : bytes_pass(writer, writer->piece.items, size);
}

gt_status gt_rewrite_bytes(struct gt_writer *writer, const void *data, size_t size)
{
    bool is_large = size >= PIECE_OF_ITS_OWN;
    if (is_large || writer->piece.count + size > PIECE) {
        gt_status status = gt_rewrite_flush(writer);
        if (status != GT_OK)
            return status;
    }
    if (is_large)
        return bytes_pass(writer, data, size);
    if (gt_array_reserve(&writer->mem, &writer->piece, size) != GT_OK)
        return gt_rewrite_no_memory(writer);
    if (size != 0)
        memcpy(writer->piece.items + writer->piece.count, data, size);
    writer->piece.count += size;
    return GT_OK;
}

/* Writes the rest of a batch, whose header begins with the bytes from `head` to `to`. */
static gt_status batch_put_rest(struct gt_writer *writer, const uint8_t *head, uint8_t *to,
                                int64_t thread, int64_t time, const void *data, size_t size)
{
    to = gt_varint_put(to, writer->generation.number);
    to = gt_varint_put(to, (uint64_t) thread);
    to = gt_varint_put(to, (uint64_t) time);
    to = gt_varint_put(to, size);
    gt_status status = gt_rewrite_bytes(writer, head, (size_t) (to - head));
    return status == GT_OK ? gt_rewrite_bytes(writer, data, size) : status;
}

gt_status gt_rewrite_batch_put(struct gt_writer *writer, int64_t thread, int64_t time,
                               const void *data, size_t size)
{
    uint8_t head[HEAD_MAX] = {GT_WIRE_EVENT_BATCH};
    return batch_put_rest(writer, head, head + 1, thread, time, data, size);
}

gt_status gt_rewrite_experiment_put(struct gt_writer *writer, uint64_t experiment, int64_t thread,
                                    const void *data, size_t size)
{
    uint8_t head[HEAD_MAX] = {GT_WIRE_EXPERIMENTAL_BATCH, (uint8_t) experiment};
    return batch_put_rest(writer, head, head + 2, thread, writer->generation.time, data, size);
}

static gt_status thread_flush(struct gt_writer *writer, struct gt_rewrite_thread *thread)
{
    size_t size = thread->bytes.count;
    thread->bytes.count = 0;
    thread->size_before = 0;
    writer->open_used -= size;
    return size == 0 ? GT_OK
                     : gt_rewrite_batch_put(writer, thread->written_id, thread->base,
                                            thread->bytes.items, size);
}

gt_status gt_rewrite_threads_flush(struct gt_writer *writer)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < writer->open.count; i++) {
        struct gt_rewrite_thread *thread = writer->open.items[i];
        if (status == GT_OK)
            status = thread_flush(writer, thread);
        gt_array_free(&writer->mem, &thread->bytes);
        thread->is_open = false;
    }
    writer->open.count = 0;
    writer->open_bytes = writer->open_used = 0;
    return status;
}

int64_t gt_rewrite_exact_time(int64_t time)
{
    int64_t unit = 1;
    while (time / unit >= EXACT_TIMES)
        unit *= 2;
    return time - time % unit;
}

/*
 * Returns the time of a batch that begins with an event at `time`. A reader takes the least time of
 * all batches as the time of the Sync, but 0 as an unknown time. Therefore, in a generation that
 * begins at 0, all batches get the time 0 if possible.
 */
static int64_t batch_time(const struct gt_writer *writer, int64_t time)
{
    return writer->generation.time == 0 && time < EXACT_TIMES ? 0 : gt_rewrite_exact_time(time);
}

/*
 * Makes room for an event of the thread in an open batch, whose header permits an event at `time`.
 */
static gt_status thread_reserve(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                                int64_t time)
{
    gt_status status = GT_OK;
    if (thread->bytes.count != 0 &&
        (thread->bytes.count > GT_V2_MAX_BATCH - RECORD_MAX || time < thread->time ||
         gt_time_span(thread->time, time) >= EXACT_TIMES))
        status = thread_flush(writer, thread);
    if (status == GT_OK && writer->open_bytes > OPEN_MAX)
        status = gt_rewrite_threads_flush(writer);
    if (status != GT_OK)
        return status;
    if (!thread->is_open) {
        if (gt_array_add(&writer->mem, &writer->open, thread) != GT_OK)
            return gt_rewrite_no_memory(writer);
        thread->is_open = true;
    }
    size_t before = thread->bytes.capacity;
    if (gt_array_reserve(&writer->mem, &thread->bytes, RECORD_MAX) != GT_OK)
        return gt_rewrite_no_memory(writer);
    writer->open_bytes += thread->bytes.capacity - before;
    if (thread->bytes.count == 0)
        thread->base = thread->time = batch_time(writer, time);
    return GT_OK;
}

/*
 * Returns whether the open batch of the thread takes an event at `time` as it is, which is the
 * usual case.
 */
static bool thread_is_ready(const struct gt_writer *writer, const struct gt_rewrite_thread *thread,
                            int64_t time)
{
    size_t count = thread->bytes.count;
    return count != 0 && count <= GT_V2_MAX_BATCH - RECORD_MAX &&
           thread->bytes.capacity - count >= RECORD_MAX && time >= thread->time &&
           gt_time_span(thread->time, time) < EXACT_TIMES && writer->open_bytes <= OPEN_MAX;
}

gt_status gt_rewrite_put_list(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                              int64_t time, uint32_t type, const uint64_t *arguments, size_t count)
{
    if (!writer->is_writing)
        return GT_OK;
    gt_status status = GT_OK;
    if (GT_UNLIKELY(!thread_is_ready(writer, thread, time)))
        status = thread_reserve(writer, thread, time);
    if (status != GT_OK)
        return status;
    uint8_t *to = thread->bytes.items + thread->bytes.count;
    *to++ = (uint8_t) type;
    to = gt_varint_put(to, gt_time_span(thread->time, time));
    for (size_t i = 0; i < count; i++)
        to = gt_varint_put(to, arguments[i]);
    size_t before = thread->bytes.count;
    thread->bytes.count = (size_t) (to - thread->bytes.items);
    writer->open_used += thread->bytes.count - before;
    thread->time = time;
    if (writer->first_events == 0)
        writer->first_events = writer->info.generations;
    return GT_OK;
}
