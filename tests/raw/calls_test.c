/* SPDX-License-Identifier: BSD-3-Clause */

/* Wrong arguments, structures of other sizes, and calls at the wrong time. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raw/rewrite.h"
#include "support/feed.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/wire.h"

static const char header[16] = "go 1.26 trace";

/* A structure of a later release: the known one, and members that are not known. */
struct later_options {
    gt_raw_options options;
    uint64_t more;
};

static gt_status open_with(const gt_raw_options *options)
{
    gt_raw_reader *reader;
    gt_raw_writer *writer;
    struct rewritten out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_raw_reader_open_memory(&reader, header, 16, options, &error);
    assert_status((gt_status) error.status, status);
    assert_int_equal(reader != NULL, status == GT_OK);
    gt_raw_reader_close(&reader);
    error = (gt_error) GT_ERROR_INIT;
    assert_status(
        gt_raw_writer_open(&writer, 26, GT_RAW_BYTES, rewritten_take, &out, options, &error),
        status);
    assert_status((gt_status) error.status, status);
    assert_int_equal(writer != NULL, status == GT_OK);
    gt_raw_writer_close(&writer);
    rewritten_free(&out);
    return status;
}

static void test_bad_options_are_refused(void **state)
{
    struct later_options later = {GT_RAW_OPTIONS_INIT, 0};
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_allocator allocator = {sizeof(allocator), NULL, NULL, NULL, NULL};
    (void) state;
    assert_status(open_with(NULL), GT_OK);
    assert_status(open_with(&options), GT_OK);
    for (unsigned bit = 0; bit < 64; bit++) {
        options.flags = (uint64_t) 1 << bit;
        assert_status(open_with(&options), bit < 3 ? GT_OK : GT_ERR_INVALID_ARGUMENT);
    }
    options.flags = 0;
    options.size = sizeof(options) - 1;
    assert_status(open_with(&options), GT_ERR_INVALID_ARGUMENT);
    options.size = 0;
    assert_status(open_with(&options), GT_ERR_INVALID_ARGUMENT);
    later.options.size = sizeof(later);
    assert_status(open_with(&later.options), GT_OK);
    later.more = 1;
    assert_status(open_with(&later.options), GT_ERR_INVALID_ARGUMENT);
    options.size = sizeof(options);
    options.allocator = &allocator;
    assert_status(open_with(&options), GT_ERR_INVALID_ARGUMENT);
}

static void test_reader_refuses_bad_arguments(void **state)
{
    const int bad = GT_ERR_INVALID_ARGUMENT;
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader *reader;
    (void) state;
    assert_status(gt_raw_reader_open_memory(NULL, header, 16, NULL, &error), bad);
    assert_status((gt_status) error.status, bad);
    assert_status(gt_raw_reader_open_memory(&reader, NULL, 16, NULL, NULL), bad);
    assert_null(reader);
    assert_status(gt_raw_reader_open_memory(&reader, NULL, 0, NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_raw_reader_open_file(NULL, "x", NULL, NULL), bad);
    assert_status(gt_raw_reader_open_file(&reader, NULL, NULL, NULL), bad);
    assert_null(reader);
    assert_status(gt_raw_reader_open_fd(NULL, 0, NULL, NULL), bad);
    assert_status(gt_raw_reader_open_fd(&reader, -1, NULL, NULL), bad);
    assert_null(reader);
    assert_status(gt_raw_reader_open_callback(NULL, feed_read, NULL, NULL, NULL), bad);
    assert_status(gt_raw_reader_open_callback(&reader, NULL, NULL, NULL, NULL), bad);
    assert_null(reader);
    error.size = sizeof(error) - 1;
    assert_status(gt_raw_reader_open_memory(&reader, header, 16, NULL, &error), bad);
    assert_null(reader);
}

static void test_files_and_descriptors_are_read(void **state)
{
    struct wire wire = {0};
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event;
    gt_raw_reader *reader;
    char *path;
    int fd;
    (void) state;
    assert_status(gt_raw_reader_open_file(&reader, "/nowhere", NULL, &error), GT_ERR_IO);
    assert_true(error.system_error != 0);
    wire_begin(&wire, 26);
    wire_byte(&wire, EV_SYNC);
    path = files_temporary(wire.data, wire.size);
    assert_status(gt_raw_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
    fd = open(path, O_RDONLY);
    assert_status(gt_raw_reader_open_fd(&reader, fd, NULL, NULL), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
    close(fd);
    remove(path);
    free(path);
    wire_free(&wire);
}

static void test_calls_of_a_reader_refuse_bad_arguments(void **state)
{
    const int bad = GT_ERR_INVALID_ARGUMENT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event = (const gt_raw_event *) &info;
    gt_raw_reader *reader = NULL;
    (void) state;
    gt_raw_reader_close(NULL);
    gt_raw_reader_close(&reader);
    assert_status(gt_raw_reader_next_event(NULL, &event), bad);
    assert_null(event);
    assert_status(gt_raw_reader_error(NULL, &error), bad);
    assert_status(gt_raw_reader_get_info(NULL, &info), bad);
    assert_status(gt_raw_reader_open_memory(&reader, header, 16, NULL, NULL), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, NULL), bad);
    assert_status(gt_raw_reader_error(reader, NULL), bad);
    assert_status(gt_raw_reader_get_info(reader, NULL), bad);
    info.size--;
    assert_status(gt_raw_reader_get_info(reader, &info), bad);
    error.size--;
    assert_status(gt_raw_reader_error(reader, &error), bad);
    /* None of these errors ended the reading. */
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
    assert_null(reader);
}

/* A program that knows more members than the library gets those that the library knows. */
static void test_info_of_later_headers_is_filled(void **state)
{
    struct {
        gt_raw_info info;
        uint64_t more;
    } later = {GT_RAW_INFO_INIT, 77};

    gt_raw_reader *reader;
    (void) state;
    later.info.size = sizeof(later);
    assert_status(gt_raw_reader_open_memory(&reader, header, 16, NULL, NULL), GT_OK);
    assert_status(gt_raw_reader_get_info(reader, &later.info), GT_OK);
    assert_int_equal(later.info.size, sizeof(later));
    assert_int_equal(later.info.version, 26);
    assert_int_equal(later.info.bytes, 16);
    assert_int_equal(later.more, 77);
    gt_raw_reader_close(&reader);
}

static void test_writer_refuses_bad_arguments(void **state)
{
    const int bad = GT_ERR_INVALID_ARGUMENT;
    struct rewritten out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_raw_writer *writer;
    (void) state;
    assert_status(gt_raw_writer_open(NULL, 26, GT_RAW_BYTES, rewritten_take, &out, NULL, &error),
                  bad);
    assert_status((gt_status) error.status, bad);
    assert_status(gt_raw_writer_open(&writer, 26, GT_RAW_BYTES, NULL, &out, NULL, NULL), bad);
    assert_null(writer);
    assert_status(gt_raw_writer_open(&writer, 26, 0, rewritten_take, &out, NULL, NULL), bad);
    assert_null(writer);
    assert_status(gt_raw_writer_open(&writer, 26, 3, rewritten_take, &out, NULL, NULL), bad);
    assert_null(writer);
    error.size = sizeof(error) - 1;
    assert_status(gt_raw_writer_open(&writer, 26, 1, rewritten_take, &out, NULL, &error), bad);
    assert_null(writer);
    for (uint32_t version = 0; version < 300; version++) {
        gt_status expected = gt_wire_spec_get(version, 1) ? GT_OK : GT_ERR_VERSION;
        rewritten_free(&out);
        assert_status(
            gt_raw_writer_open(&writer, version, GT_RAW_BYTES, rewritten_take, &out, NULL, NULL),
            expected);
        if (expected == GT_OK) {
            struct wire wire = {0};
            wire_begin(&wire, version);
            assert_status(gt_raw_writer_flush(writer), GT_OK);
            assert_int_equal(out.size, 16);
            assert_memory_equal(out.data, wire.data, 16);
            wire_free(&wire);
        }
        gt_raw_writer_close(&writer);
        assert_null(writer);
    }
    rewritten_free(&out);
}

/* Returns a valid String of Go 1.26, which tests change. */
static gt_raw_event good_string(void)
{
    static const uint64_t id = 300;
    static const uint8_t widths[] = {3, 1};
    gt_raw_event event = GT_RAW_EVENT_INIT;
    event.type = GT_WIRE_STRING;
    event.arguments = &id;
    event.argument_count = 1;
    event.data = (gt_string){"ab", 2};
    event.widths = widths;
    event.width_count = 2;
    return event;
}

static gt_raw_event good_stack(void)
{
    static const uint64_t arguments[] = {1, 1};
    static const gt_raw_frame frame = {1, 2, 3, 4};
    gt_raw_event event = GT_RAW_EVENT_INIT;
    event.type = GT_WIRE_STACK;
    event.arguments = arguments;
    event.argument_count = 2;
    event.frames = &frame;
    event.frame_count = 1;
    return event;
}

static gt_raw_event spoilt_string(unsigned way)
{
    static const uint8_t narrow[] = {1, 1}, wide[] = {11, 1}, no_length[] = {2, 0};
    gt_raw_event event = good_string();
    switch (way) {
    case 0:
        event.size--;
        break;
    case 1:
        event.type = 0;
        break;
    case 2:
        event.type = 53;
        break;
    case 3:
        event.type = 256 + GT_WIRE_STRING;
        break;
    case 4:
        event.argument_count = 2;
        break;
    case 5:
        event.arguments = NULL;
        break;
    case 6:
        event.data.data = NULL;
        break;
    case 7:
        event.width_count = 1;
        break;
    case 8:
        event.width_count = 3;
        break;
    case 9:
        event.widths = NULL;
        break;
    case 10:
        event.widths = narrow;
        break;
    case 11:
        event.widths = wide;
        break;
    default:
        event.widths = no_length;
        break;
    }
    return event;
}

#define STRING_WAYS 13

static gt_raw_event spoilt_stack(unsigned way)
{
    static const uint64_t arguments[] = {256, 1, 1, 1};
    gt_raw_event event = good_stack();
    switch (way) {
    case 0:
        event.frame_count = 0;
        break;
    case 1:
        event.frame_count = 2;
        break;
    case 2:
        event.frames = NULL;
        break;
    case 3:
        event.data = (gt_string){"x", 1};
        break;
    case 4: /* without frames */
        event.type = GT_WIRE_GO_STATUS_STACK;
        break;
    default: /* the number of an experiment fits into a byte */
        event.type = GT_WIRE_EXPERIMENTAL_BATCH;
        event.arguments = arguments;
        event.argument_count = 4;
        event.frames = NULL;
        event.frame_count = 0;
        break;
    }
    return event;
}

#define STACK_WAYS 6

/* An event that is refused leaves nothing in the output, and the writer continues. */
static void test_bad_events_are_refused_and_leave_nothing(void **state)
{
    static const uint32_t forms[] = {GT_RAW_BYTES, GT_RAW_TEXT};
    static const char *const expected[] = {"go 1.26 trace\0\0\0\5\254\202\0\2ab\3\1\1\1\2\3\4",
                                           "Trace Go1.26\n"
                                           "#!widths 3 1\n"
                                           "String id=300\n"
                                           "\tdata=\"ab\"\n"
                                           "Stack id=1 nframes=1\n"
                                           "\tpc=1 func=2 file=3 line=4\n"};
    struct rewritten out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_raw_event event;
    gt_raw_writer *writer;
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        assert_status(gt_raw_writer_open(&writer, 26, forms[i], rewritten_take, &out, NULL, NULL),
                      GT_OK);
        event = good_string();
        assert_status(gt_raw_writer_write_event(writer, &event), GT_OK);
        for (unsigned way = 0; way < STRING_WAYS; way++) {
            event = spoilt_string(way);
            assert_status(gt_raw_writer_write_event(writer, &event), GT_ERR_INVALID_ARGUMENT);
        }
        for (unsigned way = 0; way < STACK_WAYS; way++) {
            event = spoilt_stack(way);
            assert_status(gt_raw_writer_write_event(writer, &event), GT_ERR_INVALID_ARGUMENT);
        }
        assert_status(gt_raw_writer_write_event(writer, NULL), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_raw_writer_error(writer, &error), GT_OK);
        assert_status((gt_status) error.status, GT_OK);
        event = good_stack();
        assert_status(gt_raw_writer_write_event(writer, &event), GT_OK);
        assert_status(gt_raw_writer_flush(writer), GT_OK);
        assert_int_equal(out.size, i == 0 ? 16 + 7 + 7 : strlen(expected[1]));
        assert_memory_equal(out.data, expected[i], out.size);
        gt_raw_writer_close(&writer);
        rewritten_free(&out);
    }
}

static void test_calls_of_a_writer_refuse_bad_arguments(void **state)
{
    const int bad = GT_ERR_INVALID_ARGUMENT;
    struct rewritten out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_raw_event event = good_string();
    gt_raw_writer *writer = NULL;
    (void) state;
    gt_raw_writer_close(NULL);
    gt_raw_writer_close(&writer);
    assert_status(gt_raw_writer_write_event(NULL, &event), bad);
    assert_status(gt_raw_writer_flush(NULL), bad);
    assert_status(gt_raw_writer_error(NULL, &error), bad);
    assert_status(gt_raw_writer_open(&writer, 26, GT_RAW_TEXT, rewritten_take, &out, NULL, NULL),
                  GT_OK);
    assert_status(gt_raw_writer_error(writer, NULL), bad);
    error.size--;
    assert_status(gt_raw_writer_error(writer, &error), bad);
    gt_raw_writer_close(&writer);
    /* What was not flushed is lost. */
    assert_int_equal(out.size, 0);
}

/* A reader and a writer that are used from their own callbacks, and the results of these calls. */
struct inner {
    gt_raw_reader *reader;
    gt_raw_writer *writer;
    struct feed feed;
    unsigned calls;
};

static void misuse(struct inner *inner)
{
    const int bad = GT_ERR_INVALID_ARGUMENT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_raw_event event = good_string();
    const gt_raw_event *read;
    inner->calls++;
    if (inner->reader) {
        gt_raw_reader *reader = inner->reader;
        assert_status(gt_raw_reader_next_event(reader, &read), bad);
        assert_null(read);
        assert_status(gt_raw_reader_get_info(reader, &info), bad);
        assert_status(gt_raw_reader_error(reader, &error), bad);
        gt_raw_reader_close(&reader);
        assert_non_null(reader);
    }
    if (inner->writer) {
        gt_raw_writer *writer = inner->writer;
        assert_status(gt_raw_writer_write_event(writer, &event), bad);
        assert_status(gt_raw_writer_flush(writer), bad);
        assert_status(gt_raw_writer_error(writer, &error), bad);
        gt_raw_writer_close(&writer);
        assert_non_null(writer);
    }
}

static int64_t misusing_read(void *user_data, void *buffer, size_t capacity)
{
    struct inner *inner = user_data;
    misuse(inner);
    return feed_read(&inner->feed, buffer, capacity);
}

static void test_calls_from_the_read_function_are_refused(void **state)
{
    const size_t one = 1;
    struct inner inner = {0};
    const gt_raw_event *event;
    struct wire wire = {0};
    gt_status status;
    unsigned calls;
    (void) state;
    wire_begin(&wire, 26);
    wire_string(&wire, 1, "text");
    wire_byte(&wire, EV_SYNC);
    feed_init(&inner.feed, wire.data, wire.size);
    inner.feed.steps = &one;
    inner.feed.step_count = 1;
    assert_status(gt_raw_reader_open_callback(&inner.reader, misusing_read, &inner, NULL, NULL),
                  GT_OK);
    calls = inner.calls;
    while ((status = gt_raw_reader_next_event(inner.reader, &event)) == GT_OK)
        continue;
    assert_status(status, GT_END);
    assert_true(inner.calls > calls);
    gt_raw_reader_close(&inner.reader);
    wire_free(&wire);
}

static int misusing_write(void *user_data, const void *data, size_t size)
{
    (void) data;
    (void) size;
    misuse(user_data);
    return 0;
}

static void test_calls_from_the_write_function_are_refused(void **state)
{
    static char data[200000];
    struct inner inner = {0};
    gt_raw_event event = good_string();
    (void) state;
    event.data = (gt_string){data, sizeof(data)};
    event.widths = NULL;
    event.width_count = 0;
    assert_status(
        gt_raw_writer_open(&inner.writer, 26, GT_RAW_BYTES, misusing_write, &inner, NULL, NULL),
        GT_OK);
    assert_status(gt_raw_writer_write_event(inner.writer, &event), GT_OK);
    assert_int_equal(inner.calls, 1);
    event.data.size = 3;
    assert_status(gt_raw_writer_write_event(inner.writer, &event), GT_OK);
    assert_int_equal(inner.calls, 1);
    assert_status(gt_raw_writer_flush(inner.writer), GT_OK);
    assert_int_equal(inner.calls, 2);
    assert_status(gt_raw_writer_flush(inner.writer), GT_OK);
    assert_int_equal(inner.calls, 2);
    gt_raw_writer_close(&inner.writer);
    assert_null(inner.writer);
}

/* What on_progress was told, and when it cancels. */
struct watcher {
    gt_progress last;
    unsigned calls;
    unsigned stop_at;
};

static int watcher_call(void *user_data, const gt_progress *progress)
{
    struct watcher *w = user_data;
    assert_int_equal(progress->size, sizeof(*progress));
    assert_true(progress->bytes_read > w->last.bytes_read);
    assert_int_equal(progress->bytes_decoded, progress->bytes_read);
    w->last = *progress;
    return ++w->calls == w->stop_at;
}

/* Reads to the end, or `count` records. */
static gt_status read_records(gt_raw_reader *reader, uint64_t count)
{
    const gt_raw_event *event;
    gt_status status = GT_OK;
    for (; count > 0 && status == GT_OK; count--)
        status = gt_raw_reader_next_event(reader, &event);
    return status;
}

static void test_reader_tells_its_progress_and_can_be_cancelled(void **state)
{
    static const unsigned versions[] = {21, 26};
    (void) state;
    for (size_t i = 0; i < 8; i++) {
        struct wire wire = {0};
        struct watcher w = {.stop_at = i / 4 == 0 ? 0 : 3};
        gt_raw_options options = GT_RAW_OPTIONS_INIT;
        gt_error error = GT_ERROR_INIT;
        gt_raw_reader *reader;
        sample_trace(&wire, versions[i % 2], 1, 200000);
        options.on_progress = watcher_call;
        options.progress_data = &w;
        assert_status(gt_raw_reader_open_memory(&reader, wire.data, wire.size, &options, NULL),
                      GT_OK);
        gt_status status = read_records(reader, i / 2 % 2 == 0 ? UINT64_MAX : 100000);
        assert_int_equal(w.last.bytes_total, wire.size);
        if (i / 2 % 2 != 0)
            gt_raw_reader_cancel(reader);
        if (w.stop_at == 0 && i / 2 % 2 == 0) {
            assert_status(status, GT_END);
            assert_in_range(w.calls, wire.size / (256 << 10) - 1, wire.size / (256 << 10));
        } else {
            assert_status(read_records(reader, 1), GT_CANCELLED);
            assert_status(read_records(reader, 1), GT_CANCELLED);
            assert_status(gt_raw_reader_error(reader, &error), GT_OK);
            assert_int_equal(error.status, GT_CANCELLED);
        }
        gt_raw_reader_close(&reader);
        wire_free(&wire);
    }
    gt_raw_reader_cancel(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_reader_refuses_bad_arguments),
        cmocka_unit_test(test_files_and_descriptors_are_read),
        cmocka_unit_test(test_calls_of_a_reader_refuse_bad_arguments),
        cmocka_unit_test(test_writer_refuses_bad_arguments),
        cmocka_unit_test(test_info_of_later_headers_is_filled),
        cmocka_unit_test(test_bad_events_are_refused_and_leave_nothing),
        cmocka_unit_test(test_calls_of_a_writer_refuse_bad_arguments),
        cmocka_unit_test(test_calls_from_the_read_function_are_refused),
        cmocka_unit_test(test_calls_from_the_write_function_are_refused),
        cmocka_unit_test(test_reader_tells_its_progress_and_can_be_cancelled),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
