/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader and the command as one WebAssembly module, which event.js and command.js call. An
 * instance reads one trace or runs one command, as its memory never shrinks. The bytes of a trace
 * stay with the host, which passes pieces of them on request.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

#include "module.h"

enum {
    /* How many events the arrays hold. */
    TRACE_EVENTS = 4096,
    TRACE_NUMBERS = 4,
    TRACE_WORDS = 4,
    TRACE_TEXTS = 3
};

/* What trace_next and trace_next_batch return instead of a number of events. */
enum {
    TRACE_FAILED = -2,
    TRACE_AGAIN = -1
};

/* The host's function: reads up to `capacity` bytes at `offset`. Returns their number, or -1. */
__attribute__((import_module("gotrace"), import_name("read"))) int
host_read(double offset, void *buffer, size_t capacity);

int main(int argc, char **argv);

/* Members of events as arrays, which event.js views. Times are since the first event. */
struct columns {
    double time[TRACE_EVENTS];
    double thread[TRACE_EVENTS];
    double proc[TRACE_EVENTS];
    double goroutine[TRACE_EVENTS];
    /* Of a transition: the goroutine or proc that changes its state. Otherwise -1. */
    double resource[TRACE_EVENTS];
    uint8_t kind[TRACE_EVENTS];
    uint8_t resource_kind[TRACE_EVENTS];
    uint8_t from[TRACE_EVENTS];
    uint8_t to[TRACE_EVENTS];
};

/* The content of one event: what each member is depends on its kind, see event.js. */
struct details {
    double numbers[TRACE_NUMBERS];
    uint32_t words[TRACE_WORDS];
    gt_string texts[TRACE_TEXTS];
};

/* Everything that an instance holds. */
static struct {
    gt_reader *reader;
    uint64_t offset;
    gt_error error;
    int64_t first_time;
    bool has_first;
    /* The current events, how many of them are in the arrays already, and which of them is the
     * first in the arrays. */
    const gt_event *const *events;
    size_t count;
    size_t taken;
    size_t base;
    struct columns columns;
    struct details details;
    const gt_frame *frames;
} trace;

gt_reader **module_reader(void)
{
    return &trace.reader;
}

gt_error *module_error(void)
{
    return &trace.error;
}

EXPORTED("memory_alloc") void *memory_alloc(size_t size)
{
    return malloc(size);
}

EXPORTED("memory_free") void memory_free(void *memory)
{
    free(memory);
}

static int64_t trace_read(void *user_data, void *buffer, size_t capacity)
{
    int size = host_read((double) trace.offset, buffer, capacity);
    (void) user_data;
    if (size > 0)
        trace.offset += (uint64_t) size;
    return size;
}

/*
 * Opens the trace that host_read reads, or if `is_fed` is set, one that trace_feed gets. Returns
 * a gt_status; see trace_error.
 */
EXPORTED("trace_open") int trace_open(bool is_fed, bool is_lenient)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = is_lenient ? GT_READER_LENIENT : 0;
    trace.error = (gt_error) GT_ERROR_INIT;
    if (is_fed)
        return gt_reader_open_push(&trace.reader, &options, &trace.error);
    return gt_reader_open_callback(&trace.reader, trace_read, NULL, &options, &trace.error);
}

/* Appends bytes to the input. Returns a gt_status. */
EXPORTED("trace_feed") int trace_feed(const void *data, size_t size)
{
    return gt_reader_feed(trace.reader, data, size);
}

EXPORTED("trace_finish") int trace_finish(void)
{
    return gt_reader_finish(trace.reader);
}

/* How the recording has ended, a gt_ending, which is known at the end. */
EXPORTED("trace_ending") uint32_t trace_ending(void)
{
    return gt_reader_get_ending(trace.reader);
}

/* The last error as one line. */
EXPORTED("trace_error") const char *trace_error(void)
{
    static char text[2 * GT_ERROR_MESSAGE_SIZE];
    gt_error_format(&trace.error, text, sizeof(text));
    return text;
}

EXPORTED("trace_columns") struct columns *trace_columns(void)
{
    return &trace.columns;
}

/* The time of the first event, which is 0 in the arrays, as the host's BigInt. */
EXPORTED("trace_first_time") int64_t trace_first_time(void)
{
    return trace.first_time;
}

/* Reads the next events of the reader. Returns 1, 0 at the end, or a constant from above. */
static int trace_advance(void)
{
    gt_status status = gt_reader_next_events(trace.reader, &trace.events, &trace.count);
    trace.taken = 0;
    if (status == GT_OK && !trace.has_first) {
        trace.has_first = true;
        trace.first_time = trace.events[0]->time;
    }
    if (status == GT_OK)
        return 1;
    if (status == GT_END)
        return 0;
    if (status == GT_AGAIN)
        return TRACE_AGAIN;
    gt_reader_error(trace.reader, &trace.error);
    return TRACE_FAILED;
}

/* Puts the members that all events have into the arrays. */
static inline void columns_put(struct columns *columns, size_t at, const gt_event *event)
{
    columns->kind[at] = (uint8_t) event->kind;
    columns->time[at] = (double) ((uint64_t) event->time - (uint64_t) trace.first_time);
    columns->thread[at] = (double) event->thread;
    columns->proc[at] = (double) event->proc;
    columns->goroutine[at] = (double) event->goroutine;
}

static inline void columns_put_transition(struct columns *columns, size_t at, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    columns->resource[at] = -1;
    columns->resource_kind[at] = columns->from[at] = columns->to[at] = 0;
    if (event->kind != GT_EVENT_STATE_TRANSITION ||
        gt_event_transition(event, &transition) != GT_OK)
        return;
    columns->resource[at] = (double) transition.resource.id;
    columns->resource_kind[at] = (uint8_t) transition.resource.kind;
    columns->from[at] = (uint8_t) transition.from;
    columns->to[at] = (uint8_t) transition.to;
}

/*
 * Reads events that the functions below take by their number. Returns how many there are, 0 at the
 * end, or a constant from above.
 */
EXPORTED("trace_next") int trace_next(void)
{
    if (trace.taken == trace.count) {
        int found = trace_advance();
        if (found <= 0)
            return found;
    }
    size_t left = trace.count - trace.taken;
    size_t count = left < TRACE_EVENTS ? left : TRACE_EVENTS;
    trace.base = trace.taken;
    for (size_t i = 0; i < count; i++)
        columns_put(&trace.columns, i, trace.events[trace.base + i]);
    trace.taken += count;
    return (int) count;
}

/* Reads as many events as there is room for, of which only the arrays are left. */
EXPORTED("trace_next_batch") int trace_next_batch(void)
{
    size_t filled = 0;
    while (filled < TRACE_EVENTS) {
        int found = trace.taken < trace.count ? 1 : trace_advance();
        /* What comes after the events that are there comes again with the next call. */
        if (found <= 0 && filled == 0)
            return found;
        if (found <= 0)
            break;
        size_t room = TRACE_EVENTS - filled, left = trace.count - trace.taken;
        size_t count = left < room ? left : room;
        for (size_t i = 0; i < count; i++) {
            columns_put(&trace.columns, filled + i, trace.events[trace.taken + i]);
            columns_put_transition(&trace.columns, filled + i, trace.events[trace.taken + i]);
        }
        trace.taken += count;
        filled += count;
    }
    return (int) filled;
}

/* The event of a number below the last result of trace_next. */
static const gt_event *trace_event(size_t at)
{
    return trace.events[trace.base + at];
}

static void details_resource(gt_resource resource)
{
    trace.details.words[0] = resource.kind;
    trace.details.numbers[0] = (double) resource.id;
}

static void details_value(const gt_value *value)
{
    trace.details.words[1] = value->kind;
    trace.details.numbers[1] = (double) value->number;
    trace.details.texts[1] = value->string;
}

static void details_transition(const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(event, &transition);
    details_resource(transition.resource);
    trace.details.words[1] = transition.from;
    trace.details.words[2] = transition.to;
    trace.details.texts[0] = transition.reason;
}

static void details_range(const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    details_resource(range.scope);
    trace.details.words[1] = range.has_cause;
    trace.details.words[2] = range.attribute_count;
    trace.details.texts[0] = range.name;
    trace.details.texts[1] = range.cause;
}

static void details_task(const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_event_task(event, &task);
    trace.details.numbers[0] = (double) task.id;
    trace.details.numbers[1] = task.parent == GT_NO_TASK ? -1 : (double) task.parent;
    trace.details.texts[0] = task.type;
}

static void details_region(const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(event, &region);
    trace.details.numbers[0] = (double) region.task;
    trace.details.texts[0] = region.type;
}

static void details_log(const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(event, &log);
    trace.details.numbers[0] = (double) log.task;
    trace.details.texts[0] = log.category;
    trace.details.texts[1] = log.message;
}

static void details_metric(const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    details_value(&metric.value);
    trace.details.texts[0] = metric.name;
}

static void details_label(const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_event_label(event, &label);
    details_resource(label.resource);
    trace.details.texts[0] = label.label;
}

static void details_sync(const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_event_sync(event, &sync);
    trace.details.numbers[0] = (double) sync.number;
    trace.details.words[0] = sync.has_clock;
    trace.details.numbers[1] = (double) sync.clock_seconds;
    trace.details.words[1] = sync.clock_nanoseconds;
}

static void details_experimental(const gt_event *event)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    gt_event_experimental(event, &experimental);
    trace.details.texts[0] = experimental.name;
    trace.details.texts[1] = experimental.experiment;
}

/* The content of event `at` of the last trace_next, until the next call of this function. */
EXPORTED("trace_details") const struct details *trace_details(size_t at)
{
    static void (*const fill[])(const gt_event *) = {
        [GT_EVENT_SYNC] = details_sync,
        [GT_EVENT_METRIC] = details_metric,
        [GT_EVENT_LABEL] = details_label,
        [GT_EVENT_RANGE_BEGIN] = details_range,
        [GT_EVENT_RANGE_ACTIVE] = details_range,
        [GT_EVENT_RANGE_END] = details_range,
        [GT_EVENT_TASK_BEGIN] = details_task,
        [GT_EVENT_TASK_END] = details_task,
        [GT_EVENT_REGION_BEGIN] = details_region,
        [GT_EVENT_REGION_END] = details_region,
        [GT_EVENT_LOG] = details_log,
        [GT_EVENT_STATE_TRANSITION] = details_transition,
        [GT_EVENT_EXPERIMENTAL] = details_experimental,
    };

    const gt_event *event = trace_event(at);
    trace.details = (struct details){.numbers = {-1}};
    if (event->kind < sizeof(fill) / sizeof(fill[0]) && fill[event->kind])
        fill[event->kind](event);
    return &trace.details;
}

/* Sets the name and value of attribute `index` of a range that ends. */
EXPORTED("trace_attribute") const struct details *trace_attribute(size_t at, uint32_t index)
{
    gt_value value;
    gt_event_range_attribute(trace_event(at), index, &trace.details.texts[0], &value);
    details_value(&value);
    return &trace.details;
}

/*
 * Finds the frames of an event's own stack, or with `of_resource`, of what changes its state.
 * Returns their number; trace_frames has them.
 */
EXPORTED("trace_stack") size_t trace_stack(size_t at, bool of_resource)
{
    const gt_event *event = trace_event(at);
    gt_transition transition = GT_TRANSITION_INIT;
    size_t count = 0;
    gt_stack stack = gt_event_stack(event);
    if (of_resource && gt_event_transition(event, &transition) == GT_OK)
        stack = transition.stack;
    if (gt_event_frames(trace.reader, event, stack, &trace.frames, &count) != GT_OK)
        return 0;
    return count;
}

EXPORTED("trace_frames") const gt_frame *trace_frames(void)
{
    return trace.frames;
}

/* Writes the event as `gotrace dump` does, with a NUL. Returns its size without that. */
EXPORTED("trace_format") size_t trace_format(size_t at, char *text, size_t room)
{
    size_t size = 0;
    return gt_event_format(trace.reader, trace_event(at), text, room, &size) == GT_OK ? size : 0;
}

/* Makes a folder the one that relative names of files begin at. Returns 0 if it exists. */
EXPORTED("command_enter") int command_enter(const char *folder)
{
    return chdir(folder);
}

/* Runs the command with `argc` arguments, of which the first is its name. Returns its exit code. */
EXPORTED("command_run") int command_run(int argc, char **argv)
{
    int code = main(argc, argv);
    fflush(NULL);
    return code;
}
