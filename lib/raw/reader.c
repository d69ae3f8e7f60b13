/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "base/error.h"
#include "base/sized.h"
#include "raw/options.h"
#include "raw/raw.h"
#include "source/header.h"
#include "source/input.h"

/*
 * Reads the header, whose first letter tells the forms apart: "go 1.26 trace" in the binary form,
 * "Trace Go1.26" in the text form.
 */
static gt_status raw_reader_read_header(struct gt_raw_reader *reader)
{
    struct gt_input *input = &reader->input;
    gt_status status = reader->text ? GT_OK : gt_source_need(&input->source, GT_HEADER_SIZE);
    if (status != GT_OK)
        return status;
    if (!reader->text && (gt_source_left(&input->source) == 0 || *input->source.cur == 'g'))
        status = gt_header_read(&input->source, reader->allow_newer, &input->version);
    else
        status = gt_raw_text_open(reader);
    if (status == GT_OK && input->version > GT_NEWEST && !reader->allow_newer)
        status = gt_header_refuse(&input->fault, input->version);
    return status;
}

static void raw_reader_prepare(struct gt_input *input, const void *options)
{
    struct gt_raw_reader *reader = (struct gt_raw_reader *) input;
    uint64_t flags = ((const gt_raw_options *) options)->flags;
    reader->allow_newer = (flags & GT_RAW_KNOWN_VERSIONS) == 0;
    input->watch.on_progress = ((const gt_raw_options *) options)->on_progress;
    input->watch.user_data = ((const gt_raw_options *) options)->progress_data;
    gt_raw_clear(&reader->record);
    reader->next = reader->end = reader->plain;
}

static gt_status raw_reader_start(struct gt_input *input)
{
    struct gt_raw_reader *reader = (struct gt_raw_reader *) input;
    gt_status status = raw_reader_read_header(reader);
    if (status != GT_OK)
        return status;
    gt_raw_specs_fill(reader->specs, input->version);
    gt_raw_prepare_plain(reader);
    input->is_started = true;
    return GT_OK;
}

static void raw_reader_free(struct gt_input *input)
{
    struct gt_raw_reader *reader = (struct gt_raw_reader *) input;
    if (reader->text)
        gt_raw_text_close(reader);
    gt_mem_free(&input->mem, reader->record.frames,
                reader->record.frame_capacity * sizeof(*reader->record.frames));
    gt_mem_free(&input->mem, reader->record.widths, reader->record.width_capacity);
    gt_input_close(input, sizeof(*reader));
}

static gt_status raw_reader_open(gt_raw_reader **reader, const struct gt_origin *origin,
                                 const gt_raw_options *options, gt_error *error)
{
    gt_allocator allocator;
    gt_raw_options taken;
    struct gt_input *input;
    gt_error failure = GT_ERROR_INIT;
    gt_raw_options_take(&taken, &allocator, options, &failure);
    if (reader)
        *reader = NULL;
    else
        gt_error_refuse(&failure, "reader is NULL");
    const struct gt_opening opening = {
        .size = sizeof(**reader),
        .origin = origin,
        .allocator = &allocator,
        .memory_limit = taken.memory_limit,
        .options = &taken,
        .prepare = raw_reader_prepare,
        .start = raw_reader_start,
        .close = raw_reader_free,
    };
    gt_status status = gt_input_open(&input, &opening, &failure, error);
    if (reader)
        *reader = (struct gt_raw_reader *) input;
    return status;
}

gt_status gt_raw_reader_open_memory(gt_raw_reader **reader, const void *data, size_t size,
                                    const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_MEMORY, .data = data, .size = size};
    return raw_reader_open(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_file(gt_raw_reader **reader, const char *path,
                                  const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FILE, .path = path};
    return raw_reader_open(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_fd(gt_raw_reader **reader, int fd, const gt_raw_options *options,
                                gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FD, .fd = fd};
    return raw_reader_open(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_callback(gt_raw_reader **reader, gt_read_fn read, void *user_data,
                                      const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_CALLBACK, .read = read, .user_data = user_data};
    return raw_reader_open(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_push(gt_raw_reader **reader, const gt_raw_options *options,
                                  gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FED};
    return raw_reader_open(reader, &origin, options, error);
}

gt_status gt_raw_reader_feed(gt_raw_reader *reader, const void *data, size_t size)
{
    return gt_input_feed(reader ? &reader->input : NULL, data, size);
}

gt_status gt_raw_reader_finish(gt_raw_reader *reader)
{
    return gt_input_finish(reader ? &reader->input : NULL);
}

void gt_raw_reader_cancel(gt_raw_reader *reader)
{
    if (reader)
        gt_watch_cancel(&reader->input.watch);
}

void gt_raw_reader_close(gt_raw_reader **reader)
{
    if (!reader || !*reader || (*reader)->input.busy)
        return;
    struct gt_input *input = &(*reader)->input;
    *reader = NULL;
    raw_reader_free(input);
}

static gt_status raw_reader_read(struct gt_raw_reader *reader)
{
    gt_status status = reader->input.is_started ? GT_OK : raw_reader_start(&reader->input);
    if (status != GT_OK)
        return status;
    if (reader->text)
        return gt_raw_text_read(reader);
    return reader->input.version <= GT_V1_NEWEST ? gt_raw_read_v1(reader) : gt_raw_read_v2(reader);
}

/*
 * Reads the next records, and reports the progress to the program. All bytes that were read count
 * as decoded.
 */
static gt_status raw_reader_read_watched(struct gt_raw_reader *reader)
{
    struct gt_watch *watch = &reader->input.watch;
    gt_status status = raw_reader_read(reader);
    if (!watch->on_progress)
        return status;
    uint64_t offset = gt_source_offset(&reader->input.source);
    uint64_t before = watch->progress.bytes_decoded;
    watch->progress.bytes_decoded = offset;
    gt_watch_pass(watch, offset, offset - before);
    return status;
}

static gt_status raw_reader_next(struct gt_raw_reader *reader, const gt_raw_event **event)
{
    gt_status status = gt_input_begin(&reader->input);
    if (status != GT_OK)
        return status;
    status = gt_input_end(&reader->input, raw_reader_read_watched(reader));
    if (status != GT_OK)
        return status;
    if (reader->next == reader->end) {
        reader->events++;
        *event = &reader->record.event;
    } else {
        reader->events += (uint64_t) (reader->end - reader->next);
        *event = &(reader->next++)->event;
    }
    return GT_OK;
}

gt_status gt_raw_reader_next_event(gt_raw_reader *reader, const gt_raw_event **event)
{
    if (reader && event && reader->next != reader->end && !gt_input_is_barred(&reader->input)) {
        *event = &(reader->next++)->event;
        return GT_OK;
    }
    if (event)
        *event = NULL;
    return reader && event ? raw_reader_next(reader, event) : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_raw_reader_error(const gt_raw_reader *reader, gt_error *error)
{
    return gt_input_error(reader ? &reader->input : NULL, error);
}

gt_status gt_raw_reader_get_info(const gt_raw_reader *reader, gt_raw_info *info)
{
    if (!reader || reader->input.busy || !gt_struct_fits(info, GT_UP_TO(gt_raw_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_input *input = &reader->input;
    gt_raw_info known = GT_RAW_INFO_INIT;
    known.version = input->version;
    known.newer = input->version > GT_NEWEST;
    known.form = reader->text ? GT_RAW_TEXT : GT_RAW_BYTES;
    known.bytes = gt_source_offset(&input->source);
    known.events = reader->events - (uint64_t) (reader->end - reader->next);
    gt_mem_count(&input->mem, &known.memory, &known.memory_peak);
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
