/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/writer.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "raw/options.h"
#include "raw/widths.h"
#include "source/header.h"

enum {
    /* Bytes are passed to the caller in pieces of at least this size. */
    PIECE = 64 << 10
};

/* Passes what has been written to the caller. */
static gt_status raw_writer_pass_on(struct gt_raw_writer *writer)
{
    struct gt_out *out = &writer->out;
    if (out->size == 0)
        return GT_OK;
    if (writer->write(writer->user_data, out->data, out->size) != 0)
        return gt_error_set(&writer->error, GT_ERR_IO, GT_NO_OFFSET, 0, "writing failed");
    out->size = 0;
    return GT_OK;
}

static gt_status raw_writer_put_header(struct gt_raw_writer *writer)
{
    if (writer->form == GT_RAW_TEXT)
        return writer->flags & GT_RAW_AS_GO ? GT_OK
                                            : gt_raw_put_text_header(&writer->out, writer->version);
    char *to = gt_out_reserve(&writer->out, GT_HEADER_SIZE);
    if (!to)
        return gt_mem_failure(&writer->mem);
    gt_header_write((uint8_t *) to, writer->version);
    gt_out_commit(&writer->out, to + GT_HEADER_SIZE);
    return GT_OK;
}

static void raw_writer_free(struct gt_raw_writer *writer)
{
    gt_mem_free(&writer->mem, writer->out.data, writer->out.capacity);
    gt_mem_free(&writer->mem, writer->held.data, writer->held.capacity);
    gt_mem_delete(&writer->mem, writer, sizeof(*writer));
}

static struct gt_raw_writer *raw_writer_create(const struct gt_raw_writer *wanted,
                                               const gt_raw_options *options,
                                               const gt_allocator *allocator, gt_status *status)
{
    struct gt_raw_writer *writer =
        gt_mem_create(sizeof(*writer), offsetof(struct gt_raw_writer, mem), allocator,
                      options->memory_limit, status);
    if (!writer)
        return NULL;
    writer->out.mem = writer->held.mem = &writer->mem;
    writer->flags = options->flags;
    writer->error.size = sizeof(gt_error);
    writer->error.offset = GT_NO_OFFSET;
    writer->write = wanted->write;
    writer->user_data = wanted->user_data;
    writer->version = wanted->version;
    writer->form = wanted->form;
    gt_raw_specs_fill(writer->specs, writer->version);
    return writer;
}

/*
 * Opens a writer with the parameters of `wanted`. Returns NULL on failure, with the reason in
 * `*failure`.
 */
static struct gt_raw_writer *raw_writer_open(const struct gt_raw_writer *wanted,
                                             const gt_raw_options *options, gt_error *failure)
{
    gt_allocator allocator;
    gt_raw_options taken;
    struct gt_raw_writer *writer = NULL;
    gt_status status = gt_raw_options_take(&taken, &allocator, options, failure);
    if (status != GT_OK)
        return NULL;
    if (!gt_version_is_good(wanted->version)) {
        gt_header_refuse(failure, wanted->version);
        return NULL;
    }
    writer = raw_writer_create(wanted, &taken, &allocator, &status);
    if (writer)
        status = raw_writer_put_header(writer);
    if (status == GT_OK)
        return writer;
    gt_error_plain(failure, status);
    if (writer)
        raw_writer_free(writer);
    return NULL;
}

gt_status gt_raw_writer_open(gt_raw_writer **writer, uint32_t version, uint32_t form,
                             gt_write_fn write, void *user_data, const gt_raw_options *options,
                             gt_error *error)
{
    const struct gt_raw_writer wanted = {
        .version = version, .form = form, .write = write, .user_data = user_data};
    gt_error failure = GT_ERROR_INIT;
    if (writer)
        *writer = NULL;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!writer || !write)
        gt_error_refuse(&failure, writer ? "write is NULL" : "writer is NULL");
    else if (form != GT_RAW_BYTES && form != GT_RAW_TEXT)
        gt_error_refuse(&failure, "form is not a GT_RAW_ form");
    else
        *writer = raw_writer_open(&wanted, options, &failure);
    return gt_error_report(error, &failure);
}

void gt_raw_writer_close(gt_raw_writer **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_raw_writer *writer = *out;
    *out = NULL;
    raw_writer_free(writer);
}

/* Returns whether the event fits the layout of records of its type. */
static bool raw_writer_can_write(const struct gt_raw_writer *writer, const gt_wire_spec *spec,
                                 const gt_raw_event *event)
{
    if (!spec || event->argument_count != spec->argument_count ||
        (event->argument_count != 0 && !event->arguments))
        return false;
    uint64_t frames =
        spec->flags & GT_WIRE_HAS_FRAMES ? event->arguments[spec->argument_count - 1] : 0;
    if (event->frame_count != frames || (frames != 0 && !event->frames))
        return false;
    if (event->data.size != 0 && (!(spec->flags & GT_WIRE_HAS_DATA) || !event->data.data))
        return false;
    if (writer->version > GT_V1_NEWEST && spec->type == GT_WIRE_EXPERIMENTAL_BATCH &&
        event->arguments[0] > UINT8_MAX)
        return false;
    return event->widths ? gt_raw_widths_fit(writer->version, spec, event)
                         : event->width_count == 0;
}

static gt_status raw_writer_put(struct gt_raw_writer *writer, struct gt_out *out,
                                const gt_wire_spec *spec, const gt_raw_event *event)
{
    return writer->form == GT_RAW_TEXT
               ? gt_raw_put_text(out, (writer->flags & GT_RAW_AS_GO) != 0, spec, event)
               : gt_raw_put_bytes(out, writer->version, spec, event);
}

/* Writes the open batch, if there is one: its header with its size, and the held records. */
static gt_status raw_writer_end_batch(struct gt_raw_writer *writer)
{
    if (!writer->is_holding)
        return GT_OK;
    gt_raw_event event = GT_RAW_EVENT_INIT;
    const gt_wire_spec *spec = writer->specs[GT_WIRE_EVENT_BATCH];
    event.type = spec->type;
    event.arguments = writer->header;
    event.argument_count = spec->argument_count;
    writer->header[3] = writer->held_bytes;
    if (writer->header_has_widths) {
        if (writer->header_widths[3] < gt_raw_width(writer->held_bytes))
            writer->header_widths[3] = (uint8_t) gt_raw_width(writer->held_bytes);
        event.widths = writer->header_widths;
        event.width_count = sizeof(writer->header_widths);
    }
    gt_status status = raw_writer_put(writer, &writer->out, spec, &event);
    char *to = gt_out_reserve(&writer->out, writer->held.size);
    if (status != GT_OK || !to)
        return gt_mem_failure(&writer->mem);
    if (writer->held.size != 0)
        memcpy(to, writer->held.data, writer->held.size);
    gt_out_commit(&writer->out, to + writer->held.size);
    writer->held.size = 0;
    writer->held_bytes = 0;
    writer->is_holding = false;
    return GT_OK;
}

static void raw_writer_begin_batch(struct gt_raw_writer *writer, const gt_raw_event *event)
{
    memcpy(writer->header, event->arguments, sizeof(writer->header));
    writer->header_has_widths = event->widths != NULL;
    if (event->widths)
        memcpy(writer->header_widths, event->widths, sizeof(writer->header_widths));
    writer->is_holding = true;
}

/*
 * Adds the size of the record in the binary form to the size of its batch. `before` is the size of
 * `held` without the record.
 */
static gt_status raw_writer_count_bytes(struct gt_raw_writer *writer, const gt_wire_spec *spec,
                                        const gt_raw_event *event, size_t before)
{
    if (writer->form == GT_RAW_BYTES) {
        writer->held_bytes += writer->held.size - before;
        return GT_OK;
    }
    /*
     * In the text form the record is also encoded in the binary form after the text, only to
     * determine its size.
     */
    size_t text = writer->held.size;
    gt_status status = gt_raw_put_bytes(&writer->held, writer->version, spec, event);
    writer->held_bytes += writer->held.size - text;
    writer->held.size = text;
    return status;
}

static gt_status raw_writer_put_sized(struct gt_raw_writer *writer, const gt_wire_spec *spec,
                                      const gt_raw_event *event)
{
    gt_status status = GT_OK;
    if (spec->type == GT_WIRE_EVENT_BATCH || spec->type == GT_WIRE_EXPERIMENTAL_BATCH ||
        spec->type == GT_WIRE_END_OF_GENERATION)
        status = raw_writer_end_batch(writer);
    if (status != GT_OK)
        return status;
    if (spec->type == GT_WIRE_EVENT_BATCH) {
        raw_writer_begin_batch(writer, event);
        return GT_OK;
    }
    if (!writer->is_holding)
        return raw_writer_put(writer, &writer->out, spec, event);
    size_t before = writer->held.size;
    status = raw_writer_put(writer, &writer->held, spec, event);
    return status == GT_OK ? raw_writer_count_bytes(writer, spec, event, before) : status;
}

/* Makes a failure permanent: every later call returns it. */
static gt_status raw_writer_settle(struct gt_raw_writer *writer, gt_status status)
{
    if (status != GT_OK && writer->error.status == GT_OK)
        gt_error_plain(&writer->error, status);
    return status;
}

gt_status gt_raw_writer_write_event(gt_raw_writer *writer, const gt_raw_event *event)
{
    if (!writer || writer->busy || !gt_struct_fits(event, GT_UP_TO(gt_raw_event, length)))
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    const gt_wire_spec *spec = event->type < 256 ? writer->specs[event->type] : NULL;
    if (!raw_writer_can_write(writer, spec, event))
        return GT_ERR_INVALID_ARGUMENT;
    writer->busy = true;
    gt_status status = writer->flags & GT_RAW_SET_SIZES && writer->version > GT_V1_NEWEST
                           ? raw_writer_put_sized(writer, spec, event)
                           : raw_writer_put(writer, &writer->out, spec, event);
    if (status == GT_OK && writer->out.size >= PIECE)
        status = raw_writer_pass_on(writer);
    writer->busy = false;
    return raw_writer_settle(writer, status);
}

gt_status gt_raw_writer_flush(gt_raw_writer *writer)
{
    if (!writer || writer->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (writer->error.status != GT_OK)
        return (gt_status) writer->error.status;
    writer->busy = true;
    gt_status status = raw_writer_end_batch(writer);
    if (status == GT_OK)
        status = raw_writer_pass_on(writer);
    writer->busy = false;
    return raw_writer_settle(writer, status);
}

gt_status gt_raw_writer_error(const gt_raw_writer *writer, gt_error *error)
{
    return writer && !writer->busy ? gt_error_give(error, &writer->error) : GT_ERR_INVALID_ARGUMENT;
}
