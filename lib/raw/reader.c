/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "base/error.h"
#include "base/sized.h"
#include "raw/options.h"
#include "raw/raw.h"
#include "source/header.h"
#include "source/origin.h"

static struct gt_raw_reader *create(const gt_raw_options *options, const gt_allocator *allocator,
                                    gt_error *error)
{
    gt_status status;
    struct gt_raw_reader *reader =
        gt_mem_create(sizeof(*reader), offsetof(struct gt_raw_reader, mem), allocator,
                      options->memory_limit, &status);
    if (!reader) {
        gt_error_plain(error, status);
        return NULL;
    }
    reader->working.size = reader->error.size = sizeof(gt_error);
    reader->error.offset = GT_NO_OFFSET;
    gt_source_init(&reader->source, &reader->mem, &reader->working);
    gt_raw_clear(&reader->record);
    reader->next = reader->end = reader->plain;
    return reader;
}

/* Bytes and text differ in their first letter: "go 1.26 trace" and "Trace Go1.26". */
static gt_status read_header(struct gt_raw_reader *reader, const gt_raw_options *options)
{
    int newer = (options->flags & GT_RAW_KNOWN_VERSIONS) == 0;
    struct gt_source *source = &reader->source;
    gt_status status = gt_source_need(source, GT_HEADER_SIZE);
    if (status != GT_OK)
        return status;
    if (gt_source_left(source) == 0 || *source->cur == 'g')
        status = gt_header_read(source, newer, &reader->version);
    else
        status = gt_raw_text_open(reader);
    if (status != GT_OK)
        return status;
    if (reader->version > GT_NEWEST && !newer)
        return gt_header_refuse(&reader->working, reader->version);
    gt_raw_specs_fill(reader->specs, reader->version);
    gt_raw_prepare_plain(reader);
    return GT_OK;
}

static gt_status try_open(struct gt_raw_reader **out, const struct gt_origin *origin,
                          const gt_raw_options *options, gt_error *error)
{
    gt_allocator allocator;
    gt_raw_options taken;
    gt_status status = gt_raw_options_take(&taken, &allocator, options);
    if (status != GT_OK)
        return gt_error_plain(error, status);
    struct gt_raw_reader *reader = create(&taken, &allocator, error);
    if (!reader)
        return (gt_status) error->status;
    reader->busy = 1;
    status = gt_origin_open(origin, &reader->source);
    if (status == GT_OK)
        status = read_header(reader, &taken);
    reader->busy = 0;
    *error = reader->working;
    if (status != GT_OK)
        gt_raw_reader_close(&reader);
    *out = reader;
    return status;
}

static gt_status open_reader(struct gt_raw_reader **out, const struct gt_origin *origin,
                             const gt_raw_options *options, gt_error *error)
{
    gt_error place = GT_ERROR_INIT;
    if (out)
        *out = NULL;
    if (error && !gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = out && gt_origin_is_good(origin)
                           ? try_open(out, origin, options, &place)
                           : gt_error_plain(&place, GT_ERR_INVALID_ARGUMENT);
    if (status != GT_OK && error)
        gt_struct_give(error, &place, sizeof(place));
    return status;
}

gt_status gt_raw_reader_open_memory(gt_raw_reader **reader, const void *data, size_t size,
                                    const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_MEMORY, .data = data, .size = size};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_file(gt_raw_reader **reader, const char *path,
                                  const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FILE, .path = path};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_fd(gt_raw_reader **reader, int fd, const gt_raw_options *options,
                                gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FD, .fd = fd};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_raw_reader_open_callback(gt_raw_reader **reader, gt_read_fn read, void *user_data,
                                      const gt_raw_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_CALLBACK, .read = read, .user_data = user_data};
    return open_reader(reader, &origin, options, error);
}

void gt_raw_reader_close(gt_raw_reader **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_raw_reader *reader = *out;
    *out = NULL;
    if (reader->text)
        gt_raw_text_close(reader);
    gt_mem_free(&reader->mem, reader->record.frames,
                reader->record.frame_capacity * sizeof(*reader->record.frames));
    gt_mem_free(&reader->mem, reader->record.widths, reader->record.width_capacity);
    gt_source_close(&reader->source);
    struct gt_mem mem = reader->mem;
    gt_mem_free(&mem, reader, sizeof(*reader));
}

static gt_status read_record(struct gt_raw_reader *reader)
{
    if (reader->text)
        return gt_raw_text_read(reader);
    return reader->version <= GT_V1_NEWEST ? gt_raw_read_v1(reader) : gt_raw_read_v2(reader);
}

static gt_status next_event(struct gt_raw_reader *reader, const gt_raw_event **event)
{
    if (reader->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (reader->status != GT_OK)
        return reader->status;
    reader->busy = 1;
    gt_status status = read_record(reader);
    reader->busy = 0;
    if (status != GT_OK) {
        reader->status = status;
        if (status < 0)
            reader->error = reader->working;
        return status;
    }
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
    if (reader && event && reader->next != reader->end && !reader->busy) {
        *event = &(reader->next++)->event;
        return GT_OK;
    }
    if (event)
        *event = NULL;
    return reader && event ? next_event(reader, event) : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_raw_reader_error(const gt_raw_reader *reader, gt_error *error)
{
    if (!reader || reader->busy || !gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_struct_give(error, &reader->error, sizeof(reader->error));
    return GT_OK;
}

gt_status gt_raw_reader_get_info(const gt_raw_reader *reader, gt_raw_info *info)
{
    if (!reader || reader->busy || !gt_struct_fits(info, GT_UP_TO(gt_raw_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_raw_info known = GT_RAW_INFO_INIT;
    known.version = reader->version;
    known.newer = reader->version > GT_NEWEST;
    known.form = reader->text ? GT_RAW_TEXT : GT_RAW_BYTES;
    known.bytes = gt_source_offset(&reader->source);
    known.events = reader->events - (uint64_t) (reader->end - reader->next);
    known.memory = reader->mem.used;
    known.memory_peak = reader->mem.peak;
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
