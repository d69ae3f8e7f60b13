/* SPDX-License-Identifier: BSD-3-Clause */

/* Calls of an emitter, chosen by the input, and the JSON or the packets that they produce. */

#include <string.h>

#include <gotrace/viewer_json.h>
#include <gotrace/viewer_perfetto.h>

#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "fuzz/json.h"
#include "support/test.h"

/* Bits of the choices. */
enum {
    CHOICE_ENCLOSING = 1,
    CHOICE_RANGE = 2,
    CHOICE_FILTER = 4,
    CHOICE_PART = 8,
    CHOICE_SPLIT = 16,
    CHOICE_PERFETTO = 32
};

#define ARGUMENTS 3
#define FRAMES    7
#define TEXT      31

/* The calls that are still to be made. */
struct script {
    const struct input *input;
    const uint8_t *at;
    const uint8_t *end;
    gt_emitter *emitter;
    /* The last result of gt_emitter_stack. */
    uint32_t stack;
    gt_viewer_argument arguments[ARGUMENTS];
};

static uint8_t take_byte(struct script *script)
{
    return script->at < script->end ? *script->at++ : 0;
}

/* A number of any size, mostly small. */
static uint64_t take_number(struct script *script)
{
    uint8_t first = take_byte(script);
    uint64_t value = 0;

    if (first < 192)
        return first;
    for (int i = 0; i <= first % 8; i++)
        value = value << 8 | take_byte(script);
    return first & 32 ? ~value : value;
}

static gt_string take_text(struct script *script)
{
    size_t size = take_byte(script) & TEXT, rest = (size_t) (script->end - script->at);
    gt_string text = {(const char *) script->at, size < rest ? size : rest};

    script->at += text.size;
    return text;
}

static size_t take_arguments(struct script *script)
{
    size_t count = take_byte(script) % (ARGUMENTS + 1), i;

    for (i = 0; i < count; i++) {
        gt_viewer_argument *argument = &script->arguments[i];

        memset(argument, 0, sizeof(*argument));
        argument->key = take_text(script);
        argument->kind = take_byte(script) % 6;
        argument->number = take_number(script);
        memcpy(&argument->real, &argument->number, sizeof(argument->real));
        argument->string = take_text(script);
    }
    return count;
}

static uint32_t take_stack(struct script *script)
{
    uint8_t pick = take_byte(script);

    return pick < 128 ? script->stack : pick == 255 ? UINT32_MAX : pick - 128u;
}

static gt_status call_stack(struct script *script)
{
    gt_emitter_frame frames[FRAMES];
    size_t count = take_byte(script) % (FRAMES + 1), i;

    for (i = 0; i < count; i++)
        frames[i] = (gt_emitter_frame){take_number(script), take_number(script), take_text(script),
                                       take_text(script)};
    return gt_emitter_stack(script->emitter, frames, count, &script->stack);
}

static gt_status call_slice(struct script *script, unsigned which)
{
    gt_slice slice = GT_SLICE_INIT;

    slice.resource = take_number(script);
    slice.time = (int64_t) take_number(script);
    slice.duration = (int64_t) take_number(script);
    slice.name = take_text(script);
    slice.stack = take_stack(script);
    slice.end_stack = take_stack(script);
    slice.argument_count = take_arguments(script);
    slice.arguments = script->arguments;
    if (which == 0)
        return gt_emitter_slice(script->emitter, &slice);
    slice.task = take_number(script);
    if (which == 1)
        return gt_emitter_task_slice(script->emitter, &slice);
    slice.category = take_text(script);
    slice.scope = take_text(script);
    return gt_emitter_async_slice(script->emitter, &slice);
}

static gt_status call_instant(struct script *script)
{
    gt_instant instant = GT_INSTANT_INIT;

    instant.resource = take_number(script);
    instant.time = (int64_t) take_number(script);
    instant.name = take_text(script);
    instant.category = take_text(script);
    instant.stack = take_stack(script);
    instant.argument_count = take_arguments(script);
    instant.arguments = script->arguments;
    return gt_emitter_instant(script->emitter, &instant);
}

static gt_status call_arrow(struct script *script, int of_tasks)
{
    gt_arrow arrow = GT_ARROW_INIT;

    arrow.from = take_number(script);
    arrow.to = take_number(script);
    arrow.from_time = (int64_t) take_number(script);
    arrow.to_time = (int64_t) take_number(script);
    arrow.name = take_text(script);
    arrow.from_stack = take_stack(script);
    return of_tasks ? gt_emitter_task_arrow(script->emitter, &arrow)
                    : gt_emitter_arrow(script->emitter, &arrow);
}

static gt_status call_event(struct script *script)
{
    gt_viewer_event event;

    memset(&event, 0, sizeof(event));
    event.size = sizeof(event);
    event.phase = (uint8_t) "XIstbeCM"[take_byte(script) % 8];
    event.section = take_byte(script) % 4;
    event.resource = take_number(script);
    event.time = (int64_t) take_number(script);
    event.duration = (int64_t) take_number(script);
    event.name = take_text(script);
    event.category = take_text(script);
    event.scope = take_text(script);
    event.color = take_text(script);
    event.id = take_number(script);
    event.stack = take_stack(script);
    event.argument_count = take_arguments(script);
    event.arguments = script->arguments;
    return gt_emitter_event(script->emitter, &event, take_byte(script) & 1);
}

static gt_status call_any_counter(struct script *script, int64_t time)
{
    gt_counter counter = GT_COUNTER_INIT;

    counter.time = time;
    counter.name = take_text(script);
    counter.unit = take_text(script);
    counter.value_count = take_arguments(script);
    counter.values = script->arguments;
    return gt_emitter_counter(script->emitter, &counter);
}

static gt_status call_counter(struct script *script, unsigned which)
{
    int64_t time = (int64_t) take_number(script);
    uint64_t value = take_number(script);

    switch (which) {
    case 0:
        return gt_emitter_count_goroutine(script->emitter, time, take_byte(script) % 6,
                                          (uint32_t) value);
    case 1:
        return gt_emitter_count_threads(script->emitter, time, take_byte(script) % 4,
                                        (int64_t) value);
    case 2:
        return value % 2 == 0 ? gt_emitter_heap(script->emitter, time, value)
                              : call_any_counter(script, time);
    default:
        return gt_emitter_heap_goal(script->emitter, time, value);
    }
}

static gt_status call_name(struct script *script, unsigned which)
{
    uint64_t number = take_number(script);
    gt_string text = take_text(script);

    switch (which) {
    case 0:
        return number == 200
                   ? gt_emitter_follow_go(script->emitter)
                   : gt_emitter_name_section(script->emitter, (uint32_t) number % 4, text);
    case 1:
        return gt_emitter_name_resource(script->emitter, number, text);
    case 2:
        return gt_emitter_focus(script->emitter, number);
    default:
        return gt_emitter_name_task(script->emitter, number, text, (int64_t) take_number(script));
    }
}

static gt_status call_next(struct script *script)
{
    unsigned which = take_byte(script) % 16;

    switch (which) {
    case 0:
        return call_stack(script);
    case 1:
    case 2:
    case 3:
        return call_slice(script, which - 1);
    case 4:
        return call_instant(script);
    case 5:
    case 6:
        return call_arrow(script, which == 6);
    case 7:
        return call_event(script);
    case 8:
    case 9:
    case 10:
    case 11:
        return call_counter(script, which - 8);
    default:
        return call_name(script, which - 12);
    }
}

static int filter_odd(void *user_data, uint64_t resource)
{
    (void) user_data;
    return resource & 1;
}

static gt_status open_emitter(struct script *script, const gt_consumer *consumer,
                              const gt_allocator *allocator)
{
    const struct input *input = script->input;
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;

    if (input->flags & CHOICE_ENCLOSING)
        options.flags = GT_EMITTER_ENCLOSING;
    if (input->flags & CHOICE_RANGE) {
        options.range_start = input->pick / 16;
        options.range_end = input->pick % 16 * 16;
    }
    if (input->flags & CHOICE_FILTER)
        options.filter = filter_odd;
    options.memory_limit = input_limit(input);
    options.allocator = allocator;
    return gt_emitter_open(&script->emitter, consumer, &options, NULL);
}

/* Makes all calls and flushes. Calls that are refused for their arguments change nothing. */
static gt_status play(struct script *script, const gt_consumer *consumer,
                      const gt_allocator *allocator)
{
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    gt_status status = open_emitter(script, consumer, allocator);

    while (script->at < script->end && (status == GT_OK || status == GT_ERR_INVALID_ARGUMENT)) {
        status = call_next(script);
        assert_status(gt_emitter_get_info(script->emitter, &info), GT_OK);
        assert_true(info.memory <= info.memory_peak);
    }
    if (status == GT_ERR_INVALID_ARGUMENT)
        status = GT_OK;
    if (status != GT_OK && script->emitter)
        assert_status(gt_emitter_flush(script->emitter), status);
    if (status == GT_OK)
        status = gt_emitter_flush(script->emitter);
    if (status == GT_OK)
        assert_status(gt_emitter_focus(script->emitter, 1), GT_ERR_INVALID_ARGUMENT);
    gt_emitter_close(&script->emitter);
    return status;
}

static void run_json(struct script *script, struct probe *probe)
{
    const struct input *input = script->input;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    struct converted json = {0};
    gt_json_writer *writer;
    gt_status status;

    if (input->flags & CHOICE_PART) {
        options.first = input->pick % 16;
        options.last = input->pick / 16;
    }
    options.memory_limit = input_limit(input);
    options.allocator = &probe->allocator;
    status = gt_json_writer_open(&writer, converted_take, &json, &options, NULL);
    if (status == GT_OK) {
        assert_status(gt_json_writer_consumer(writer, &consumer), GT_OK);
        status = play(script, &consumer, &probe->allocator);
        if (status == GT_ERR_CALLBACK)
            status = gt_json_writer_status(writer);
    }
    if (status == GT_OK)
        assert_true(json_is_good(json.data, json.size));
    else
        assert_true(input_is_trouble(status));
    input_check_failure(input, probe, status);
    gt_json_writer_close(&writer);
    converted_free(&json);
}

static void run_splitter(struct script *script, struct probe *probe)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_splitter *splitter;
    gt_status status =
        gt_splitter_open(&splitter, 1 + 16u * script->input->pick, &probe->allocator, NULL);
    size_t count;

    if (status == GT_OK) {
        assert_status(gt_splitter_consumer(splitter, &consumer), GT_OK);
        status = play(script, &consumer, &probe->allocator);
        if (status == GT_ERR_CALLBACK)
            status = gt_splitter_status(splitter);
        gt_splitter_parts(splitter, &count);
    }
    assert_true(status == GT_OK || input_is_trouble(status));
    input_check_failure(script->input, probe, status);
    gt_splitter_close(&splitter);
}

static gt_status write_perfetto(struct script *script, gt_perfetto_writer *writer,
                                struct probe *probe)
{
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_status status;

    assert_status(gt_perfetto_writer_consumer(writer, script->input->pick % 4, &consumer), GT_OK);
    clock.time = (int64_t) take_number(script);
    clock.wall = (int64_t) take_number(script);
    status = gt_perfetto_writer_clock(writer, &clock);
    if (status == GT_OK)
        status = play(script, &consumer, &probe->allocator);
    if (status == GT_ERR_CALLBACK)
        status = gt_perfetto_writer_status(writer);
    return status == GT_OK ? gt_perfetto_writer_finish(writer) : status;
}

static void run_perfetto(struct script *script, struct probe *probe)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    struct converted packets = {0};
    gt_perfetto_writer *writer;
    gt_status status;

    options.start_time = (int64_t) take_number(script);
    options.uuid_base = take_number(script);
    options.name = take_text(script);
    options.memory_limit = input_limit(script->input);
    options.allocator = &probe->allocator;
    status = gt_perfetto_writer_open(&writer, converted_take, &packets, &options, NULL);
    if (status == GT_OK)
        status = write_perfetto(script, writer, probe);
    if (status == GT_OK) {
        assert_status(gt_perfetto_writer_get_info(writer, &info), GT_OK);
        assert_int_equal(info.bytes, packets.size);
        assert_true(info.memory <= info.memory_peak);
    } else
        assert_true(input_is_trouble(status));
    input_check_failure(script->input, probe, status);
    gt_perfetto_writer_close(&writer);
    converted_free(&packets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script = {0};
    struct input input;
    struct probe probe;

    if (!input_take(&input, data, size, 0))
        return 0;
    input_probe(&input, &probe);
    script.input = &input;
    script.at = input.data;
    script.end = input.data + input.size;
    if (input.flags & CHOICE_SPLIT)
        run_splitter(&script, &probe);
    else if (input.flags & CHOICE_PERFETTO)
        run_perfetto(&script, &probe);
    else
        run_json(&script, &probe);
    probe_check(&probe);
    input_free(&input);
    return 0;
}
