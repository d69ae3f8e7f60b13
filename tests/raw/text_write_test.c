/* SPDX-License-Identifier: BSD-3-Clause */

/* Writing text: every type of record, numbers, data, and what Go omits. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "raw/rewrite.h"
#include "support/test.h"

/* The most data in a record. */
enum {
    ARGUMENTS = 8,
    NAME = 24
};

static const unsigned versions[] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25, 26};

#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

/* Writes one record as text, with flags of gt_raw_options. */
static void write_one(struct rewritten *out, uint32_t version, const gt_raw_event *event,
                      uint64_t flags)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_writer *writer;
    options.flags = flags;
    rewritten_free(out);
    assert_status(
        gt_raw_writer_open(&writer, version, GT_RAW_TEXT, rewritten_take, out, &options, NULL),
        GT_OK);
    assert_status(gt_raw_writer_write_event(writer, event), GT_OK);
    assert_status(gt_raw_writer_flush(writer), GT_OK);
    gt_raw_writer_close(&writer);
}

static void assert_event(const gt_raw_event *actual, const gt_raw_event *expected)
{
    assert_int_equal(actual->type, expected->type);
    assert_int_equal(actual->argument_count, expected->argument_count);
    if (expected->argument_count > 0)
        assert_memory_equal(actual->arguments, expected->arguments,
                            expected->argument_count * sizeof(*expected->arguments));
    assert_int_equal(actual->frame_count, expected->frame_count);
    if (expected->frame_count > 0)
        assert_memory_equal(actual->frames, expected->frames,
                            expected->frame_count * sizeof(*expected->frames));
    assert_int_equal(actual->data.size, expected->data.size);
    assert_memory_equal(actual->data.data, expected->data.data, expected->data.size);
    assert_null(actual->widths);
}

static void assert_reads(const struct rewritten *text, const gt_raw_event *expected)
{
    const gt_raw_event *event;
    gt_raw_reader *reader;
    assert_status(gt_raw_reader_open_memory(&reader, text->data, text->size, NULL, NULL), GT_OK);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_OK);
    assert_event(event, expected);
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
}

/* Prints a record of one line as it must be written. */
static void print_line(char *line, size_t size, uint32_t version, const gt_wire_spec *spec,
                       const uint64_t *arguments)
{
    int at = snprintf(line, size, "Trace Go1.%u\n%s", version, spec->name);
    for (uint32_t i = 0; i < spec->argument_count; i++)
        at += snprintf(line + at, size - (size_t) at, " %s=%" PRIu64, spec->arguments[i].name,
                       arguments[i]);
    snprintf(line + at, size - (size_t) at, "\n");
}

/* Writes a type of a version with the smallest and the largest numbers, and reads it back. */
static void check_type(uint32_t version, const gt_wire_spec *spec, uint64_t value)
{
    static const gt_raw_frame frames[] = {{1, 2, 3, 4}, {UINT64_MAX, 0, UINT64_MAX, 7}};
    static const gt_raw_frame bare[] = {{1, 0, 0, 0}, {UINT64_MAX, 0, 0, 0}};
    gt_raw_event event = GT_RAW_EVENT_INIT;
    uint64_t arguments[ARGUMENTS];
    struct rewritten out = {0};
    char line[600];
    assert_true(spec->argument_count <= ARGUMENTS);
    assert_true(strlen(spec->name) <= NAME);
    for (uint32_t i = 0; i < spec->argument_count; i++) {
        assert_true(strlen(spec->arguments[i].name) <= NAME);
        arguments[i] = value;
    }
    event.type = spec->type;
    event.arguments = arguments;
    event.argument_count = spec->argument_count;
    if (spec->flags & GT_WIRE_HAS_FRAMES) {
        event.frames = spec->flags & GT_WIRE_BARE_FRAMES ? bare : frames;
        event.frame_count = 2;
        arguments[spec->argument_count - 1] = 2;
    }
    if (version > 21 && spec->type == GT_WIRE_EXPERIMENTAL_BATCH)
        arguments[0] &= 0xff;
    if (spec->flags & GT_WIRE_HAS_DATA)
        event.data = (gt_string){"a\0\xff", 3};
    write_one(&out, version, &event, 0);
    print_line(line, sizeof(line), version, spec, arguments);
    assert_memory_equal(out.data, line, strlen(line));
    assert_reads(&out, &event);
    rewritten_free(&out);
}

static void test_every_type_is_written(void **state)
{
    unsigned types = 0;
    (void) state;
    for (size_t i = 0; i < VERSIONS; i++) {
        for (uint32_t type = 0; type < 256; type++) {
            const gt_wire_spec *spec = gt_wire_spec_get(versions[i], type);
            if (!spec)
                continue;
            check_type(versions[i], spec, 0);
            check_type(versions[i], spec, UINT64_MAX);
            types++;
        }
    }
    assert_true(types > 400);
}

static void check_number(uint64_t value)
{
    gt_raw_event event = GT_RAW_EVENT_INIT;
    struct rewritten out = {0};
    char line[100];
    event.type = GT_WIRE_FREQUENCY;
    event.arguments = &value;
    event.argument_count = 1;
    write_one(&out, 22, &event, GT_RAW_AS_GO);
    snprintf(line, sizeof(line), "Frequency freq=%" PRIu64 "\n", value);
    assert_string_equal(out.data, line);
    rewritten_free(&out);
}

static void test_numbers_are_written_in_decimal(void **state)
{
    uint64_t random = 1, power = 1;
    (void) state;
    for (unsigned digits = 1; digits <= 20; digits++) {
        check_number(power - 1);
        check_number(power);
        check_number(power + 1);
        for (unsigned i = 0; i < 100 && digits < 20; i++)
            check_number(power + test_random(&random) % (9 * power));
        power *= 10;
    }
    for (unsigned digits = 0; digits < 1000; digits++)
        check_number(digits);
    check_number(UINT64_MAX);
    check_number(UINT64_MAX - 1);
}

/* Data of all sizes, of bytes that take one to four characters each. */
static void test_data_is_quoted_at_any_size(void **state)
{
    static char data[70000];
    static const size_t sizes[] = {0, 1, 2, 15, 16, 17, 1000, 65536, sizeof(data)};
    uint64_t id = 3, random = 1;
    (void) state;
    for (size_t at = 0; at < sizeof(data); at++)
        data[at] = (char) (at % 7 < 4 ? 'a' : test_random(&random) % 256);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        gt_raw_event event = GT_RAW_EVENT_INIT;
        struct rewritten out = {0};
        event.type = GT_WIRE_STRING;
        event.arguments = &id;
        event.argument_count = 1;
        event.data = (gt_string){data, sizes[i]};
        write_one(&out, 22, &event, 0);
        assert_reads(&out, &event);
        rewritten_free(&out);
    }
}

/* Go prints no header, no widths and no empty data. */
static void test_go_flag_omits_what_go_omits(void **state)
{
    static const char text[] = "Trace Go1.26\n"
                               "#!widths 5\n"
                               "Frequency freq=1\n"
                               "Stack id=5 nframes=1\n"
                               "\tpc=1 func=2 file=3 line=4\n"
                               "String id=3\n"
                               "\tdata=\"\"\n"
                               "String id=4\n"
                               "\tdata=\"\\n\303\251\\xff\"\n"
                               "#!widths 1 1 1 1 2\n"
                               "ExperimentalBatch exp=1 gen=1 m=2 time=3\n"
                               "\tdata=\"\"\n";
    struct rewritten out = {0};
    (void) state;
    rewrite(&out, text, strlen(text), GT_RAW_TEXT, GT_RAW_AS_GO);
    assert_status(out.status, GT_END);
    assert_string_equal(out.data, "Frequency freq=1\n"
                                  "Stack id=5 nframes=1\n"
                                  "\tpc=1 func=2 file=3 line=4\n"
                                  "String id=3\n"
                                  "String id=4\n"
                                  "\tdata=\"\\n\303\251\\xff\"\n"
                                  "ExperimentalBatch exp=1 gen=1 m=2 time=3\n");
    rewritten_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_written),
        cmocka_unit_test(test_numbers_are_written_in_decimal),
        cmocka_unit_test(test_data_is_quoted_at_any_size),
        cmocka_unit_test(test_go_flag_omits_what_go_omits),
    };
    return cmocka_run_group_tests_name("text_write", tests, NULL, NULL);
}
