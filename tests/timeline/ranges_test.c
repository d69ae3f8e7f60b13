/* SPDX-License-Identifier: BSD-3-Clause */

/* Ranges: collections, sweeping, assists and stopped worlds. */

#include "support/test.h"
#include "timeline/drawing.h"

static void test_collection_is_drawn_in_its_own_row(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GC_BEGIN, 8, 1, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GC_END, 10, 2);
    WIRE_EVENT(&d.wire, EV_GC_BEGIN, 10, 3, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, 0);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1000004 @19+10 GC concurrent mark phase sf=main.work", 1);
    /* It lasts to the end of the trace. */
    assert_drawn(&d, "X 0/1000004 @39+11 GC concurrent mark phase sf=main.main", 1);
    drawing_free(&d);
}

/* Generation 2 repeats which ranges are active. */
static void test_active_range_begins_with_the_trace(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GC_ACTIVE, 8, 1);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_ACTIVE, 1, 1);
    wire_sync(&d.wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(&d.wire, 2, 5, 110);
    wire_running(&d.wire, 5, 1, 1);
    WIRE_EVENT(&d.wire, EV_GC_ACTIVE, 8, 2);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_ACTIVE, 1, 1);
    WIRE_EVENT(&d.wire, EV_GC_END, 10, 3);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_END, 10, 1, 2);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_BEGIN, 10, 0);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, 0, 0);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1000004 @0+130 GC concurrent mark phase", 1);
    assert_drawn(&d, "X 0/1 @0+140 GC incremental sweep", 1);
    assert_drawn(&d, "X 0/1 @150+11 GC incremental sweep", 1);
    drawing_free(&d);
}

/* Go shows sweeping only in the rows of procs. */
static void test_sweep_is_drawn_on_procs_and_elsewhere_if_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_BEGIN, 8, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GC_SWEEP_END, 10, 1, 2);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, 0);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @19+10 GC incremental sweep sf=main.work", 1);
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "X 0/5 @19+10 GC incremental sweep sf=main.work", 0);
    drawing_draw(&d, GT_VIEW_THREAD, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 0/5 @19+10 GC incremental sweep sf=main.work", 1);
    drawing_draw(&d, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 0/1 @19+10 GC incremental sweep sf=main.work", 1);
    drawing_free(&d);
}

/* An assist that waits is drawn once for each run that it is in. */
static void test_assist_is_drawn_in_each_run(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GC_MARK_ASSIST_BEGIN, 8, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 10, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 10, 1, 1, 0);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, 1, 2);
    WIRE_EVENT(&d.wire, EV_GC_MARK_ASSIST_END, 10);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, 0);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @19+10 GC mark assist sf=main.work", 1);
    assert_drawn(&d, "X 0/1 @49+10 GC mark assist", 1);
    assert_drawn(&d, "C 1/0 @29 Goroutines {Running=0,Runnable=0,GCWaiting=1}", 1);
    assert_drawn(&d, "X 0/1 @49+20 G1 main.work sf=main.work", 1);
    drawing_free(&d);
}

static void test_stopped_world_names_its_cause(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_STW_BEGIN, 8, LABEL, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_STW_END, 10);
    WIRE_EVENT(&d.wire, EV_STW_BEGIN, 10, CHAN, MAIN_MAIN);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @19+10 stop-the-world (a label) sf=main.work", 1);
    assert_drawn(&d, "X 0/1 @39+1 stop-the-world (chan receive) sf=main.main", 1);
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collection_is_drawn_in_its_own_row),
        cmocka_unit_test(test_active_range_begins_with_the_trace),
        cmocka_unit_test(test_sweep_is_drawn_on_procs_and_elsewhere_if_exact),
        cmocka_unit_test(test_assist_is_drawn_in_each_run),
        cmocka_unit_test(test_stopped_world_names_its_cause),
    };
    return cmocka_run_group_tests_name("timeline ranges", tests, NULL, NULL);
}
