/* SPDX-License-Identifier: BSD-3-Clause */

/* Malformed bytes: where reading ends, with which error, and after how many records. */

#include <stdbool.h>
#include <string.h>

#include "raw/record.h"
#include "raw/rewrite.h"
#include "support/feed.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The memory that reading a few bytes may take at most, whatever sizes they claim. */
#define MEMORY_MAX 1000000

#define HUGE_NUMBER ((uint64_t) 1 << 60)

/* How reading must end. */
struct end {
    gt_status status;
    uint64_t offset;
    uint64_t generation;
    uint64_t events;
};

static void check_end(gt_raw_reader *reader, const struct end *expected, const char *part)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event;
    gt_status status;
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        continue;
    assert_status(status, expected->status);
    for (int again = 0; again < 3; again++) {
        assert_null(event);
        assert_status(gt_raw_reader_error(reader, &error), GT_OK);
        assert_int_equal(error.status, status < 0 ? status : GT_OK);
        assert_int_equal(error.offset, expected->offset);
        assert_int_equal(error.generation, expected->generation);
        if (!strstr(error.message, part))
            fail_msg("\"%s\" is not in \"%s\"", part, error.message);
        event = (const gt_raw_event *) &error;
        assert_status(gt_raw_reader_next_event(reader, &event), expected->status);
    }
    assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.events, expected->events);
    assert_true(info.memory_peak < MEMORY_MAX);
    gt_raw_reader_close(&reader);
}

/* Reads the bytes from memory and one at a time; the message must contain `part`. */
static void check(const struct wire *wire, const struct end *expected, const char *part)
{
    const size_t one = 1;
    gt_raw_reader *reader;
    struct feed feed;
    assert_status(gt_raw_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    check_end(reader, expected, part);
    feed_init(&feed, wire->data, wire->size);
    feed.steps = &one;
    feed.step_count = 1;
    assert_status(gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    check_end(reader, expected, part);
}

/*
 * Begins a trace, since Go 1.22 with a batch of generation 7. Returns the end to expect if the next
 * record is malformed.
 */
static struct end begin(struct wire *wire, uint32_t version)
{
    struct end end = {GT_END, GT_NO_OFFSET, 0, 0};
    wire_begin(wire, version);
    if (version > 21) {
        wire_batch(wire, 7, 5, 1000);
        wire_batch_end_size(wire, 0);
        end.generation = 7;
        end.events = 1;
    }
    end.offset = wire->size;
    return end;
}

/* Runs `check_type` for every type of every version. */
static void for_all(void (*check_type)(uint32_t version, const gt_wire_spec *spec))
{
    for (uint32_t i = 0; i < RECORD_VERSIONS; i++) {
        for (uint32_t type = 0; type < 256; type++) {
            const gt_wire_spec *spec = gt_wire_spec_get(record_versions[i], type);
            if (spec)
                check_type(record_versions[i], spec);
        }
    }
}

static void check_cuts(uint32_t version, const gt_wire_spec *spec)
{
    struct record record;
    struct wire wire = {0};
    struct end end = begin(&wire, version);
    size_t whole;
    record_make(&record, version, spec, 10000);
    record_put(&wire, &record);
    end.status = GT_ERR_TRUNCATED;
    whole = wire.size;
    for (wire.size = (size_t) end.offset + 1; wire.size < whole; wire.size++)
        check(&wire, &end, spec->name);
    wire_free(&wire);
}

/* A record is cut after each of its bytes. */
static void test_cut_record_is_an_error(void **state)
{
    (void) state;
    for_all(check_cuts);
}

static void check_overlong(uint32_t version, const gt_wire_spec *spec)
{
    bool has_byte = version > 21 && spec->type == GT_WIRE_EXPERIMENTAL_BATCH;
    for (uint32_t i = has_byte ? 1 : 0; i < spec->argument_count; i++) {
        struct wire wire = {0};
        struct end end = begin(&wire, version);
        end.status = GT_ERR_EVENT;
        wire_byte(&wire, spec->type | (version > 21 || spec->type == V1_STRING ? 0U : 3U << 6));
        if (version <= 21 && spec->type != V1_STRING)
            wire_varint(&wire, 40);
        for (uint32_t k = 0; k < i; k++)
            wire_byte(&wire, 1);
        wire_varint_overlong(&wire);
        check(&wire, &end, spec->name);
        wire_free(&wire);
    }
}

/* Each number in turn has no end within ten bytes. */
static void test_number_of_over_ten_bytes_is_an_error(void **state)
{
    (void) state;
    for_all(check_overlong);
}

/* Ten bytes have room for 70 bits, of which six must be zero. */
static void test_number_of_over_64_bits_is_an_error(void **state)
{
    static const uint8_t bytes[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02};
    struct wire wire = {0};
    struct end end = begin(&wire, 26);
    (void) state;
    end.status = GT_ERR_EVENT;
    wire_byte(&wire, EV_FREQUENCY);
    wire_bytes(&wire, bytes, sizeof(bytes));
    check(&wire, &end, "Frequency has a number of more than 64 bits");
    wire.data[wire.size - 1] = 1;
    end = (struct end){GT_END, GT_NO_OFFSET, 0, 2};
    check(&wire, &end, "");
    wire_free(&wire);
}

static void test_unknown_type_is_an_error(void **state)
{
    (void) state;
    for (uint32_t i = 0; i < RECORD_VERSIONS; i++) {
        uint32_t version = record_versions[i], types = version > 21 ? 256 : 64;
        for (uint32_t type = 0; type < types; type++) {
            struct wire wire = {0};
            struct end end = begin(&wire, version);
            if (!gt_wire_spec_get(version, type)) {
                end.status = GT_ERR_EVENT;
                wire_byte(&wire, type);
                check(&wire, &end, "type");
            }
            wire_free(&wire);
        }
    }
}

/* A record whose code does not fit the number of arguments of its type. */
static void check_code(uint32_t version, const gt_wire_spec *spec, unsigned code)
{
    static const uint64_t numbers[] = {1, 1, 1, 1, 1, 1, 1, 1};
    size_t count = code == 3 ? spec->argument_count + 1 : code + (version < 7 ? 2 : 1);
    struct wire wire = {0};
    struct end end;
    if (count == spec->argument_count)
        return;
    end = begin(&wire, version);
    end.status = GT_ERR_EVENT;
    v1_raw(&wire, code, spec->type, numbers, count);
    wire_bytes(&wire, numbers, sizeof(numbers));
    check(&wire, &end, spec->name);
    wire_free(&wire);
}

static void check_codes(uint32_t version, const gt_wire_spec *spec)
{
    if (version > 21 || spec->type == V1_STRING || spec->type == V1_STACK)
        return;
    for (unsigned code = 0; code < 4; code++)
        check_code(version, spec, code);
}

static void test_wrong_argument_count_is_an_error(void **state)
{
    (void) state;
    for_all(check_codes);
}

/* A stack has four numbers for each of its frames, or one before Go 1.7. */
static void test_wrong_frame_count_is_an_error(void **state)
{
    struct wire wire = {0};
    struct end end = begin(&wire, 21);
    (void) state;
    end.status = GT_ERR_EVENT;
    V1_RAW(&wire, 3, V1_STACK, 7, 1, 1, 2, 3, 4, 5);
    check(&wire, &end, "Stack");
    end = begin(&wire, 21);
    end.status = GT_ERR_EVENT;
    V1_RAW(&wire, 3, V1_STACK, 7, 2, 1, 2, 3, 4, 1, 2, 3);
    wire_byte(&wire, 4);
    check(&wire, &end, "Stack");
    end = begin(&wire, 5);
    end.status = GT_ERR_EVENT;
    V1_RAW(&wire, 3, V1_STACK, 7, 2, 1, 2, 3);
    check(&wire, &end, "Stack");
    wire_free(&wire);
}

/* A size that the input claims leads to no allocation and no loop before its bytes are there. */
static void test_claimed_size_takes_no_memory(void **state)
{
    struct wire wire = {0};
    struct end end = begin(&wire, 26);
    (void) state;
    end.status = GT_ERR_TRUNCATED;
    wire_stack(&wire, 1, HUGE_NUMBER);
    wire_frame(&wire, 1, 2, 3, 4);
    check(&wire, &end, "Stack");
    end = begin(&wire, 26);
    end.status = GT_ERR_TRUNCATED;
    WIRE_EVENT(&wire, EV_STRING, 1, HUGE_NUMBER);
    wire_bytes(&wire, "text", 4);
    check(&wire, &end, "String");
    end = begin(&wire, 26);
    end.status = GT_ERR_TRUNCATED;
    WIRE_EVENT(&wire, EV_EXPERIMENTAL_BATCH, 1, 7, 2, 3, UINT64_MAX);
    wire_bytes(&wire, "text", 4);
    check(&wire, &end, "ExperimentalBatch");
    end = begin(&wire, 21);
    end.status = GT_ERR_EVENT;
    wire_byte(&wire, V1_GO_START_LABEL | 3 << 6);
    wire_varint(&wire, HUGE_NUMBER);
    wire_bytes(&wire, "\1\2\3\4", 4);
    check(&wire, &end, "GoStartLabel");
    end = begin(&wire, 21);
    end.status = GT_ERR_TRUNCATED;
    V1_RAW(&wire, 3, V1_STACK, 7, HUGE_NUMBER, 1, 2, 3, 4);
    check(&wire, &end, "Stack");
    end = begin(&wire, 21);
    end.status = GT_ERR_TRUNCATED;
    V1_RAW(&wire, 0, V1_STRING, 1, HUGE_NUMBER);
    check(&wire, &end, "String");
    wire_free(&wire);
}

/* The generation is that of the last batch, of whatever kind. */
static void test_error_names_the_generation(void **state)
{
    struct wire wire = {0};
    struct end end = begin(&wire, 26);
    (void) state;
    wire_experiment(&wire, 1, 8, 2, 3);
    wire_batch_end(&wire);
    end = (struct end){GT_ERR_EVENT, wire.size, 8, 2};
    wire_byte(&wire, 0);
    check(&wire, &end, "byte 0 is no type of record in traces of Go 1.26");
    wire_free(&wire);
}

/* An input that cannot be opened leaves nothing behind, and the error says where and why. */
static void test_bad_header_is_refused(void **state)
{
    static const struct {
        const char *header;
        size_t size;
        gt_status status;
    } headers[] = {
        {"", 0, GT_ERR_NOT_A_TRACE},
        {"go 1.26 trace\0\0", 15, GT_ERR_NOT_A_TRACE},
        {"go 1.26 trace\0\0x", 16, GT_ERR_NOT_A_TRACE},
        {"go 1.6 trace\0\0\0\0", 16, GT_ERR_VERSION},
        {"go 1.24 trace\0\0\0", 16, GT_ERR_VERSION},
        {"go 2.26 trace\0\0\0", 16, GT_ERR_NOT_A_TRACE},
        {"\1o 1.26 trace\0\0\0", 16, GT_ERR_NOT_A_TRACE},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        gt_error error = GT_ERROR_INIT;
        gt_raw_reader *reader = (gt_raw_reader *) &error;
        assert_status(
            gt_raw_reader_open_memory(&reader, headers[i].header, headers[i].size, NULL, &error),
            headers[i].status);
        assert_null(reader);
        assert_int_equal(error.status, headers[i].status);
        assert_int_equal(error.offset, 0);
        assert_true(error.message[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_record_is_an_error),
        cmocka_unit_test(test_number_of_over_ten_bytes_is_an_error),
        cmocka_unit_test(test_number_of_over_64_bits_is_an_error),
        cmocka_unit_test(test_unknown_type_is_an_error),
        cmocka_unit_test(test_wrong_argument_count_is_an_error),
        cmocka_unit_test(test_wrong_frame_count_is_an_error),
        cmocka_unit_test(test_claimed_size_takes_no_memory),
        cmocka_unit_test(test_error_names_the_generation),
        cmocka_unit_test(test_bad_header_is_refused),
    };
    return cmocka_run_group_tests_name("bytes_errors", tests, NULL, NULL);
}
