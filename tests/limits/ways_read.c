/* SPDX-License-Identifier: BSD-3-Clause */

/* Ways that read events and records, and write records. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "limits/ways.h"

static void give_event(struct way_run *run, const gt_event *event, size_t frames)
{
    way_give_number(run, event->kind);
    way_give_number(run, (uint64_t) event->time);
    way_give_number(run, (uint64_t) event->thread);
    way_give_number(run, (uint64_t) event->proc);
    way_give_number(run, (uint64_t) event->goroutine);
    way_give_number(run, frames);
}

static gt_status read_events(struct way_run *run, gt_reader *reader)
{
    const gt_event *event;
    gt_status status, frames_status;
    size_t frames = 0;

    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        frames_status = gt_stack_frames(reader, gt_event_stack(event), NULL, 0, &frames);
        if (frames_status != GT_OK)
            return frames_status;
        give_event(run, event, frames);
    }
    return status;
}

static void note_reader(struct way_run *run, const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;

    run->told = gt_reader_get_info(reader, &info) == GT_OK;
    run->peak = info.memory_peak;
}

void way_events(struct way_run *run)
{
    gt_reader *reader;

    run->status = way_open_reader(run, &reader, 1);
    if (run->status == GT_OK)
        run->status = read_events(run, reader);
    note_reader(run, reader);
    way_close_reader(run, &reader);
}

/* A source of the trace whose bytes the reader must hold in memory. */
struct source {
    const uint8_t *data;
    size_t left;
};

static int64_t read_source(void *user_data, void *buffer, size_t capacity)
{
    struct source *source = user_data;
    size_t size = capacity < source->left ? capacity : source->left;

    if (size > 0)
        memcpy(buffer, source->data, size);
    source->data += size;
    source->left -= size;
    return (int64_t) size;
}

/* Reads from a callback, and keeps all strings and stacks (GT_READER_KEEP). */
void way_stream(struct way_run *run)
{
    struct source source = {run->data, run->size};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;

    options.flags = run->flags | GT_READER_KEEP;
    options.allocator = run->allocator;
    options.memory_limit = run->limit;
    run->status = gt_reader_open_callback(&reader, read_source, &source, &options, NULL);
    if (run->status == GT_OK)
        run->status = read_events(run, reader);
    note_reader(run, reader);
    way_close_reader(run, &reader);
}

static gt_raw_options raw_options(const struct way_run *run, bool is_subject)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;

    if (is_subject) {
        options.allocator = run->allocator;
        options.memory_limit = run->limit;
    }
    return options;
}

static void close_raw(struct way_run *run, gt_raw_reader **reader, bool is_subject)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;

    if (*reader && gt_raw_reader_get_info(*reader, &info) == GT_OK) {
        run->bytes = info.bytes;
        run->told = is_subject;
        run->peak = info.memory_peak;
        gt_raw_reader_error(*reader, &error);
        way_note_text(run, error.message, sizeof(error.message));
    }
    gt_raw_reader_close(reader);
}

static void give_record(struct way_run *run, const gt_raw_event *event)
{
    way_give_number(run, event->type);
    way_give(run, event->arguments, event->argument_count * sizeof(*event->arguments));
    way_give_number(run, event->frame_count);
    way_give(run, event->data.data, event->data.size);
}

static void read_records(struct way_run *run, const void *data, size_t size)
{
    gt_raw_options options = raw_options(run, 1);
    const gt_raw_event *event;
    gt_raw_reader *reader;

    run->status = gt_raw_reader_open_memory(&reader, data, size, &options, NULL);
    while (run->status == GT_OK) {
        run->status = gt_raw_reader_next_event(reader, &event);
        if (run->status == GT_OK)
            give_record(run, event);
    }
    close_raw(run, &reader, 1);
}

void way_records(struct way_run *run)
{
    read_records(run, run->data, run->size);
}

/* Writes all records that can be read. */
static void write_all(struct way_run *run, gt_raw_reader *reader, gt_raw_writer *writer)
{
    const gt_raw_event *event;
    gt_error error = GT_ERROR_INIT;

    while (run->status == GT_OK && gt_raw_reader_next_event(reader, &event) == GT_OK)
        run->status = gt_raw_writer_write_event(writer, event);
    if (run->status == GT_OK)
        run->status = gt_raw_writer_flush(writer);
    gt_raw_writer_error(writer, &error);
    way_note_text(run, error.message, sizeof(error.message));
}

static void rewrite(struct way_run *run, uint32_t form, bool is_subject)
{
    gt_raw_options reading = raw_options(run, 0), writing = raw_options(run, is_subject);
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_writer *writer = NULL;
    gt_raw_reader *reader;

    writing.flags = GT_RAW_SET_SIZES;
    run->status = gt_raw_reader_open_memory(&reader, run->data, run->size, &reading, NULL);
    if (run->status == GT_OK)
        run->status = gt_raw_reader_get_info(reader, &info);
    if (run->status == GT_OK)
        run->status =
            gt_raw_writer_open(&writer, info.version, form, way_write, run, &writing, NULL);
    if (writer)
        write_all(run, reader, writer);
    gt_raw_writer_close(&writer);
    close_raw(run, &reader, 0);
}

void way_to_text(struct way_run *run)
{
    rewrite(run, GT_RAW_TEXT, 1);
}

void way_to_bytes(struct way_run *run)
{
    rewrite(run, GT_RAW_BYTES, 1);
}

/* The text of the trace. Its capacity doubles, so that making it costs less than reading it. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
};

static void keep_text(void *user_data, const void *bytes, size_t size)
{
    struct text *text = user_data;

    while (text->capacity - text->size < size) {
        text->capacity = 2 * text->capacity + 4096;
        text->data = realloc(text->data, text->capacity);
        if (!text->data)
            abort();
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
}

/* The costs are in proportion to the text, whose size the caller finds in `bytes`. */
void way_from_text(struct way_run *run)
{
    struct text text = {NULL, 0, 0};
    struct way_run writing = way_begin(run->data, run->size, 0);

    writing.take = keep_text;
    writing.user_data = &text;
    rewrite(&writing, GT_RAW_TEXT, 0);
    read_records(run, text.data, text.size);
    free(text.data);
}
