/* SPDX-License-Identifier: BSD-3-Clause */
/* What the writer of Perfetto's format refuses, and what it does when memory or writing fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/viewer_perfetto.h>

#include "support/probe.h"
#include "support/test.h"
#include "viewer/drawing.h"
#include "viewer/log.h"
#include "viewer/packets.h"

static int take_nothing(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

/* Opens a writer, which must be refused with a message. */
static void refuse(gt_write_fn write, const gt_perfetto_options *options, const char *message)
{
    gt_perfetto_writer *writer = (gt_perfetto_writer *) &writer;
    gt_error error = GT_ERROR_INIT;
    assert_status(gt_perfetto_writer_open(&writer, write, NULL, options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(writer);
    assert_string_equal(error.message, message);
}

static void test_wrong_options_are_refused(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_writer *writer;
    (void) state;
    assert_status(gt_perfetto_writer_open(NULL, take_nothing, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    refuse(NULL, NULL, "write is NULL");
    options.flags = UINT64_C(1) << 63;
    refuse(take_nothing, &options, "options.flags has unknown bits 0x8000000000000000");
    options.flags = 0;
    options.name = (gt_string){NULL, 1};
    refuse(take_nothing, &options, "options.name has no data");
    options.name = (gt_string){NULL, 0};
    assert_status(gt_perfetto_writer_open(&writer, take_nothing, NULL, &options, NULL), GT_OK);
    gt_perfetto_writer_close(&writer);
    gt_perfetto_writer_close(&writer);
    gt_perfetto_writer_close(NULL);
}

static void test_wrong_arguments_are_refused(void **state)
{
    gt_consumer consumer = GT_CONSUMER_INIT, wrong = GT_CONSUMER_INIT;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    gt_perfetto_writer *writer;
    (void) state;
    assert_status(gt_perfetto_writer_open(&writer, take_nothing, NULL, NULL, NULL), GT_OK);
    wrong.size = 3;
    assert_status(gt_perfetto_writer_consumer(NULL, 0, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_consumer(writer, 4, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_consumer(writer, 0, &wrong), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_consumer(writer, 0, &consumer), GT_OK);
    assert_status(gt_perfetto_writer_consumer(writer, 0, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_consumer(writer, 1, &consumer), GT_OK);
    assert_status(gt_perfetto_writer_clock(NULL, &clock), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_clock(writer, NULL), GT_ERR_INVALID_ARGUMENT);
    clock.size = 3;
    assert_status(gt_perfetto_writer_clock(writer, &clock), GT_ERR_INVALID_ARGUMENT);
    clock.size = sizeof(clock);
    assert_status(gt_perfetto_writer_set_pid(NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_get_info(writer, NULL), GT_ERR_INVALID_ARGUMENT);
    info.size = 3;
    assert_status(gt_perfetto_writer_get_info(writer, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_status(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_finish(writer), GT_OK);
    /* Nothing can follow the end. */
    assert_status(gt_perfetto_writer_finish(writer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_clock(writer, &clock), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_set_pid(writer, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_perfetto_writer_status(writer), GT_OK);
    gt_perfetto_writer_close(&writer);
}

/* Returns the status of a sample with these members. */
static gt_status add_sample(gt_perfetto_writer *writer, uint32_t rows, uint32_t stack)
{
    gt_perfetto_sample sample = GT_PERFETTO_SAMPLE_INIT;
    sample.rows = rows;
    sample.stack = stack;
    sample.resource = sample.thread = 9;
    return gt_perfetto_writer_sample(writer, &sample);
}

static void test_wrong_samples_are_refused(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_sample sample = GT_PERFETTO_SAMPLE_INIT;
    (void) state;
    for (options.flags = 0; options.flags <= GT_PERFETTO_STACK_SAMPLES;
         options.flags += GT_PERFETTO_STACK_SAMPLES) {
        struct drawing d;
        drawing_begin(&d, GT_PERFETTO_PLAIN, &options);
        assert_status(drawing_add_frame(&d, 1, 0, "f", "", 0), GT_OK);
        assert_status(add_sample(d.writer, 0, 0), GT_ERR_INVALID_ARGUMENT);
        assert_status(add_sample(d.writer, 0, 2), GT_ERR_INVALID_ARGUMENT);
        assert_status(add_sample(d.writer, 1, 1), GT_ERR_INVALID_ARGUMENT);
        assert_status(add_sample(d.writer, 4, 1), GT_ERR_INVALID_ARGUMENT);
        assert_status(add_sample(NULL, 0, 1), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_perfetto_writer_sample(d.writer, NULL), GT_ERR_INVALID_ARGUMENT);
        sample.size = 3;
        assert_status(gt_perfetto_writer_sample(d.writer, &sample), GT_ERR_INVALID_ARGUMENT);
        assert_status(add_sample(d.writer, 0, 1),
                      options.flags != 0 ? GT_OK : GT_ERR_INVALID_ARGUMENT);
        assert_status(drawing_finish(&d), GT_OK);
        assert_status(add_sample(d.writer, 0, 1), GT_ERR_INVALID_ARGUMENT);
        drawing_close(&d);
    }
}

/* Ways to call the callbacks of a consumer that no emitter does. */
static int call_second_unit(const gt_consumer *c)
{
    return c->time_unit(c->user_data, "ns");
}

static int call_event_without_data(const gt_consumer *c)
{
    return c->event(c->user_data, NULL, 0);
}

static int call_frame_without_data(const gt_consumer *c)
{
    return c->frame(c->user_data, NULL);
}

static int call_frame(const gt_consumer *c, uint32_t id, uint32_t parent)
{
    const gt_viewer_frame frame = {sizeof(frame), id, parent, 0, {"f", 1}, 0, {"", 0}};
    return c->frame(c->user_data, &frame);
}

static int call_frame_zero(const gt_consumer *c)
{
    return call_frame(c, 0, 0);
}

static int call_second_frame_first(const gt_consumer *c)
{
    return call_frame(c, 2, 0);
}

static int call_last_frame_first(const gt_consumer *c)
{
    return call_frame(c, UINT32_MAX, 0);
}

static int call_frame_in_itself(const gt_consumer *c)
{
    return call_frame(c, 1, 1);
}

static int call_unknown_stack(const gt_consumer *c)
{
    gt_viewer_event event = event_of('I', 1, 0, 0, "a");
    event.stack = 1;
    return c->event(c->user_data, &event, 0);
}

static int call_unknown_end_stack(const gt_consumer *c)
{
    gt_viewer_event event = event_of('X', 1, 0, 0, "a");
    event.end_stack = 9;
    return c->event(c->user_data, &event, 0);
}

static int call_flush_twice(const gt_consumer *c)
{
    return c->flush(c->user_data) != 0 ? 0 : c->flush(c->user_data);
}

static int call_event_after_flush(const gt_consumer *c)
{
    gt_viewer_event event = event_of('I', 1, 0, 0, "a");
    return c->flush(c->user_data) != 0 ? 0 : c->event(c->user_data, &event, 0);
}

static int call_frame_after_flush(const gt_consumer *c)
{
    return c->flush(c->user_data) != 0 ? 0 : call_frame(c, 1, 0);
}

static int call_unit_after_flush(const gt_consumer *c)
{
    return c->flush(c->user_data) != 0 ? 0 : c->time_unit(c->user_data, "ns");
}

static int (*const wrong_calls[])(const gt_consumer *) = {
    call_second_unit,      call_event_without_data, call_frame_without_data,
    call_frame_zero,       call_second_frame_first, call_last_frame_first,
    call_frame_in_itself,  call_unknown_stack,      call_unknown_end_stack,
    call_flush_twice,      call_event_after_flush,  call_frame_after_flush,
    call_unit_after_flush,
};

static void test_calls_that_no_emitter_makes_are_refused(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(wrong_calls) / sizeof(*wrong_calls); i++) {
        gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
        struct drawing d;
        drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
        assert_int_not_equal(wrong_calls[i](&d.consumer), 0);
        assert_status(gt_perfetto_writer_status(d.writer), GT_ERR_INVALID_ARGUMENT);
        /* The error stays. */
        assert_int_not_equal(call_frame(&d.consumer, 1, 0), 0);
        assert_status(gt_perfetto_writer_clock(d.writer, &clock), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_perfetto_writer_finish(d.writer), GT_ERR_INVALID_ARGUMENT);
        drawing_close(&d);
    }
}

static void test_calls_after_the_end_are_refused(void **state)
{
    (void) state;
    for (unsigned i = 0; i < 4; i++) {
        struct drawing d;
        gt_viewer_event event = event_of('I', 1, 0, 0, "a");
        assert_status(drawing_open(&d, GT_PERFETTO_PLAIN, NULL), GT_OK);
        const gt_consumer *c = &d.consumer;
        assert_status(gt_perfetto_writer_finish(d.writer), GT_OK);
        int result = i == 0   ? c->time_unit(c->user_data, "ns")
                     : i == 1 ? c->event(c->user_data, &event, 0)
                     : i == 2 ? call_frame(c, 1, 0)
                              : c->flush(c->user_data);
        assert_int_not_equal(result, 0);
        assert_status(gt_perfetto_writer_status(d.writer), GT_ERR_INVALID_ARGUMENT);
        drawing_close(&d);
    }
    struct drawing d;
    assert_status(drawing_open(&d, GT_PERFETTO_PLAIN, NULL), GT_OK);
    assert_int_not_equal(d.consumer.time_unit(d.consumer.user_data, NULL), 0);
    drawing_close(&d);
}

enum {
    EVENTS = 300
};

/*
 * Adds events from number `first` to the one before `last`, with a frame for each. All EVENTS have
 * one of everything, and enough of some to make tables grow. Stops at the first error.
 */
static gt_status add_events(struct drawing *d, uint32_t first, uint32_t last)
{
    static const char phases[] = {'X', 'b', 'e', 'I', 's', 't', 'C', 'M', 'X', 'I'};
    static const char *const names[] = {"Waiting", "region", "thread_name", "Heap", "Running"};
    static char longest[400];
    memset(longest, 'x', sizeof(longest) - 1);
    gt_status status = GT_OK;
    for (uint32_t i = first; i < last && status == GT_OK; i++) {
        uint32_t frame = i - first + 1;
        char text[32];
        snprintf(text, sizeof(text), "text %u", i);
        gt_viewer_event event =
            event_of(phases[i % sizeof(phases)], 1 + i % 23, i / 40 * 20, 2 * i, names[i % 5]);
        const gt_viewer_argument arguments[] = {
            i % 7 == 0 ? text_argument("reason", text) : number_argument(text, i),
            i % 3 == 0 ? text_argument("label", longest) : number_argument("by", 1 + i % 20),
        };
        event.arguments = arguments;
        event.argument_count = 2;
        event.category = text_of(i % 4 == 0 ? "state" : i % 4 == 1 ? "goroutine" : longest);
        event.id = i / 3;
        event.section = i % 11 == 0 ? GT_SECTION_TASKS : GT_SECTION_RESOURCES;
        if (i % 30 == 0)
            event.name = text_of(longest);
        status = drawing_add_frame(d, frame, frame - 1, text, text, i);
        if (status != GT_OK)
            break;
        event.stack = frame;
        event.end_stack = i % 13 < frame ? i % 13 : 0;
        status = drawing_add(d, &event);
    }
    return status;
}

/* Writes the events from `first` to the one before `last`. The write `fail_at` fails. */
static gt_status write_events(uint32_t rows, const gt_perfetto_options *options, uint32_t first,
                              uint32_t last, size_t fail_at)
{
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    struct drawing d;
    gt_status status = drawing_open(&d, rows, options);
    if (status != GT_OK)
        return status;
    d.fail_at = fail_at;
    status = gt_perfetto_writer_clock(d.writer, &clock);
    if (status == GT_OK)
        status = add_events(&d, first, last);
    if (status == GT_OK && options && options->flags != 0)
        status = add_sample(d.writer, rows, 1);
    if (status == GT_OK)
        status = drawing_finish(&d);
    assert_status(gt_perfetto_writer_status(d.writer), status);
    if (status == GT_OK)
        free(packets_text(d.data, d.size));
    drawing_close(&d);
    return status;
}

/* Writes events again and again, with each allocation failing once. Returns their number. */
static uint64_t fail_each_allocation(uint32_t rows, uint32_t first, uint32_t last)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_status status = GT_ERR_NO_MEMORY;
    struct probe probe;
    uint64_t n = 0;
    options.allocator = &probe.allocator;
    options.name = text_of("name");
    options.flags = GT_PERFETTO_STACK_SAMPLES;
    while (status != GT_OK) {
        probe_init(&probe);
        probe.fail_at = ++n;
        status = write_events(rows, &options, first, last, 0);
        assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
        probe_check(&probe);
    }
    return n - 1;
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void) state;
    for (uint32_t rows = 0; rows < 4; rows++)
        assert_true(fail_each_allocation(rows, 0, EVENTS) > 40);
}

/* The first event is the one for which buffers are allocated, whatever it is. */
static void test_failing_allocation_of_a_first_event_is_reported(void **state)
{
    (void) state;
    for (uint32_t rows = 0; rows < 4; rows++) {
        for (uint32_t first = 0; first < 60; first++)
            assert_true(fail_each_allocation(rows, first, first + 1) > 5);
    }
}

static void test_memory_limit_is_kept(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    struct probe probe;
    (void) state;
    options.allocator = &probe.allocator;
    gt_status status = GT_ERR_LIMIT;
    for (options.memory_limit = 1; status == GT_ERR_LIMIT; options.memory_limit += 999) {
        probe_init(&probe);
        status = write_events(GT_PERFETTO_GOROUTINES, &options, 0, EVENTS, 0);
        assert_true(probe.peak_bytes <= options.memory_limit);
        probe_check(&probe);
    }
    assert_status(status, GT_OK);
    assert_true(options.memory_limit < 400000);
}

static void test_failing_write_is_reported(void **state)
{
    (void) state;
    gt_status status = GT_ERR_IO;
    size_t n;
    for (n = 1; status != GT_OK; n++) {
        status = write_events(GT_PERFETTO_GOROUTINES, NULL, 0, EVENTS, n);
        assert_true(status == GT_OK || status == GT_ERR_IO);
    }
    assert_true(n > 3);
}

static void test_writer_cannot_be_used_from_its_own_callback(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    d.meddles = true;
    assert_status(add_events(&d, 0, EVENTS), GT_OK);
    assert_status(drawing_finish(&d), GT_OK);
    assert_true(d.calls > 1);
    drawing_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_options_are_refused),
        cmocka_unit_test(test_wrong_arguments_are_refused),
        cmocka_unit_test(test_wrong_samples_are_refused),
        cmocka_unit_test(test_calls_that_no_emitter_makes_are_refused),
        cmocka_unit_test(test_calls_after_the_end_are_refused),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_failing_allocation_of_a_first_event_is_reported),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_failing_write_is_reported),
        cmocka_unit_test(test_writer_cannot_be_used_from_its_own_callback),
    };
    return cmocka_run_group_tests_name("perfetto fault", tests, NULL, NULL);
}
