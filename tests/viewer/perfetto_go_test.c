/* SPDX-License-Identifier: BSD-3-Clause */
/* What the writer of Perfetto's format makes of the views of Go traces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/viewer_perfetto.h>

#include "support/test.h"
#include "viewer/drawing.h"
#include "viewer/log.h"
#include "viewer/packets.h"

/* Adds an event of the category with up to two arguments, of which those without a key are none. */
static void add(struct drawing *d, gt_viewer_event event, const char *category,
                gt_viewer_argument first, gt_viewer_argument second)
{
    const gt_viewer_argument arguments[] = {first, second};
    event.category = text_of(category);
    event.arguments = arguments;
    event.argument_count = (size_t) (first.key.size > 0) + (second.key.size > 0);
    assert_status(drawing_add(d, &event), GT_OK);
}

static const gt_viewer_argument none = {{"", 0}, GT_VIEWER_STRING, 0, 0, {"", 0}, 0};

/* Announces a goroutine and its function. */
static void add_goroutine(struct drawing *d, uint64_t id, const char *function)
{
    add(d, event_of('I', id, 0, 0, function), "goroutine", none, none);
}

static void test_goroutine_has_states_with_stacks_weights_and_flows(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    assert_status(drawing_add_frame(&d, 1, 0, "main.work", "w.go", 5), GT_OK);
    add_goroutine(&d, 1, "main.main");
    add(&d, event_of('I', 2, 0, 0, "main.work"), "goroutine", number_argument("by", 1), none);
    gt_viewer_event event = event_of('X', 2, 10, 5, "Runnable");
    event.stack = 1;
    add(&d, event, "state", number_argument("by", 1), none);
    add(&d, event_of('X', 2, 15, 5, "Running"), "state", number_argument("proc", 3), none);
    event = event_of('X', 2, 20, 30, "Waiting");
    event.stack = 1;
    event.end_stack = 1;
    add(&d, event, "state", text_argument("reason", "sleep"), none);
    add(&d, event_of('X', 2, 50, 5, "Runnable"), "state", number_argument("by", 1), none);
    /* An unknown goroutine cannot have an instant, and a reason that is a number is no category. */
    add(&d, event_of('X', 2, 55, 5, "Runnable"), "state", number_argument("by", 99), none);
    add(&d, event_of('X', 2, 60, 5, "Waiting"), "state", number_argument("reason", 1), none);
    event = event_of('X', 2, 65, 7, "Syscall, blocked");
    event.stack = 1;
    add(&d, event, "state", none, none);
    assert_drawing(&d,
                   "instant 16 @10 \"creates\" stack=main.work\"w.go\":5 flow=1099511627790\n"
                   "begin 22 @10 \"Runnable\" stack=main.work\"w.go\":5 ends=1099511627790 by=1\n"
                   "end 22 @15\n"
                   "begin 22 @15 \"Running\" proc=3\n"
                   "end 22 @20\n"
                   "begin 22 @20 \"Waiting\" [sleep] stack=main.work\"w.go\":5 weight=30"
                   " reason=\"sleep\"\n"
                   "end 22 @50 stack=main.work\"w.go\":5\n"
                   "instant 16 @50 \"wakes\" flow=1099511627798\n"
                   "begin 22 @50 \"Runnable\" ends=1099511627798 by=1\n"
                   "end 22 @55\n"
                   "begin 22 @55 \"Runnable\" by=99\n"
                   "end 22 @60\n"
                   "begin 22 @60 \"Waiting\" reason=1\n"
                   "end 22 @65\n"
                   "begin 22 @65 \"Syscall, blocked\" stack=main.work\"w.go\":5 weight=7\n"
                   "end 22 @72\n"
                   "track 1 order=3 process 1:1 \"\"\n"
                   "track 5 <1 order=1 rank=5 \"Goroutines\"\n"
                   "track 24 <5 order=3 \"main.work\"\n"
                   "track 36 <5 order=3 \"main.main\"\n"
                   "track 16 <36 rank=1 merge=2 \"G1\"\n"
                   "track 22 <24 rank=2 merge=2 \"G2\"\n");
}

static void test_wakes_are_left_out_if_they_are_not_wanted(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    struct drawing d;
    (void) state;
    options.flags = GT_PERFETTO_NO_WAKES;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, &options);
    add_goroutine(&d, 1, "main.main");
    add(&d, event_of('X', 2, 50, 5, "Runnable"), "state", number_argument("by", 1), none);
    char *text = drawing_text(&d);
    assert_int_equal(packets_count(text, "instant"), 0);
    assert_null(strstr(text, "ends="));
    assert_non_null(strstr(text, "\"(unknown)\""));
    free(text);
    drawing_close(&d);
}

static void test_regions_and_logs_of_a_goroutine(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    add(&d, event_of('X', 7, 10, 5, "assist"), "", none, none);
    add(&d, event_of('b', 7, 20, 0, "region"), "Region", none, none);
    add(&d, event_of('e', 7, 30, 0, "region"), "Region", none, none);
    add(&d, event_of('I', 7, 40, 0, "[db] open"), "log", text_argument("category", "db"), none);
    add(&d, event_of('I', 7, 41, 0, "open"), "log", text_argument("category", "db"), none);
    add(&d, event_of('I', 7, 42, 0, "(xx) open"), "log", text_argument("category", "db"), none);
    add(&d, event_of('I', 7, 43, 0, "[xx] open"), "log", text_argument("category", "db"), none);
    add(&d, event_of('I', 7, 44, 0, "[] open"), "log", text_argument("category", ""), none);
    add(&d, event_of('I', 7, 45, 0, "[1] open"), "log", number_argument("category", 1), none);
    add(&d, event_of('I', 7, 46, 0, ""), "goroutine", text_argument("label", "busy"), none);
    assert_drawing(&d, "begin 17 @10 \"assist\"\n"
                       "end 17 @15 \"assist\"\n"
                       "begin 17 @20 \"region\" [Region]\n"
                       "end 17 @30 \"region\"\n"
                       "instant 16 @40 \"open\" [db] category=\"db\"\n"
                       "instant 16 @41 \"open\" [log] category=\"db\"\n"
                       "instant 16 @42 \"(xx) open\" [log] category=\"db\"\n"
                       "instant 16 @43 \"[xx] open\" [log] category=\"db\"\n"
                       "instant 16 @44 \"[] open\" [log] category=\n"
                       "instant 16 @45 \"[1] open\" [log] category=1\n"
                       "instant 16 @46 \"label\" [label] label=\"busy\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 5 <1 order=1 rank=5 \"Goroutines\"\n"
                       "track 18 <5 order=3 \"(unknown)\"\n"
                       "track 16 <18 rank=7 merge=2 \"G7\"\n"
                       "track 17 <16 \"regions\"\n");
}

static void test_label_is_an_argument_of_the_state_that_follows(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    add(&d, event_of('I', 7, 10, 0, ""), "goroutine", text_argument("label", "busy"), none);
    add(&d, event_of('X', 7, 10, 5, "Running"), "state", none, none);
    add(&d, event_of('X', 7, 15, 5, "Waiting"), "state", none, none);
    add(&d, event_of('I', 7, 20, 0, ""), "goroutine", number_argument("label", 1), none);
    add(&d, event_of('X', 7, 20, 5, "Running"), "state", none, none);
    assert_drawing(&d, "instant 16 @10 \"label\" [label] label=\"busy\"\n"
                       "begin 16 @10 \"Running\" label=\"busy\"\n"
                       "end 16 @15\n"
                       "begin 16 @15 \"Waiting\"\n"
                       "end 16 @20\n"
                       "begin 16 @20 \"Running\"\n"
                       "end 16 @25\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 5 <1 order=1 rank=5 \"Goroutines\"\n"
                       "track 18 <5 order=3 \"(unknown)\"\n"
                       "track 16 <18 rank=7 merge=2 \"G7\"\n");
}

static void test_region_is_correlated_with_its_task(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    add(&d, event_of('X', 7, 10, 5, "region"), "Region", number_argument("taskid", 9), none);
    add(&d, event_of('X', 7, 20, 5, "region"), "Region", text_argument("taskid", "9"), none);
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, "begin 17 @10 \"region\" [Region] taskid=9 correlation=9\n"));
    assert_non_null(strstr(text, "begin 17 @20 \"region\" [Region] taskid=\"9\"\n"));
    free(text);
    drawing_close(&d);
}

static void test_samples_have_their_goroutine_and_thread(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_sample sample = GT_PERFETTO_SAMPLE_INIT;
    struct drawing d;
    (void) state;
    options.flags = GT_PERFETTO_STACK_SAMPLES;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, &options);
    assert_status(drawing_add_frame(&d, 1, 0, "main.main", "", 5), GT_OK);
    sample.time = 10;
    sample.weight = 100;
    sample.stack = 1;
    sample.rows = GT_PERFETTO_GOROUTINES;
    assert_status(gt_perfetto_writer_sample(d.writer, &sample), GT_OK);
    sample.resource = 7;
    sample.thread = 4000;
    assert_status(gt_perfetto_writer_sample(d.writer, &sample), GT_OK);
    assert_status(gt_perfetto_writer_set_pid(d.writer, 3999), GT_OK);
    sample.thread = 0;
    assert_status(gt_perfetto_writer_sample(d.writer, &sample), GT_OK);
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    assert_status(gt_perfetto_writer_get_info(d.writer, &info), GT_OK);
    assert_int_equal(info.stacks, 3);
    char *text = drawing_text(&d);
    assert_string_equal(text, "flags=3 defaults 58:64 \"\x0a\x06go.cpu\x12\x0c\x12\x08"
                              "cpu-time\x18\x01\"\n"
                              "clocks 3=0 6=0 64=0\n"
                              "sample @10 stack=main.main:5 weight=100\n"
                              "sample @10 thread=4000 of \"G7\" \"goroutine\" stack=main.main:5"
                              " weight=100\n"
                              "sample @10 pid=3999 of \"G7\" \"goroutine\" stack=main.main:5"
                              " weight=100\n"
                              "track 1 order=3 process 1:3999 \"\"\n"
                              "track 5 <1 order=1 rank=5 \"Goroutines\"\n"
                              "track 18 <5 order=3 \"(unknown)\"\n"
                              "track 16 rank=4000 merge=2 thread 1:3999 2:4000 \"\"\n"
                              "track 22 <18 rank=7 merge=2 \"G7\"\n");
    free(text);
    drawing_close(&d);
}

static void test_sample_of_a_plain_row_has_no_letter(void **state)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_perfetto_sample sample = GT_PERFETTO_SAMPLE_INIT;
    struct drawing d;
    (void) state;
    options.flags = GT_PERFETTO_STACK_SAMPLES;
    drawing_begin(&d, GT_PERFETTO_PLAIN, &options);
    assert_status(drawing_add_frame(&d, 1, 0, "main", "", 5), GT_OK);
    sample.stack = 1;
    sample.resource = 7;
    assert_status(gt_perfetto_writer_sample(d.writer, &sample), GT_OK);
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, "sample @0 of \"7\" \"row\" stack=main:5 weight=0\n"));
    free(text);
    drawing_close(&d);
}

/* Only the first emitter draws what all of them have. */
static void test_procs_and_threads_are_beside_the_goroutines(void **state)
{
    struct drawing d;
    gt_consumer procs = GT_CONSUMER_INIT, threads = GT_CONSUMER_INIT;
    gt_viewer_event run = event_of('X', 3, 0, 5, "G1"), collection, task, counter, arrow, name;
    const gt_viewer_argument value = number_argument("Allocated", 1);
    const gt_viewer_argument text = text_argument("name", "Proc 3");
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    assert_status(gt_perfetto_writer_consumer(d.writer, GT_PERFETTO_PROCS, &procs), GT_OK);
    assert_status(gt_perfetto_writer_consumer(d.writer, GT_PERFETTO_THREADS, &threads), GT_OK);
    collection = event_of('X', GT_ROW_GC, 1, 2, "GC");
    task = event_of('X', 5, 1, 2, "job");
    task.section = GT_SECTION_TASKS;
    counter = event_of('C', 0, 0, 0, "Heap");
    counter.section = GT_SECTION_STATS;
    counter.arguments = &value;
    counter.argument_count = 1;
    arrow = event_of('s', 3, 0, 0, "go");
    name = event_of('M', 3, 0, 0, "thread_name");
    name.arguments = &text;
    name.argument_count = 1;
    const gt_consumer *consumers[] = {&d.consumer, &procs, &threads};
    const gt_viewer_event *events[] = {&run, &collection, &task, &counter, &arrow, &name};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 6; j++)
            assert_int_equal(consumers[i]->event(consumers[i]->user_data, events[j], 0), 0);
    }
    /* A name makes no row. */
    name.resource = 4;
    assert_int_equal(procs.event(procs.user_data, &name, 0), 0);
    name.resource = UINT64_MAX;
    assert_status(drawing_add(&d, &name), GT_OK);
    assert_drawing(&d, "begin 17 @0 \"G1\"\n"
                       "end 17 @5 \"G1\"\n"
                       "begin 22 @1 \"GC\"\n"
                       "end 22 @3 \"GC\"\n"
                       "begin 28 @1 \"job\"\n"
                       "end 28 @3 \"job\"\n"
                       "track 19 <2 rank=1 counter 3:3 \"Heap\" \"Heap: Allocated\"\n"
                       "values @0 19=1\n"
                       "begin 34 @0 \"G1\"\n"
                       "end 34 @5 \"G1\"\n"
                       "begin 40 @0 \"G1\"\n"
                       "end 40 @5 \"G1\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 2 <1 order=3 rank=2 \"Counters\"\n"
                       "track 3 <1 order=3 rank=3 \"Runtime\"\n"
                       "track 4 <1 order=3 rank=4 \"Procs\"\n"
                       "track 5 <1 order=1 rank=5 \"Goroutines\"\n"
                       "track 6 <1 order=1 rank=6 \"Tasks\"\n"
                       "track 54 <5 order=3 \"Proc 3\"\n"
                       "track 16 <54 rank=3 merge=2 \"G3\"\n"
                       "track 17 <16 \"regions\"\n"
                       "track 22 <3 rank=1000004 merge=2 \"\"\n"
                       "track 28 <6 \"\"\n"
                       "track 34 <4 rank=3 merge=2 \"Proc 3\"\n"
                       "track 40 rank=3 merge=2 thread 1:1 2:3 \"Proc 3\"\n");
}

/* Perfetto's ids of threads have 32 bits, so other threads are rows that are no threads to it. */
static void test_thread_with_a_large_id_is_not_another_one(void **state)
{
    const gt_viewer_event small = event_of('X', 3, 0, 5, "G1");
    const gt_viewer_event large = event_of('X', (UINT64_C(1) << 32) + 3, 0, 5, "G2");
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_THREADS, NULL);
    assert_status(drawing_add(&d, &small), GT_OK);
    assert_status(drawing_add(&d, &large), GT_OK);
    assert_drawing(&d, "begin 16 @0 \"G1\"\n"
                       "end 16 @5 \"G1\"\n"
                       "begin 22 @0 \"G2\"\n"
                       "end 22 @5 \"G2\"\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 16 rank=3 merge=2 thread 1:1 2:3 \"\"\n"
                       "track 22 <1 rank=3 merge=2 \"\"\n");
}

/* Adds the counter of goroutines, of which GCWaiting may be left out. */
static void add_goroutines(struct drawing *d, int64_t time, const gt_viewer_argument *values,
                           size_t count)
{
    gt_viewer_event counter = event_of('C', 0, time, 0, "Goroutines");
    counter.section = GT_SECTION_STATS;
    counter.arguments = values;
    counter.argument_count = count;
    assert_status(drawing_add(d, &counter), GT_OK);
}

static void test_running_and_runnable_goroutines_are_the_default_tracks(void **state)
{
    gt_viewer_argument values[] = {number_argument("GCWaiting", 0), number_argument("Runnable", 1),
                                   number_argument("Running", 2)};
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    add_goroutines(&d, 0, values, 3);
    const gt_viewer_argument running = values[2];
    values[2] = values[1];
    values[1] = running;
    for (int64_t i = 1; i < 8; i++) {
        values[0].number += (uint64_t) i & 1;
        values[1].number += (uint64_t) i >> 1 & 1;
        values[2].number += (uint64_t) i >> 2 & 1;
        add_goroutines(&d, i, values, 3);
    }
    values[2].kind = GT_VIEWER_DOUBLE;
    values[2].real = 0.5;
    values[1].number++;
    add_goroutines(&d, 8, values, 3);
    assert_drawing(&d, "track 19 <2 rank=1 counter 3:2 \"Goroutines\" \"Goroutines: GCWaiting\"\n"
                       "track 10 <2 rank=2 counter 3:2 \"Goroutines\" \"Goroutines: Runnable\"\n"
                       "track 9 <2 rank=3 counter 3:2 \"Goroutines\" \"Goroutines: Running\"\n"
                       "values @0 19=0 10=1 9=2\n"
                       "values @1 19=1\n"
                       "values @2 9=3\n"
                       "values @3 19=2 9=4\n"
                       "values @4 10=2\n"
                       "values @5 19=3 10=3\n"
                       "values @6 9=5 10=4\n"
                       "values @7 19=4 9=6 10=5\n"
                       "values @8 9=7 10=0.5\n"
                       "track 1 order=3 process 1:1 \"\"\n"
                       "track 2 <1 order=3 rank=2 \"Counters\"\n");
}

static void test_many_goroutines_of_a_function_share_lanes(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d, GT_PERFETTO_GOROUTINES, NULL);
    for (uint64_t i = 1; i <= 512; i++)
        add_goroutine(&d, i, "main.many");
    for (uint64_t i = 1001; i <= 1511; i++)
        add_goroutine(&d, i, "main.fewer");
    add_goroutine(&d, UINT64_MAX, "main.last");
    char *text = drawing_text(&d);
    assert_non_null(strstr(text, " merge=3 \"G512\" key=\""));
    assert_non_null(strstr(text, " merge=2 \"G1511\"\n"));
    assert_non_null(strstr(text, " rank=2147483647 merge=2 \"G-1\"\n"));
    free(text);
    drawing_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goroutine_has_states_with_stacks_weights_and_flows),
        cmocka_unit_test(test_wakes_are_left_out_if_they_are_not_wanted),
        cmocka_unit_test(test_regions_and_logs_of_a_goroutine),
        cmocka_unit_test(test_label_is_an_argument_of_the_state_that_follows),
        cmocka_unit_test(test_region_is_correlated_with_its_task),
        cmocka_unit_test(test_samples_have_their_goroutine_and_thread),
        cmocka_unit_test(test_sample_of_a_plain_row_has_no_letter),
        cmocka_unit_test(test_procs_and_threads_are_beside_the_goroutines),
        cmocka_unit_test(test_thread_with_a_large_id_is_not_another_one),
        cmocka_unit_test(test_running_and_runnable_goroutines_are_the_default_tracks),
        cmocka_unit_test(test_many_goroutines_of_a_function_share_lanes),
    };
    return cmocka_run_group_tests_name("perfetto go", tests, NULL, NULL);
}
