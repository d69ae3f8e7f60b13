/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/log.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

/* tests/support has one of its own, which needs libgotrace. */
void test_fail_status(gt_status actual, gt_status expected, const char *file, int line)
{
    print_error("status %d, expected %d\n", (int) actual, (int) expected);
    _fail(file, line);
}

gt_string text_of(const char *text)
{
    gt_string string = {text, strlen(text)};
    return string;
}

static void add(struct log *log, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof(log->text) - log->size;
    int size;
    va_start(arguments, format);
    size = vsnprintf(log->text + log->size, room, format, arguments);
    va_end(arguments);
    assert_in_range(size, 0, room - 1);
    log->size += (size_t) size;
}

/* No string of an event may be NULL. */
static void add_string(struct log *log, const char *before, gt_string string, const char *after)
{
    assert_non_null(string.data);
    if (string.size != 0)
        add(log, "%s%.*s%s", before, (int) string.size, string.data, after);
}

static int end_call(struct log *log)
{
    add(log, "\n");
    log->calls++;
    if (log->meddle)
        log->meddle(log->meddle_data);
    /* Any value but 0 asks to end. */
    return log->calls == log->end_at ? (log->calls % 2 ? -1 : 7) : 0;
}

static int take_unit(void *user_data, const char *unit)
{
    struct log *log = user_data;
    add(log, "unit %s", unit);
    return end_call(log);
}

static void add_arguments(struct log *log, const gt_viewer_event *event)
{
    for (size_t i = 0; i < event->argument_count; i++) {
        const gt_viewer_argument *argument = &event->arguments[i];
        add(log, "%s%.*s=", i == 0 ? " {" : ",", (int) argument->key.size, argument->key.data);
        if (argument->kind == GT_VIEWER_STRING)
            add(log, "\"%.*s\"", (int) argument->string.size, argument->string.data);
        else if (argument->kind == GT_VIEWER_DOUBLE)
            add(log, "%g", argument->real);
        else if (argument->kind == GT_VIEWER_SIGNED)
            add(log, "%+" PRId64, (int64_t) argument->number);
        else
            add(log, "%" PRIu64, argument->number);
    }
    if (event->argument_count != 0)
        add(log, "}");
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct log *log = user_data;
    assert_int_equal(event->size, sizeof(*event));
    assert_in_range(required, 0, 1);
    add(log, "%s%c %" PRIu32 "/%" PRIu64 " @%" PRId64, required ? "!" : "", (int) event->phase,
        event->section, event->resource, event->time);
    if (event->duration != 0)
        add(log, "%+" PRId64, event->duration);
    add_string(log, " ", event->name, "");
    add_string(log, " cat=", event->category, "");
    add_string(log, " s=", event->scope, "");
    add_string(log, " color=", event->color, "");
    if (event->id != 0)
        add(log, " id=%" PRIu64, event->id);
    if (event->stack != 0 || event->end_stack != 0)
        add(log, " sf=%" PRIu32 "/%" PRIu32, event->stack, event->end_stack);
    add_arguments(log, event);
    return end_call(log);
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct log *log = user_data;
    assert_int_equal(frame->size, sizeof(*frame));
    add(log, "frame %" PRIu32 "<%" PRIu32 " pc=%" PRIu64, frame->id, frame->parent, frame->pc);
    add_string(log, " ", frame->function, "");
    add(log, ":%" PRIu64, frame->line);
    add_string(log, " in ", frame->file, "");
    return end_call(log);
}

static int take_flush(void *user_data)
{
    struct log *log = user_data;
    add(log, "flush");
    return end_call(log);
}

void log_init(struct log *log)
{
    static const gt_consumer none = GT_CONSUMER_INIT;
    memset(log, 0, sizeof(*log));
    log->consumer = none;
    log->consumer.user_data = log;
    log->consumer.time_unit = take_unit;
    log->consumer.event = take_event;
    log->consumer.frame = take_frame;
    log->consumer.flush = take_flush;
}

void log_check(struct log *log, const char *expected, const char *file, int line)
{
    bool same = log->size == strlen(expected) && memcmp(log->text, expected, log->size) == 0;
    if (!same) {
        print_error("%.*s\nexpected\n%s\n", (int) log->size, log->text, expected);
        _fail(file, line);
    }
    log->size = 0;
}
