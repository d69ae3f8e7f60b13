/* SPDX-License-Identifier: BSD-3-Clause */

/* Selectors: what belongs to a goroutine or to a task, and in which range of time. */

#include <stdio.h>

#include "support/test.h"
#include "timeline/drawing.h"

/* Returns the rows that a selection of the trace shows, as a bit for each goroutine. */
static unsigned select_rows(const struct wire *wire, uint32_t selection, uint64_t id,
                            gt_emitter_options *options, gt_status *status)
{
    gt_selector *selector;
    gt_reader *reader;
    const gt_event *event;
    unsigned rows = 0;
    assert_status(gt_selector_open(&selector, selection, id, NULL, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_selector_event(selector, event), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_selector_apply(selector, options), GT_ERR_INVALID_ARGUMENT);
    *status = gt_selector_finish(selector);
    assert_status(gt_selector_finish(selector), GT_ERR_INVALID_ARGUMENT);
    if (*status == GT_OK) {
        assert_status(gt_selector_apply(selector, options), GT_OK);
        for (unsigned i = 0; options->filter && i < 32; i++)
            rows |= (unsigned) (options->filter(options->filter_data, i) != 0) << i;
    } else {
        assert_status(gt_selector_apply(selector, options), GT_ERR_INVALID_ARGUMENT);
    }
    gt_selector_close(&selector);
    assert_null(selector);
    return rows;
}

static unsigned select_good(const struct wire *wire, uint32_t selection, uint64_t id, int64_t from,
                            int64_t to)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_status status;
    unsigned rows = select_rows(wire, selection, id, &options, &status);
    assert_status(status, GT_OK);
    assert_int_equal(options.range_start, from);
    assert_int_equal(options.range_end, to);
    return rows;
}

static void select_nothing(const struct wire *wire, uint32_t selection, uint64_t id)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_status status;
    select_rows(wire, selection, id, &options, &status);
    assert_status(status, GT_ERR_NOT_AVAILABLE);
}

/* A chain: goroutine i + 1 unblocks goroutine i, from 4 to 1. */
static void test_goroutine_shows_those_that_unblocked_it(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d);
    wire_batch(&d.wire, 1, 5, 10);
    WIRE_EVENT(&d.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    for (uint64_t i = 1; i <= 4; i++)
        WIRE_EVENT(&d.wire, EV_GO_STATUS, 1, i, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 1, 4, 1, 0);
    for (uint64_t i = 4; i >= 2; i--) {
        WIRE_EVENT(&d.wire, EV_GO_START, 1, i, 2);
        WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 1, i - 1, 1, 0);
        WIRE_EVENT(&d.wire, EV_GO_DESTROY, 1);
    }
    wire_batch_end(&d.wire);
    /* It never runs, and so the range is the whole trace. */
    assert_int_equal(select_good(&d.wire, GT_SELECT_GOROUTINE, 1, 0, 25), 1 << 1 | 1 << 2 | 1 << 3);
    /* Goroutine 3 runs from 19 to 21. */
    assert_int_equal(select_good(&d.wire, GT_SELECT_GOROUTINE, 3, 19, 21), 1 << 3 | 1 << 4);
    assert_int_equal(select_good(&d.wire, GT_SELECT_GOROUTINE, 4, 16, 18), 1 << 4);
    select_nothing(&d.wire, GT_SELECT_GOROUTINE, 5);
    drawing_free(&d);
}

/*
 * Task 2 is a child of task 1. Goroutine 2 takes part in it by a region, and goroutine 3 by a log.
 */
static void write_tasks(struct drawing *d)
{
    drawing_begin(d);
    wire_batch(&d->wire, 1, 5, 10);
    wire_running(&d->wire, 5, 0, 1);
    WIRE_EVENT(&d->wire, EV_USER_TASK_BEGIN, 1, 1, 9, 0, 0);
    WIRE_EVENT(&d->wire, EV_USER_TASK_BEGIN, 1, 2, 1, 0, 0);
    WIRE_EVENT(&d->wire, EV_GO_CREATE, 1, 2, 0, 0);
    WIRE_EVENT(&d->wire, EV_GO_CREATE, 1, 3, 0, 0);
    WIRE_EVENT(&d->wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(&d->wire, EV_GO_START, 1, 2, 1);
    WIRE_EVENT(&d->wire, EV_USER_REGION_END, 1, 2, 0, 0);
    WIRE_EVENT(&d->wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(&d->wire, EV_GO_START, 1, 3, 1);
    WIRE_EVENT(&d->wire, EV_USER_LOG, 1, 2, 0, 0, 0);
    WIRE_EVENT(&d->wire, EV_USER_LOG, 1, 7, 0, 0, 0);
    WIRE_EVENT(&d->wire, EV_USER_REGION_BEGIN, 1, 8, 0, 0);
    WIRE_EVENT(&d->wire, EV_USER_TASK_END, 1, 2, 0);
    wire_batch_end(&d->wire);
}

static void test_task_shows_goroutines_that_took_part(void **state)
{
    struct drawing d;
    (void) state;
    write_tasks(&d);
    assert_int_equal(select_good(&d.wire, GT_SELECT_TASK, 1, 12, 25), 1 << 1 | 1 << 2 | 1 << 3);
    assert_int_equal(select_good(&d.wire, GT_SELECT_TASK, 2, 13, 24), 1 << 1 | 1 << 2 | 1 << 3);
    /* Only a log mentions it. */
    assert_int_equal(select_good(&d.wire, GT_SELECT_TASK, 7, 0, 25), 1 << 3);
    /* Only a region or a child mentions it. */
    select_nothing(&d.wire, GT_SELECT_TASK, 8);
    select_nothing(&d.wire, GT_SELECT_TASK, 9);
    select_nothing(&d.wire, GT_SELECT_TASK, 10);
    drawing_free(&d);
}

static void test_focused_task_has_a_range_and_no_filter(void **state)
{
    struct drawing d;
    (void) state;
    write_tasks(&d);
    /* There is no filter. */
    assert_int_equal(select_good(&d.wire, GT_SELECT_FOCUS_TASK, 1, 12, 25), 0);
    select_nothing(&d.wire, GT_SELECT_FOCUS_TASK, 7);
    select_nothing(&d.wire, GT_SELECT_FOCUS_TASK, 9);
    drawing_free(&d);
}

/* Tasks that claim to be each other's parents. Go does not terminate with such a trace. */
static void test_circle_of_parents_is_shown_once(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d);
    wire_batch(&d.wire, 1, 5, 10);
    wire_running(&d.wire, 5, 0, 1);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 1, 1, 2, 0, 0);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 1, 2, 1, 0, 0);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 1, 3, 1, 0, 0);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 1, 4, 4, 0, 0);
    d.selection = GT_SELECT_FOCUS_TASK;
    d.id = 1;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "M 2/1 @0 thread_sort_index {sort_index=0}", 1);
    assert_drawn(&d, "M 2/2 @0 thread_sort_index {sort_index=1}", 1);
    assert_drawn(&d, "M 2/3 @0 thread_sort_index {sort_index=2}", 1);
    d.id = 4;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "M 2/4 @0 thread_sort_index {sort_index=0}", 1);
    assert_drawn(&d, "M 2/1 @0 thread_sort_index {sort_index=0}", 0);
    drawing_free(&d);
}

/* Tasks are ordered by their beginning, whatever their parents are. */
static void test_tasks_are_ordered_by_their_beginning(void **state)
{
    static const uint64_t parents[] = {UINT64_MAX, 1, 1, 2, 3, 1};
    struct drawing d;
    char line[100];
    (void) state;
    drawing_begin(&d);
    wire_batch(&d.wire, 1, 5, 10);
    wire_running(&d.wire, 5, 0, 1);
    for (uint64_t i = 1; i <= 6; i++)
        WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 1, i, parents[i - 1], 0, 0);
    d.selection = GT_SELECT_FOCUS_TASK;
    d.id = 1;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    for (uint64_t i = 1; i <= 6; i++) {
        snprintf(line, sizeof(line), "M 2/%d @0 thread_sort_index {sort_index=%d}", (int) i,
                 (int) i - 1);
        assert_drawn(&d, line, 1);
    }
    drawing_free(&d);
}

/* The row of the selected goroutine comes first. */
static void test_selected_goroutine_comes_first(void **state)
{
    struct drawing d;
    (void) state;
    write_tasks(&d);
    d.selection = GT_SELECT_GOROUTINE;
    d.id = 3;
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "M 0/3 @0 thread_sort_index {sort_index=-2}", 1);
    assert_drawn(&d, "M 0/0 @0 process_name {name=\"G\"}", 1);
    assert_drawn(&d, "X 0/3 @20+5 G3 ", 1);
    assert_drawn(&d, "X 0/1 @0+16 G1", 0);
    d.selection = GT_SELECT_TASK;
    d.id = 1;
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "M 0/1 @0 thread_sort_index {sort_index=-2}", 1);
    assert_drawn(&d, "X 0/1 @0+16 G1", 1);
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goroutine_shows_those_that_unblocked_it),
        cmocka_unit_test(test_task_shows_goroutines_that_took_part),
        cmocka_unit_test(test_focused_task_has_a_range_and_no_filter),
        cmocka_unit_test(test_circle_of_parents_is_shown_once),
        cmocka_unit_test(test_tasks_are_ordered_by_their_beginning),
        cmocka_unit_test(test_selected_goroutine_comes_first),
    };
    return cmocka_run_group_tests_name("timeline selector", tests, NULL, NULL);
}
