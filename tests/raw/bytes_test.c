/* SPDX-License-Identifier: BSD-3-Clause */

/* Valid bytes: every type of record, and every width of a number, read and written. */

#include <string.h>

#include "raw/record.h"
#include "raw/rewrite.h"
#include "support/feed.h"
#include "support/test.h"
#include "support/v1wire.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Numbers of one byte, of two, and of ten. */
static const uint64_t values[] = {100, 10000, UINT64_MAX};

static void expect_event(gt_raw_reader *reader, const gt_raw_event **event)
{
    gt_error error = GT_ERROR_INIT;
    if (gt_raw_reader_next_event(reader, event) == GT_OK)
        return;
    assert_status(gt_raw_reader_error(reader, &error), GT_OK);
    fail_msg("%s", error.message);
}

static gt_raw_reader *open_whole(const struct wire *wire)
{
    gt_raw_reader *reader;
    assert_status(gt_raw_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    return reader;
}

/* Asserts that the bytes become the same bytes again, directly and by way of text. */
static void check_rewritten(const struct wire *wire)
{
    struct rewritten bytes = {0}, text = {0}, again = {0};
    rewrite(&bytes, wire->data, wire->size, GT_RAW_BYTES, 0);
    assert_status(bytes.status, GT_END);
    assert_int_equal(bytes.size, wire->size);
    assert_memory_equal(bytes.data, wire->data, wire->size);
    rewrite(&text, wire->data, wire->size, GT_RAW_TEXT, 0);
    rewrite(&again, text.data, text.size, GT_RAW_BYTES, 0);
    assert_status(again.status, GT_END);
    assert_int_equal(again.size, wire->size);
    assert_memory_equal(again.data, wire->data, wire->size);
    rewritten_free(&bytes);
    rewritten_free(&text);
    rewritten_free(&again);
}

/* Checks one type in one version, between two other records, so that its bounds show. */
static void check_type(uint32_t version, const gt_wire_spec *spec, uint64_t value)
{
    const gt_raw_event *event;
    struct record record, frequency;
    struct wire wire = {0};
    gt_raw_reader *reader;
    size_t start, end;
    record_make(&record, version, spec, value);
    record_make(&frequency, version, gt_wire_spec_find(version, "Frequency", 9), 1000);
    wire_begin(&wire, version);
    record_put(&wire, &frequency);
    start = wire.size;
    record_put(&wire, &record);
    end = wire.size;
    record_put(&wire, &frequency);
    reader = open_whole(&wire);
    expect_event(reader, &event);
    record_assert(event, &frequency);
    assert_int_equal(event->offset, 16);
    expect_event(reader, &event);
    record_assert(event, &record);
    assert_int_equal(event->offset, start);
    assert_int_equal(event->length, end - start);
    assert_null(event->widths);
    assert_int_equal(event->width_count, 0);
    expect_event(reader, &event);
    record_assert(event, &frequency);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    assert_null(event);
    gt_raw_reader_close(&reader);
    check_rewritten(&wire);
    wire_free(&wire);
}

static void test_every_type_is_read_and_written(void **state)
{
    unsigned types = 0;
    (void) state;
    for (uint32_t i = 0; i < RECORD_VERSIONS; i++) {
        for (uint32_t type = 0; type < 256; type++) {
            const gt_wire_spec *spec = gt_wire_spec_get(record_versions[i], type);
            for (size_t k = 0; spec && k < COUNT(values); k++)
                check_type(record_versions[i], spec, values[k]);
            types += spec != NULL;
        }
    }
    assert_true(types > 500);
}

/* Writes all types of a version, one after the other. */
static void put_all(struct wire *wire, uint32_t version, unsigned width, uint64_t value)
{
    wire_begin(wire, version);
    wire->width = width;
    for (uint32_t type = 0; type < 256; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        struct record record;
        if (!spec)
            continue;
        record_make(&record, version, spec, value);
        record_put(wire, &record);
    }
}

/* Asserts that each number is reported to take `width` bytes, except those with a fixed form. */
static void check_widths(const struct wire *wire, unsigned width)
{
    const gt_raw_event *event;
    gt_raw_reader *reader = open_whole(wire);
    while (gt_raw_reader_next_event(reader, &event) == GT_OK) {
        const gt_wire_spec *spec = gt_wire_spec_get(wire->version, event->type);
        uint64_t total = 0;
        if (spec->argument_count == 0) {
            assert_null(event->widths);
            continue;
        }
        assert_non_null(event->widths);
        for (size_t i = 0; i < event->width_count; i++) {
            int fixed =
                i == 0 && (wire->version <= 21 || event->type == GT_WIRE_EXPERIMENTAL_BATCH);
            assert_true(fixed || event->widths[i] == width);
            total += event->widths[i];
        }
        assert_int_equal(event->length, 1 + total + event->data.size);
    }
    gt_raw_reader_close(&reader);
}

/* All numbers of all types take two bytes, then three, and so on. */
static void test_padded_numbers_keep_their_width(void **state)
{
    struct wire wire = {0};
    (void) state;
    for (uint32_t i = 0; i < RECORD_VERSIONS; i++) {
        for (unsigned width = 2; width <= 10; width++) {
            put_all(&wire, record_versions[i], width, 100);
            check_widths(&wire, width);
            check_rewritten(&wire);
        }
    }
    wire_free(&wire);
}

static void test_reads_of_any_size_give_the_same_records(void **state)
{
    static const unsigned widths[] = {0, 2, 10};
    static const size_t steps[] = {1, 2, 7, 1000};
    struct rewritten whole = {0}, parts = {0};
    struct wire wire = {0};
    (void) state;
    for (size_t i = 0; i < RECORD_VERSIONS; i++) {
        for (size_t w = 0; w < COUNT(widths); w++) {
            put_all(&wire, record_versions[i], widths[w], 100);
            rewrite(&whole, wire.data, wire.size, GT_RAW_TEXT, 0);
            for (size_t k = 0; k < COUNT(steps); k++) {
                rewrite_in_steps(&parts, wire.data, wire.size, steps[k]);
                assert_status(parts.status, GT_END);
                assert_string_equal(parts.data, whole.data);
            }
        }
    }
    rewritten_free(&whole);
    rewritten_free(&parts);
    wire_free(&wire);
}

/*
 * Reads the only record of a trace, and asserts the widths of its numbers; `{0}` for the usual
 * ones.
 */
static void check_one(struct wire *wire, const uint8_t *widths, size_t count)
{
    const gt_raw_event *event;
    gt_raw_reader *reader = open_whole(wire);
    expect_event(reader, &event);
    assert_int_equal(event->width_count, count);
    if (count > 0)
        assert_memory_equal(event->widths, widths, count);
    else
        assert_null(event->widths);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
    check_rewritten(wire);
    wire_free(wire);
}

#define CHECK_ONE(wire, ...)                                                                       \
    check_one((wire), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* The usual width of a batch's size is ten bytes, because the runtime fills it in last. */
static void test_narrow_batch_size_keeps_its_width(void **state)
{
    struct wire wire = {0};
    (void) state;
    for (unsigned width = 1; width < 10; width++) {
        const uint8_t widths[] = {1, 1, 1, (uint8_t) width};
        const uint8_t experiment[] = {1, 1, 1, 1, (uint8_t) width};
        wire_begin(&wire, 26);
        wire.size_width = width;
        wire_batch(&wire, 1, 2, 3);
        wire_batch_end_size(&wire, 5);
        check_one(&wire, widths, sizeof(widths));
        wire_begin(&wire, 26);
        wire.size_width = width;
        wire_experiment(&wire, 200, 1, 2, 3);
        wire_batch_end(&wire);
        check_one(&wire, experiment, sizeof(experiment));
    }
    wire_begin(&wire, 26);
    wire_batch(&wire, 1, 2, 3);
    check_one(&wire, NULL, 0);
    wire_begin(&wire, 26);
    wire_experiment(&wire, 200, 1, 2, 3);
    wire_batch_end(&wire);
    check_one(&wire, NULL, 0);
}

/* Before Go 1.22 a length may be present where it is not needed, and be wider than needed. */
static void test_unneeded_length_is_kept(void **state)
{
    const struct v1_frame frame = {1, 2, 3, 4};
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 21);
    V1_RAW(&wire, 3, V1_GO_END, 1);
    CHECK_ONE(&wire, 1, 1);
    wire_begin(&wire, 21);
    V1_RAW(&wire, 1, V1_GO_SCHED, 1, 300);
    check_one(&wire, NULL, 0);
    wire_begin(&wire, 21);
    V1_RAW(&wire, 3, V1_GO_SCHED, 1, 300);
    CHECK_ONE(&wire, 1, 1, 2);
    wire_begin(&wire, 21);
    wire_byte(&wire, V1_GO_START_LABEL | 3 << 6);
    wire_varint_wide(&wire, 4, 3);
    wire_bytes(&wire, "\1\2\3\4", 4);
    CHECK_ONE(&wire, 3, 1, 1, 1, 1);
    wire_begin(&wire, 21);
    v1_stack_one(&wire, 7, frame);
    check_one(&wire, NULL, 0);
    wire_begin(&wire, 21);
    wire_byte(&wire, V1_STACK | 3 << 6);
    wire_varint_wide(&wire, 6, 10);
    wire_bytes(&wire, "\7\1\1\2\3\4", 6);
    CHECK_ONE(&wire, 10, 1, 1, 1, 1, 1, 1);
    wire_begin(&wire, 21);
    V1_RAW(&wire, 1, V1_STACK, 7, 0);
    CHECK_ONE(&wire, 0, 1, 1);
    wire_begin(&wire, 5);
    V1_RAW(&wire, 1, V1_GO_SCHED, 1, 2, 300);
    check_one(&wire, NULL, 0);
    wire_begin(&wire, 5);
    V1_RAW(&wire, 3, V1_GO_SCHED, 1, 2, 300);
    CHECK_ONE(&wire, 1, 1, 1, 2);
}

/* The data of a record may be larger than any single read. */
static void test_data_larger_than_a_read_is_whole(void **state)
{
    static char data[3000000];
    const size_t step = 4096;
    const gt_raw_event *event;
    struct wire wire = {0};
    gt_raw_reader *reader;
    struct feed feed;
    (void) state;
    memset(data, 'x', sizeof(data));
    wire_begin(&wire, 26);
    wire_string_sized(&wire, 1, data, sizeof(data));
    wire_string_sized(&wire, 2, data, 5);
    feed_init(&feed, wire.data, wire.size);
    feed.steps = &step;
    feed.step_count = 1;
    assert_status(gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    expect_event(reader, &event);
    assert_int_equal(event->data.size, sizeof(data));
    assert_memory_equal(event->data.data, data, sizeof(data));
    expect_event(reader, &event);
    assert_int_equal(event->data.size, 5);
    gt_raw_reader_close(&reader);
    wire_free(&wire);
}

/* Records that were delivered are dropped, and their memory is used again. */
static void test_memory_does_not_grow_with_records(void **state)
{
    const unsigned batches = 600, events = 2000;
    gt_raw_info info = GT_RAW_INFO_INIT;
    const gt_raw_event *event;
    struct wire wire = {0};
    gt_raw_reader *reader;
    struct feed feed;
    uint64_t count = 0;
    (void) state;
    wire_begin(&wire, 26);
    for (unsigned i = 0; i < batches; i++) {
        wire_batch(&wire, 1, 5, 1000);
        for (unsigned k = 0; k < events; k++)
            WIRE_EVENT(&wire, EV_GO_BLOCK, 100, 5, 300);
    }
    wire_batch_end(&wire);
    feed_init(&feed, wire.data, wire.size);
    assert_status(gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    while (gt_raw_reader_next_event(reader, &event) == GT_OK) {
        count++;
        assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
        assert_int_equal(info.events, count);
        assert_true(info.bytes >= event->offset + event->length);
    }
    assert_int_equal(count, batches * (events + 1));
    assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.bytes, wire.size);
    assert_int_equal(info.version, 26);
    assert_int_equal(info.newer, 0);
    assert_int_equal(info.form, GT_RAW_BYTES);
    assert_int_equal(info.reserved, 0);
    assert_true(info.memory_peak < wire.size / 2);
    gt_raw_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_read_and_written),
        cmocka_unit_test(test_padded_numbers_keep_their_width),
        cmocka_unit_test(test_reads_of_any_size_give_the_same_records),
        cmocka_unit_test(test_narrow_batch_size_keeps_its_width),
        cmocka_unit_test(test_unneeded_length_is_kept),
        cmocka_unit_test(test_data_larger_than_a_read_is_whole),
        cmocka_unit_test(test_memory_does_not_grow_with_records),
    };
    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
