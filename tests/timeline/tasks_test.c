/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks and regions: their rows, what selects them, and how they end. */

#include "support/test.h"
#include "timeline/drawing.h"

static void test_tasks_are_drawn_without_a_selection_only_if_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 8, 7, UINT64_MAX, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_REGION_BEGIN, 10, 7, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_USER_REGION_END, 10, 7, CHAN, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_TASK_END, 10, 7, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_USER_TASK_END, 10, 7, MAIN_WORK);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "M 2/0 @0 process_name {name=\"TASKS\"}", 0);
    assert_drawn(&d, "b 0/1 @29 chan receive cat=Region s=7 sf=main.work", 0);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 2/7 @19+30 a label sf=main.main esf=main.work {id=7,start_g=1,end_g=1}", 1);
    assert_drawn(&d, "M 2/7 @0 thread_name {name=\"T7 a label\"}", 1);
    assert_drawn(&d, "b 0/1 @29 chan receive cat=Region s=7 sf=main.work", 0);
    drawing_draw(&d, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT);
    assert_drawn(&d, "b 0/1 @29 chan receive cat=Region s=7 sf=main.work", 1);
    assert_drawn(&d, "e 0/1 @39 chan receive cat=Region s=7 sf=main.main {taskid=7}", 1);
    drawing_free(&d);
}

/* Go takes the last end, after which the name is no longer known. */
static void test_second_end_of_a_task_counts_unless_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 8, 7, UINT64_MAX, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_TASK_END, 10, 7, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_USER_TASK_END, 10, 7, MAIN_MAIN);
    d.selection = GT_SELECT_FOCUS_TASK;
    d.id = 7;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 2/7 @19+20 sf=main.main esf=main.main {id=7,start_g=1,end_g=1}", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 2/7 @19+10 a label sf=main.main esf=main.work {id=7,start_g=1,end_g=1}", 1);
    drawing_free(&d);
}

/* Task 3 is older than the trace, and its child 4 is still open at its end. */
static void test_task_without_begin_or_end_lasts_as_long_as_the_trace(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 8, 4, 3, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_TASK_END, 10, 3, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, 0);
    d.selection = GT_SELECT_FOCUS_TASK;
    d.id = 3;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 2/3 @0+29 esf=main.work {id=3,end_g=1}", 1);
    assert_drawn(&d, "X 2/4 @19+21 a label sf=main.main {id=4,start_g=1}", 1);
    assert_drawn(&d, "s 2/3 @19 newTask sf=main.main", 1);
    assert_drawn(&d, "t 2/4 @19 newTask", 1);
    assert_drawn(&d, "M 2/3 @0 thread_sort_index {sort_index=0}", 1);
    assert_drawn(&d, "M 2/4 @0 thread_sort_index {sort_index=1}", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 2/3 @0+29 esf=main.work {id=3,end_g=1}", 1);
    drawing_free(&d);
}

/* An end without a beginning, a nested region, and a region that its goroutine does not end. */
static void test_regions_are_nested_and_end_with_their_goroutine(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 1, CHAN, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_START, 1, 1, 1);
    WIRE_EVENT(&d.wire, EV_USER_REGION_END, 6, 7, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 10, 7, UINT64_MAX, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_REGION_BEGIN, 10, 7, LABEL, 0);
    WIRE_EVENT(&d.wire, EV_USER_REGION_BEGIN, 10, 7, NETWORK, 0);
    /* It is in no region that could end, but only inherits that its creator is in one. */
    WIRE_EVENT(&d.wire, EV_GO_CREATE, 10, 2, MAIN_WORK, 0);
    WIRE_EVENT(&d.wire, EV_USER_REGION_END, 10, 7, NETWORK, 0);
    WIRE_EVENT(&d.wire, EV_GO_DESTROY, 10);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, 2, 1);
    WIRE_EVENT(&d.wire, EV_USER_REGION_END, 10, 7, CHAN, 0);
    d.selection = GT_SELECT_TASK;
    d.id = 7;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "b 0/1 @0 chan receive cat=Region s=7", 0);
    assert_drawn(&d, "b 0/1 @39 a label cat=Region s=7", 1);
    assert_drawn(&d, "b 0/1 @49 network wait cat=Region s=7", 1);
    assert_drawn(&d, "e 0/1 @69 network wait cat=Region s=7 {taskid=7}", 1);
    assert_drawn(&d, "e 0/1 @79 a label cat=Region s=7 {taskid=7}", 1);
    assert_drawn(&d, "b 0/2 @0 chan receive cat=Region s=7", 0);
    drawing_draw(&d, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT);
    assert_drawn(&d, "b 0/1 @0 chan receive cat=Region s=7", 0);
    d.selection = 0;
    drawing_draw(&d, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT);
    assert_drawn(&d, "b 0/1 @0 chan receive cat=Region s=7", 1);
    assert_drawn(&d, "e 0/1 @19 chan receive cat=Region s=7 sf=main.work {taskid=7}", 1);
    drawing_free(&d);
}

/* Go does not notice that the regions of a goroutine without a name end. */
static void test_region_of_nameless_goroutine_stays_open_unless_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_TASK_BEGIN, 8, 7, UINT64_MAX, LABEL, 0);
    WIRE_EVENT(&d.wire, EV_USER_REGION_BEGIN, 10, 7, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_DESTROY, 10);
    WIRE_EVENT(&d.wire, EV_HEAP_ALLOC, 10, 1);
    d.selection = GT_SELECT_TASK;
    d.id = 7;
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "e 0/1 @50 chan receive cat=Region s=7 {taskid=7}", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "e 0/1 @39 chan receive cat=Region s=7 {taskid=7}", 1);
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_are_drawn_without_a_selection_only_if_exact),
        cmocka_unit_test(test_second_end_of_a_task_counts_unless_exact),
        cmocka_unit_test(test_task_without_begin_or_end_lasts_as_long_as_the_trace),
        cmocka_unit_test(test_regions_are_nested_and_end_with_their_goroutine),
        cmocka_unit_test(test_region_of_nameless_goroutine_stays_open_unless_exact),
    };
    return cmocka_run_group_tests_name("timeline tasks", tests, NULL, NULL);
}
