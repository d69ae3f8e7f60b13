/* SPDX-License-Identifier: BSD-3-Clause */

/* Opening: headers and versions, options, arguments, and calls at the wrong time. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

/* Opens and closes; asserts that all ways to learn of a failure agree. */
static gt_status open_bytes(const void *data, size_t size, const gt_reader_options *options)
{
    static int nothing;
    gt_reader *reader = (gt_reader *) (void *) &nothing;
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_reader_open_memory(&reader, data, size, options, &error);
    if (status == GT_OK)
        gt_reader_close(&reader);
    assert_null(reader);
    assert_status((gt_status) error.status, status);
    assert_int_equal(strlen(error.message) > 0, status != GT_OK);
    reader = (gt_reader *) (void *) &nothing;
    assert_status(gt_reader_open_memory(&reader, data, size, options, NULL), status);
    gt_reader_close(&reader);
    return status;
}

static gt_status open_header(const char *header)
{
    char bytes[16] = {0};
    for (size_t i = 0; i < 16 && header[i]; i++)
        bytes[i] = header[i];
    return open_bytes(bytes, sizeof(bytes), NULL);
}

static void test_versions_of_go_are_read(void **state)
{
    static const char *const headers[] = {
        "go 1.5 trace",  "go 1.7 trace",  "go 1.8 trace",  "go 1.9 trace",
        "go 1.10 trace", "go 1.11 trace", "go 1.19 trace", "go 1.21 trace",
        "go 1.22 trace", "go 1.23 trace", "go 1.25 trace", "go 1.26 trace",
    };
    (void) state;
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        assert_status(open_header(headers[i]), GT_OK);
}

/* Versions that Go never wrote. */
static void test_versions_that_never_existed_are_refused(void **state)
{
    static const char *const headers[] = {
        "go 1.4 trace",  "go 1.6 trace",  "go 1.12 trace",
        "go 1.18 trace", "go 1.20 trace", "go 1.24 trace",
    };
    (void) state;
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        assert_status(open_header(headers[i]), GT_ERR_VERSION);
}

static void test_bytes_without_a_header_are_refused(void **state)
{
    static const char *const headers[] = {
        "",
        "GO 1.22 trace",
        "go 2.22 trace",
        "go 1.22 Trace",
        "go 1.2x trace",
        "go 1. trace",
        "go 1.-2 trace",
        "go 1.22  trace",
        "go 1.22 tracex",
        " go 1.22 trace",
        "\177ELF",
        "go test trace",
    };
    (void) state;
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        assert_status(open_header(headers[i]), GT_ERR_NOT_A_TRACE);
}

/* The offset and status of a wrong header. */
static void test_header_error_says_where_and_why(void **state)
{
    static const char *const headers[] = {"no trace at all.", "go 1.12 trace\0\0\0"};
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        gt_status status = gt_reader_open_memory(&reader, headers[i], 16, NULL, &error);
        assert_status(status, i ? GT_ERR_VERSION : GT_ERR_NOT_A_TRACE);
        assert_status(error.status, status);
        assert_int_equal(error.offset, 0);
        assert_int_equal(error.generation, 0);
        assert_int_equal(error.system_error, 0);
    }
}

static void test_compressed_file_is_recognised(void **state)
{
    static const struct {
        const char *start, *packer;
        size_t size;
    } cases[] = {
        {"\x1f\x8b\x08zzzzzzzzzzzzz", "gzip", 16},
        {"\x28\xb5\x2f\xfdzzzzzzzzzzzz", "zstd", 16},
        {"\x1f\x8b", "gzip", 2},
        {"\x1f", NULL, 1},
        {"\x28\xb5\x2f", NULL, 3},
        {"", NULL, 0},
    };

    char expected[100];
    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        gt_error error = GT_ERROR_INIT;
        gt_reader *reader;
        assert_status(gt_reader_open_memory(&reader, cases[i].start, cases[i].size, NULL, &error),
                      GT_ERR_NOT_A_TRACE);
        snprintf(expected, sizeof(expected),
                 cases[i].packer ? "%s: looks like %s; decompress it first, as by %s -dc" : "%s",
                 gt_status_text(GT_ERR_NOT_A_TRACE), cases[i].packer, cases[i].packer);
        assert_string_equal(error.message, expected);
        assert_int_equal(error.offset, 0);
        gt_error raw_error = GT_ERROR_INIT;
        gt_raw_reader *raw;
        assert_status(
            gt_raw_reader_open_memory(&raw, cases[i].start, cases[i].size, NULL, &raw_error),
            GT_ERR_NOT_A_TRACE);
        assert_string_equal(raw_error.message, expected);
        assert_int_equal(raw_error.offset, 0);
    }
}

/* All 16 bytes must be present, and the last ones must be 0. */
static void test_all_bytes_of_the_header_are_checked(void **state)
{
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 22);
    for (size_t i = 0; i < 16; i++)
        assert_status(open_bytes(wire.data, i, NULL), GT_ERR_NOT_A_TRACE);
    for (size_t i = 13; i < 16; i++) {
        wire.data[i] = 'x';
        assert_status(open_bytes(wire.data, 16, NULL), GT_ERR_NOT_A_TRACE);
        wire.data[i] = 0;
    }
    assert_status(open_bytes(wire.data, 16, NULL), GT_OK);
    wire_free(&wire);
}

/* A newer trace is read by the newest rules, unless the caller forbids that. */
static void test_newer_version_is_read_by_the_newest_rules(void **state)
{
    static const unsigned versions[] = {27, 28, 99};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    struct wire wire = {0};
    struct digest digest;
    gt_reader *reader;
    (void) state;
    options.flags = GT_READER_KNOWN_VERSIONS;
    for (size_t i = 0; i < 3; i++) {
        sample_trace(&wire, versions[i], 2, 40);
        assert_status(open_bytes(wire.data, wire.size, &options), GT_ERR_VERSION);
        assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.version, versions[i]);
        assert_int_equal(info.newer, 1);
        digest_read(&digest, &reader);
        assert_status(digest.status, GT_END);
        assert_true(digest.count > 100);
        digest_free(&digest);
    }
    sample_trace(&wire, 26, 2, 40);
    assert_status(open_bytes(wire.data, wire.size, &options), GT_OK);
    wire_free(&wire);
}

static void test_info_counts_what_was_read(void **state)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    struct wire wire = {0};
    const gt_event *event;
    gt_reader *reader;
    uint64_t events = 0;
    (void) state;
    sample_trace(&wire, 23, 3, 100);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.version, 23);
    assert_int_equal(info.newer, 0);
    assert_int_equal(info.events, 0);
    assert_int_equal(info.generations, 0);
    assert_in_range(info.bytes, 16, wire.size);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.events, ++events);
        assert_in_range(info.generations, 1, 3);
        assert_true(info.memory <= info.memory_peak);
    }
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.generations, 3);
    assert_int_equal(info.bytes, wire.size);
    assert_true(info.memory_peak > 0);
    gt_reader_close(&reader);
    wire_free(&wire);
}

static void test_larger_options_must_be_zero_beyond_the_known(void **state)
{
    struct {
        gt_reader_options options;
        unsigned char tail[32];
    } larger = {GT_READER_OPTIONS_INIT, {0}};
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 22, 1, 10);
    larger.options.size = sizeof(gt_reader_options) - 1;
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_ERR_INVALID_ARGUMENT);
    larger.options.size = 0;
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_ERR_INVALID_ARGUMENT);
    larger.options.size = sizeof(larger);
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_OK);
    larger.tail[31] = 1;
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_ERR_INVALID_ARGUMENT);
    larger.options.size = sizeof(larger) - 1;
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_OK);
    larger.options.size = SIZE_MAX;
    assert_status(open_bytes(wire.data, wire.size, &larger.options), GT_ERR_INVALID_ARGUMENT);
    wire_free(&wire);
}

static void test_unknown_flags_are_refused(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 22, 1, 10);
    for (unsigned bit = 0; bit < 64; bit++) {
        options.flags = UINT64_C(1) << bit;
        assert_status(open_bytes(wire.data, wire.size, &options),
                      bit < 7 ? GT_OK : GT_ERR_INVALID_ARGUMENT);
    }
    wire_free(&wire);
}

static void test_incomplete_allocator_is_refused(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    struct probe probe;
    (void) state;
    sample_trace(&wire, 22, 1, 10);
    options.allocator = &probe.allocator;
    probe_init(&probe);
    assert_status(open_bytes(wire.data, wire.size, &options), GT_OK);
    probe_check(&probe);
    probe.allocator.size--;
    assert_status(open_bytes(wire.data, wire.size, &options), GT_ERR_INVALID_ARGUMENT);
    probe_init(&probe);
    probe.allocator.allocate = NULL;
    assert_status(open_bytes(wire.data, wire.size, &options), GT_ERR_INVALID_ARGUMENT);
    probe_init(&probe);
    probe.allocator.reallocate = NULL;
    assert_status(open_bytes(wire.data, wire.size, &options), GT_ERR_INVALID_ARGUMENT);
    probe_init(&probe);
    probe.allocator.release = NULL;
    assert_status(open_bytes(wire.data, wire.size, &options), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(probe.calls, 0);
    wire_free(&wire);
}

static void test_error_of_smaller_size_is_refused(void **state)
{
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    struct wire wire = {0};
    gt_reader *reader;
    (void) state;
    sample_trace(&wire, 22, 1, 10);
    error.size--;
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(reader);
    assert_int_equal(error.status, GT_OK);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_reader_error(reader, &error), GT_ERR_INVALID_ARGUMENT);
    error.size = sizeof(error);
    error.status = GT_ERR_STUCK;
    assert_status(gt_reader_error(reader, &error), GT_OK);
    assert_int_equal(error.status, GT_OK);
    gt_reader_close(&reader);
    wire_free(&wire);
}

static void test_null_arguments_are_refused(void **state)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_event *event = NULL;
    struct wire wire = {0};
    gt_reader *reader;
    (void) state;
    sample_trace(&wire, 22, 1, 10);
    assert_status(gt_reader_open_memory(NULL, wire.data, wire.size, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_memory(&reader, NULL, 1, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_null(reader);
    assert_int_equal(error.status, GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_file(&reader, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_file(NULL, "x", NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_fd(NULL, 0, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_callback(&reader, NULL, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_callback(NULL, feed_read, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(NULL, &event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_next_event(reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_error(NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_error(reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_get_info(reader, NULL), GT_ERR_INVALID_ARGUMENT);
    info.size = sizeof(info) - 1;
    assert_status(gt_reader_get_info(reader, &info), GT_ERR_INVALID_ARGUMENT);
    /* None of these calls counts as reading. */
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_int_equal(event->kind, GT_EVENT_SYNC);
    gt_reader_close(&reader);
    gt_reader_close(&reader);
    gt_reader_close(NULL);
    wire_free(&wire);
}

/* A callback or allocator that uses the reader that called it. */
struct meddler {
    struct feed feed;
    gt_reader *reader;
    unsigned calls;
};

static int64_t read_and_meddle(void *user_data, void *buffer, size_t capacity)
{
    struct meddler *meddler = user_data;
    const gt_event *event;
    size_t count;
    if (meddler->reader) {
        meddler->calls++;
        assert_status(gt_reader_next_event(meddler->reader, &event), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_stack_frames(meddler->reader, GT_STACK_NONE, NULL, 0, &count),
                      GT_ERR_INVALID_ARGUMENT);
    }
    return feed_read(&meddler->feed, buffer, capacity);
}

static void test_callback_cannot_use_its_reader(void **state)
{
    static const size_t step = 500;
    struct meddler meddler = {{0}, NULL, 0};
    struct digest digest, whole;
    struct wire wire = {0};
    gt_reader *reader;
    (void) state;
    sample_trace(&wire, 26, 3, 100);
    feed_init(&meddler.feed, wire.data, wire.size);
    meddler.feed.steps = &step;
    meddler.feed.step_count = 1;
    assert_status(gt_reader_open_callback(&reader, read_and_meddle, &meddler, NULL, NULL), GT_OK);
    meddler.reader = reader;
    digest_read(&digest, &reader);
    assert_true(meddler.calls > 3);
    digest_memory(&whole, wire.data, wire.size, NULL);
    digest_assert_equal(&digest, &whole);
    digest_free(&digest);
    digest_free(&whole);
    wire_free(&wire);
}

/* Two readers at the same time are independent of each other. */
static void test_two_readers_are_independent(void **state)
{
    struct wire a = {0}, b = {0};
    gt_reader *first, *second;
    const gt_event *x, *y;
    gt_status status;
    (void) state;
    sample_trace(&a, 22, 3, 100);
    sample_trace(&b, 26, 2, 60);
    assert_status(gt_reader_open_memory(&first, a.data, a.size, NULL, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&second, a.data, a.size, NULL, NULL), GT_OK);
    do {
        status = gt_reader_next_event(first, &x);
        assert_status(gt_reader_next_event(second, &y), status);
        if (status == GT_OK) {
            assert_ptr_not_equal(x, y);
            assert_int_equal(x->time, y->time);
            assert_int_equal(x->kind, y->kind);
        }
    } while (status == GT_OK);
    assert_status(status, GT_END);
    gt_reader_close(&first);
    assert_status(gt_reader_next_event(second, &y), GT_END);
    gt_reader_close(&second);
    wire_free(&a);
    wire_free(&b);
}

static void test_kinds_and_states_have_names(void **state)
{
    (void) state;
    assert_string_equal(gt_event_kind_name(GT_EVENT_SYNC), "Sync");
    assert_string_equal(gt_event_kind_name(GT_EVENT_METRIC), "Metric");
    assert_string_equal(gt_event_kind_name(GT_EVENT_LABEL), "Label");
    assert_string_equal(gt_event_kind_name(GT_EVENT_STACK_SAMPLE), "StackSample");
    assert_string_equal(gt_event_kind_name(GT_EVENT_RANGE_BEGIN), "RangeBegin");
    assert_string_equal(gt_event_kind_name(GT_EVENT_RANGE_ACTIVE), "RangeActive");
    assert_string_equal(gt_event_kind_name(GT_EVENT_RANGE_END), "RangeEnd");
    assert_string_equal(gt_event_kind_name(GT_EVENT_TASK_BEGIN), "TaskBegin");
    assert_string_equal(gt_event_kind_name(GT_EVENT_TASK_END), "TaskEnd");
    assert_string_equal(gt_event_kind_name(GT_EVENT_REGION_BEGIN), "RegionBegin");
    assert_string_equal(gt_event_kind_name(GT_EVENT_REGION_END), "RegionEnd");
    assert_string_equal(gt_event_kind_name(GT_EVENT_LOG), "Log");
    assert_string_equal(gt_event_kind_name(GT_EVENT_STATE_TRANSITION), "StateTransition");
    assert_string_equal(gt_event_kind_name(GT_EVENT_EXPERIMENTAL), "Experimental");
    assert_string_equal(gt_event_kind_name(0), "Bad");
    assert_string_equal(gt_event_kind_name(UINT32_MAX), "Bad");
    assert_string_equal(gt_go_state_name(GT_GO_UNDETERMINED), "Undetermined");
    assert_string_equal(gt_go_state_name(GT_GO_NOT_EXIST), "NotExist");
    assert_string_equal(gt_go_state_name(GT_GO_RUNNABLE), "Runnable");
    assert_string_equal(gt_go_state_name(GT_GO_RUNNING), "Running");
    assert_string_equal(gt_go_state_name(GT_GO_WAITING), "Waiting");
    assert_string_equal(gt_go_state_name(GT_GO_SYSCALL), "Syscall");
    assert_string_equal(gt_go_state_name(6), "Bad");
    assert_string_equal(gt_proc_state_name(GT_PROC_UNDETERMINED), "Undetermined");
    assert_string_equal(gt_proc_state_name(GT_PROC_NOT_EXIST), "NotExist");
    assert_string_equal(gt_proc_state_name(GT_PROC_RUNNING), "Running");
    assert_string_equal(gt_proc_state_name(GT_PROC_IDLE), "Idle");
    assert_string_equal(gt_proc_state_name(4), "Bad");
    assert_string_equal(gt_resource_kind_name(GT_RESOURCE_NONE), "None");
    assert_string_equal(gt_resource_kind_name(GT_RESOURCE_GOROUTINE), "Goroutine");
    assert_string_equal(gt_resource_kind_name(GT_RESOURCE_PROC), "Proc");
    assert_string_equal(gt_resource_kind_name(GT_RESOURCE_THREAD), "Thread");
    assert_string_equal(gt_resource_kind_name(4), "Bad");
}

static void test_every_status_has_its_own_text(void **state)
{
    (void) state;
    for (int status = -40; status <= 5; status++) {
        bool known = (status >= -10 && status <= 4) || (status >= -34 && status <= -20);
        assert_non_null(gt_status_text((gt_status) status));
        assert_int_equal(strcmp(gt_status_text((gt_status) status), "unknown status") != 0, known);
        for (int other = -40; known && other < status; other++)
            assert_string_not_equal(gt_status_text((gt_status) status),
                                    gt_status_text((gt_status) other));
    }
    assert_string_equal(gt_status_text(GT_ERR_NO_MEMORY), "out of memory");
}

static void test_version_is_that_of_the_header(void **state)
{
    (void) state;
    assert_int_equal(gt_library_version(), GT_VERSION);
    assert_true(strlen(gt_library_version_text()) >= 5);
}

/* Asserts what the error says of an argument that is not valid. */
static void expect_explained(const gt_error *error, gt_status status, const char *text)
{
    assert_status(status, GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(error->status, GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error->message, text);
}

static void explain_options(const gt_reader_options *options, const char *text)
{
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    expect_explained(&error, gt_reader_open_memory(&reader, "", 0, options, &error), text);
    assert_null(reader);
}

static void test_error_names_the_invalid_argument(void **state)
{
    struct {
        gt_reader_options options;
        uint64_t more;
    } later = {GT_READER_OPTIONS_INIT, UINT64_MAX};

    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_allocator allocator = {sizeof(allocator), NULL, NULL, NULL, NULL};
    gt_raw_options raw = GT_RAW_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    gt_raw_reader *raw_reader;
    char text[100];
    (void) state;
    options.flags = GT_READER_KEEP | 0x500;
    explain_options(&options, "options.flags has unknown bits 0x500");
    options.flags = 0;
    options.size = 12;
    snprintf(text, sizeof(text), "options.size is 12, less than %zu", sizeof(options));
    explain_options(&options, text);
    later.options.size = sizeof(later);
    snprintf(text, sizeof(text),
             "options.size is %zu, but only %zu bytes are known, and byte %zu is not 0",
             sizeof(later), sizeof(options), sizeof(options));
    explain_options(&later.options, text);
    options.size = sizeof(options);
    options.allocator = &allocator;
    explain_options(&options, "options.allocator->allocate is NULL");
    allocator.size = 1;
    snprintf(text, sizeof(text), "options.allocator->size is 1, less than %zu", sizeof(allocator));
    explain_options(&options, text);
    expect_explained(&error, gt_reader_open_memory(&reader, NULL, 1, NULL, &error), "data is NULL");
    expect_explained(&error, gt_reader_open_file(&reader, NULL, NULL, &error), "path is NULL");
    expect_explained(&error, gt_reader_open_fd(&reader, -1, NULL, &error), "fd is negative");
    expect_explained(&error, gt_reader_open_callback(&reader, NULL, NULL, NULL, &error),
                     "read is NULL");
    expect_explained(&error, gt_reader_open_push(NULL, NULL, &error), "reader is NULL");
    raw.flags = 0x10;
    expect_explained(&error, gt_raw_reader_open_push(&raw_reader, &raw, &error),
                     "options.flags has unknown bits 0x10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_of_go_are_read),
        cmocka_unit_test(test_versions_that_never_existed_are_refused),
        cmocka_unit_test(test_bytes_without_a_header_are_refused),
        cmocka_unit_test(test_header_error_says_where_and_why),
        cmocka_unit_test(test_compressed_file_is_recognised),
        cmocka_unit_test(test_all_bytes_of_the_header_are_checked),
        cmocka_unit_test(test_newer_version_is_read_by_the_newest_rules),
        cmocka_unit_test(test_info_counts_what_was_read),
        cmocka_unit_test(test_larger_options_must_be_zero_beyond_the_known),
        cmocka_unit_test(test_unknown_flags_are_refused),
        cmocka_unit_test(test_incomplete_allocator_is_refused),
        cmocka_unit_test(test_error_of_smaller_size_is_refused),
        cmocka_unit_test(test_null_arguments_are_refused),
        cmocka_unit_test(test_callback_cannot_use_its_reader),
        cmocka_unit_test(test_two_readers_are_independent),
        cmocka_unit_test(test_kinds_and_states_have_names),
        cmocka_unit_test(test_every_status_has_its_own_text),
        cmocka_unit_test(test_version_is_that_of_the_header),
        cmocka_unit_test(test_error_names_the_invalid_argument),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
