/* SPDX-License-Identifier: BSD-3-Clause */
/* The events that an emitter makes of its calls. */
#include <stdlib.h>
#include <string.h>

#include <gotrace/emitter.h>

#include "support/test.h"
#include "viewer/log.h"

struct fixture {
    struct log log;
    gt_emitter_options options;
    gt_emitter *emitter;
};

static int filter_even(void *user_data, uint64_t resource)
{
    assert_string_equal(user_data, "even");
    return resource % 2 == 0 ? 256 : 0;
}

static void begin(struct fixture *f, int64_t start, int64_t end)
{
    static const gt_emitter_options defaults = GT_EMITTER_OPTIONS_INIT;
    static char even[] = "even";
    log_init(&f->log);
    f->options = defaults;
    f->options.range_start = start;
    f->options.range_end = end;
    f->options.filter = filter_even;
    f->options.filter_data = even;
    assert_status(gt_emitter_open(&f->emitter, &f->log.consumer, &f->options, NULL), GT_OK);
    assert_log(&f->log, "unit ns\n");
}

static void end(struct fixture *f)
{
    gt_emitter_close(&f->emitter);
    assert_null(f->emitter);
}

static gt_slice slice_of(uint64_t resource, int64_t time, int64_t duration)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = resource;
    slice.time = time;
    slice.duration = duration;
    slice.name = text_of("s");
    return slice;
}

static void add_slice(struct fixture *f, uint64_t resource, int64_t time, int64_t duration)
{
    gt_slice slice = slice_of(resource, time, duration);
    assert_status(gt_emitter_slice(f->emitter, &slice), GT_OK);
}

/* Makes stack 1, of one frame. */
static void make_stack(struct fixture *f)
{
    const gt_emitter_frame frame = {5, 50, {"f", 1}, {"", 0}};
    uint32_t stack = 0;
    assert_status(gt_emitter_stack(f->emitter, &frame, 1, &stack), GT_OK);
    assert_int_equal(stack, 1);
    assert_log(&f->log, "frame 1<0 pc=5 f:50\n");
}

static const gt_viewer_argument some[] = {
    {{"u", 1}, GT_VIEWER_UNSIGNED, 0, UINT64_MAX, {NULL, 0}, 0},
    {{"s", 1}, GT_VIEWER_SIGNED, 0, UINT64_MAX, {NULL, 0}, 0},
    {{"t", 1}, GT_VIEWER_STRING, 0, 0, {"text", 4}, 0},
};

static void test_slice_becomes_one_event(void **state)
{
    struct fixture f;
    gt_slice slice = slice_of(4, 100, 20);
    (void) state;
    begin(&f, INT64_MIN, INT64_MAX);
    make_stack(&f);
    slice.stack = 1;
    slice.arguments = some;
    slice.argument_count = 3;
    slice.category = text_of("c");
    /* These members are for asynchronous slices only. */
    slice.scope = text_of("unused");
    slice.task = 1;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "X 0/4 @100+20 s cat=c sf=1/0 {u=18446744073709551615,s=-1,t=\"text\"}\n");
    slice.stack = 0;
    slice.end_stack = 1;
    slice.argument_count = 0;
    slice.duration = -30;
    assert_status(gt_emitter_task_slice(f.emitter, &slice), GT_ERR_INVALID_ARGUMENT);
    assert_log(&f.log, "");
    assert_status(gt_emitter_follow_go(f.emitter), GT_OK);
    assert_status(gt_emitter_task_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "X 2/4 @100-30 s cat=c color=thread_state_unknown sf=0/1\n");
    end(&f);
}

/* The range is 100 to 200. Slices are given by their start and duration. */
static void test_slice_with_no_end_in_the_range_is_dropped(void **state)
{
    struct fixture f;
    gt_slice enclosing = slice_of(0, 99, 102);
    (void) state;
    begin(&f, 100, 200);
    add_slice(&f, 0, 98, 1);
    add_slice(&f, 0, 201, 5);
    add_slice(&f, 0, 99, 102);
    assert_log(&f.log, "");
    add_slice(&f, 0, 99, 1);
    assert_log(&f.log, "X 0/0 @99+1 s\n");
    add_slice(&f, 0, 200, 1000);
    assert_log(&f.log, "X 0/0 @200+1000 s\n");
    add_slice(&f, 0, 200, 0);
    assert_log(&f.log, "X 0/0 @200 s\n");
    assert_status(gt_emitter_task_slice(f.emitter, &enclosing), GT_OK);
    assert_status(gt_emitter_async_slice(f.emitter, &enclosing), GT_OK);
    assert_log(&f.log, "");
    end(&f);
}

static void test_slice_that_encloses_the_range_is_emitted_on_request(void **state)
{
    struct fixture f;
    gt_slice enclosing = slice_of(0, 99, 102);
    (void) state;
    begin(&f, 100, 200);
    end(&f);
    f.options.flags = GT_EMITTER_ENCLOSING;
    assert_status(gt_emitter_open(&f.emitter, &f.log.consumer, &f.options, NULL), GT_OK);
    assert_log(&f.log, "unit ns\n");
    add_slice(&f, 0, 98, 1);
    add_slice(&f, 0, 201, 5);
    assert_log(&f.log, "");
    assert_status(gt_emitter_slice(f.emitter, &enclosing), GT_OK);
    assert_status(gt_emitter_task_slice(f.emitter, &enclosing), GT_OK);
    assert_status(gt_emitter_async_slice(f.emitter, &enclosing), GT_OK);
    assert_log(&f.log, "X 0/0 @99+102 s\n"
                       "X 2/0 @99+102 s color=thread_state_uninterruptible\n"
                       "b 0/0 @99 s id=1\ne 0/0 @201 s id=1\n");
    end(&f);
    /* Nothing encloses an empty range. */
    f.options.range_start = 200;
    f.options.range_end = 199;
    assert_status(gt_emitter_open(&f.emitter, &f.log.consumer, &f.options, NULL), GT_OK);
    add_slice(&f, 0, 100, 200);
    assert_log(&f.log, "unit ns\n");
    end(&f);
}

/* The filter applies to resources, and not to tasks. */
static void test_filter_hides_rows_of_resources(void **state)
{
    struct fixture f;
    gt_slice slice = slice_of(3, 0, 1);
    gt_instant instant = GT_INSTANT_INIT;
    gt_arrow arrow = GT_ARROW_INIT;
    (void) state;
    begin(&f, INT64_MIN, INT64_MAX);
    instant.resource = 3;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_OK);
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_OK);
    assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
    arrow.from = 3;
    assert_status(gt_emitter_arrow(f.emitter, &arrow), GT_OK);
    arrow.from = 2;
    arrow.to = 1;
    assert_status(gt_emitter_arrow(f.emitter, &arrow), GT_OK);
    assert_log(&f.log, "");
    assert_status(gt_emitter_task_slice(f.emitter, &slice), GT_OK);
    assert_status(gt_emitter_task_arrow(f.emitter, &arrow), GT_OK);
    /* Events that were filtered out used no ids. */
    assert_log(&f.log, "X 2/3 @0+1 s color=thread_state_runnable\n"
                       "s 2/2 @0 id=1\nt 2/1 @0 id=1\n");
    end(&f);
}

/* An end that overflows becomes the last time that there is. */
static void test_end_of_slice_saturates(void **state)
{
    struct fixture f;
    gt_slice slice = slice_of(0, INT64_MAX - 5, 10);
    (void) state;
    begin(&f, INT64_MAX, INT64_MAX);
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "b 0/0 @9223372036854775802 s id=1\ne 0/0 @9223372036854775807 s id=1\n");
    end(&f);
    begin(&f, INT64_MIN, INT64_MIN);
    assert_status(gt_emitter_follow_go(f.emitter), GT_OK);
    slice = slice_of(0, INT64_MIN + 5, -10);
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "b 0/0 @-9223372036854775803 s id=1\ne 0/0 @-9223372036854775808 s id=1\n");
    end(&f);
}

static void test_async_slice_becomes_two_events(void **state)
{
    struct fixture f;
    gt_slice slice = slice_of(4, 100, 20);
    (void) state;
    begin(&f, INT64_MIN, INT64_MAX);
    make_stack(&f);
    slice.end_stack = 1;
    slice.category = text_of("Region");
    slice.scope = text_of("0x1");
    slice.task = 23 + 8;
    slice.arguments = some;
    slice.argument_count = 1;
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "b 0/4 @100 s cat=Region s=0x1 color=good id=1\n"
                       "e 0/4 @120 s cat=Region s=0x1 color=good id=1 sf=1/0 "
                       "{u=18446744073709551615}\n");
    slice.task = 0;
    slice.stack = 1;
    slice.end_stack = 0;
    slice.argument_count = 0;
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_OK);
    assert_log(&f.log, "b 0/4 @100 s cat=Region s=0x1 id=2 sf=1/0\n"
                       "e 0/4 @120 s cat=Region s=0x1 id=2\n");
    end(&f);
}

static void test_instant_in_range_becomes_one_event(void **state)
{
    struct fixture f;
    gt_instant instant = GT_INSTANT_INIT;
    (void) state;
    begin(&f, 0, 10);
    make_stack(&f);
    instant.resource = 2;
    instant.name = text_of("start");
    instant.category = text_of("sched");
    instant.stack = 1;
    instant.arguments = some;
    instant.argument_count = 2;
    for (instant.time = -1; instant.time <= 11; instant.time += 6)
        assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
    assert_log(&f.log, "I 0/2 @5 start cat=sched s=t sf=1/0 {u=18446744073709551615,s=-1}\n");
    instant.argument_count = 0;
    instant.time = 0;
    assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
    instant.time = 10;
    assert_status(gt_emitter_instant(f.emitter, &instant), GT_OK);
    assert_log(&f.log, "I 0/2 @0 start cat=sched s=t sf=1/0\n"
                       "I 0/2 @10 start cat=sched s=t sf=1/0\n");
    end(&f);
}

static void test_arrow_with_both_ends_in_range_becomes_two_events(void **state)
{
    struct fixture f;
    gt_arrow arrow = GT_ARROW_INIT;
    (void) state;
    begin(&f, 0, 10);
    make_stack(&f);
    arrow.from = 2;
    arrow.to = 6;
    arrow.name = text_of("go");
    arrow.from_stack = 1;
    arrow.from_time = -1;
    assert_status(gt_emitter_arrow(f.emitter, &arrow), GT_OK);
    arrow.from_time = 10;
    arrow.to_time = 11;
    assert_status(gt_emitter_arrow(f.emitter, &arrow), GT_OK);
    assert_status(gt_emitter_task_arrow(f.emitter, &arrow), GT_OK);
    assert_log(&f.log, "");
    arrow.to_time = 0;
    assert_status(gt_emitter_arrow(f.emitter, &arrow), GT_OK);
    assert_status(gt_emitter_task_arrow(f.emitter, &arrow), GT_OK);
    assert_log(&f.log, "s 0/2 @10 go id=1 sf=1/0\nt 0/6 @0 go id=1\n"
                       "s 2/2 @10 go id=2 sf=1/0\nt 2/6 @0 go id=2\n");
    end(&f);
}

static void check_stack(struct fixture *f, const gt_emitter_frame *frames, size_t count,
                        uint32_t expected)
{
    uint32_t stack = 99;
    assert_status(gt_emitter_stack(f->emitter, frames, count, &stack), GT_OK);
    assert_int_equal(stack, expected);
}

static void test_stacks_share_frames(void **state)
{
    struct fixture f;
    gt_emitter_frame frames[] = {
        {3, 33, {"c", 1}, {"x.go", 4}}, {2, 22, {"b", 1}, {"", 0}}, {1, 11, {"a", 1}, {"", 0}}};
    (void) state;
    begin(&f, INT64_MIN, INT64_MAX);
    check_stack(&f, NULL, 0, 0);
    check_stack(&f, frames + 1, 2, 2);
    assert_log(&f.log, "frame 1<0 pc=1 a:11\nframe 2<1 pc=2 b:22\n");
    check_stack(&f, frames, 3, 3);
    check_stack(&f, frames + 2, 1, 1);
    assert_log(&f.log, "frame 3<2 pc=3 c:33 in x.go\n");
    /* The same place with another caller is another frame. */
    check_stack(&f, frames, 1, 4);
    check_stack(&f, frames, 2, 6);
    assert_log(&f.log, "frame 4<0 pc=3 c:33 in x.go\nframe 5<0 pc=2 b:22\n"
                       "frame 6<5 pc=3 c:33 in x.go\n");
    /* Only the pc identifies a frame with the same caller. */
    frames[0].line = 34;
    frames[0].function = text_of("other");
    check_stack(&f, frames, 3, 3);
    /* Recursion makes a new frame for each level. */
    frames[0] = frames[1] = frames[2];
    check_stack(&f, frames, 3, 8);
    assert_log(&f.log, "frame 7<1 pc=1 a:11\nframe 8<7 pc=1 a:11\n");
    end(&f);
}

/* Ids stay the same when there are many. */
static void test_ids_of_many_stacks_stay_the_same(void **state)
{
    enum {
        MANY = 3000
    };
    struct fixture f;
    gt_consumer none = GT_CONSUMER_INIT;
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    (void) state;
    assert_status(gt_emitter_open(&f.emitter, &none, NULL, NULL), GT_OK);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            gt_emitter_frame frames[] = {{i, 0, {"", 0}, {"", 0}}, {i % 50, 0, {"", 0}, {"", 0}}};
            /*
             * The first 50 stacks each have a new root and a new leaf; the others share the roots.
             */
            check_stack(&f, frames, 2, i < 50 ? 2 * i + 2 : i + 51);
        }
    }
    assert_status(gt_emitter_get_info(f.emitter, &info), GT_OK);
    assert_int_equal(info.frames, MANY + 50);
    assert_int_equal(info.events, 0);
    /* A frame takes some tens of bytes. */
    assert_in_range(info.memory, 1, 64 * MANY);
    end(&f);
}

static void test_flush_names_the_rows_of_go_on_request(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, INT64_MIN, INT64_MAX);
    assert_status(gt_emitter_follow_go(f.emitter), GT_OK);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "!M 1/0 @0 process_name {name=\"STATS\"}\n"
                       "!M 1/0 @0 process_sort_index {sort_index=+0}\n"
                       "!M 0/0 @0 process_name {name=\"\"}\n"
                       "!M 0/0 @0 process_sort_index {sort_index=+2}\n"
                       "!M 0/1000004 @0 thread_name {name=\"GC\"}\n"
                       "!M 0/1000004 @0 thread_sort_index {sort_index=-6}\n"
                       "!M 0/1000002 @0 thread_name {name=\"Network\"}\n"
                       "!M 0/1000002 @0 thread_sort_index {sort_index=-5}\n"
                       "!M 0/1000001 @0 thread_name {name=\"Timers\"}\n"
                       "!M 0/1000001 @0 thread_sort_index {sort_index=-4}\n"
                       "!M 0/1000003 @0 thread_name {name=\"Syscalls\"}\n"
                       "!M 0/1000003 @0 thread_sort_index {sort_index=-3}\n"
                       "flush\n");
    end(&f);
}

/* A later name replaces an earlier one. Rows come in the order of their numbers. */
static void name_rows(struct fixture *f)
{
    char name[] = "Proc 10";
    assert_status(gt_emitter_name_section(f->emitter, GT_SECTION_RESOURCES, text_of("old")), GT_OK);
    assert_status(gt_emitter_name_section(f->emitter, GT_SECTION_RESOURCES, text_of("PROCS")),
                  GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, 10, text_of("old")), GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, UINT64_MAX - 1, text_of("last")), GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, 2, text_of("Proc 2")), GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, 0, text_of("")), GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, 3, text_of("odd")), GT_OK);
    assert_status(gt_emitter_name_resource(f->emitter, 10, text_of(name)), GT_OK);
    memset(name, '?', sizeof(name));
    assert_status(gt_emitter_name_task(f->emitter, 9, text_of("T9"), -4), GT_OK);
    assert_status(gt_emitter_name_task(f->emitter, 7, text_of("T7"), 1), GT_OK);
    assert_status(gt_emitter_name_task(f->emitter, 9, text_of(""), INT64_MAX), GT_OK);
    assert_status(gt_emitter_focus(f->emitter, 3), GT_OK);
    assert_status(gt_emitter_focus(f->emitter, 2), GT_OK);
}

static void test_flush_names_rows_by_number(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 1, 0);
    assert_status(gt_emitter_follow_go(f.emitter), GT_OK);
    name_rows(&f);
    assert_log(&f.log, "");
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "!M 1/0 @0 process_name {name=\"STATS\"}\n"
                       "!M 1/0 @0 process_sort_index {sort_index=+0}\n"
                       "!M 2/0 @0 process_name {name=\"TASKS\"}\n"
                       "!M 2/0 @0 process_sort_index {sort_index=+1}\n"
                       "!M 2/7 @0 thread_name {name=\"T7\"}\n"
                       "!M 2/7 @0 thread_sort_index {sort_index=+1}\n"
                       "!M 2/9 @0 thread_name {name=\"\"}\n"
                       "!M 2/9 @0 thread_sort_index {sort_index=+9223372036854775807}\n"
                       "!M 0/0 @0 process_name {name=\"PROCS\"}\n"
                       "!M 0/0 @0 process_sort_index {sort_index=+2}\n"
                       "!M 0/1000004 @0 thread_name {name=\"GC\"}\n"
                       "!M 0/1000004 @0 thread_sort_index {sort_index=-6}\n"
                       "!M 0/1000002 @0 thread_name {name=\"Network\"}\n"
                       "!M 0/1000002 @0 thread_sort_index {sort_index=-5}\n"
                       "!M 0/1000001 @0 thread_name {name=\"Timers\"}\n"
                       "!M 0/1000001 @0 thread_sort_index {sort_index=-4}\n"
                       "!M 0/1000003 @0 thread_name {name=\"Syscalls\"}\n"
                       "!M 0/1000003 @0 thread_sort_index {sort_index=-3}\n"
                       "!M 0/0 @0 thread_name {name=\"\"}\n"
                       "!M 0/0 @0 thread_sort_index {sort_index=+0}\n"
                       "!M 0/2 @0 thread_name {name=\"Proc 2\"}\n"
                       "!M 0/2 @0 thread_sort_index {sort_index=-2}\n"
                       "!M 0/10 @0 thread_name {name=\"Proc 10\"}\n"
                       "!M 0/10 @0 thread_sort_index {sort_index=+10}\n"
                       "!M 0/18446744073709551614 @0 thread_name {name=\"last\"}\n"
                       "!M 0/18446744073709551614 @0 thread_sort_index {sort_index=-2}\n"
                       "flush\n");
    end(&f);
}

/* Many rows, named in another order, come in the order of their numbers. */
static void test_many_rows_are_sorted_by_number(void **state)
{
    struct fixture f;
    uint64_t last = 0;
    const char *at;
    (void) state;
    begin(&f, 0, 0);
    for (uint64_t i = 0; i < 300; i++)
        assert_status(gt_emitter_name_resource(f.emitter, i * 7 % 300 * 2 + 2, text_of("row")),
                      GT_OK);
    assert_status(gt_emitter_name_resource(f.emitter, 0, text_of("first")), GT_OK);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    /* No row has the focus, not even row 0. */
    assert_non_null(strstr(f.log.text, "!M 0/0 @0 thread_sort_index {sort_index=+0}"));
    for (at = f.log.text; (at = strstr(at, " @0 thread_name {name=\"row\"}")) != NULL; at++) {
        const char *number = at;
        while (number[-1] != '/')
            number--;
        assert_int_equal(strtoull(number, NULL, 10), last + 2);
        last += 2;
    }
    assert_int_equal(last, 600);
    end(&f);
}

static void test_event_of_the_caller_is_passed_on(void **state)
{
    struct fixture f;
    gt_viewer_event event = {0};
    (void) state;
    begin(&f, 1, 0);
    make_stack(&f);
    event.size = sizeof(event);
    event.phase = 'B';
    event.section = 17;
    event.resource = 3;
    event.time = -5;
    event.duration = 6;
    event.name = text_of("own");
    event.category = text_of("c");
    event.scope = text_of("p");
    event.color = text_of("good");
    event.id = 12;
    event.stack = event.end_stack = 1;
    event.arguments = some;
    event.argument_count = 1;
    assert_status(gt_emitter_event(f.emitter, &event, -3), GT_OK);
    assert_status(gt_emitter_event(f.emitter, &event, 0), GT_OK);
    assert_log(&f.log,
               "!B 17/3 @-5+6 own cat=c s=p color=good id=12 sf=1/1 {u=18446744073709551615}\n"
               "B 17/3 @-5+6 own cat=c s=p color=good id=12 sf=1/1 {u=18446744073709551615}\n");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_becomes_one_event),
        cmocka_unit_test(test_slice_with_no_end_in_the_range_is_dropped),
        cmocka_unit_test(test_slice_that_encloses_the_range_is_emitted_on_request),
        cmocka_unit_test(test_filter_hides_rows_of_resources),
        cmocka_unit_test(test_end_of_slice_saturates),
        cmocka_unit_test(test_async_slice_becomes_two_events),
        cmocka_unit_test(test_instant_in_range_becomes_one_event),
        cmocka_unit_test(test_arrow_with_both_ends_in_range_becomes_two_events),
        cmocka_unit_test(test_stacks_share_frames),
        cmocka_unit_test(test_ids_of_many_stacks_stay_the_same),
        cmocka_unit_test(test_flush_names_the_rows_of_go_on_request),
        cmocka_unit_test(test_flush_names_rows_by_number),
        cmocka_unit_test(test_many_rows_are_sorted_by_number),
        cmocka_unit_test(test_event_of_the_caller_is_passed_on),
    };
    return cmocka_run_group_tests_name("emitter", tests, NULL, NULL);
}
