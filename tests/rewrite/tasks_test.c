/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks that began before the output: GT_WRITER_TASKS. */

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/test.h"
#include "support/v1wire.h"

/* Begins a trace with a clock that can be, in which goroutine 1 runs. */
static void begin(struct gen *g)
{
    gen_begin(g, 26);
    g->clock.monotonic = g->clock.seconds = 1000;
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
}

/* Writes the events from number `first` on of a description, which is then freed. */
static void cut(struct gen *g, struct copy *copy, uint64_t first, uint64_t flags)
{
    gen_end(g);
    copy_init(copy);
    copy->first = first;
    copy->options.flags = flags;
    copy_make(copy, g->wire.data, g->wire.size);
    copy_expect_good(copy);
    assert_int_equal(copy_validate(copy->out.data, copy->out.size).findings, 0);
    gen_free(g);
}

/* Asserts how many tasks begin in the copy, and that the last one to end has this type. */
static void expect_tasks(const struct copy *copy, unsigned begun, const char *type)
{
    gt_reader *reader = copy_open(copy);
    const gt_event *event;
    unsigned found = 0;
    bool has_ended = false;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_task task = GT_TASK_INIT;
        found += event->kind == GT_EVENT_TASK_BEGIN;
        if (event->kind != GT_EVENT_TASK_END)
            continue;
        assert_status(gt_event_task(event, &task), GT_OK);
        assert_text(task.type, type);
        assert_int_equal(task.parent, *type ? 3 : GT_NO_TASK);
        has_ended = true;
    }
    assert_true(has_ended);
    assert_int_equal(found, begun);
    gt_reader_close(&reader);
}

/* Task 7 is begun by event 4 and ended by event 6, task 8 has ended before that. */
static void describe(struct gen *g)
{
    begin(g);
    gen_task_begin(g, 7, 3, "job", 0);
    gen_task_begin(g, 8, 3, "other", 0);
    gen_task_end(g, 8, 0);
    gen_label(g, "label");
    gen_task_end(g, 7, 0);
}

static void test_open_tasks_begin_anew_where_a_goroutine_runs(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe(&g);
    cut(&g, &copy, 7, GT_WRITER_TASKS);
    expect_tasks(&copy, 1, "job");
    assert_int_equal(copy.info.made_up, 3);
    assert_int_equal(copy.info.delayed, 0);
    copy_free(&copy);
}

static void test_tasks_end_without_their_type_unless_they_are_asked_for(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe(&g);
    cut(&g, &copy, 7, 0);
    expect_tasks(&copy, 0, "");
    copy_free(&copy);
}

/* The output begins with event 6, by which the goroutine starts. */
static void test_open_tasks_begin_when_a_goroutine_runs(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_task_begin(&g, 7, 3, "job", 0);
    gen_go_stop(&g, "", 0);
    gen_go_start(&g, 1);
    gen_task_end(&g, 7, 0);
    cut(&g, &copy, 6, GT_WRITER_TASKS);
    expect_tasks(&copy, 1, "job");
    assert_int_equal(copy.info.made_up, 3);
    copy_free(&copy);
}

static void test_whole_trace_is_written_as_it_is(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    begin(&g);
    gen_task_begin(&g, 7, 3, "job", 0);
    gen_task_end(&g, 7, 0);
    cut(&g, &copy, 0, GT_WRITER_TASKS);
    expect_tasks(&copy, 1, "job");
    assert_int_equal(copy.info.made_up, 0);
    copy_free(&copy);
}

/* Writes a trace of Go 1.21 from event number `first` on, and frees it. */
static void cut_old(struct wire *wire, struct copy *copy, uint64_t first)
{
    copy_init(copy);
    copy->first = first;
    copy->options.flags = GT_WRITER_TASKS;
    copy_make(copy, wire->data, wire->size);
    copy_expect_good(copy);
    assert_status(copy_validate(copy->out.data, copy->out.size).read, GT_END);
    wire_free(wire);
}

/* No goroutine runs when the task ends, so a writer of the current format has to leave that out. */
static void test_task_whose_end_is_left_out_does_not_begin_anew(void **state)
{
    struct wire wire = {0};
    struct copy copy;
    (void) state;
    v1_start(&wire, 21);
    v1_string(&wire, 1, "job");
    V1_EVENT(&wire, V1_TASK_CREATE, 1, 7, 3, 1, 0);
    V1_EVENT(&wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&wire, V1_TASK_END, 1, 7, 0);
    V1_EVENT(&wire, V1_GO_START, 1, 1, 2);
    V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 1);
    cut_old(&wire, &copy, V1_START_EVENTS + 5);
    assert_int_equal(copy.info.events, 1);
    assert_int_equal(copy.info.made_up, 2);
    copy_free(&copy);
}

static void test_task_whose_begin_is_left_out_begins_anew(void **state)
{
    struct wire wire = {0};
    struct copy copy;
    (void) state;
    v1_start(&wire, 21);
    v1_string(&wire, 1, "job");
    V1_EVENT(&wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&wire, V1_TASK_CREATE, 1, 7, 3, 1, 0);
    V1_EVENT(&wire, V1_GO_START, 1, 1, 2);
    V1_EVENT(&wire, V1_TASK_END, 1, 7, 0);
    cut_old(&wire, &copy, V1_START_EVENTS + 4);
    assert_int_equal(copy.info.events, 1);
    expect_tasks(&copy, 1, "job");
    copy_free(&copy);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_tasks_begin_anew_where_a_goroutine_runs),
        cmocka_unit_test(test_tasks_end_without_their_type_unless_they_are_asked_for),
        cmocka_unit_test(test_open_tasks_begin_when_a_goroutine_runs),
        cmocka_unit_test(test_whole_trace_is_written_as_it_is),
        cmocka_unit_test(test_task_whose_end_is_left_out_does_not_begin_anew),
        cmocka_unit_test(test_task_whose_begin_is_left_out_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
