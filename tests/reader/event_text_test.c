/* SPDX-License-Identifier: BSD-3-Clause */

/* Events, stacks, resources, values and ranges as text. Suite golden compares it with Go's. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    ROOM = 1 << 18
};

struct texts {
    gt_reader *reader;
    gt_formatter *formatter;
    char *expected;
    char *text;
    size_t written;
};

static void texts_open(struct texts *texts, const char *name, const gt_formatter_options *options)
{
    char *path = files_join(files_testdata(), name);
    assert_status(gt_reader_open_file(&texts->reader, path, NULL, NULL), GT_OK);
    assert_status(gt_formatter_open(&texts->formatter, texts->reader, options, NULL), GT_OK);
    free(path);
    texts->expected = malloc(ROOM);
    texts->text = malloc(ROOM);
    assert_non_null(texts->expected);
    assert_non_null(texts->text);
}

static void texts_close(struct texts *texts)
{
    gt_formatter_close(&texts->formatter);
    gt_reader_close(&texts->reader);
    free(texts->expected);
    free(texts->text);
}

static int texts_append(void *user_data, const void *data, size_t size)
{
    struct texts *texts = user_data;
    assert_true(size <= 16 * 1024);
    memcpy(texts->text + texts->written, data, size);
    texts->written += size;
    return 0;
}

/* With less room the text is cut off, but its size remains the same. */
static void texts_check_rooms(struct texts *texts, const gt_event *event, size_t size)
{
    const size_t rooms[] = {1, 2, size / 3, size - 1, size, size + 1, size + 700};
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        size_t room = rooms[i], again = 0, fits = room <= size ? room - 1 : size;
        if (room == 0)
            continue;
        memset(texts->text, '#', size + 800);
        assert_status(gt_event_format(texts->reader, event, texts->text, room, &again), GT_OK);
        assert_int_equal(again, size);
        assert_memory_equal(texts->text, texts->expected, fits);
        assert_int_equal(texts->text[fits], 0);
        assert_int_equal(texts->text[room], '#');
    }
}

static void texts_check_event(struct texts *texts, const gt_event *event)
{
    size_t size = 0, again = 0;
    assert_status(gt_event_format(texts->reader, event, texts->expected, ROOM, &size), GT_OK);
    assert_true(size < ROOM - 800);
    assert_status(gt_event_format(texts->reader, event, NULL, 0, &again), GT_OK);
    assert_int_equal(again, size);
    texts_check_rooms(texts, event, size);
    assert_status(gt_formatter_event(texts->formatter, event, texts->text, ROOM, &again), GT_OK);
    assert_int_equal(again, size);
    assert_memory_equal(texts->text, texts->expected, size + 1);
    texts->written = 0;
    assert_status(gt_formatter_write(texts->formatter, event, texts_append, texts), GT_OK);
    assert_int_equal(texts->written, size);
    assert_memory_equal(texts->text, texts->expected, size);
}

static void test_all_ways_give_the_same_text(void **state)
{
    static const char *const names[] = {"v2/go1.27-mix.trace", "v2/go1.27-tasks.trace",
                                        "v2/go1.25-gc.trace", "v1/go1.21-tasks.trace",
                                        "hostile/names.trace"};
    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct texts texts = {0};
        const gt_event *event;
        texts_open(&texts, names[i], NULL);
        for (int count = 0; count < 3000; count++) {
            if (gt_reader_next_event(texts.reader, &event) != GT_OK)
                break;
            texts_check_event(&texts, event);
        }
        texts_close(&texts);
    }
}

static int32_t texts_zone(void *user_data, int64_t seconds)
{
    assert_true(seconds > 1000000000);
    return *(const int32_t *) user_data;
}

static void test_wall_clock_is_in_the_zone_of_the_formatter(void **state)
{
    int32_t zone = -5400;
    gt_formatter_options options = GT_FORMATTER_OPTIONS_INIT;
    struct texts texts = {0};
    const gt_event *event;
    size_t size;
    (void) state;
    options.zone = texts_zone;
    options.zone_data = &zone;
    texts_open(&texts, "v2/go1.27-mix.trace", &options);
    assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
    assert_status(gt_formatter_event(texts.formatter, event, texts.text, ROOM, &size), GT_OK);
    assert_string_equal(texts.text + size - 6, "-01:30");
    assert_status(gt_event_format(texts.reader, event, texts.text, ROOM, &size), GT_OK);
    assert_string_equal(texts.text + size - 1, "Z");
    texts_close(&texts);
}

static void test_names_of_frames_are_escaped_on_request(void **state)
{
    gt_formatter_options options = GT_FORMATTER_OPTIONS_INIT;
    struct texts texts = {0};
    const gt_event *event;
    size_t size, escapes = 0;
    (void) state;
    options.escape = gt_string_quote;
    texts_open(&texts, "hostile/names.trace", &options);
    while (gt_reader_next_event(texts.reader, &event) == GT_OK) {
        assert_status(gt_formatter_event(texts.formatter, event, texts.text, ROOM, &size), GT_OK);
        assert_null(memchr(texts.text, '\033', size));
        assert_status(gt_event_format(texts.reader, event, texts.text, ROOM, &size), GT_OK);
        escapes += memchr(texts.text, '\033', size) != NULL;
    }
    assert_true(escapes > 0);
    texts_close(&texts);
}

static void test_formatter_works_without_memory_for_texts(void **state)
{
    (void) state;
    for (unsigned left = 0; left < 5; left++) {
        struct probe probe;
        gt_formatter_options options = GT_FORMATTER_OPTIONS_INIT;
        struct texts texts = {0};
        const gt_event *event;
        texts_open(&texts, "v2/go1.27-chan.trace", NULL);
        gt_formatter_close(&texts.formatter);
        probe_init(&probe);
        probe.fail_at = left + 1;
        probe.fail_on = 1;
        options.allocator = &probe.allocator;
        gt_status status = gt_formatter_open(&texts.formatter, texts.reader, &options, NULL);
        assert_status(status, left == 0 ? GT_ERR_NO_MEMORY : GT_OK);
        while (status == GT_OK && gt_reader_next_event(texts.reader, &event) == GT_OK)
            texts_check_event(&texts, event);
        texts_close(&texts);
        probe_check(&probe);
    }
}

/* The texts of frames that are kept are those of the reader, of which a copy is independent. */
static void test_copies_have_the_texts_of_their_events(void **state)
{
    struct texts texts = {0}, others = {0};
    const gt_event *event;
    gt_event *copy = NULL;
    size_t size, copied_size;
    (void) state;
    texts_open(&others, "v2/go1.27-chan.trace", NULL);
    texts_open(&texts, "v2/go1.27-mix.trace", NULL);
    do
        assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
    while (gt_event_stack(event) == GT_STACK_NONE);
    assert_status(gt_event_format(texts.reader, event, texts.expected, ROOM, &size), GT_OK);
    assert_status(gt_event_copy(texts.reader, event, NULL, &copy), GT_OK);
    while (gt_reader_next_event(others.reader, &event) == GT_OK)
        assert_status(gt_formatter_event(others.formatter, event, others.text, ROOM, &copied_size),
                      GT_OK);
    while (gt_reader_next_event(texts.reader, &event) == GT_OK)
        continue;
    gt_formatter *const formatters[] = {texts.formatter, others.formatter};
    for (int i = 0; i < 4; i++) {
        assert_status(gt_formatter_event(formatters[i % 2], copy, texts.text, ROOM, &copied_size),
                      GT_OK);
        assert_int_equal(copied_size, size);
        assert_string_equal(texts.text, texts.expected);
    }
    gt_event_free(&copy);
    texts_close(&texts);
    texts_close(&others);
}

static int texts_refuse(void *user_data, const void *data, size_t size)
{
    (void) data;
    (void) size;
    ++*(int *) user_data;
    return 1;
}

static void test_failure_of_the_function_is_reported(void **state)
{
    struct texts texts = {0};
    const gt_event *event;
    int calls = 0;
    (void) state;
    texts_open(&texts, "v2/go1.27-mix.trace", NULL);
    assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
    assert_status(gt_formatter_write(texts.formatter, event, texts_refuse, &calls), GT_ERR_IO);
    assert_int_equal(calls, 1);
    texts_check_event(&texts, event);
    texts_close(&texts);
}

static void test_stack_has_two_lines_for_each_frame(void **state)
{
    struct texts texts = {0};
    const gt_event *event;
    size_t size;
    (void) state;
    texts_open(&texts, "v2/go1.27-mix.trace", NULL);
    do
        assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
    while (gt_event_stack(event) == GT_STACK_NONE);
    assert_status(gt_event_format(texts.reader, event, texts.expected, ROOM, &size), GT_OK);
    assert_status(gt_stack_format(texts.reader, gt_event_stack(event), texts.text, ROOM, &size),
                  GT_OK);
    assert_string_equal(strstr(texts.expected, "\nStack=\n") + 8, texts.text);
    assert_status(gt_stack_format(texts.reader, GT_STACK_NONE, texts.text, ROOM, &size), GT_OK);
    assert_int_equal(size, 0);
    texts_close(&texts);
}

static void test_resources_and_values_are_printed_as_go_does(void **state)
{
    const gt_resource goroutine = {GT_RESOURCE_GOROUTINE, 0, INT64_MIN}, none = {0};
    const gt_value number = {GT_VALUE_UINT64, 0, UINT64_MAX, {NULL, 0}};
    const gt_value string = {GT_VALUE_STRING, 0, 0, {"a\nb", 3}}, bad = {99, 0, 0, {NULL, 0}};
    char text[64];
    (void) state;
    assert_int_equal(gt_resource_format(&goroutine, text, sizeof(text)), 31);
    assert_string_equal(text, "Goroutine(-9223372036854775808)");
    assert_int_equal(gt_resource_format(&none, text, 3), 4);
    assert_string_equal(text, "No");
    assert_int_equal(gt_resource_format(NULL, text, 3), 0);
    assert_string_equal(text, "");
    assert_int_equal(gt_value_format(&number, text, sizeof(text)), 35);
    assert_string_equal(text, "Value{Uint64(18446744073709551615)}");
    assert_int_equal(gt_value_format(&string, text, sizeof(text)), 3);
    assert_string_equal(text, "a\nb");
    gt_value_format(&bad, text, sizeof(text));
    assert_string_equal(text, "Value{Bad}");
    assert_int_equal(gt_value_format(NULL, NULL, 0), 0);
}

static void test_numbers_of_all_lengths_are_printed(void **state)
{
    uint64_t number = 1;
    (void) state;
    for (int digits = 1; digits <= 20; digits++, number *= 10) {
        for (int less = 0; less < 2; less++) {
            const gt_value value = {GT_VALUE_UINT64, 0, number - (uint64_t) less, {NULL, 0}};
            char text[64], expected[64];
            gt_value_format(&value, text, sizeof(text));
            snprintf(expected, sizeof(expected), "Value{Uint64(%llu)}",
                     (unsigned long long) value.number);
            assert_string_equal(text, expected);
        }
    }
}

static void test_range_of_a_stopped_world_has_its_cause_in_its_name(void **state)
{
    gt_range range = GT_RANGE_INIT;
    char text[64];
    (void) state;
    range.name = (gt_string){"stop-the-world", 14};
    assert_int_equal(gt_range_format_name(&range, text, sizeof(text)), 14);
    assert_string_equal(text, "stop-the-world");
    range.has_cause = 1;
    range.cause = (gt_string){"GC mark termination", 19};
    gt_range_format_name(&range, text, sizeof(text));
    assert_string_equal(text, "stop-the-world (GC mark termination)");
    range.size = 3;
    assert_int_equal(gt_range_format_name(&range, text, sizeof(text)), 0);
    assert_int_equal(gt_range_format_name(NULL, NULL, 0), 0);
}

/* In each call one argument is wrong. */
static void test_invalid_arguments_are_refused(void **state)
{
    gt_formatter_options options = GT_FORMATTER_OPTIONS_INIT;
    struct texts t = {0};
    gt_formatter *formatter = (gt_formatter *) &options;
    const gt_event *event;
    const gt_frame *frames;
    size_t size;
    int calls = 0;
    (void) state;
    texts_open(&t, "v2/go1.27-mix.trace", NULL);
    assert_status(gt_formatter_open(NULL, t.reader, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_open(&formatter, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(formatter);
    options.flags = 1;
    assert_status(gt_formatter_open(&formatter, t.reader, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_formatter_close(&formatter);
    gt_formatter_close(NULL);
    assert_status(gt_reader_next_event(t.reader, &event), GT_OK);
    assert_status(gt_formatter_event(NULL, event, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_event(t.formatter, NULL, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_event(t.formatter, event, NULL, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_event(t.formatter, event, t.text, 9, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_write(NULL, event, texts_refuse, &calls), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_write(t.formatter, NULL, texts_refuse, &calls),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_formatter_write(t.formatter, event, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(calls, 0);
    assert_status(gt_event_format(NULL, event, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_format(t.reader, NULL, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_format(t.reader, event, NULL, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_format(t.reader, event, t.text, 9, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_format(NULL, 0, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_format(t.reader, 0, NULL, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_format(t.reader, 0, t.text, 9, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_format(t.reader, UINT64_MAX, t.text, 9, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_frames(NULL, event, 0, &frames, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_frames(t.reader, event, 0, NULL, &size), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_frames(t.reader, event, 0, &frames, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_event_free(NULL);
    texts_close(&t);
}

/* Its stacks and strings would be looked up in the wrong tables. */
static void test_event_of_another_reader_or_of_the_past_is_refused(void **state)
{
    struct texts texts = {0}, others = {0};
    const gt_event *event, *strange;
    size_t size;
    int calls = 0;
    (void) state;
    texts_open(&texts, "v2/go1.27-mix.trace", NULL);
    texts_open(&others, "v2/go1.27-mix.trace", NULL);
    assert_status(gt_reader_next_event(others.reader, &strange), GT_OK);
    for (int i = 0; i < 3; i++) {
        assert_status(gt_event_format(texts.reader, strange, texts.text, ROOM, &size),
                      GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_formatter_event(texts.formatter, strange, texts.text, ROOM, &size),
                      GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_formatter_write(texts.formatter, strange, texts_refuse, &calls),
                      GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
        assert_status(gt_event_format(texts.reader, event, texts.text, ROOM, &size), GT_OK);
    }
    assert_int_equal(calls, 0);
    strange = event;
    assert_status(gt_reader_next_event(texts.reader, &event), GT_OK);
    assert_status(gt_formatter_event(texts.formatter, strange, texts.text, ROOM, &size),
                  GT_ERR_INVALID_ARGUMENT);
    texts_close(&texts);
    texts_close(&others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_of_another_reader_or_of_the_past_is_refused),
        cmocka_unit_test(test_all_ways_give_the_same_text),
        cmocka_unit_test(test_wall_clock_is_in_the_zone_of_the_formatter),
        cmocka_unit_test(test_names_of_frames_are_escaped_on_request),
        cmocka_unit_test(test_formatter_works_without_memory_for_texts),
        cmocka_unit_test(test_copies_have_the_texts_of_their_events),
        cmocka_unit_test(test_failure_of_the_function_is_reported),
        cmocka_unit_test(test_stack_has_two_lines_for_each_frame),
        cmocka_unit_test(test_resources_and_values_are_printed_as_go_does),
        cmocka_unit_test(test_numbers_of_all_lengths_are_printed),
        cmocka_unit_test(test_invalid_arguments_are_refused),
        cmocka_unit_test(test_range_of_a_stopped_world_has_its_cause_in_its_name),
    };
    return cmocka_run_group_tests_name("event text", tests, NULL, NULL);
}
