/* SPDX-License-Identifier: BSD-3-Clause */

/* Failures that are not the trace's fault: memory, its limit, reading and writing. */

#include <string.h>

#include "raw/record.h"
#include "raw/rewrite.h"
#include "support/feed.h"
#include "support/probe.h"
#include "support/test.h"

/* Makes a trace with everything that needs memory: frames, unusual widths, and much data. */
static void make_trace(struct wire *wire, uint32_t version)
{
    static char data[300000];
    wire_begin(wire, version);
    for (uint32_t type = 0; type < 256; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        struct record record;
        if (!spec)
            continue;
        wire->width = type % 3;
        record_make(&record, version, spec, 1000);
        if (spec->flags & GT_WIRE_HAS_DATA)
            record.event.data = (gt_string){data, sizeof(data)};
        record_put(wire, &record);
    }
}

struct copy {
    struct wire wire;
    struct feed feed;
    uint64_t flags;
    uint32_t form;
    /* The result. */
    struct rewritten out;
    uint64_t reader_peak;
};

/* Reads everything in pieces and writes it; returns the status of whichever failed first. */
static gt_status run(struct copy *copy, const gt_raw_options *reading,
                     const gt_raw_options *writing)
{
    static const size_t step = 700;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_options options = *writing;
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event;
    gt_raw_reader *reader;
    gt_raw_writer *writer = NULL;
    gt_status status, again;
    rewritten_free(&copy->out);
    feed_init(&copy->feed, copy->wire.data, copy->wire.size);
    copy->feed.steps = &step;
    copy->feed.step_count = 1;
    options.flags = copy->flags;
    status = gt_raw_reader_open_callback(&reader, feed_read, &copy->feed, reading, &error);
    if (status == GT_OK)
        status = gt_raw_writer_open(&writer, copy->wire.version, copy->form, rewritten_take,
                                    &copy->out, &options, &error);
    assert_status((gt_status) error.status, status);
    while (status == GT_OK && (status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_raw_writer_write_event(writer, event);
        if (status != GT_OK) {
            again = gt_raw_writer_flush(writer);
            assert_status(again, status);
            assert_status(gt_raw_writer_error(writer, &error), GT_OK);
            assert_status((gt_status) error.status, status);
            assert_int_equal(error.offset, GT_NO_OFFSET);
            assert_true(error.message[0] != '\0');
        }
    }
    if (status == GT_END && (again = gt_raw_writer_flush(writer)) != GT_OK)
        status = again;
    if (reader) {
        assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
        copy->reader_peak = info.memory_peak;
    }
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&reader);
    return status;
}

/* Runs `check` for both formats and both forms, with and without GT_RAW_SET_SIZES. */
static void for_all(void (*check)(struct copy *copy))
{
    static const uint32_t versions[] = {5, 21, 26};
    struct copy copy = {0};
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        make_trace(&copy.wire, versions[i]);
        for (copy.form = GT_RAW_BYTES; copy.form <= GT_RAW_TEXT; copy.form++) {
            copy.flags = 0;
            check(&copy);
            copy.flags = GT_RAW_SET_SIZES;
            check(&copy);
        }
    }
    rewritten_free(&copy.out);
    wire_free(&copy.wire);
}

/* Lets each allocation fail in turn: first those of the reader, then those of the writer. */
static void check_allocations(struct copy *copy)
{
    gt_raw_options options[2] = {GT_RAW_OPTIONS_INIT, GT_RAW_OPTIONS_INIT};
    for (unsigned which = 0; which < 2; which++) {
        struct probe probe;
        gt_status status;
        uint64_t failing = 0;
        do {
            probe_init(&probe);
            probe.fail_at = ++failing;
            options[which].allocator = &probe.allocator;
            status = run(copy, &options[0], &options[1]);
            assert_status(status, probe.failed > 0 ? GT_ERR_NO_MEMORY : GT_END);
            probe_check(&probe);
        } while (probe.failed > 0);
        options[which].allocator = NULL;
        assert_in_range(failing, 4, 60);
    }
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void) state;
    for_all(check_allocations);
}

static void check_limits(struct copy *copy)
{
    gt_raw_options options[2] = {GT_RAW_OPTIONS_INIT, GT_RAW_OPTIONS_INIT};
    struct probe probes[2];
    uint64_t peaks[2];
    probe_init(&probes[0]);
    probe_init(&probes[1]);
    options[0].allocator = &probes[0].allocator;
    options[1].allocator = &probes[1].allocator;
    assert_status(run(copy, &options[0], &options[1]), GT_END);
    peaks[0] = probes[0].peak_bytes;
    peaks[1] = probes[1].peak_bytes;
    assert_int_equal(peaks[0], copy->reader_peak);
    for (unsigned which = 0; which < 2; which++) {
        options[which].memory_limit = peaks[which];
        assert_status(run(copy, &options[0], &options[1]), GT_END);
        for (uint64_t limit = 1; limit < peaks[which]; limit += peaks[which] / 40 + 1) {
            options[which].memory_limit = limit;
            probe_init(&probes[which]);
            assert_status(run(copy, &options[0], &options[1]), GT_ERR_LIMIT);
            assert_true(probes[which].peak_bytes <= limit);
            probe_check(&probes[which]);
        }
        options[which].memory_limit = 0;
    }
}

static void test_memory_limit_is_kept(void **state)
{
    (void) state;
    for_all(check_limits);
}

/* A read fails after any number of bytes, or returns more than it was asked for. */
static void test_failing_read_is_reported(void **state)
{
    static const int64_t failures[] = {-1, INT64_MIN + 1, INT64_MAX};
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 26);
    wire_string(&wire, 1, "text");
    wire_stack(&wire, 1, 1);
    wire_frame(&wire, 1, 2, 3, 4);
    for (size_t at = 0; at < wire.size; at++) {
        for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
            const size_t one = 1;
            gt_error error = GT_ERROR_INIT;
            const gt_raw_event *event;
            gt_raw_reader *reader;
            struct feed feed;
            gt_status status;
            feed_init(&feed, wire.data, wire.size);
            feed.steps = &one;
            feed.step_count = 1;
            feed.fail_at = at;
            feed.failure = failures[i];
            status = gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, &error);
            while (status == GT_OK)
                status = gt_raw_reader_next_event(reader, &event);
            if (reader)
                assert_status(gt_raw_reader_error(reader, &error), GT_OK);
            assert_status(status, GT_ERR_IO);
            assert_status((gt_status) error.status, GT_ERR_IO);
            assert_int_equal(error.offset, at);
            gt_raw_reader_close(&reader);
        }
    }
    wire_free(&wire);
}

/* Fails in the call with this number. */
struct sink {
    unsigned fail_at;
    unsigned calls;
    uint64_t bytes;
};

static int take(void *user_data, const void *data, size_t size)
{
    struct sink *sink = user_data;
    (void) data;
    if (++sink->calls == sink->fail_at)
        return 1;
    sink->bytes += size;
    return 0;
}

/* A failed write is final: later output is not passed on. */
static void test_failing_write_is_final(void **state)
{
    const uint64_t frequency = 1000;
    gt_raw_event event = GT_RAW_EVENT_INIT;
    (void) state;
    event.type = GT_WIRE_FREQUENCY;
    event.arguments = &frequency;
    event.argument_count = 1;
    for (unsigned fail_at = 1; fail_at <= 3; fail_at++) {
        struct sink sink = {fail_at, 0, 0};
        gt_error error = GT_ERROR_INIT;
        gt_raw_writer *writer;
        gt_status status;
        uint64_t count = 0;
        assert_status(gt_raw_writer_open(&writer, 26, GT_RAW_TEXT, take, &sink, NULL, NULL), GT_OK);
        while ((status = gt_raw_writer_write_event(writer, &event)) == GT_OK)
            assert_true(++count < 100000);
        assert_status(status, GT_ERR_IO);
        assert_int_equal(sink.calls, fail_at);
        assert_status(gt_raw_writer_write_event(writer, &event), GT_ERR_IO);
        assert_status(gt_raw_writer_flush(writer), GT_ERR_IO);
        assert_int_equal(sink.calls, fail_at);
        assert_status(gt_raw_writer_error(writer, &error), GT_OK);
        assert_status((gt_status) error.status, GT_ERR_IO);
        assert_string_equal(error.message, "writing failed");
        gt_raw_writer_close(&writer);
    }
}

/* The last write, that of the flush, fails. */
static void test_failing_flush_is_final(void **state)
{
    struct sink sink = {1, 0, 0};
    gt_raw_writer *writer;
    (void) state;
    assert_status(gt_raw_writer_open(&writer, 26, GT_RAW_BYTES, take, &sink, NULL, NULL), GT_OK);
    assert_status(gt_raw_writer_flush(writer), GT_ERR_IO);
    assert_status(gt_raw_writer_flush(writer), GT_ERR_IO);
    assert_int_equal(sink.calls, 1);
    gt_raw_writer_close(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_failing_read_is_reported),
        cmocka_unit_test(test_failing_write_is_final),
        cmocka_unit_test(test_failing_flush_is_final),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
