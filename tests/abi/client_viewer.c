/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

static int on_unit(void *user_data, const char *unit)
{
    (void) user_data;
    say("unit %s", unit);
    return 0;
}

static int on_event(void *user_data, const gt_viewer_event *event, int required)
{
    unsigned *shown = user_data;
    if (++*shown > 2000)
        return 0;
    say("viewer %c, %d", (int) event->phase, required);
    NUMBER(*event, section);
    NUMBER(*event, resource);
    NUMBER(*event, time);
    NUMBER(*event, duration);
    STRING(*event, name);
    STRING(*event, category);
    STRING(*event, scope);
    STRING(*event, color);
    NUMBER(*event, id);
    NUMBER(*event, stack);
    NUMBER(*event, end_stack);
    for (size_t i = 0; i < event->argument_count; i++) {
        STRING(event->arguments[i], key);
        NUMBER(event->arguments[i], kind);
        NUMBER(event->arguments[i], number);
        if (event->arguments[i].kind == GT_VIEWER_STRING)
            STRING(event->arguments[i], string);
    }
    return 0;
}

static int on_frame(void *user_data, const gt_viewer_frame *frame)
{
    if (*(unsigned *) user_data > 2000)
        return 0;
    NUMBER(*frame, id);
    NUMBER(*frame, parent);
    NUMBER(*frame, pc);
    STRING(*frame, function);
    NUMBER(*frame, line);
    STRING(*frame, file);
    return 0;
}

static int on_flush(void *user_data)
{
    say("flushed after %u", *(unsigned *) user_data);
    return 0;
}

static gt_consumer own_consumer(unsigned *shown)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    *shown = 0;
    consumer.user_data = shown;
    consumer.time_unit = on_unit;
    consumer.event = on_event;
    consumer.frame = on_frame;
    consumer.flush = on_flush;
    return consumer;
}

static int all_but_9(void *user_data, uint64_t resource)
{
    (void) user_data;
    return resource != 9;
}

static void emit_slices(gt_emitter *emitter)
{
    const gt_emitter_frame frames[] = {{1, 2, {"leaf", 4}, {"a.go", 4}},
                                       {3, 4, {"root", 4}, {"b.go", 4}}};
    const gt_viewer_argument argument = {{"k", 1}, GT_VIEWER_UNSIGNED, 0, 5, {"", 0}, 0};
    gt_slice slice = GT_SLICE_INIT;
    gt_instant instant = GT_INSTANT_INIT;
    must("stack", gt_emitter_stack(emitter, frames, 2, &slice.stack));
    slice.resource = 1;
    slice.time = 100;
    slice.duration = 50;
    slice.name = text("slice");
    slice.end_stack = slice.stack;
    slice.arguments = &argument;
    slice.argument_count = 1;
    slice.category = slice.scope = text("c");
    slice.task = 2;
    must("slice", gt_emitter_slice(emitter, &slice));
    must("task slice", gt_emitter_task_slice(emitter, &slice));
    must("async slice", gt_emitter_async_slice(emitter, &slice));
    instant.resource = 2;
    instant.time = 120;
    instant.name = instant.category = text("instant");
    instant.stack = slice.stack;
    instant.arguments = &argument;
    instant.argument_count = 1;
    must("instant", gt_emitter_instant(emitter, &instant));
}

static void emit_arrows(gt_emitter *emitter)
{
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = 1;
    arrow.to = 2;
    arrow.from_time = 110;
    arrow.to_time = 130;
    arrow.name = text("arrow");
    must("arrow", gt_emitter_arrow(emitter, &arrow));
    must("task arrow", gt_emitter_task_arrow(emitter, &arrow));
}

static void emit_rest(gt_emitter *emitter)
{
    const gt_viewer_argument value = {{"k", 1}, GT_VIEWER_DOUBLE, 0, 0, {"", 0}, 0.5};
    gt_counter counter = GT_COUNTER_INIT;
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    gt_error error = GT_ERROR_INIT;
    counter.values = &value;
    counter.value_count = 1;
    must("counter", gt_emitter_counter(emitter, &counter));
    must("go", gt_emitter_follow_go(emitter));
    must("error", gt_emitter_error(emitter, &error));
    event.name = text("own");
    must("event", gt_emitter_event(emitter, &event, 1));
    must("count", gt_emitter_count_goroutine(emitter, 130, GT_COUNTED_DEAD, GT_COUNTED_RUNNING));
    must("threads", gt_emitter_count_threads(emitter, 131, GT_COUNTED_THREAD_RUNNING, 1));
    must("heap", gt_emitter_heap(emitter, 132, 1000));
    must("goal", gt_emitter_heap_goal(emitter, 133, 2000));
    must("type", gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text("ROWS")));
    must("name", gt_emitter_name_resource(emitter, 1, text("one")));
    must("focus", gt_emitter_focus(emitter, 1));
    must("task", gt_emitter_name_task(emitter, 1, text("task"), 3));
    says("state", gt_emitter_count_goroutine(emitter, 130, 77, 0));
}

static void emit(const gt_consumer *consumer)
{
    FILLED(gt_emitter_info, info, GT_EMITTER_INFO_INIT);
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_emitter *emitter = NULL;
    options.flags = GT_EMITTER_ENCLOSING;
    options.range_start = 0;
    options.range_end = 1000;
    options.filter = all_but_9;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("emitter", gt_emitter_open(&emitter, consumer, &options, NULL));
    emit_slices(emitter);
    emit_arrows(emitter);
    emit_rest(emitter);
    must("flush", gt_emitter_flush(emitter));
    must("info", gt_emitter_get_info(emitter, &info.value));
    NUMBER(info.value, events);
    NUMBER(info.value, frames);
    MEMORY(info.value);
    say("consistent %d", gt_emitter_is_consistent(emitter));
    INTACT(gt_emitter_info, info);
    gt_emitter_close(&emitter);
}

void use_viewer(void)
{
    unsigned shown = 0;
    struct sink sink = {0};
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_json_writer *writer = NULL;
    FILLED(gt_consumer, consumer, GT_CONSUMER_INIT);
    gt_consumer own = own_consumer(&shown);
    emit(&own);
    options.last = 4;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("writer", gt_json_writer_open(&writer, take_bytes, &sink, &options, NULL));
    must("consumer", gt_json_writer_consumer(writer, &consumer.value));
    emit(&consumer.value);
    says("json", gt_json_writer_status(writer));
    gt_json_writer_close(&writer);
    say_sink("json", &sink);
    INTACT(gt_consumer, consumer);
}

static gt_selector *select_part(uint32_t selection, uint64_t id)
{
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    gt_selector *selector = NULL;
    gt_reader *reader = open_trace();
    const gt_event *event = NULL;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("selector", gt_selector_open(&selector, selection, id, &options, NULL));
    while (gt_reader_next_event(reader, &event) == GT_OK)
        must("select", gt_selector_event(selector, event));
    says("selected", gt_selector_finish(selector));
    gt_reader_close(&reader);
    return selector;
}

static void draw(const gt_consumer *consumer, uint32_t view, uint64_t flags,
                 const gt_selector *selector)
{
    FILLED(gt_timeline_info, info, GT_TIMELINE_INFO_INIT);
    FILLED(gt_emitter_options, emitting, GT_EMITTER_OPTIONS_INIT);
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    gt_reader *reader = open_trace();
    gt_emitter *emitter = NULL;
    gt_timeline *timeline = NULL;
    const gt_event *event = NULL;
    if (selector)
        must("apply", gt_selector_apply(selector, &emitting.value));
    must("emitter", gt_emitter_open(&emitter, consumer, &emitting.value, NULL));
    options.flags = flags;
    options.view = view;
    options.selector = selector;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    must("timeline", gt_timeline_open(&timeline, reader, emitter, &options, NULL));
    while (gt_reader_next_event(reader, &event) == GT_OK)
        must("draw", gt_timeline_event(timeline, event));
    must("finish", gt_timeline_finish(timeline));
    must("flush", gt_emitter_flush(emitter));
    must("info", gt_timeline_get_info(timeline, &info.value));
    NUMBER(info.value, events);
    MEMORY(info.value);
    INTACT(gt_timeline_info, info);
    INTACT(gt_emitter_options, emitting);
    gt_timeline_close(&timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
}

static void split(void)
{
    FILLED(gt_consumer, consumer, GT_CONSUMER_INIT);
    gt_splitter *splitter = NULL;
    size_t count = 0;
    must("splitter", gt_splitter_open(&splitter, 20000, &allocator, NULL));
    must("consumer", gt_splitter_consumer(splitter, &consumer.value));
    draw(&consumer.value, GT_VIEW_PROC, 0, NULL);
    says("split", gt_splitter_status(splitter));
    const gt_part *parts = gt_splitter_parts(splitter, &count);
    for (size_t i = 0; i < count; i++) {
        NUMBER(parts[i], first);
        NUMBER(parts[i], last);
        NUMBER(parts[i], start_time);
        NUMBER(parts[i], end_time);
    }
    INTACT(gt_consumer, consumer);
    gt_splitter_close(&splitter);
}

static int count_bytes(void *user_data, const void *data, size_t size)
{
    (void) data;
    *(size_t *) user_data += size;
    return 0;
}

static void write_perfetto(void)
{
    FILLED(gt_consumer, consumer, GT_CONSUMER_INIT);
    FILLED(gt_perfetto_options, options, GT_PERFETTO_OPTIONS_INIT);
    FILLED(gt_perfetto_clock, clock, GT_PERFETTO_CLOCK_INIT);
    FILLED(gt_perfetto_sample, sample, GT_PERFETTO_SAMPLE_INIT);
    FILLED(gt_perfetto_info, info, GT_PERFETTO_INFO_INIT);
    gt_perfetto_writer *writer = NULL;
    size_t bytes = 0;
    options.value.flags = GT_PERFETTO_NO_WAKES | GT_PERFETTO_STACK_SAMPLES;
    options.value.start_time = 1000000;
    options.value.memory_limit = 64 << 20;
    options.value.allocator = &allocator;
    clock.value.wall = 1000000000;
    must("perfetto", gt_perfetto_writer_open(&writer, count_bytes, &bytes, &options.value, NULL));
    must("consumer", gt_perfetto_writer_consumer(writer, GT_PERFETTO_GOROUTINES, &consumer.value));
    must("clock", gt_perfetto_writer_clock(writer, &clock.value));
    draw(&consumer.value, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES, NULL);
    must("pid", gt_perfetto_writer_set_pid(writer, 7));
    sample.value.rows = GT_PERFETTO_GOROUTINES;
    sample.value.stack = 1;
    sample.value.resource = sample.value.thread = 1;
    must("sample", gt_perfetto_writer_sample(writer, &sample.value));
    must("finish", gt_perfetto_writer_finish(writer));
    says("perfetto", gt_perfetto_writer_status(writer));
    must("info", gt_perfetto_writer_get_info(writer, &info.value));
    NUMBER(info.value, bytes);
    NUMBER(info.value, packets);
    NUMBER(info.value, slices);
    NUMBER(info.value, instants);
    NUMBER(info.value, values);
    NUMBER(info.value, flows);
    NUMBER(info.value, stacks);
    NUMBER(info.value, frames);
    MEMORY(info.value);
    say("written %zu", bytes);
    INTACT(gt_consumer, consumer);
    INTACT(gt_perfetto_options, options);
    INTACT(gt_perfetto_clock, clock);
    INTACT(gt_perfetto_sample, sample);
    INTACT(gt_perfetto_info, info);
    gt_perfetto_writer_close(&writer);
}

void use_timelines(void)
{
    unsigned shown = 0;
    gt_consumer consumer = own_consumer(&shown);
    draw(&consumer, GT_VIEW_PROC, 0, NULL);
    consumer = own_consumer(&shown);
    draw(&consumer, GT_VIEW_THREAD, GT_TIMELINE_EXACT, NULL);
    gt_selector *selector = select_part(GT_SELECT_GOROUTINE, 1);
    consumer = own_consumer(&shown);
    draw(&consumer, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES, selector);
    gt_selector_close(&selector);
    split();
    write_perfetto();
    say("held %zu", heap.held);
}
