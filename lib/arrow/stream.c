/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "arrow/arrow.h"
#include "base/array.h"
#include "base/error.h"
#include "base/object.h"

struct gt_arrow_stream {
    struct gt_mem mem;
    gt_arrow_options options;
    gt_columns *columns;
    gt_reader *reader;
    uint32_t table;
    bool ended;
    /* What the host did not take yet: more than one at the end of a trace. */
    GT_ARRAY(struct ArrowArray) ready;
    size_t taken;
    gt_status status; /* why there is no more */
    gt_error error;   /* the same in words */
    gt_error last;    /* why the last call failed, if it did */
    char text[GT_ERROR_TEXT_SIZE];
};

/* The allocator of what hosts get. */
static const gt_allocator *stream_allocator(const struct gt_arrow_stream *stream)
{
    return stream->options.allocator ? &stream->mem.allocator : NULL;
}

static int stream_batch(void *user_data, const gt_batch *batch)
{
    struct gt_arrow_stream *stream = user_data;
    struct ArrowArray array;
    if (batch->table != stream->table)
        return 0;
    stream->status = gt_arrow_array_make(&array, batch, stream_allocator(stream));
    if (stream->status != GT_OK)
        return -1;
    stream->status = gt_array_add(&stream->mem, &stream->ready, array);
    if (stream->status == GT_OK)
        return 0;
    array.release(&array);
    return -1;
}

/* Notes why the stream ends, in words. What the callback has noted is more exact. */
static void stream_fail(struct gt_arrow_stream *stream, gt_status status)
{
    stream->ended = true;
    if (stream->status == GT_OK)
        stream->status = status;
    gt_error_plain(&stream->error, stream->status);
}

/* Takes the end of the reading. */
static void stream_end(struct gt_arrow_stream *stream, gt_status reading)
{
    stream->ended = true;
    if (reading != GT_END) {
        stream->status = reading;
        gt_reader_error(stream->reader, &stream->error);
        return;
    }
    gt_status status = gt_columns_end(stream->columns, stream->reader, (gt_string){NULL, 0});
    if (status == GT_OK)
        status = gt_columns_finish(stream->columns);
    if (status != GT_OK)
        stream_fail(stream, status);
}

/* Reads until there is an array, or no more. */
static void stream_read(struct gt_arrow_stream *stream)
{
    const gt_event *event;
    stream->ready.count = stream->taken = 0;
    while (stream->ready.count == 0 && !stream->ended) {
        gt_status status = gt_reader_next_event(stream->reader, &event);
        if (status != GT_OK) {
            stream_end(stream, status);
            return;
        }
        status = gt_columns_event(stream->columns, stream->reader, event);
        if (status != GT_OK)
            stream_fail(stream, status);
    }
}

static int stream_code(const struct gt_arrow_stream *stream)
{
    switch (stream->status) {
    case GT_OK:
        return 0;
    case GT_ERR_NO_MEMORY:
    case GT_ERR_LIMIT:
        return ENOMEM;
    case GT_CANCELLED:
        return ECANCELED;
    default:
        return EIO;
    }
}

static int stream_get_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct gt_arrow_stream *stream = self->private_data;
    out->release = NULL;
    if (stream->taken == stream->ready.count)
        stream_read(stream);
    stream->last = (gt_error) GT_ERROR_INIT;
    if (stream->taken == stream->ready.count) {
        stream->last = stream->error;
        return stream_code(stream);
    }
    *out = stream->ready.items[stream->taken++];
    return 0;
}

static int stream_get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    struct gt_arrow_stream *stream = self->private_data;
    gt_status status = gt_arrow_schema_make(out, stream->table, stream_allocator(stream));
    stream->last = (gt_error) GT_ERROR_INIT;
    if (status == GT_OK)
        return 0;
    gt_error_plain(&stream->last, status);
    return ENOMEM;
}

static const char *stream_get_last_error(struct ArrowArrayStream *self)
{
    struct gt_arrow_stream *stream = self->private_data;
    if (stream->last.status == GT_OK)
        return NULL;
    gt_error_format(&stream->last, stream->text, sizeof(stream->text));
    return stream->text;
}

static void stream_free(struct gt_arrow_stream *stream)
{
    for (; stream->taken < stream->ready.count; stream->taken++) {
        struct ArrowArray *array = &stream->ready.items[stream->taken];
        array->release(array);
    }
    gt_array_free(&stream->mem, &stream->ready);
    gt_columns_close(&stream->columns);
    gt_reader_close(&stream->reader);
    gt_mem_delete(&stream->mem, stream, sizeof(*stream));
}

static void stream_release(struct ArrowArrayStream *self)
{
    stream_free(self->private_data);
    self->release = NULL;
}

/*
 * The tables that are made for one, as options of gt_columns have them. Stacks are those that other
 * tables name, so that all of these are made, too.
 */
static uint64_t stream_tables(uint32_t table)
{
    return table == GT_TABLE_STACKS || table == GT_TABLE_FRAMES ? 0 : UINT64_C(1) << table;
}

/* Opens what makes the rows, and begins with the trace. */
static gt_status stream_begin(struct gt_arrow_stream *stream, gt_reader *reader,
                              const gt_columns_about *about, gt_error *error)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    options.tables = stream_tables(stream->table);
    options.rows = stream->options.rows;
    options.memory_limit = stream->options.memory_limit;
    options.allocator = stream_allocator(stream);
    options.on_batch = stream_batch;
    options.user_data = stream;
    gt_status status = gt_columns_open(&stream->columns, &options, error);
    if (status != GT_OK)
        return status;
    status = gt_columns_begin(stream->columns, reader, about);
    return gt_error_report_plain(error, status);
}

gt_status gt_arrow_stream(struct ArrowArrayStream *out, gt_reader **reader, uint32_t table,
                          const gt_columns_about *about, const gt_arrow_options *options,
                          gt_error *error)
{
    static const gt_arrow_options defaults = GT_ARROW_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "out", struct gt_arrow_stream, gt_arrow_options, allocator, 0, &defaults, NULL);
    gt_table_description described = GT_TABLE_DESCRIPTION_INIT;
    struct gt_arrow_stream *made;
    gt_status status;
    if (out)
        out->release = NULL;
    if (!out || !reader || !*reader)
        return gt_error_report_refusal(error, "out or reader is NULL");
    if (gt_table_describe(table, &described) != GT_OK)
        return gt_error_report_refusal(error, "there is no such table");
    struct gt_arrow_stream *stream = gt_object_open(&made, &layout, options, error, &status);
    if (!stream)
        return status;
    stream->table = table;
    stream->error = stream->last = (gt_error) GT_ERROR_INIT;
    status = stream_begin(stream, *reader, about, error);
    if (status != GT_OK) {
        stream_free(stream);
        return status;
    }
    stream->reader = *reader;
    *reader = NULL;
    *out = (struct ArrowArrayStream){stream_get_schema, stream_get_next, stream_get_last_error,
                                     stream_release, stream};
    return GT_OK;
}
