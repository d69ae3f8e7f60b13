/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of Perfetto that programs draw which have nothing to do with Go. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/viewer_perfetto.h>

#include "support/test.h"
#include "viewer/drawing.h"
#include "viewer/log.h"
#include "viewer/packets.h"

static void add(struct drawing *d, char phase, uint64_t row, int64_t time, int64_t duration,
                const char *name)
{
    const gt_viewer_event event = event_of(phase, row, time, duration, name);
    assert_status(drawing_add(d, &event), GT_OK);
}

/* Adds an event with one argument. */
static void add_with(struct drawing *d, char phase, uint32_t section, uint64_t row,
                     const char *name, gt_viewer_argument argument)
{
    gt_viewer_event event = event_of(phase, row, 0, 0, name);
    event.section = section;
    event.arguments = &argument;
    event.argument_count = 1;
    assert_status(drawing_add(d, &event), GT_OK);
}

static gt_viewer_argument rank_of(int64_t rank)
{
    gt_viewer_argument argument = number_argument("sort_index", (uint64_t) rank);
    argument.kind = GT_VIEWER_SIGNED;
    return argument;
}

static void test_drawing_of_an_emitter_has_rows_counters_and_arrows(void **state)
{
    struct drawing d;
    gt_emitter *emitter;
    gt_slice slice = GT_SLICE_INIT;
    gt_arrow arrow = GT_ARROW_INIT;
    gt_counter counter = GT_COUNTER_INIT;
    const gt_emitter_frame frames[] = {{20, 7, {"leaf", 4}, {"l.c", 3}},
                                       {10, 0, {"root", 4}, {"", 0}}};
    const gt_viewer_argument value = number_argument("left", 3);
    (void) state;
    assert_status(drawing_open(&d, GT_PERFETTO_PLAIN, NULL), GT_OK);
    assert_status(gt_emitter_open(&emitter, &d.consumer, NULL, NULL), GT_OK);
    assert_status(gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text_of("MACHINES")),
                  GT_OK);
    assert_status(gt_emitter_name_resource(emitter, 1, text_of("saw")), GT_OK);
    assert_status(gt_emitter_stack(emitter, frames, 2, &slice.stack), GT_OK);
    slice.resource = 1;
    slice.time = 5;
    slice.duration = 10;
    slice.name = text_of("cut");
    assert_status(gt_emitter_slice(emitter, &slice), GT_OK);
    arrow.from = 1;
    arrow.from_time = 15;
    arrow.to = 2;
    arrow.to_time = 20;
    arrow.name = text_of("board");
    assert_status(gt_emitter_arrow(emitter, &arrow), GT_OK);
    counter.time = 20;
    counter.name = text_of("boards");
    counter.values = &value;
    counter.value_count = 1;
    assert_status(gt_emitter_counter(emitter, &counter), GT_OK);
    assert_status(gt_emitter_flush(emitter), GT_OK);
    gt_emitter_close(&emitter);
    assert_status(gt_perfetto_writer_finish(d.writer), GT_OK);
    char *text = packets_text(d.data, d.size);
    assert_string_equal(text, "flags=3 defaults 58:64\n"
                              "clocks 3=0 6=0 64=0\n"
                              "begin 16 @5 \"cut\" stack=root/leaf\"l.c\":7\n"
                              "end 16 @15 \"cut\"\n"
                              "instant 16 @15 \"board\" flow=1099511627785\n"
                              "instant 22 @20 \"board\" ends=1099511627785\n"
                              "track 19 <2 rank=1 counter 3:2 \"boards\" \"boards: left\"\n"
                              "values @20 19=3\n"
                              "track 1 order=3 process 1:1 \"\"\n"
                              "track 2 <1 order=3 rank=2 \"STATS\"\n"
                              "track 7 <1 order=3 rank=7 \"MACHINES\"\n"
                              "track 16 <7 rank=1 merge=2 \"saw\"\n"
                              "track 22 <7 rank=2 merge=2 \"\"\n");
    free(text);
    drawing_close(&d);
}

static void test_slices_with_the_same_begin_nest(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'X', 1, 0, 10, "inner");
    add(&d, 'X', 1, 0, 20, "middle");
    add(&d, 'X', 1, 0, 30, "outer");
    add(&d, 'X', 1, -5, 40, "before");
    assert_drawing(&d, "begin 16 @0 \"inner\"\n"
                       "end 16 @10 \"inner\"\n"
                       "begin 16 @-1 \"middle\"\n"
                       "end 16 @20 \"middle\"\n"
                       "begin 16 @-2 \"outer\"\n"
                       "end 16 @30 \"outer\"\n"
                       "begin 16 @-5 \"before\"\n"
                       "end 16 @35 \"before\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 7 <1 order=3 rank=7 \"Rows\"\n"
                       "track 16 <7 rank=1 merge=2 \"\"\n");
}

/* Between two that begin together there is no place for one that ends between them. */
static void test_slices_that_do_not_nest_have_rows_of_their_own(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'X', 1, 0, 10, "a");
    add(&d, 'X', 1, 5, 10, "over a");
    add(&d, 'X', 1, 0, 20, "around a");
    add(&d, 'X', 1, 0, 15, "between");
    add(&d, 'X', 1, 2, 3, "in a");
    assert_drawing(&d, "begin 16 @0 \"a\"\n"
                       "end 16 @10 \"a\"\n"
                       "track 21 <16 \"over a\"\n"
                       "begin 21 @5 \"over a\"\n"
                       "end 21 @15 \"over a\"\n"
                       "begin 16 @-1 \"around a\"\n"
                       "end 16 @20 \"around a\"\n"
                       "track 27 <16 \"between\"\n"
                       "begin 27 @0 \"between\"\n"
                       "end 27 @15 \"between\"\n"
                       "begin 16 @2 \"in a\"\n"
                       "end 16 @5 \"in a\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 7 <1 order=3 rank=7 \"Rows\"\n"
                       "track 16 <7 rank=1 merge=2 \"\"\n");
}

static void test_many_slices_of_a_row_nest_in_one_that_is_written_last(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    for (int64_t i = 0; i < 40; i++)
        add(&d, 'X', 1, 10 * i, 5, "small");
    add(&d, 'X', 1, -1, 1000, "large");
    for (int64_t i = 0; i < 5000; i++)
        add(&d, 'X', 2, 0, 1 + i, "grows");
    char *text = drawing_text(&d);
    /* 4095 of the second row could begin earlier; each of the others has a row of its own. */
    assert_int_equal(packets_count(text, "track"), 4 + 5000 - 4096);
    assert_int_equal(packets_count(text, "begin 16 "), 41);
    assert_int_equal(packets_count(text, "begin 22 "), 4096);
    free(text);
    drawing_close(&d);
}

/* How slices are kept depends on whether 32 bits suffice for their durations. */
static void test_slices_of_any_duration_nest(void **state)
{
    static const int64_t durations[] = {5, UINT32_MAX - INT64_C(1), UINT32_MAX,
                                        UINT32_MAX + INT64_C(1), INT64_C(1) << 60};
    const int64_t begin = INT64_C(0x123456789);
    (void) state;
    for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
        struct drawing d;
        char expected[512];
        int64_t end = begin + durations[i];
        drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
        add(&d, 'X', 1, begin, durations[i], "a");
        add(&d, 'X', 1, begin, durations[i] + 1, "around a");
        add(&d, 'X', 1, end, 2, "over");
        assert_true(snprintf(expected, sizeof(expected),
                             "begin 16 @%" PRId64 " \"a\"\nend 16 @%" PRId64 " \"a\"\n"
                             "begin 16 @%" PRId64 " \"around a\"\nend 16 @%" PRId64
                             " \"around a\"\n"
                             "track 21 <16 \"over\"\n",
                             begin, end, begin - 1, end + 1) < (int) sizeof(expected));
        char *text = drawing_text(&d);
        assert_non_null(strstr(text, expected));
        free(text);
        drawing_close(&d);
    }
}

static void test_many_rows_take_40_bytes_each(void **state)
{
    enum {
        ROWS = 100000
    };

    gt_perfetto_info first = GT_PERFETTO_INFO_INIT, last = GT_PERFETTO_INFO_INIT;
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'X', 0, 1, 1, "slice");
    assert_status(gt_perfetto_writer_get_info(d.writer, &first), GT_OK);
    for (int64_t i = 1; i < ROWS; i++)
        add(&d, 'X', (uint64_t) i * (uint64_t) i, i, 1, "slice");
    assert_status(gt_perfetto_writer_get_info(d.writer, &last), GT_OK);
    assert_in_range(last.memory_peak - first.memory_peak, 24 * ROWS, 40 * ROWS);
    /* All are found again. */
    for (int64_t i = 1; i < ROWS; i++)
        add(&d, 'I', (uint64_t) i * (uint64_t) i, 2 * ROWS, 0, "again");
    char *text = drawing_text(&d);
    assert_int_equal(packets_count(text, "instant "), ROWS - 1);
    assert_int_equal(packets_count(text, "track "), ROWS + 2);
    assert_non_null(strstr(text, "instant 600010 @200000 \"again\"\n"));
    free(text);
    drawing_close(&d);
}

static void test_both_ends_of_an_asynchronous_slice_have_a_row_of_their_own(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    gt_viewer_event begin = event_of('b', 1, 5, 0, "job"), end = event_of('e', 1, 9, 0, "job");
    begin.id = end.id = 77;
    begin.category = text_of("batch");
    const gt_viewer_argument result = text_argument("result", "good");
    end.arguments = &result;
    end.argument_count = 1;
    assert_status(drawing_add(&d, &begin), GT_OK);
    assert_status(drawing_add(&d, &end), GT_OK);
    assert_drawing(&d, "track 482 <16 \"job\"\n"
                       "begin 482 @5 \"job\" [batch]\n"
                       "end 482 @9 \"job\" result=\"good\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 7 <1 order=3 rank=7 \"Rows\"\n"
                       "track 16 <7 rank=1 merge=2 \"\"\n");
}

static void test_arguments_have_their_kinds(void **state)
{
    struct drawing d;
    gt_viewer_argument arguments[] = {
        number_argument("u", UINT64_MAX), number_argument("s", UINT64_MAX),
        number_argument("d", 0),          text_argument("t", "text"),
        text_argument("none", ""),        text_argument("", "no key"),
    };
    gt_viewer_event event = event_of('i', 1, 3, 0, "all");
    (void) state;
    arguments[1].kind = GT_VIEWER_SIGNED;
    arguments[2].kind = GT_VIEWER_DOUBLE;
    arguments[2].real = -0.5;
    event.arguments = arguments;
    event.argument_count = sizeof(arguments) / sizeof(*arguments);
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    assert_status(drawing_add(&d, &event), GT_OK);
    assert_drawing(&d, "instant 16 @3 \"all\" u=18446744073709551615 s=-1 d=-0.5 t=\"text\""
                       " none= \"no key\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 7 <1 order=3 rank=7 \"Rows\"\n"
                       "track 16 <7 rank=1 merge=2 \"\"\n");
}

/* Only names that are short are kept, so that a trace with a new one in each event takes no memory.
 */
static void test_names_of_any_bytes_and_size_are_written(void **state)
{
    static char longest[70000];
    struct drawing d;
    (void) state;
    memset(longest, 'x', sizeof(longest) - 1);
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'I', 1, 0, 0, "");
    add(&d, 'I', 1, 1, 0, "\xff\xe2\x82");
    add(&d, 'I', 1, 2, 0, longest);
    add(&d, 'I', 1, 3, 0, "after");
    gt_viewer_event event = event_of('I', 1, 4, 0, "\n\"");
    gt_viewer_argument argument = text_argument(longest, longest);
    event.category = text_of(longest);
    event.arguments = &argument;
    event.argument_count = 1;
    assert_status(drawing_add(&d, &event), GT_OK);
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, "\ninstant 16 @0\n"
                                 "instant 16 @1 \"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"
                                 "instant 16 @2 \"xxx"));
    assert_non_null(strstr(text, "xxx\"\ninstant 16 @3 \"after\"\ninstant 16 @4 \"\n\"\" [xx"));
    assert_true(strlen(text) > 4 * (sizeof(longest) - 1));
    free(text);
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    assert_status(gt_perfetto_writer_get_info(d.writer, &info), GT_OK);
    assert_int_equal(info.instants, 5);
    assert_int_equal(info.bytes, d.size);
    drawing_close(&d);
}

static void test_new_name_in_each_event_takes_little_memory(void **state)
{
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    for (int i = 0; i < 50000; i++) {
        char name[32];
        snprintf(name, sizeof(name), "name %d", i);
        add(&d, 'I', 1, i, 0, name);
    }
    assert_status(gt_perfetto_writer_get_info(d.writer, &info), GT_OK);
    assert_true(info.memory < 1000000);
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, "instant 16 @0 \"name 0\"\n"));
    assert_non_null(strstr(text, "instant 16 @49999 \"name 49999\"\n"));
    free(text);
    drawing_close(&d);
}

/*
 * A trace names a text once, and refers to it by a byte or two, so that what repeats must not be
 * written again and again: a long text, and one that comes after many others.
 */
static void test_texts_that_repeat_are_written_twice_at_most(void **state)
{
    static char longest[5000];
    struct drawing d;
    (void) state;
    memset(longest, 'x', sizeof(longest) - 1);
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    for (int i = 0; i < 3000; i++) {
        char name[128];
        snprintf(name, sizeof(name), "%0100d", i);
        add(&d, 'I', 1, i, 0, name);
    }
    size_t before = d.size;
    for (int i = 0; i < 3000; i++)
        add_with(&d, 'I', 0, 1, longest, text_argument("key", longest));
    assert_true(d.size - before < 4 * sizeof(longest) + (size_t) 3000 * 40);
    before = d.size;
    for (int i = 0; i < 9000; i++) {
        char name[128];
        snprintf(name, sizeof(name), "%0100d", i % 3000);
        add(&d, 'I', 1, i, 0, name);
    }
    assert_true(d.size - before < (size_t) 3000 * 120 + (size_t) 9000 * 30);
    char *text = drawing_text(&d);
    char begin[sizeof(longest) + 32];
    snprintf(begin, sizeof(begin), "instant 16 @0 \"%s\" key=\"xxx", longest);
    assert_int_equal(packets_count(text, begin), 3000);
    free(text);
    drawing_close(&d);
}

/* Adds a counter with two values. */
static void add_counter(struct drawing *d, int64_t time, const char *name, gt_viewer_argument first,
                        gt_viewer_argument second)
{
    const gt_viewer_argument values[] = {first, second};
    gt_viewer_event event = event_of('C', 0, time, 0, name);
    event.section = GT_SECTION_STATS;
    event.arguments = values;
    event.argument_count = 2;
    assert_status(drawing_add(d, &event), GT_OK);
}

static gt_viewer_argument real_argument(const char *key, double real)
{
    gt_viewer_argument argument = number_argument(key, 0);
    argument.kind = GT_VIEWER_DOUBLE;
    argument.real = real;
    return argument;
}

static void test_only_values_that_change_are_written(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add_counter(&d, 0, "Heap", number_argument("a", 1), number_argument("b", UINT64_MAX));
    add_counter(&d, 1, "Heap", number_argument("a", 1), number_argument("b", 2));
    add_counter(&d, 2, "Heap", number_argument("a", 1), number_argument("b", 2));
    add_counter(&d, 3, "", number_argument("a", 1), text_argument("b", "no number"));
    add_counter(&d, 4, "real", real_argument("", 0.5), real_argument("b", -1));
    add_counter(&d, 5, "Heap", real_argument("b", 2), number_argument("a", 5));
    add_counter(&d, 6, "Heap", number_argument("a", 6), real_argument("b", 2.5));
    gt_viewer_event empty = event_of('C', 0, 7, 0, "empty");
    assert_status(drawing_add(&d, &empty), GT_OK);
    assert_drawing(&d, "track 19 <2 rank=1 counter 3:2 \"Heap\" \"Heap: a\"\n"
                       "track 25 <2 rank=2 counter 3:2 \"Heap\" \"Heap: b\"\n"
                       "values @0 19=1 25=9223372036854775807\n"
                       "values @1 25=2\n"
                       "track 31 <2 rank=3 counter 3:2 \"\" \"a\"\n"
                       "values @3 31=1\n"
                       "track 37 <2 rank=4 counter 3:2 \"real\" \"real\"\n"
                       "track 43 <2 rank=5 counter 3:2 \"real\" \"real: b\"\n"
                       "values @4 37=0.5 43=-1\n"
                       "values @5 25=2 19=5\n"
                       "values @6 19=6 25=2.5\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 2 <1 order=3 rank=2 \"Counters\"\n");
}

static void test_name_of_a_counter_is_cut(void **state)
{
    char name[400] = "";
    struct drawing d;
    (void) state;
    memset(name, 'n', sizeof(name) - 1);
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add_counter(&d, 0, name, number_argument(name, 1), number_argument("k", 1));
    char *text = drawing_text(&d);
    const char *cut = strstr(text, "nnn: ");
    assert_non_null(cut);
    assert_int_equal(strspn(cut + 5, "n"), 256);
    free(text);
    drawing_close(&d);
}

static void test_rows_have_the_names_and_the_order_that_events_say(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'I', 4, 0, 0, "a");
    add_with(&d, 'M', 0, 0, "process_name", text_argument("name", "MACHINES"));
    add_with(&d, 'M', 2, 0, "process_name", text_argument("name", "JOBS"));
    add_with(&d, 'M', 99, 0, "process_name", text_argument("name", "?"));
    add_with(&d, 'M', 0, 0, "process_name", number_argument("name", 1));
    add_with(&d, 'M', 0, 4, "thread_name", text_argument("name", "saw"));
    add_with(&d, 'M', 0, 4, "thread_name", number_argument("name", 1));
    add_with(&d, 'M', 0, 4, "thread_sort_index", rank_of(INT64_MAX));
    add_with(&d, 'M', 0, 4, "thread_sort_index", text_argument("sort_index", "?"));
    add_with(&d, 'M', 0, 5, "thread_sort_index", rank_of(INT64_MIN));
    add_with(&d, 'M', 0, 6, "thread_sort_index", rank_of(-3));
    add_with(&d, 'M', 2, 1, "thread_name", text_argument("name", "first job"));
    add_with(&d, 'M', 7, 1, "thread_name", text_argument("name", "elsewhere"));
    add_with(&d, 'M', 0, 1, "unknown", text_argument("name", "?"));
    add(&d, 'M', 4, 0, 0, "thread_name");
    assert_drawing(&d, "instant 16 @0 \"a\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 6 <1 order=1 rank=6 \"JOBS\"\n"
                       "track 7 <1 order=3 rank=7 \"MACHINES\"\n"
                       "track 8 <1 order=3 rank=8 \"Other rows\"\n"
                       "track 16 <7 rank=2147483647 merge=2 \"saw\"\n"
                       "track 22 <7 rank=-2147483648 merge=2 \"\"\n"
                       "track 28 <7 rank=-3 merge=2 \"\"\n"
                       "track 34 <6 rank=1 merge=2 \"first job\"\n"
                       "track 40 <8 rank=1 merge=2 \"elsewhere\"\n");
}

static void test_events_of_unknown_phases_are_left_out(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    add(&d, 'B', 1, 0, 0, "begin");
    add(&d, '~', 1, 0, 0, "?");
    assert_drawing(&d, "track 1 order=3 process 1:1 \"\"\n");
}

static void test_times_that_do_not_fit_are_the_first_and_the_last(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    struct drawing d;
    (void) state;
    options.start_time = INT64_MAX - 10000;
    drawing_begin(&d, GT_PERFETTO_PLAIN, &options);
    add(&d, 'I', 1, INT64_MIN, 0, "first");
    add(&d, 'X', 1, 9000, INT64_MAX, "last");
    add(&d, 'X', 2, 5, -7, "negative");
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, "\nclocks 3=9223372036854761711 6=9223372036854761711 64=0\n"
                                 "instant 16 @-4096 \"first\"\n"
                                 "begin 16 @5904 \"last\"\n"
                                 "end 16 @5904 \"last\"\n"
                                 "begin 22 @5 \"negative\"\n"
                                 "end 22 @5 \"negative\"\n"));
    free(text);
    drawing_close(&d);
}

static void test_wall_clock_and_process_are_written(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    struct drawing d;
    (void) state;
    options.start_time = 1000000;
    options.uuid_base = UINT64_C(1) << 40;
    options.sequence = 3;
    options.pid = 50;
    options.name = text_of("server");
    drawing_begin(&d, GT_PERFETTO_PLAIN, &options);
    clock.time = 5;
    clock.wall = 1700000000;
    assert_status(gt_perfetto_writer_clock(d.writer, &clock), GT_OK);
    clock.time = -1000001;
    assert_status(gt_perfetto_writer_clock(d.writer, &clock), GT_OK);
    clock.time = 0;
    clock.wall = -1;
    assert_status(gt_perfetto_writer_clock(d.writer, &clock), GT_OK);
    add(&d, 's', 1, 0, 0, "out");
    assert_status(gt_perfetto_writer_set_pid(d.writer, 0), GT_OK);
    char *text = drawing_text(&d);
    assert_string_equal(text, "flags=3 defaults 58:64\n"
                              "clocks 3=995904 6=995904 64=0\n"
                              "clocks 3=1000005 6=1000005 1=1700000000\n"
                              "instant 1099511627792 @0 \"out\" flow=3298534883329\n"
                              "track 1099511627777 order=3 process 1:1 \"server\"\n"
                              "track 1099511627783 <1099511627777 order=3 rank=7 \"Rows\"\n"
                              "track 1099511627792 <1099511627783 rank=1 merge=2 \"\"\n");
    free(text);
    drawing_close(&d);
}

static void test_times_are_monotonic_if_clocks_are_not_wanted(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    struct drawing d;
    (void) state;
    options.flags = GT_PERFETTO_NO_CLOCKS;
    options.start_time = 1000000;
    drawing_begin(&d, GT_PERFETTO_PLAIN, &options);
    assert_status(gt_perfetto_writer_clock(d.writer, &clock), GT_ERR_INVALID_ARGUMENT);
    add(&d, 'I', 1, 5, 0, "a");
    add(&d, 'I', 1, INT64_MIN, 0, "first");
    add(&d, 'I', 1, INT64_MAX, 0, "last");
    char *text = drawing_text(&d);
    /* The test subtracts 4096 from any time. */
    assert_non_null(strstr(text, "flags=3 defaults 58:3\n"
                                 "instant 16 @995909 \"a\"\n"
                                 "instant 16 @-4096 \"first\"\n"
                                 "instant 16 @9223372036854771711 \"last\"\n"));
    free(text);
    drawing_close(&d);
}

static void test_frames_without_a_name_or_with_odd_lines_are_written(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    assert_status(drawing_add_frame(&d, 1, 0, "", "", 0), GT_OK);
    assert_status(drawing_add_frame(&d, 2, 1, "f", "f.c", UINT64_MAX), GT_OK);
    /* The same place again, in another stack. */
    assert_status(drawing_add_frame(&d, 3, 2, "f", "f.c", 0), GT_OK);
    gt_viewer_event event = event_of('X', 1, 0, 5, "a");
    event.stack = 3;
    event.end_stack = 2;
    assert_status(drawing_add(&d, &event), GT_OK);
    assert_status(drawing_add(&d, &event), GT_OK);
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    assert_status(gt_perfetto_writer_get_info(d.writer, &info), GT_OK);
    assert_int_equal(info.frames, 2);
    assert_int_equal(info.stacks, 4);
    char *text = drawing_text(&d);
    assert_int_equal(packets_count(text, "begin 16 @0 \"a\" stack=(unknown)/f\"f.c\"/f\"f.c\"\n"),
                     2);
    assert_int_equal(packets_count(text, "end 16 @5 \"a\" stack=(unknown)/f\"f.c\"\n"), 2);
    free(text);
    drawing_close(&d);
}

/* The interned data of the packet are larger than the writer's buffer. */
static void test_deep_stack_is_cut_at_its_root(void **state)
{
    enum {
        DEPTH = 3000
    };
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_PLAIN, NULL);
    for (uint32_t i = 1; i <= DEPTH; i++) {
        char name[32];
        snprintf(name, sizeof(name), "function.number.%u", i);
        assert_status(drawing_add_frame(&d, i, i - 1, name, "file.c", i), GT_OK);
    }
    gt_viewer_event event = event_of('I', 1, 0, 0, "deep");
    event.stack = DEPTH;
    assert_status(drawing_add(&d, &event), GT_OK);
    char *text = drawing_text(&d);
    assert_non_null(
        strstr(text, "instant 16 @0 \"deep\" stack=function.number.1977\"file.c\":1977/"));
    assert_non_null(strstr(text, "/function.number.3000\"file.c\":3000\n"));
    free(text);
    drawing_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawing_of_an_emitter_has_rows_counters_and_arrows),
        cmocka_unit_test(test_slices_with_the_same_begin_nest),
        cmocka_unit_test(test_slices_that_do_not_nest_have_rows_of_their_own),
        cmocka_unit_test(test_many_slices_of_a_row_nest_in_one_that_is_written_last),
        cmocka_unit_test(test_slices_of_any_duration_nest),
        cmocka_unit_test(test_many_rows_take_40_bytes_each),
        cmocka_unit_test(test_both_ends_of_an_asynchronous_slice_have_a_row_of_their_own),
        cmocka_unit_test(test_arguments_have_their_kinds),
        cmocka_unit_test(test_names_of_any_bytes_and_size_are_written),
        cmocka_unit_test(test_new_name_in_each_event_takes_little_memory),
        cmocka_unit_test(test_texts_that_repeat_are_written_twice_at_most),
        cmocka_unit_test(test_only_values_that_change_are_written),
        cmocka_unit_test(test_name_of_a_counter_is_cut),
        cmocka_unit_test(test_rows_have_the_names_and_the_order_that_events_say),
        cmocka_unit_test(test_events_of_unknown_phases_are_left_out),
        cmocka_unit_test(test_times_that_do_not_fit_are_the_first_and_the_last),
        cmocka_unit_test(test_wall_clock_and_process_are_written),
        cmocka_unit_test(test_times_are_monotonic_if_clocks_are_not_wanted),
        cmocka_unit_test(test_frames_without_a_name_or_with_odd_lines_are_written),
        cmocka_unit_test(test_deep_stack_is_cut_at_its_root),
    };
    return cmocka_run_group_tests_name("perfetto plain", tests, NULL, NULL);
}
