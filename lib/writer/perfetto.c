/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/perfetto.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/object.h"
#include "viewer/check.h"
#include "writer/consumer.h"
#include "writer/perfetto_fields.h"

/* The public functions, and the callbacks of consumers. */

static bool perfetto_options_are_valid(const void *in, gt_error *failure)
{
    const gt_perfetto_options *options = in;
    if (gt_string_is_good(options->name))
        return true;
    gt_error_refuse(failure, "options.name has no data");
    return false;
}

/* Sets what the options leave to the writer. */
static void perfetto_complete_options(gt_perfetto_options *options)
{
    if (options->pid == 0)
        options->pid = 1;
    if (options->sequence == 0)
        options->sequence = 1;
    if (options->start_time < GT_PF_SLACK)
        options->start_time = GT_PF_SLACK;
}

static gt_status perfetto_init(struct gt_perfetto_writer *writer, gt_write_fn write,
                               void *user_data)
{
    writer->has_pid = writer->options.pid != 0;
    perfetto_complete_options(&writer->options);
    gt_json_out_init(&writer->out, writer->buffer, sizeof(writer->buffer), write, user_data);
    writer->secret = gt_hash_secret(writer);
    gt_idmap_init(&writer->once, &writer->mem);
    uint8_t *end =
        gt_proto_put_number(writer->head, GT_PF_PACKET_SEQUENCE_ID, writer->options.sequence);
    writer->head_size = (size_t) (end - writer->head);
    for (uint32_t i = 0; i < GT_PF_SOURCES; i++)
        writer->sources[i] = (struct gt_pf_source){.writer = writer, .rows = i};
    gt_status status = gt_texts_init(&writer->texts, &writer->mem);
    if (status != GT_OK)
        return status;
    status = gt_array_extend(&writer->mem, &writer->defined, 1);
    if (status == GT_OK)
        status = gt_pf_text(writer, writer->options.name, &writer->process_name);
    /* The text is the caller's. */
    writer->options.name = (gt_string){"", 0};
    return status;
}

static void perfetto_free(struct gt_perfetto_writer *writer)
{
    struct gt_mem *mem = &writer->mem;
    for (size_t i = 0; i < GT_PF_SOURCES; i++)
        gt_array_free(mem, &writer->sources[i].frames);
    if (writer->texts.mem)
        gt_texts_destroy(&writer->texts);
    gt_array_free(mem, &writer->defined);
    gt_idmap_destroy(&writer->once);
    gt_array_free(mem, &writer->places);
    gt_index_free(&writer->place_index, mem);
    gt_array_free(mem, &writer->stacks);
    gt_array_free(mem, &writer->path);
    gt_pf_chunks_free(&writer->rows, mem, sizeof(struct gt_pf_row));
    gt_array_free(mem, &writer->hashes);
    gt_pf_chunks_free(&writer->lone_slices, mem, sizeof(struct gt_pf_lone));
    gt_array_free(mem, &writer->nests);
    gt_array_free(mem, &writer->series);
    gt_index_free(&writer->series_index, mem);
    gt_array_free(mem, &writer->changed);
    gt_array_free(mem, &writer->event);
    gt_array_free(mem, &writer->annotation);
    gt_array_free(mem, &writer->inner);
    gt_array_free(mem, &writer->interned);
    gt_mem_delete(mem, writer, sizeof(*writer));
}

gt_status gt_perfetto_writer_open(gt_perfetto_writer **out, gt_write_fn write, void *user_data,
                                  const gt_perfetto_options *options, gt_error *error)
{
    static const gt_perfetto_options defaults = GT_PERFETTO_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("writer", gt_perfetto_writer, gt_perfetto_options, allocator,
                         GT_PERFETTO_NO_WAKES | GT_PERFETTO_STACK_SAMPLES | GT_PERFETTO_NO_CLOCKS,
                         &defaults, perfetto_options_are_valid);
    if (!out)
        return gt_error_report_refusal(error, "writer is NULL");
    *out = NULL;
    if (!write)
        return gt_error_report_refusal(error, "write is NULL");
    gt_status status;
    struct gt_perfetto_writer *writer = gt_object_open(out, &layout, options, error, &status);
    if (!writer)
        return status;
    status = perfetto_init(writer, write, user_data);
    if (status != GT_OK) {
        perfetto_free(writer);
        return gt_error_report_plain(error, status);
    }
    *out = writer;
    return GT_OK;
}

void gt_perfetto_writer_close(gt_perfetto_writer **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_perfetto_writer *writer = *out;
    *out = NULL;
    perfetto_free(writer);
}

gt_status gt_perfetto_writer_status(const gt_perfetto_writer *writer)
{
    return writer ? writer->status : GT_ERR_INVALID_ARGUMENT;
}

/* Begins each function that writes. If it returns false, the function must fail at once. */
static bool perfetto_enter(struct gt_perfetto_writer *writer)
{
    if (writer->busy || writer->status != GT_OK)
        return false;
    writer->busy = true;
    return true;
}

/* Ends each function that writes. Returns the status that the writer then has. */
static gt_status perfetto_leave(struct gt_perfetto_writer *writer, gt_status status)
{
    writer->busy = false;
    if (status == GT_OK && writer->out.failed)
        status = GT_ERR_IO;
    writer->status = status;
    return status;
}

static int perfetto_take_unit(void *user_data, const char *unit)
{
    struct gt_pf_source *source = user_data;
    struct gt_perfetto_writer *writer = source->writer;
    if (!perfetto_enter(writer))
        return 1;
    bool is_good = unit && !source->has_unit && !source->is_flushed && !writer->is_finished;
    source->has_unit = true;
    return perfetto_leave(writer, is_good ? GT_OK : GT_ERR_INVALID_ARGUMENT) != GT_OK;
}

static gt_status perfetto_put(struct gt_pf_source *source, const gt_viewer_event *in)
{
    gt_viewer_event copy;
    const gt_viewer_event *event = gt_viewer_event_take(in, &copy);
    if (!event || source->is_flushed || source->writer->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_pf_begin(source->writer);
    if (status != GT_OK)
        return status;
    if (event->phase == 'C')
        return gt_pf_counter(source, event);
    return event->phase == 'M' ? gt_pf_row_describe(source, event) : gt_pf_event(source, event);
}

static int perfetto_take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_pf_source *source = user_data;
    (void) required;
    if (!perfetto_enter(source->writer))
        return 1;
    return perfetto_leave(source->writer, perfetto_put(source, event)) != GT_OK;
}

static int perfetto_take_frame(void *user_data, const gt_viewer_frame *in)
{
    struct gt_pf_source *source = user_data;
    gt_viewer_frame copy;
    if (!perfetto_enter(source->writer))
        return 1;
    const gt_viewer_frame *frame = gt_viewer_frame_take(in, &copy);
    gt_status status = frame && !source->is_flushed && !source->writer->is_finished
                           ? gt_pf_frame_add(source, frame)
                           : GT_ERR_INVALID_ARGUMENT;
    return perfetto_leave(source->writer, status) != GT_OK;
}

static int perfetto_take_flush(void *user_data)
{
    struct gt_pf_source *source = user_data;
    if (!perfetto_enter(source->writer))
        return 1;
    bool is_good = !source->is_flushed && !source->writer->is_finished;
    source->is_flushed = true;
    return perfetto_leave(source->writer, is_good ? GT_OK : GT_ERR_INVALID_ARGUMENT) != GT_OK;
}

gt_status gt_perfetto_writer_consumer(gt_perfetto_writer *writer, uint32_t rows,
                                      gt_consumer *consumer)
{
    if (!writer || rows >= GT_PF_SOURCES || writer->busy || writer->sources[rows].is_open)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_pf_source *source = &writer->sources[rows];
    const gt_consumer own = {
        .size = sizeof(own),
        .user_data = source,
        .time_unit = perfetto_take_unit,
        .event = perfetto_take_event,
        .frame = perfetto_take_frame,
        .flush = perfetto_take_flush,
    };
    gt_status status = gt_consumer_give(consumer, &own);
    if (status != GT_OK)
        return status;
    source->is_open = true;
    source->is_first = !writer->has_sources;
    writer->has_sources = true;
    return GT_OK;
}

gt_status gt_perfetto_writer_clock(gt_perfetto_writer *writer, const gt_perfetto_clock *in)
{
    static const size_t least = GT_UP_TO(gt_perfetto_clock, wall);
    gt_perfetto_clock clock;
    if (!writer || !in || gt_struct_take(&clock, sizeof(clock), least, in) != GT_OK ||
        writer->is_finished || (writer->options.flags & GT_PERFETTO_NO_CLOCKS) != 0)
        return GT_ERR_INVALID_ARGUMENT;
    if (!perfetto_enter(writer))
        return writer->busy ? GT_ERR_INVALID_ARGUMENT : writer->status;
    gt_status status = gt_pf_begin(writer);
    if (status == GT_OK)
        status = gt_pf_put_clock(writer, &clock);
    return perfetto_leave(writer, status);
}

gt_status gt_perfetto_writer_sample(gt_perfetto_writer *writer, const gt_perfetto_sample *in)
{
    static const size_t least = GT_UP_TO(gt_perfetto_sample, stack);
    gt_perfetto_sample sample;
    if (!writer || !in || gt_struct_take(&sample, sizeof(sample), least, in) != GT_OK ||
        writer->is_finished || sample.rows >= GT_PF_SOURCES ||
        (writer->options.flags & GT_PERFETTO_STACK_SAMPLES) == 0)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_pf_source *source = &writer->sources[sample.rows];
    if (sample.stack == 0 || sample.stack > source->frames.count)
        return GT_ERR_INVALID_ARGUMENT;
    if (!perfetto_enter(writer))
        return writer->busy ? GT_ERR_INVALID_ARGUMENT : writer->status;
    gt_status status = gt_pf_begin(writer);
    if (status == GT_OK)
        status = gt_pf_sample(source, &sample);
    return perfetto_leave(writer, status);
}

gt_status gt_perfetto_writer_set_pid(gt_perfetto_writer *writer, uint32_t pid)
{
    if (!writer || writer->busy || writer->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    writer->options.pid = pid != 0 ? pid : 1;
    writer->has_pid = true;
    return GT_OK;
}

gt_status gt_perfetto_writer_finish(gt_perfetto_writer *writer)
{
    if (!writer || writer->is_finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (!perfetto_enter(writer))
        return writer->busy ? GT_ERR_INVALID_ARGUMENT : writer->status;
    writer->is_finished = true;
    gt_status status = gt_pf_begin(writer);
    if (status == GT_OK)
        status = gt_pf_put_tracks(writer);
    if (status == GT_OK)
        gt_json_out_flush(&writer->out);
    return perfetto_leave(writer, status);
}

gt_status gt_perfetto_writer_get_info(const gt_perfetto_writer *writer, gt_perfetto_info *info)
{
    if (!writer || !gt_struct_fits(info, GT_UP_TO(gt_perfetto_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_perfetto_info own = writer->info;
    own.size = sizeof(own);
    own.bytes = gt_json_out_size(&writer->out);
    gt_mem_count(&writer->mem, &own.memory, &own.memory_peak);
    gt_struct_give(info, &own, sizeof(own));
    return GT_OK;
}
