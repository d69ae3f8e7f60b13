/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <fcntl.h>
#include <unistd.h>

static void say_stack(gt_reader *reader, const char *what, gt_stack stack)
{
    gt_frame frames[MAX_FRAMES];
    size_t count = 0;
    if (stack == GT_STACK_NONE || gt_stack_frames(reader, stack, frames, MAX_FRAMES, &count))
        count = 0;
    say_frames(what, frames, count < MAX_FRAMES ? count : MAX_FRAMES);
    const gt_frame *view;
    if (gt_stack_view(reader, stack, &view, &count) == GT_OK)
        say_frames(what, view, count < MAX_FRAMES ? count : MAX_FRAMES);
}

static void say_range(const gt_event *event)
{
    FILLED(gt_range, range, GT_RANGE_INIT);
    if (gt_event_range(event, &range.value) == GT_OK) {
        STRING(range.value, name);
        STRING(range.value, cause);
        NUMBER(range.value, has_cause);
        say_resource(range.value.scope);
        for (uint32_t i = 0; i < range.value.attribute_count; i++) {
            FILLED(gt_string, name, {0});
            FILLED(gt_value, value, {0});
            must("attribute", gt_event_range_attribute(event, i, &name.value, &value.value));
            say_string("attribute", name.value);
            say_value(value.value);
            INTACT(gt_string, name);
            INTACT(gt_value, value);
        }
    }
    INTACT(gt_range, range);
}

static void say_user_event(const gt_event *event)
{
    FILLED(gt_task, task, GT_TASK_INIT);
    FILLED(gt_region, region, GT_REGION_INIT);
    FILLED(gt_log, log, GT_LOG_INIT);
    if (gt_event_task(event, &task.value) == GT_OK) {
        NUMBER(task.value, id);
        NUMBER(task.value, parent);
        STRING(task.value, type);
    }
    if (gt_event_region(event, &region.value) == GT_OK) {
        NUMBER(region.value, task);
        STRING(region.value, type);
    }
    if (gt_event_log(event, &log.value) == GT_OK) {
        NUMBER(log.value, task);
        STRING(log.value, category);
        STRING(log.value, message);
    }
    INTACT(gt_task, task);
    INTACT(gt_region, region);
    INTACT(gt_log, log);
}

static void say_metric_or_label(const gt_event *event)
{
    FILLED(gt_metric, metric, GT_METRIC_INIT);
    FILLED(gt_label, label, GT_LABEL_INIT);
    if (gt_event_metric(event, &metric.value) == GT_OK) {
        STRING(metric.value, name);
        say_value(metric.value.value);
    }
    if (gt_event_label(event, &label.value) == GT_OK) {
        STRING(label.value, label);
        say_resource(label.value.resource);
    }
    INTACT(gt_metric, metric);
    INTACT(gt_label, label);
}

static void say_transition(gt_reader *reader, const gt_event *event)
{
    FILLED(gt_transition, change, GT_TRANSITION_INIT);
    if (gt_event_transition(event, &change.value) == GT_OK) {
        say_resource(change.value.resource);
        NUMBER(change.value, from);
        NUMBER(change.value, to);
        STRING(change.value, reason);
        say_stack(reader, "stack", change.value.stack);
    }
    INTACT(gt_transition, change);
}

static void say_batches(const gt_event *event, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        FILLED(gt_experimental_batch, batch, GT_EXPERIMENTAL_BATCH_INIT);
        must("batch", gt_event_experimental_batch(event, i, &batch.value));
        STRING(batch.value, experiment);
        NUMBER(batch.value, experiment_id);
        NUMBER(batch.value, thread);
        NUMBER(batch.value, data.size);
        INTACT(gt_experimental_batch, batch);
    }
}

static void say_sync(const gt_event *event)
{
    FILLED(gt_sync, sync, GT_SYNC_INIT);
    if (gt_event_sync(event, &sync.value) == GT_OK) {
        NUMBER(sync.value, number);
        NUMBER(sync.value, generation);
        NUMBER(sync.value, has_clock);
        NUMBER(sync.value, clock_trace);
        NUMBER(sync.value, clock_monotonic);
        NUMBER(sync.value, clock_seconds);
        NUMBER(sync.value, clock_nanoseconds);
        say_batches(event, sync.value.batch_count);
    }
    INTACT(gt_sync, sync);
}

static void say_experimental(const gt_event *event)
{
    FILLED(gt_experimental, said, GT_EXPERIMENTAL_INIT);
    if (gt_event_experimental(event, &said.value) == GT_OK) {
        STRING(said.value, name);
        STRING(said.value, experiment);
        for (uint32_t i = 0; i < said.value.argument_count; i++) {
            gt_string name = {0};
            gt_value value = {0};
            must("argument", gt_event_experimental_argument(event, i, &name, &value));
            say_string("argument", name);
            say_value(value);
        }
    }
    INTACT(gt_experimental, said);
}

static void say_event(gt_reader *reader, const gt_event *event)
{
    int64_t seconds = 0;
    uint32_t nanoseconds = 0;
    say("%s %lld", gt_event_kind_name(event->kind), (long long) event->time);
    say("  %lld %lld %lld", (long long) event->thread, (long long) event->proc,
        (long long) event->goroutine);
    if (gt_event_wall_clock(event, &seconds, &nanoseconds) == GT_OK)
        say("  %lld.%09u", (long long) seconds, nanoseconds);
    say_stack(reader, "context", gt_event_stack(event));
    say_metric_or_label(event);
    say_range(event);
    say_user_event(event);
    say_transition(reader, event);
    say_sync(event);
    say_experimental(event);
}

static void say_reader(gt_reader **reader, gt_status status)
{
    FILLED(gt_reader_info, info, GT_READER_INFO_INIT);
    FILLED(gt_error, error, GT_ERROR_INIT);
    must("gt_reader_get_info", gt_reader_get_info(*reader, &info.value));
    must("gt_reader_error", gt_reader_error(*reader, &error.value));
    says("read", status);
    say_error("error", &error.value);
    NUMBER(info.value, version);
    NUMBER(info.value, newer);
    NUMBER(info.value, bytes);
    NUMBER(info.value, events);
    NUMBER(info.value, generations);
    MEMORY(info.value);
    NUMBER(info.value, repairs);
    INTACT(gt_reader_info, info);
    INTACT(gt_error, error);
    gt_reader_close(reader);
    say("held %zu of %d", heap.held, heap.calls > 0);
}

/* Reads to the end, and prints the first `shown` events. */
static gt_status read_on(gt_reader *reader, unsigned shown)
{
    const gt_event *event = NULL;
    gt_status status;
    unsigned long long sum = 0;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        sum = sum * 31 + (unsigned long long) event->time + event->kind;
        if (shown > 0) {
            shown--;
            say_event(reader, event);
        }
    }
    say("sum %llx", sum);
    return status;
}

static int64_t give_bytes(void *user_data, void *buffer, size_t capacity)
{
    struct trace *from = user_data;
    size_t left = from->size - from->taken;
    size_t count = left < capacity ? left : capacity;
    count = count < 1000 ? count : 1000;
    memcpy(buffer, from->data + from->taken, count);
    from->taken += count;
    return (int64_t) count;
}

static void say_repair(void *user_data, const gt_error *repair)
{
    unsigned *count = user_data;
    if (++*count < 10)
        say_error("repair", repair);
}

/* Only traces of Go 1.5 and 1.6 need names, and no trace here is one. */
static int no_symbols(void *user_data, gt_symbol *symbols, size_t count)
{
    (void) user_data;
    for (size_t i = 0; i < count; i++)
        symbols[i].function = symbols[i].file = text("");
    return 0;
}

static void use_sources(void)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    gt_reader *reader = NULL;
    must("file", gt_reader_open_file(&reader, trace.path, NULL, &error.value));
    say_reader(&reader, read_on(reader, 0));

    int fd = open(trace.path, O_RDONLY);
    must("fd", gt_reader_open_fd(&reader, fd, NULL, &error.value));
    say_reader(&reader, read_on(reader, 0));
    close(fd);

    trace.taken = 0;
    must("callback", gt_reader_open_callback(&reader, give_bytes, &trace, NULL, &error.value));
    say_reader(&reader, read_on(reader, 0));

    says("no trace", gt_reader_open_memory(&reader, "x", 1, NULL, &error.value));
    say_error("error", &error.value);
    says("no file", gt_reader_open_file(&reader, "/none", NULL, &error.value));
    say_error("error", &error.value);
    INTACT(gt_error, error);
}

static void use_push(void)
{
    gt_reader *reader = NULL;
    const gt_event *event;
    must("push", gt_reader_open_push(&reader, NULL, NULL));
    says("nothing fed", gt_reader_next_event(reader, &event));
    must("feed", gt_reader_feed(reader, trace.data, trace.size));
    must("finish", gt_reader_finish(reader));
    say_reader(&reader, read_on(reader, 0));
}

/* The system's threads are not the same in each run, so all jobs are refused. */
static int refuse_job(void *user_data, gt_job_fn run, void *job)
{
    (void) user_data;
    (void) run;
    (void) job;
    return -1;
}

static void use_options(void)
{
    unsigned repairs = 0;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader = NULL;
    options.flags = GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT;
    options.flags |= GT_READER_AS_RECORDED;
    options.memory_limit = 64 << 20;
    options.allocator = &allocator;
    options.on_repair = say_repair;
    options.repair_data = &repairs;
    options.symbolize = no_symbols;
    options.symbolize_data = &repairs;
    options.workers = 2;
    options.ahead_bytes = 1 << 20;
    options.execute = refuse_job;
    options.execute_data = &repairs;
    /* A trace that is cut in the middle needs a repair. */
    must("lenient", gt_reader_open_memory(&reader, trace.data, trace.size / 3 * 2, &options, NULL));
    say_reader(&reader, read_on(reader, 0));
    options.memory_limit = 1;
    says("limit", gt_reader_open_memory(&reader, trace.data, trace.size, &options, NULL));
    options.flags = UINT64_C(1) << 40;
    says("flags", gt_reader_open_memory(&reader, trace.data, trace.size, &options, NULL));
}

void use_readers(void)
{
    gt_reader *reader = open_trace();
    say_reader(&reader, read_on(reader, 4000));
    use_sources();
    use_push();
    use_options();
}
