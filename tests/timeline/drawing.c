/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/drawing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* The program counters of the stacks of drawing_names begin here. */
#define FIRST_PC 0x1000

void drawing_begin(struct drawing *drawing)
{
    memset(drawing, 0, sizeof(*drawing));
    drawing->options = (gt_timeline_options) GT_TIMELINE_OPTIONS_INIT;
    wire_begin(&drawing->wire, 23);
    wire_sync(&drawing->wire, 1, 1, WIRE_NANOSECONDS);
}

void drawing_names(struct drawing *drawing, const char *const *names, size_t count)
{
    struct wire *wire = &drawing->wire;
    wire_strings(wire, 1);
    for (size_t i = 0; i < count; i++)
        wire_string(wire, i + 1, names[i]);
    wire_stacks(wire, 1);
    for (size_t i = 0; i < count; i++) {
        wire_stack(wire, i + 1, 1);
        wire_frame(wire, FIRST_PC + i, i + 1, i + 1, i);
    }
}

void drawing_begin_running(struct drawing *drawing, uint64_t proc)
{
    static const char *const names[NAMES] = {"main.main", "main.work", "chan receive",
                                             "network wait", "a label"};
    drawing_begin(drawing);
    drawing_names(drawing, names, NAMES);
    wire_batch(&drawing->wire, 1, 5, 10);
    wire_running(&drawing->wire, 5, proc, 1);
}

static void add(struct drawing *drawing, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    int size;
    va_start(arguments, format);
    size = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    assert_in_range(size, 0, sizeof(line) - 1);
    if (drawing->capacity - drawing->size <= (size_t) size) {
        drawing->capacity = 2 * (drawing->capacity + (size_t) size) + 4096;
        drawing->text = realloc(drawing->text, drawing->capacity);
        assert_non_null(drawing->text);
    }
    memcpy(drawing->text + drawing->size, line, (size_t) size + 1);
    drawing->size += (size_t) size;
}

static void add_string(struct drawing *drawing, const char *before, gt_string string)
{
    if (string.size != 0)
        add(drawing, "%s%.*s", before, (int) string.size, string.data);
}

static void add_arguments(struct drawing *drawing, const gt_viewer_event *event)
{
    for (size_t i = 0; i < event->argument_count; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        add(drawing, "%s%.*s=", i == 0 ? " {" : ",", (int) argument->key.size, argument->key.data);
        if (argument->kind == GT_VIEWER_STRING)
            add(drawing, "\"%.*s\"", (int) argument->string.size, argument->string.data);
        else
            add(drawing, "%" PRId64, (int64_t) argument->number);
    }
    if (event->argument_count != 0)
        add(drawing, "}");
}

static int end_call(struct drawing *drawing)
{
    drawing->calls++;
    return drawing->calls == drawing->end_at;
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct drawing *drawing = user_data;
    (void) required;
    add(drawing, "%c %" PRIu32 "/%" PRId64 " @%" PRId64, (int) event->phase, event->section,
        (int64_t) event->resource, event->time);
    if (event->duration != 0)
        add(drawing, "+%" PRId64, event->duration);
    add_string(drawing, " ", event->name);
    add_string(drawing, " cat=", event->category);
    if (event->phase != 'I')
        add_string(drawing, " s=", event->scope);
    if (event->stack != 0)
        add(drawing, " sf=%s", drawing->frames[event->stack - 1]);
    if (event->end_stack != 0)
        add(drawing, " esf=%s", drawing->frames[event->end_stack - 1]);
    add_arguments(drawing, event);
    add(drawing, "\n");
    return end_call(drawing);
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct drawing *drawing = user_data;
    char *name = calloc(1, frame->function.size + 1);
    assert_non_null(name);
    memcpy(name, frame->function.data, frame->function.size);
    assert_int_equal(frame->id, drawing->frame_count + 1);
    drawing->frames = realloc(drawing->frames, frame->id * sizeof(*drawing->frames));
    assert_non_null(drawing->frames);
    drawing->frames[drawing->frame_count++] = name;
    return end_call(drawing);
}

static void forget(struct drawing *drawing)
{
    while (drawing->frame_count > 0)
        free(drawing->frames[--drawing->frame_count]);
    drawing->size = 0;
    drawing->calls = 0;
}

/* Everything that is open while a trace is drawn. */
struct tools {
    gt_reader *reader;
    gt_selector *selector;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

static gt_status open_reader(struct drawing *drawing, struct tools *tools)
{
    gt_reader_close(&tools->reader);
    return gt_reader_open_memory(&tools->reader, drawing->wire.data, drawing->wire.size, NULL,
                                 NULL);
}

static gt_status select_part(struct drawing *drawing, struct tools *tools)
{
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    const gt_event *event;
    gt_status status;
    if (drawing->selection == 0)
        return GT_OK;
    options.allocator = drawing->allocator;
    status = gt_selector_open(&tools->selector, drawing->selection, drawing->id, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(tools->reader, &event) == GT_OK)
        status = gt_selector_event(tools->selector, event);
    if (status == GT_OK)
        status = gt_selector_finish(tools->selector);
    return status == GT_OK ? open_reader(drawing, tools) : status;
}

static gt_status open_tools(struct drawing *drawing, struct tools *tools)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_status status = open_reader(drawing, tools);
    if (status == GT_OK)
        status = select_part(drawing, tools);
    if (status == GT_OK && tools->selector)
        assert_status(gt_selector_apply(tools->selector, &options), GT_OK);
    consumer.user_data = drawing;
    consumer.event = take_event;
    consumer.frame = take_frame;
    options.flags = drawing->emitter_flags;
    options.allocator = drawing->options.allocator = drawing->allocator;
    drawing->options.selector = tools->selector;
    if (status == GT_OK)
        status = gt_emitter_open(&tools->emitter, &consumer, &options, NULL);
    if (status == GT_OK)
        status = gt_timeline_open(&tools->timeline, tools->reader, tools->emitter,
                                  &drawing->options, NULL);
    return status;
}

/* A test must write a valid trace, because otherwise less is drawn than it intends. */
static void check_reader(const gt_reader *reader)
{
    gt_error error = GT_ERROR_INIT;
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_string_equal(error.message, "");
}

void drawing_run(struct drawing *drawing)
{
    struct tools tools = {NULL, NULL, NULL, NULL};
    const gt_event *event;
    gt_status status;
    wire_batch_end(&drawing->wire);
    forget(drawing);
    status = open_tools(drawing, &tools);
    while (status == GT_OK && gt_reader_next_event(tools.reader, &event) == GT_OK)
        status = gt_timeline_event(tools.timeline, event);
    if (status == GT_OK)
        check_reader(tools.reader);
    if (status == GT_OK)
        status = gt_timeline_finish(tools.timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(tools.emitter);
    drawing->status = status;
    drawing->info = (gt_timeline_info) GT_TIMELINE_INFO_INIT;
    if (tools.timeline)
        assert_status(gt_timeline_get_info(tools.timeline, &drawing->info), GT_OK);
    gt_timeline_close(&tools.timeline);
    gt_emitter_close(&tools.emitter);
    gt_selector_close(&tools.selector);
    gt_reader_close(&tools.reader);
}

void drawing_draw(struct drawing *drawing, uint32_t view, uint64_t flags)
{
    drawing->options.view = view;
    drawing->options.flags = flags;
    drawing_run(drawing);
    assert_status(drawing->status, GT_OK);
}

void drawing_free(struct drawing *drawing)
{
    forget(drawing);
    free(drawing->frames);
    free(drawing->text);
    wire_free(&drawing->wire);
}

size_t drawing_count(const struct drawing *drawing, const char *line)
{
    size_t count = 0, size = strlen(line);
    const char *at = drawing->text, *end;
    for (; at && *at; at = end + 1) {
        end = strchr(at, '\n');
        count += (size_t) (end - at) == size && memcmp(at, line, size) == 0;
    }
    return count;
}

void drawing_check(const struct drawing *drawing, const char *line, size_t times, const char *file,
                   int source_line)
{
    size_t count = drawing_count(drawing, line);
    if (count == times)
        return;
    print_error("%zu times \"%s\", not %zu, in\n%s", count, line, times,
                drawing->text ? drawing->text : "");
    _fail(file, source_line);
}
