/* SPDX-License-Identifier: BSD-3-Clause */

/* Valid text: what Go's reader accepts, and what only this one does. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw/rewrite.h"
#include "support/feed.h"
#include "support/probe.h"
#include "support/test.h"

/* All forms of records, as the writer writes them. */
static const char shapes[] = "Trace Go1.26\n"
                             "#!widths 1 10 5 1\n"
                             "EventBatch gen=1 m=18446744073709551615 time=33054125909 size=7\n"
                             "Sync\n"
                             "ProcStart dt=222 p=3 p_seq=218\n"
                             "Stack id=4 nframes=0\n"
                             "#!widths 1 1 3 2 3 4 1 2 3 4\n"
                             "Stack id=5 nframes=2\n"
                             "\tpc=1241251 func=3 file=6 line=124\n"
                             "\tpc=1 func=0 file=0 line=0\n"
                             "String id=3\n"
                             "\tdata=\"main.main\"\n"
                             "#!widths 2 3\n"
                             "String id=4\n"
                             "\tdata=\"\"\n"
                             "#!widths 1 1 1 1 1\n"
                             "ExperimentalBatch exp=1 gen=2 m=3 time=4\n"
                             "\tdata=\"\\x00\\xff\\\"\"\n"
                             "EndOfGeneration\n";

/* The same for versions up to 21. */
static const char shapes_v1[] = "Trace Go1.21\n"
                                "#!widths 2 1 1\n"
                                "Batch p=1 ticks=2\n"
                                "GoStartLabel dt=1 g=2 g_seq=3 label_string=4\n"
                                "#!widths 2 1 1 1 1\n"
                                "GoStartLabel dt=1 g=2 g_seq=3 label_string=4\n"
                                "#!widths 0 1 1\n"
                                "Stack id=4 nframes=0\n"
                                "#!widths 0 1 2\n"
                                "String id=3\n"
                                "\tdata=\"a\"\n"
                                "UserLog dt=1 task=2 key_string=3 stack=4\n"
                                "\tdata=\"b\"\n";

static const char shapes_1_5[] = "Trace Go1.5\n"
                                 "Stack id=4 nframes=2\n"
                                 "\tpc=17\n"
                                 "\tpc=18446744073709551615\n"
                                 "#!widths 1 1 1 10 1\n"
                                 "Stack id=4 nframes=2\n"
                                 "\tpc=17\n"
                                 "\tpc=18\n";

static void test_written_text_is_read_unchanged(void **state)
{
    (void) state;
    rewrite_assert(shapes, shapes);
    rewrite_assert(shapes_v1, shapes_v1);
    rewrite_assert(shapes_1_5, shapes_1_5);
}

/* Bytes have the widths that the text gives, so nothing is lost on the way there and back. */
static void test_bytes_keep_the_text(void **state)
{
    static const char *const all[] = {shapes, shapes_v1, shapes_1_5};
    (void) state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct rewritten bytes = {0}, text = {0};
        rewrite(&bytes, all[i], strlen(all[i]), GT_RAW_BYTES, 0);
        assert_status(bytes.status, GT_END);
        rewrite(&text, bytes.data, bytes.size, GT_RAW_TEXT, 0);
        assert_status(text.status, GT_END);
        assert_string_equal(text.data, all[i]);
        assert_int_equal(text.events, bytes.events);
        rewritten_free(&text);
        rewritten_free(&bytes);
    }
}

static void test_header_may_have_space_and_comments(void **state)
{
    static const char *const texts[] = {
        "Trace Go1.23\n",
        "Trace Go1.23",
        "Trace Go1.23 # a comment",
        "Trace Go1.23#a comment\n",
        "Trace\tGo1.0023\r\n",
        "\n  \r\n\t# Trace Go1.26\n#!widths no\n\v\f \302\205\302\240 Trace Go1.23 \n",
        "\341\232\200\342\200\200\342\200\212Trace\342\200\250Go1.23",
        "Trace\342\200\251\342\200\257Go1.23\342\201\237\343\200\200\n",
        "#\nTrace Go1.23\n\n\n# The end",
    };
    (void) state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        rewrite_assert(texts[i], "Trace Go1.23\n");
}

static void test_known_and_future_versions_are_read(void **state)
{
    (void) state;
    for (unsigned version = 0; version <= 101; version++) {
        bool good = strchr("\5\7\10\11\12\13\23\25\26\27\31\32", (int) version) != NULL;
        gt_raw_options known = GT_RAW_OPTIONS_INIT;
        gt_raw_info info = GT_RAW_INFO_INIT;
        gt_raw_reader *reader;
        char text[40];
        int size = snprintf(text, sizeof(text), "Trace Go1.%u\n", version);
        good = version > 0 && (good || (version > 26 && version < 100));
        assert_status(gt_raw_reader_open_memory(&reader, text, (size_t) size, NULL, NULL),
                      good ? GT_OK : GT_ERR_VERSION);
        if (good) {
            assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
            assert_int_equal(info.version, version);
            assert_int_equal(info.newer, version > 26);
            assert_int_equal(info.form, GT_RAW_TEXT);
        }
        gt_raw_reader_close(&reader);
        known.flags = GT_RAW_KNOWN_VERSIONS;
        assert_status(gt_raw_reader_open_memory(&reader, text, (size_t) size, &known, NULL),
                      good && version <= 26 ? GT_OK : GT_ERR_VERSION);
        gt_raw_reader_close(&reader);
    }
}

/* There may be white space, blank lines and comments in every gap. */
static void test_gaps_may_have_space_and_comments(void **state)
{
    (void) state;
    rewrite_assert("Trace Go1.22\n"
                   "\n"
                   "# A comment\r\n"
                   "   \t GoStart\t dt=1\302\240g=2 \r g_seq=0003\r\n"
                   "\t#!widthsx 1 2\n"
                   "#! widths 1 2\n"
                   "GoStop dt=1   reason_string=2 stack=3# a comment\n"
                   "GoDestroy dt=1 # \377\n"
                   "Stacks# here\n"
                   "Stack id=1 nframes=2 # frames = 2\n"
                   "\n"
                   "pc=1 func=2 file=3 line=4 # one\n"
                   "# two\n"
                   "\343\200\200pc=5\tfunc=6\tfile=7\tline=8\n"
                   "  #!widths 1 \t 2 # how wide\r\n"
                   "# the widths are for what comes now\n"
                   "\n"
                   "String id=1\n"
                   "\n"
                   "# its data\n"
                   " data \t = \t \"x # y\" \302\205 # a comment \"\r\n"
                   "String id=2\n"
                   "data=`\\n#`#",
                   "Trace Go1.22\n"
                   "GoStart dt=1 g=2 g_seq=3\n"
                   "GoStop dt=1 reason_string=2 stack=3\n"
                   "GoDestroy dt=1\n"
                   "Stacks\n"
                   "Stack id=1 nframes=2\n"
                   "\tpc=1 func=2 file=3 line=4\n"
                   "\tpc=5 func=6 file=7 line=8\n"
                   "#!widths 1 2\n"
                   "String id=1\n"
                   "\tdata=\"x # y\"\n"
                   "String id=2\n"
                   "\tdata=\"\\\\n#\"\n");
}

/* Every character that is white space in Unicode separates words, and no similar one does. */
static void test_only_unicode_spaces_separate_words(void **state)
{
    static const char *const spaces[] = {
        "\302\205",     "\302\240",     "\341\232\200", "\342\200\200", "\342\200\212",
        "\342\200\250", "\342\200\251", "\342\200\257", "\342\201\237", "\343\200\200",
    };
    static const char *const others[] = {
        "\302\204",     "\341\232\201", "\341\233\200", "\342\200\213", "\342\200\247",
        "\342\201\236", "\342\202\200", "\343\200\201", "\343\201\200", "\342\200",
    };
    const gt_raw_event *event;
    gt_raw_reader *reader;
    char text[100];
    int size;
    (void) state;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
            size = snprintf(text, sizeof(text), "Trace Go1.22\nGoStart dt=1%sg=2 g_seq=3\n",
                            k == 0 ? spaces[i] : others[i]);
            assert_status(gt_raw_reader_open_memory(&reader, text, (size_t) size, NULL, NULL),
                          GT_OK);
            assert_status(gt_raw_reader_next_event(reader, &event), k == 0 ? GT_OK : GT_ERR_EVENT);
            gt_raw_reader_close(&reader);
        }
    }
}

/* A record without arguments has no widths, and no array for them. */
static void test_empty_widths_are_dropped(void **state)
{
    (void) state;
    rewrite_assert("Trace Go1.22\n#!widths \nStrings\n", "Trace Go1.22\nStrings\n");
}

struct literal {
    const char *text;
    const char *data;
    size_t size;
};

#define LITERAL(text, data)                                                                        \
    {                                                                                              \
        text, data, sizeof(data) - 1                                                               \
    }

static const struct literal literals[] = {
    LITERAL("\"\"", ""),
    LITERAL("``", ""),
    LITERAL("\"plain\"", "plain"),
    LITERAL("`plain`", "plain"),
    LITERAL("\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\"", "\a\b\f\n\r\t\v\\\""),
    LITERAL("`\\a\"\\`", "\\a\"\\"),
    LITERAL("\"`'\"", "`'"),
    LITERAL("`a\rb\r`", "ab"),
    LITERAL("\"a\rb\"", "a\rb"),
    LITERAL("\"\\x00\\xff\\xFe\\x7F\"", "\0\377\376\177"),
    LITERAL("\"\\000\\377\\1234\"", "\0\377S4"),
    LITERAL("\"\\u0041\\u00e9\\u20AC\\ufffd\"", "A\303\251\342\202\254\357\277\275"),
    LITERAL("\"\\U00000041\\U0001F600\\U0010ffff\"", "A\360\237\230\200\364\217\277\277"),
    LITERAL("\"\\ud7ff\\ue000\"", "\355\237\277\356\200\200"),
    LITERAL("\"\303\251\342\202\254\360\237\230\200\"", "\303\251\342\202\254\360\237\230\200"),
    /* Bytes that are not UTF-8 are replaced one by one. */
    LITERAL("\"\377\"", "\357\277\275"),
    LITERAL("\"\303\"", "\357\277\275"),
    LITERAL("\"\355\240\200!\"", "\357\277\275\357\277\275\357\277\275!"),
    LITERAL("\"\300\200\"", "\357\277\275\357\277\275"),
    LITERAL("`\377\303`", "\377\303"),
};

static void test_literals_are_unquoted(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        const gt_raw_event *event;
        gt_raw_reader *reader;
        char text[200];
        int size = snprintf(text, sizeof(text), "Trace Go1.22\nString id=9\n\tdata=%s # \"`\n",
                            literals[i].text);
        assert_status(gt_raw_reader_open_memory(&reader, text, (size_t) size, NULL, NULL), GT_OK);
        if (gt_raw_reader_next_event(reader, &event) != GT_OK)
            fail_msg("%s cannot be read", literals[i].text);
        assert_int_equal(event->data.size, literals[i].size);
        assert_memory_equal(event->data.data, literals[i].data, literals[i].size);
        assert_null(event->widths);
        gt_raw_reader_close(&reader);
    }
}

static void read_event(gt_raw_reader *reader, const gt_raw_event **event)
{
    gt_error error = GT_ERROR_INIT;
    if (gt_raw_reader_next_event(reader, event) == GT_OK)
        return;
    assert_status(gt_raw_reader_error(reader, &error), GT_OK);
    fail_msg("%s", error.message);
}

/* The members of an event, and its position. */
static void test_event_has_its_members_and_position(void **state)
{
    static const char text[] = "Trace Go1.26\n"
                               "\n"
                               "  Stack id=7 nframes=1\n"
                               "# a comment\n"
                               "pc=1 func=2 file=3 line=4 # end\n"
                               "#!widths 1 2\n"
                               "String id=3\n"
                               "data=`ab`";
    const char *string = strstr(text, "String");
    const gt_raw_event *event;
    gt_raw_reader *reader;
    (void) state;
    assert_status(gt_raw_reader_open_memory(&reader, text, strlen(text), NULL, NULL), GT_OK);
    read_event(reader, &event);
    assert_int_equal(event->size, sizeof(*event));
    assert_int_equal(event->type, GT_WIRE_STACK);
    assert_int_equal(event->argument_count, 2);
    assert_int_equal(event->arguments[0], 7);
    assert_int_equal(event->arguments[1], 1);
    assert_int_equal(event->frame_count, 1);
    assert_int_equal(event->frames[0].pc, 1);
    assert_int_equal(event->frames[0].function, 2);
    assert_int_equal(event->frames[0].file, 3);
    assert_int_equal(event->frames[0].line, 4);
    assert_text(event->data, "");
    assert_null(event->widths);
    assert_int_equal(event->width_count, 0);
    assert_int_equal(event->offset, 14);
    assert_int_equal(event->offset + event->length, strstr(text, "#!") - text);
    read_event(reader, &event);
    assert_int_equal(event->type, GT_WIRE_STRING);
    assert_int_equal(event->argument_count, 1);
    assert_int_equal(event->frame_count, 0);
    assert_text(event->data, "ab");
    assert_int_equal(event->width_count, 2);
    assert_int_equal(event->widths[0], 1);
    assert_int_equal(event->widths[1], 2);
    assert_int_equal(event->offset, string - text);
    assert_int_equal(event->length, strlen(string));
    assert_status(gt_raw_reader_next_event(reader, &event), GT_END);
    gt_raw_reader_close(&reader);
}

/* A record is delivered as soon as its last line is there. */
static void test_record_comes_with_its_last_line(void **state)
{
    const size_t one = 1;
    const gt_raw_event *event;
    gt_raw_reader *reader;
    struct feed feed;
    (void) state;
    feed_init(&feed, shapes, strlen(shapes));
    feed.steps = &one;
    feed.step_count = 1;
    assert_status(gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    while (gt_raw_reader_next_event(reader, &event) == GT_OK) {
        /* Opening reads the first 16 bytes. */
        if (event->offset >= 16)
            assert_int_equal(feed.position, event->offset + event->length);
    }
    assert_int_equal(feed.position, strlen(shapes));
    gt_raw_reader_close(&reader);
}

/* Appends the text `count` times. */
static void fill(struct rewritten *text, const char *piece, size_t count)
{
    while (count-- > 0)
        rewritten_take(text, piece, strlen(piece));
}

/* Lines of several megabytes, and a number with millions of digits. */
static void test_long_lines_are_read(void **state)
{
    static const size_t steps[] = {997, 65536, 10000000};
    const size_t length = 3000000;
    (void) state;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct rewritten text = {0}, out = {0};
        fill(&text, "#", length);
        fill(&text, "\nTrace Go1.22\nGoStart ", 1);
        fill(&text, " ", length);
        fill(&text, "dt=", 1);
        fill(&text, "0", length);
        fill(&text, "1 g=2 g_seq=3 #", 1);
        fill(&text, "x", length);
        fill(&text, "\nString id=3\n\tdata=\"", 1);
        fill(&text, "\\x41", length);
        fill(&text, "\"", 1);
        rewrite_in_steps(&out, text.data, text.size, steps[i]);
        assert_status(out.status, GT_END);
        assert_int_equal(out.events, 2);
        assert_int_equal(out.size, strlen("Trace Go1.22\nGoStart dt=1 g=2 g_seq=3\n"
                                          "String id=3\n\tdata=\"\"\n") +
                                       length);
        rewritten_free(&text);
        rewritten_free(&out);
    }
}

/* Text that was read is dropped. */
static void test_memory_does_not_grow_with_records(void **state)
{
    static const char line[] = "ProcStart dt=222 p=3 p_seq=218 # a comment\n";
    const size_t count = 200000;
    gt_raw_info info = GT_RAW_INFO_INIT;
    struct rewritten text = {0};
    const gt_raw_event *event;
    gt_raw_reader *reader;
    struct feed feed;
    gt_status status;
    (void) state;
    fill(&text, "Trace Go1.22\n", 1);
    fill(&text, line, count);
    feed_init(&feed, text.data, text.size);
    assert_status(gt_raw_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
        continue;
    assert_status(status, GT_END);
    assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
    assert_int_equal(info.events, count);
    assert_int_equal(info.bytes, text.size);
    assert_true(info.memory_peak < text.size / 2);
    gt_raw_reader_close(&reader);
    rewritten_free(&text);
}

/* Reads until memory runs out or the end; returns the status. */
static gt_status read_with(const gt_raw_options *options, uint64_t *peak)
{
    const size_t step = 50;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event;
    gt_raw_reader *reader;
    gt_status status;
    struct feed feed;
    feed_init(&feed, shapes, strlen(shapes) - 1);
    feed.steps = &step;
    feed.step_count = 1;
    status = gt_raw_reader_open_callback(&reader, feed_read, &feed, options, &error);
    if (status == GT_OK) {
        while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK)
            continue;
        assert_status(gt_raw_reader_get_info(reader, &info), GT_OK);
        assert_status(gt_raw_reader_error(reader, &error), GT_OK);
        assert_status(error.status, status == GT_END ? GT_OK : status);
        *peak = info.memory_peak;
    }
    gt_raw_reader_close(&reader);
    return status;
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    struct probe probe;
    uint64_t failing, peak;
    gt_status status;
    (void) state;
    for (failing = 1;; failing++) {
        probe_init(&probe);
        probe.fail_at = failing;
        options.allocator = &probe.allocator;
        status = read_with(&options, &peak);
        probe_check(&probe);
        if (probe.failed == 0)
            break;
        assert_status(status, GT_ERR_NO_MEMORY);
    }
    assert_status(status, GT_END);
    /* The reader, its text, a chunk, widths, frames, data, the last line. */
    assert_in_range(failing, 8, 20);
}

static void test_memory_limit_is_kept(void **state)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    uint64_t peak = 0, unused;
    (void) state;
    assert_status(read_with(&options, &peak), GT_END);
    options.memory_limit = peak;
    assert_status(read_with(&options, &unused), GT_END);
    for (options.memory_limit = 1; options.memory_limit < peak; options.memory_limit += 61)
        assert_status(read_with(&options, &unused), GT_ERR_LIMIT);
    options.memory_limit = peak - 1;
    assert_status(read_with(&options, &unused), GT_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_text_is_read_unchanged),
        cmocka_unit_test(test_bytes_keep_the_text),
        cmocka_unit_test(test_header_may_have_space_and_comments),
        cmocka_unit_test(test_known_and_future_versions_are_read),
        cmocka_unit_test(test_gaps_may_have_space_and_comments),
        cmocka_unit_test(test_only_unicode_spaces_separate_words),
        cmocka_unit_test(test_empty_widths_are_dropped),
        cmocka_unit_test(test_literals_are_unquoted),
        cmocka_unit_test(test_event_has_its_members_and_position),
        cmocka_unit_test(test_record_comes_with_its_last_line),
        cmocka_unit_test(test_long_lines_are_read),
        cmocka_unit_test(test_memory_does_not_grow_with_records),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
