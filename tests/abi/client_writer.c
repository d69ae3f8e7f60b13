/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

enum {
    SKIPPED = 10,
    SHOWN = 300
};

static void say_wire(const gt_event *event)
{
    FILLED(gt_wire_event, wire, GT_WIRE_EVENT_INIT);
    must("wire", gt_event_wire(event, &wire.value));
    NUMBER(wire.value, type);
    NUMBER(wire.value, status);
    INTACT(gt_wire_event, wire);
}

static void say_output(const gt_writer *writer)
{
    FILLED(gt_writer_info, info, GT_WRITER_INFO_INIT);
    FILLED(gt_error, error, GT_ERROR_INIT);
    must("info", gt_writer_get_info(writer, &info.value));
    NUMBER(info.value, version);
    NUMBER(info.value, events);
    NUMBER(info.value, made_up);
    NUMBER(info.value, left_out);
    NUMBER(info.value, delayed);
    NUMBER(info.value, generations);
    NUMBER(info.value, bytes);
    NUMBER(info.value, moved);
    NUMBER(info.value, handed_over);
    MEMORY(info.value);
    INTACT(gt_writer_info, info);
    says("writer's error", gt_writer_error(writer, &error.value));
    say_error("error", &error.value);
    INTACT(gt_error, error);
}

/* Keeps all texts but those of the program. */
static int take_text(void *user_data, gt_text_kind kind, gt_string *text)
{
    uint64_t *kinds = user_data;
    *kinds |= UINT64_C(1) << kind;
    switch (kind) {
    case GT_TEXT_FUNCTION:
    case GT_TEXT_FILE:
    case GT_TEXT_TASK:
    case GT_TEXT_REGION:
    case GT_TEXT_CATEGORY:
    case GT_TEXT_MESSAGE:
    case GT_TEXT_LABEL:
        *text = (gt_string){"renamed", 7};
        break;
    case GT_TEXT_REASON:
    case GT_TEXT_CAUSE:
        break;
    default:
        return 1;
    }
    return 0;
}

static gt_writer *open_writer(gt_reader *reader, struct sink *sink, uint64_t *kinds)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    gt_writer *writer = NULL;
    options.version = 26;
    options.flags = GT_WRITER_ANONYMOUS;
    options.text = take_text;
    options.text_data = kinds;
    options.offset = 5;
    options.wall_seconds = 7;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("writer", gt_writer_open(&writer, reader, take_bytes, sink, &options, &error.value));
    INTACT(gt_error, error);
    return writer;
}

/* Writes the trace without its beginning. */
static void write_trace(void)
{
    gt_reader *reader = open_trace();
    struct sink sink = {0};
    uint64_t kinds = 0;
    gt_writer *writer = open_writer(reader, &sink, &kinds);
    const gt_event *event = NULL;
    gt_status status = GT_OK;
    for (int i = 0; status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK; i++) {
        if (i < SHOWN)
            say_wire(event);
        status = i < SKIPPED ? gt_writer_skip(writer, event) : gt_writer_event(writer, event);
    }
    says("write", status);
    says("join", gt_writer_join(writer, reader));
    says("finish", gt_writer_finish(writer));
    says("restart", gt_writer_restart(writer));
    say_output(writer);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    say_sink("written", &sink);
    say("kinds of texts %llx", (unsigned long long) kinds);
}

static void say_losses(const gt_downgrader *downgrader)
{
    FILLED(gt_downgrader_info, info, GT_DOWNGRADER_INFO_INIT);
    FILLED(gt_error, error, GT_ERROR_INIT);
    must("info", gt_downgrader_get_info(downgrader, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, goroutines);
    NUMBER(info.value, generations);
    NUMBER(info.value, clocks);
    NUMBER(info.value, experiments);
    NUMBER(info.value, labels);
    NUMBER(info.value, reasons);
    NUMBER(info.value, causes);
    NUMBER(info.value, ranges);
    NUMBER(info.value, stacks);
    NUMBER(info.value, frames);
    NUMBER(info.value, samples);
    NUMBER(info.value, callbacks);
    NUMBER(info.value, renamed);
    NUMBER(info.value, bytes);
    MEMORY(info.value);
    INTACT(gt_downgrader_info, info);
    says("downgrader's error", gt_downgrader_error(downgrader, &error.value));
    say_error("error", &error.value);
    INTACT(gt_error, error);
}

/* Writes the trace in the format of Go 1.21, unless it has that already. */
static void downgrade_trace(void)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    gt_downgrader_options options = GT_DOWNGRADER_OPTIONS_INIT;
    gt_reader *reader = open_trace();
    struct sink sink = {0};
    gt_downgrader *downgrader = NULL;
    const gt_event *event = NULL;
    gt_status status = GT_OK;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("downgrader",
         gt_downgrader_open(&downgrader, reader, take_bytes, &sink, &options, &error.value));
    INTACT(gt_error, error);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_downgrader_event(downgrader, event);
    says("downgrade", status);
    says("finish", gt_downgrader_finish(downgrader));
    say_losses(downgrader);
    gt_downgrader_close(&downgrader);
    gt_reader_close(&reader);
    say_sink("downgraded", &sink);
}

/* Counts all events in batches. */
static void profile_batches(void)
{
    gt_reader *reader = open_trace();
    const gt_event *const *events = NULL;
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile = NULL;
    size_t count = 0;
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++)
        options.kinds |= GT_PROFILE_BIT(kind);
    must("profile", gt_profile_open(&profile, &options, NULL));
    while (gt_reader_next_events(reader, &events, &count) == GT_OK)
        must("batch", gt_profile_events(profile, reader, events, count));
    must("profile", gt_profile_finish(profile));
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++)
        say("stacks %zu", gt_profile_count(profile, kind));
    gt_profile_close(&profile);
    gt_reader_close(&reader);
}

void use_writer(void)
{
    write_trace();
    downgrade_trace();
    profile_batches();
}
