/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writer of JSON: ranges, failures, memory, wrong calls. viewer_test.py checks what it writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/viewer_json.h>

#include "support/grow.h"
#include "support/probe.h"
#include "support/test.h"
#include "viewer/log.h"
#include "viewer/steps.h"

/* Receives what a writer writes, and fails in call number `fail_at`, from 1. */
struct sink {
    char *data;
    size_t size;
    size_t calls;
    size_t fail_at;
    gt_json_writer *meddle;
};

static int take(void *user_data, const void *data, size_t size)
{
    struct sink *sink = user_data;
    assert_true(size > 0);
    if (++sink->calls == sink->fail_at)
        return -1;
    /* A writer must not be closed in its own callback. */
    if (sink->meddle) {
        gt_json_writer *writer = sink->meddle;
        gt_consumer consumer = GT_CONSUMER_INIT;
        gt_json_writer_close(&writer);
        assert_non_null(writer);
        assert_status(gt_json_writer_consumer(writer, &consumer), GT_OK);
        assert_int_not_equal(consumer.flush(consumer.user_data), 0);
    }
    sink->data = grow(sink->data, sink->size, size + 1);
    memcpy(sink->data + sink->size, data, size);
    sink->size += size;
    sink->data[sink->size] = '\0';
    return 0;
}

struct fixture {
    struct sink sink;
    gt_json_writer *writer;
    gt_consumer consumer;
    gt_emitter *emitter;
};

static void begin(struct fixture *f, const gt_json_options *options)
{
    memset(f, 0, sizeof(*f));
    f->consumer.size = sizeof(f->consumer);
    assert_status(gt_json_writer_open(&f->writer, take, &f->sink, options, NULL), GT_OK);
    assert_status(gt_json_writer_consumer(f->writer, &f->consumer), GT_OK);
    assert_status(gt_emitter_open(&f->emitter, &f->consumer, NULL, NULL), GT_OK);
}

static void end(struct fixture *f)
{
    gt_emitter_close(&f->emitter);
    gt_json_writer_close(&f->writer);
    assert_null(f->writer);
    free(f->sink.data);
}

static void add_slice(gt_emitter *emitter, uint64_t resource, uint64_t pc)
{
    gt_slice slice = GT_SLICE_INIT;
    if (pc != 0) {
        gt_emitter_frame frames[] = {{pc, 5, {"f<T>", 4}, {"", 0}}, {1, 0, {"", 0}, {"", 0}}};
        assert_status(gt_emitter_stack(emitter, frames, 2, &slice.stack), GT_OK);
    }
    slice.resource = resource;
    slice.time = 1500;
    assert_status(gt_emitter_slice(emitter, &slice), GT_OK);
}

/* Compares from the first event on, without the events that the flush emits. */
static void check_events(struct fixture *f, const char *expected)
{
    char *events, *required;
    assert_status(gt_emitter_flush(f->emitter), GT_OK);
    assert_status(gt_json_writer_status(f->writer), GT_OK);
    events = strchr(f->sink.data, '[');
    assert_non_null(events);
    required = strstr(events, "{\"name\":\"process_name\"");
    assert_non_null(required);
    assert_int_equal(required - events - 1, strlen(expected));
    assert_memory_equal(events + 1, expected, strlen(expected));
}

static void test_slice_and_its_frames_are_written(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, NULL);
    add_slice(f.emitter, 7, 2);
    check_events(&f, "{\"ph\":\"X\",\"ts\":1.5,\"pid\":0,\"tid\":7,\"sf\":2}\n,");
    assert_memory_equal(f.sink.data, "{\"displayTimeUnit\":\"ns\"\n,\"traceEvents\": [", 40);
    assert_string_equal(strrchr(f.sink.data, ']'),
                        "], \"stackFrames\":{\"1\":{\"name\":\":0\"},"
                        "\"2\":{\"name\":\"f\\u003cT\\u003e:5\",\"parent\":1}}\n}\n");
    end(&f);
}

/* The ordinals of events count all events, and both ends of the range belong to it. */
static void test_only_events_in_the_range_are_written(void **state)
{
    struct fixture f;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    (void) state;
    options.first = 2;
    options.last = 3;
    begin(&f, &options);
    for (uint64_t i = 0; i < 6; i++)
        add_slice(f.emitter, i, 10 + i);
    check_events(&f, "{\"ph\":\"X\",\"ts\":1.5,\"pid\":0,\"tid\":2,\"sf\":4}\n,"
                     "{\"ph\":\"X\",\"ts\":1.5,\"pid\":0,\"tid\":3,\"sf\":5}\n,");
    /* Only the frames of these events are written. */
    assert_non_null(strstr(f.sink.data, "\"stackFrames\":{\"1\":{\"name\":\":0\"},\"4\":{"));
    assert_non_null(
        strstr(f.sink.data, "},\"5\":{\"name\":\"f\\u003cT\\u003e:5\",\"parent\":1}}\n}\n"));
    end(&f);
}

/* Required events are written in any case, and have ordinals, too. */
static void test_required_events_are_written_outside_the_range(void **state)
{
    struct fixture f;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_viewer_event event = {0};
    (void) state;
    options.first = options.last = 1;
    begin(&f, &options);
    event.size = sizeof(event);
    event.phase = 'M';
    event.name = event.category = event.scope = event.color = text_of("");
    assert_status(gt_emitter_event(f.emitter, &event, 1), GT_OK);
    add_slice(f.emitter, 1, 0);
    add_slice(f.emitter, 2, 0);
    check_events(&f, "{\"ph\":\"M\",\"ts\":0,\"pid\":0,\"tid\":0}\n,"
                     "{\"ph\":\"X\",\"ts\":1.5,\"pid\":0,\"tid\":1}\n,");
    end(&f);
}

static void add_many(struct fixture *f)
{
    for (uint64_t i = 0; i < 2000; i++)
        add_slice(f->emitter, i, 1 + i % 100);
}

/* The first failure ends the writing; nothing is written after it. */
static void test_failing_write_ends_the_writing(void **state)
{
    struct fixture f;
    gt_slice slice = GT_SLICE_INIT;
    size_t calls;
    (void) state;
    begin(&f, NULL);
    f.sink.meddle = f.writer;
    add_many(&f);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    calls = f.sink.calls;
    assert_true(calls > 4);
    end(&f);
    for (size_t fail_at = 1; fail_at < calls; fail_at++) {
        gt_status status = GT_OK;
        begin(&f, NULL);
        f.sink.fail_at = fail_at;
        while (status == GT_OK)
            status = gt_emitter_slice(f.emitter, &slice);
        assert_status(status, GT_ERR_CALLBACK);
        assert_status(gt_json_writer_status(f.writer), GT_ERR_IO);
        assert_status(gt_emitter_slice(f.emitter, &slice), GT_ERR_CALLBACK);
        assert_int_equal(f.sink.calls, fail_at);
        end(&f);
    }
}

/* The last write is that of the flush. */
static void test_failing_write_of_the_flush_is_reported(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, NULL);
    f.sink.fail_at = 1;
    add_slice(f.emitter, 0, 0);
    assert_int_equal(f.sink.calls, 0);
    assert_status(gt_emitter_flush(f.emitter), GT_ERR_CALLBACK);
    assert_status(gt_json_writer_status(f.writer), GT_ERR_IO);
    end(&f);
}

/* Nothing is written after a failure, however long an event is. */
static void test_nothing_is_written_after_a_failure(void **state)
{
    struct fixture f;
    gt_slice slice = GT_SLICE_INIT;
    static char name[100000];
    (void) state;
    memset(name, '<', sizeof(name));
    slice.name.data = name;
    slice.name.size = sizeof(name);
    begin(&f, NULL);
    f.sink.fail_at = 2;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_ERR_CALLBACK);
    assert_status(gt_json_writer_status(f.writer), GT_ERR_IO);
    assert_int_equal(f.sink.calls, 2);
    end(&f);
}

/* Bytes after the end of a name do not belong to it. */
static void test_cut_character_is_replaced(void **state)
{
    struct fixture f;
    gt_slice slice = GT_SLICE_INIT;
    (void) state;
    begin(&f, NULL);
    slice.name.data = "\xe2\x82\xac";
    for (slice.name.size = 1; slice.name.size <= 3; slice.name.size++)
        assert_status(gt_emitter_slice(f.emitter, &slice), GT_OK);
    check_events(
        &f, "{\"name\":\"\xef\xbf\xbd\",\"ph\":\"X\",\"ts\":0,\"pid\":0,\"tid\":0}\n,"
            "{\"name\":\"\xef\xbf\xbd\xef\xbf\xbd\",\"ph\":\"X\",\"ts\":0,\"pid\":0,\"tid\":0}\n,"
            "{\"name\":\"\xe2\x82\xac\",\"ph\":\"X\",\"ts\":0,\"pid\":0,\"tid\":0}\n,");
    end(&f);
}

/* Opens a writer, has the steps emitted, and returns the result. */
static gt_status write_steps(const gt_json_options *options)
{
    struct fixture f;
    gt_status status;
    memset(&f, 0, sizeof(f));
    f.consumer.size = sizeof(f.consumer);
    status = gt_json_writer_open(&f.writer, take, &f.sink, options, NULL);
    if (status != GT_OK) {
        assert_null(f.writer);
        return status;
    }
    assert_status(gt_json_writer_consumer(f.writer, &f.consumer), GT_OK);
    assert_status(gt_emitter_open(&f.emitter, &f.consumer, NULL, NULL), GT_OK);
    for (size_t i = 0; i < step_count && status == GT_OK; i++) {
        status = steps[i].call(f.emitter);
        if (status != GT_OK) {
            assert_status(status, GT_ERR_CALLBACK);
            status = gt_json_writer_status(f.writer);
            assert_int_not_equal(status, GT_OK);
        }
    }
    end(&f);
    return status;
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    struct probe probe;
    (void) state;
    options.allocator = &probe.allocator;
    for (int fail_on = 0; fail_on <= 1; fail_on++) {
        gt_status status = GT_ERR_NO_MEMORY;
        uint64_t n;
        for (n = 1; status != GT_OK; n++) {
            probe_init(&probe);
            probe.fail_at = n;
            probe.fail_on = fail_on;
            status = write_steps(&options);
            assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
            probe_check(&probe);
        }
        /* The writer, its frames, and their names, which grow. */
        assert_in_range(n, 5, 10);
    }
}

static void test_memory_limit_is_reported(void **state)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    (void) state;
    options.memory_limit = 1;
    assert_status(write_steps(&options), GT_ERR_LIMIT);
    /* Enough for the writer, but not for frames. */
    while (write_steps(&options) == GT_ERR_LIMIT)
        options.memory_limit += 16;
    assert_status(write_steps(&options), GT_OK);
    assert_in_range(options.memory_limit, 1, 20000);
}

/* Makes calls that no emitter makes. */
static void test_calls_in_a_wrong_order_are_refused(void **state)
{
    static const gt_viewer_frame frames[] = {
        {sizeof(frames[0]), 2, 0, 0, {"", 0}, 0, {"", 0}},
        {sizeof(frames[0]), 0, 0, 0, {"", 0}, 0, {"", 0}},
        {sizeof(frames[0]), 1, 1, 0, {"", 0}, 0, {"", 0}},
        {sizeof(frames[0]), 1, 0, 0, {NULL, 1}, 0, {"", 0}},
        {0, 1, 0, 0, {"", 0}, 0, {"", 0}},
    };
    struct fixture f;
    (void) state;
    for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
        begin(&f, NULL);
        assert_int_not_equal(f.consumer.frame(f.consumer.user_data, &frames[i]), 0);
        assert_status(gt_json_writer_status(f.writer), GT_ERR_INVALID_ARGUMENT);
        end(&f);
    }
    begin(&f, NULL);
    assert_int_not_equal(f.consumer.frame(f.consumer.user_data, NULL), 0);
    end(&f);
    begin(&f, NULL);
    assert_int_not_equal(f.consumer.event(f.consumer.user_data, NULL, 0), 0);
    assert_status(gt_json_writer_status(f.writer), GT_ERR_INVALID_ARGUMENT);
    end(&f);
}

/* One writer writes one object. */
static void test_second_object_is_refused(void **state)
{
    static const gt_viewer_frame frame = {sizeof(frame), 1, 0, 0, {"", 0}, 0, {"", 0}};
    gt_viewer_event event = {0};
    struct fixture f;
    gt_emitter *second;
    (void) state;
    event.size = sizeof(event);
    event.phase = 'I';
    begin(&f, NULL);
    assert_status(gt_emitter_open(&second, &f.consumer, NULL, NULL), GT_ERR_CALLBACK);
    assert_status(gt_json_writer_status(f.writer), GT_ERR_INVALID_ARGUMENT);
    end(&f);
    for (int i = 0; i < 3; i++) {
        void *data;
        begin(&f, NULL);
        assert_status(gt_emitter_flush(f.emitter), GT_OK);
        data = f.consumer.user_data;
        assert_int_not_equal(i == 0   ? f.consumer.flush(data)
                             : i == 1 ? f.consumer.frame(data, &frame)
                                      : f.consumer.event(data, &event, 0),
                             0);
        assert_status(gt_json_writer_status(f.writer), GT_ERR_INVALID_ARGUMENT);
        end(&f);
    }
}

/* A consumer of the caller's own may keep the time unit to itself. */
static void test_object_without_a_time_unit_is_written(void **state)
{
    struct fixture f;
    (void) state;
    memset(&f, 0, sizeof(f));
    f.consumer.size = sizeof(f.consumer);
    assert_status(gt_json_writer_open(&f.writer, take, &f.sink, NULL, NULL), GT_OK);
    assert_status(gt_json_writer_consumer(f.writer, &f.consumer), GT_OK);
    assert_int_equal(f.consumer.flush(f.consumer.user_data), 0);
    assert_string_equal(f.sink.data, "{\"traceEvents\": [], \"stackFrames\":{}\n}\n");
    end(&f);
}

/* The first digits of a time are reused for the next ones, and must be correct each time. */
static void test_times_are_the_shortest_decimals(void **state)
{
    static const struct {
        int64_t time;
        const char *text;
    } cases[] = {
        {0, "0"},
        {9999999, "9999.999"},
        {10000000, "10000"},
        {10000001, "10000.001"},
        {19999990, "19999.99"},
        {10000100, "10000.1"},
        {20000000, "20000"},
        {9999999, "9999.999"},
        {20010070, "20010.07"},
        {-1, "-0.001"},
        {INT64_MIN, "-9223372036854776"},
        {29999999, "29999.999"},
        {INT64_MAX, "9223372036854776"},
        /* From 8796093022208000 on, several nanoseconds share a double. */
        {8796093022200001, "8796093022200.001"},
        {8796093022207999, "8796093022207.999"},
        {8796093022208001, "8796093022208.002"},
        {8796093022209999, "8796093022209.998"},
        {8796093022190000, "8796093022190"},
    };
    struct fixture f;
    char expected[4096] = "";
    size_t size = 0;
    (void) state;
    begin(&f, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        gt_instant instant = GT_INSTANT_INIT;
        instant.time = cases[i].time;
        assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
        size += (size_t) snprintf(expected + size, sizeof(expected) - size,
                                  "{\"ph\":\"I\",\"s\":\"t\",\"ts\":%s,\"pid\":0,\"tid\":0}\n,",
                                  cases[i].text);
    }
    check_events(&f, expected);
    end(&f);
}

/* Writes one byte as JSON does and returns the end. */
static char *put_byte(char *to, unsigned byte)
{
    const char *found = byte != 0 ? strchr("\"\"\\\\\bb\ff\nn\rr\tt", (int) byte) : NULL;
    if (byte >= 0x80)
        return to + sprintf(to, "\xef\xbf\xbd");
    if (found && (byte < ' ' || byte == '"' || byte == '\\'))
        return to + sprintf(to, "\\%c", found[1]);
    if (byte < ' ' || byte == '<' || byte == '>' || byte == '&')
        return to + sprintf(to, "\\u%04x", byte);
    *to = (char) byte;
    return to + 1;
}

/*
 * Texts are copied several bytes at a time, so each byte is tried at each place in texts of each
 * size.
 */
static void test_each_byte_is_escaped_at_each_place(void **state)
{
    enum {
        LONGEST = 20
    };

    static const char rest[] = "\",\"ph\":\"I\",\"s\":\"t\",\"ts\":0,\"pid\":0,\"tid\":0}\n,";
    struct fixture f;
    char text[LONGEST], expected[256];
    (void) state;
    for (size_t size = 1; size <= LONGEST; size++) {
        for (size_t at = 0; at < size; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                gt_instant instant = GT_INSTANT_INIT;
                char *end_of_name;
                memset(text, 'a', size);
                text[at] = (char) byte;
                memcpy(expected, "{\"name\":\"aaaaaaaaaaaaaaaaaaaa", 30);
                end_of_name = put_byte(expected + 9 + at, byte);
                memset(end_of_name, 'a', size - at - 1);
                memcpy(end_of_name + size - at - 1, rest, sizeof(rest));
                begin(&f, NULL);
                instant.name.data = text;
                instant.name.size = size;
                assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
                check_events(&f, expected);
                end(&f);
            }
        }
    }
}

static void test_bad_arguments_are_refused(void **state)
{
    struct sink sink;
    gt_json_writer *writer = (gt_json_writer *) (void *) &sink;
    gt_consumer consumer = GT_CONSUMER_INIT;
    (void) state;
    assert_status(gt_json_writer_open(NULL, take, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_json_writer_open(&writer, NULL, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(writer);
    assert_status(gt_json_writer_consumer(NULL, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_json_writer_open(&writer, take, NULL, NULL, NULL), GT_OK);
    assert_status(gt_json_writer_consumer(writer, NULL), GT_ERR_INVALID_ARGUMENT);
    consumer.size--;
    assert_status(gt_json_writer_consumer(writer, &consumer), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_json_writer_status(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_json_writer_status(writer), GT_OK);
    gt_json_writer_close(NULL);
    gt_json_writer_close(&writer);
    gt_json_writer_close(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_and_its_frames_are_written),
        cmocka_unit_test(test_only_events_in_the_range_are_written),
        cmocka_unit_test(test_required_events_are_written_outside_the_range),
        cmocka_unit_test(test_failing_write_ends_the_writing),
        cmocka_unit_test(test_failing_write_of_the_flush_is_reported),
        cmocka_unit_test(test_nothing_is_written_after_a_failure),
        cmocka_unit_test(test_cut_character_is_replaced),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_reported),
        cmocka_unit_test(test_calls_in_a_wrong_order_are_refused),
        cmocka_unit_test(test_second_object_is_refused),
        cmocka_unit_test(test_object_without_a_time_unit_is_written),
        cmocka_unit_test(test_times_are_the_shortest_decimals),
        cmocka_unit_test(test_each_byte_is_escaped_at_each_place),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
