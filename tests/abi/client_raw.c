/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <fcntl.h>
#include <unistd.h>

static void say_spec(const gt_wire_spec *spec)
{
    say("%s %u: %u, %u, %u", spec->name, spec->type, spec->flags, spec->experiment,
        spec->begin_type);
    const gt_wire_argument *arguments = spec->arguments;
    for (uint32_t i = 0; i < spec->argument_count; i++)
        say("  %s %u", arguments[i].name, arguments[i].kind);
}

static void say_specs(uint32_t version)
{
    say("version %u", version);
    for (uint32_t type = 0; type < 256; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        if (!spec)
            continue;
        say_spec(spec);
        if (gt_wire_spec_find(version, spec->name, strlen(spec->name)) != spec)
            die(spec->name, "is not found");
    }
}

/* Copies all records to a writer whose output is summed up. */
static void copy_records(gt_raw_reader *reader, uint32_t form, uint64_t flags, struct sink *sink)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    FILLED(gt_raw_info, info, GT_RAW_INFO_INIT);
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_writer *writer = NULL;
    const gt_raw_event *event = NULL;
    gt_status status;
    must("info", gt_raw_reader_get_info(reader, &info.value));
    options.flags = flags;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("writer", gt_raw_writer_open(&writer, info.value.version, form, take_bytes, sink, &options,
                                      &error.value));
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        must("write", gt_raw_writer_write_event(writer, event));
    must("flush", gt_raw_writer_flush(writer));
    must("writer's error", gt_raw_writer_error(writer, &error.value));
    says("records", status);
    must("reader's error", gt_raw_reader_error(reader, &error.value));
    say_error("error", &error.value);
    must("info", gt_raw_reader_get_info(reader, &info.value));
    NUMBER(info.value, version);
    NUMBER(info.value, newer);
    NUMBER(info.value, form);
    NUMBER(info.value, bytes);
    NUMBER(info.value, events);
    MEMORY(info.value);
    INTACT(gt_error, error);
    INTACT(gt_raw_info, info);
    gt_raw_writer_close(&writer);
}

static void say_record(const gt_raw_event *event)
{
    say("record %u of %zu: %u, %zu, %zu, %zu", event->type, (size_t) event->offset,
        event->argument_count, event->frame_count, event->data.size, event->width_count);
    for (uint32_t i = 0; i < event->argument_count; i++)
        say("  %llu", (unsigned long long) event->arguments[i]);
    for (size_t i = 0; i < event->frame_count; i++) {
        const gt_raw_frame *frame = &event->frames[i];
        say("  %llx %llu %llu %llu", (unsigned long long) frame->pc,
            (unsigned long long) frame->function, (unsigned long long) frame->file,
            (unsigned long long) frame->line);
    }
    NUMBER(*event, length);
}

static void say_records(gt_raw_reader **reader)
{
    const gt_raw_event *event = NULL;
    for (int i = 0; i < 300 && gt_raw_reader_next_event(*reader, &event) == GT_OK; i++)
        say_record(event);
    gt_raw_reader_close(reader);
}

static int64_t give_nothing(void *user_data, void *buffer, size_t capacity)
{
    (void) user_data;
    (void) buffer;
    (void) capacity;
    return 0;
}

/* Writes a record that is not in the trace. */
static void make_record(void)
{
    const uint64_t arguments[] = {7};
    struct sink sink = {0};
    gt_raw_event event = GT_RAW_EVENT_INIT;
    gt_raw_writer *writer = NULL;
    event.type = GT_WIRE_STRING;
    event.arguments = arguments;
    event.argument_count = 1;
    event.data = text("main.main");
    must("writer", gt_raw_writer_open(&writer, 26, GT_RAW_BYTES, take_bytes, &sink, NULL, NULL));
    must("write", gt_raw_writer_write_event(writer, &event));
    event.argument_count = 0;
    says("wrong", gt_raw_writer_write_event(writer, &event));
    must("flush", gt_raw_writer_flush(writer));
    gt_raw_writer_close(&writer);
    say_sink("made", &sink);
}

void use_raw(void)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    struct sink written = {0}, again = {0};
    gt_raw_reader *reader = NULL;
    for (uint32_t version = 5; version < 30; version++)
        say_specs(version);
    must("raw file", gt_raw_reader_open_file(&reader, trace.path, NULL, &error.value));
    say_records(&reader);
    int fd = open(trace.path, O_RDONLY);
    must("raw fd", gt_raw_reader_open_fd(&reader, fd, NULL, NULL));
    copy_records(reader, GT_RAW_TEXT, 0, &written);
    gt_raw_reader_close(&reader);
    close(fd);
    must("text", gt_raw_reader_open_memory(&reader, written.data, written.size, NULL, NULL));
    copy_records(reader, GT_RAW_BYTES, GT_RAW_SET_SIZES, &again);
    gt_raw_reader_close(&reader);
    say_sink("text", &written);
    say_sink("bytes", &again);
    must("raw push", gt_raw_reader_open_push(&reader, NULL, NULL));
    must("raw feed", gt_raw_reader_feed(reader, trace.data, trace.size));
    must("raw finish", gt_raw_reader_finish(reader));
    say_records(&reader);
    says("raw callback",
         gt_raw_reader_open_callback(&reader, give_nothing, NULL, NULL, &error.value));
    say_error("error", &error.value);
    make_record();
    INTACT(gt_error, error);
}
