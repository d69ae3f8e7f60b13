/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs of goroutines: where and when they are drawn, their names, and what caused them. */

#include <stdio.h>

#include "support/test.h"
#include "timeline/drawing.h"

/*
 * Goroutine 1 creates goroutine 2 and waits. Goroutine 2 stops once, and unblocks goroutine 1
 * before it ends.
 */
static void write_runs(struct drawing *d, uint64_t reason)
{
    WIRE_EVENT(&d->wire, EV_GO_CREATE, 8, 2, MAIN_WORK, MAIN_MAIN);
    WIRE_EVENT(&d->wire, EV_GO_BLOCK, 10, reason, MAIN_MAIN);
    WIRE_EVENT(&d->wire, EV_GO_START, 10, 2, 1);
    WIRE_EVENT(&d->wire, EV_GO_LABEL, 0, LABEL);
    WIRE_EVENT(&d->wire, EV_GO_STOP, 10, CHAN, MAIN_WORK);
    WIRE_EVENT(&d->wire, EV_GO_START, 10, 2, 2);
    WIRE_EVENT(&d->wire, EV_GO_UNBLOCK, 10, 1, 1, MAIN_WORK);
    WIRE_EVENT(&d->wire, EV_GO_DESTROY, 10);
    WIRE_EVENT(&d->wire, EV_GO_START, 10, 1, 2);
    WIRE_EVENT(&d->wire, EV_GO_STOP, 11, CHAN, 0);
}

static void test_runs_are_drawn_on_procs_and_threads(void **state)
{
    static const uint32_t views[] = {GT_VIEW_PROC, GT_VIEW_THREAD};
    static const char *const rows[] = {"1", "5"};
    struct drawing d;
    char line[100];
    (void) state;
    drawing_begin_running(&d, 1);
    write_runs(&d, CHAN);
    for (size_t i = 0; i < 2; i++) {
        static const char *const lines[] = {
            /* A run without a known beginning began with the trace. */
            "X 0/%s @0+29 G1 main.main esf=main.main",
            /* The start stack of a run is where the goroutine stopped before. */
            "X 0/%s @39+10 G2 main.work (a label) esf=main.work",
            "X 0/%s @59+20 G2 main.work (a label) sf=main.work",
            "X 0/%s @89+11 G1 main.main sf=main.main",
            "s 0/%s @19 go sf=main.main",
            "t 0/%s @39 go",
            "s 0/%s @69 unblock (chan receive) sf=main.work",
            "t 0/%s @89 unblock (chan receive)",
            "I 0/%s @0 proc start {thread=5,proc=1}",
        };
        drawing_draw(&d, views[i], 0);
        for (size_t k = 0; k < sizeof(lines) / sizeof(*lines); k++) {
            snprintf(line, sizeof(line), lines[k], rows[i]);
            assert_drawn(&d, line, 1);
        }
    }
    drawing_free(&d);
}

static void test_runs_are_drawn_on_goroutines(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    write_runs(&d, CHAN);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "X 0/1 @0+29 G1 main.main esf=main.main", 1);
    assert_drawn(&d, "X 0/2 @59+20 G2 main.work (a label) sf=main.work", 1);
    assert_drawn(&d, "s 0/1 @19 go sf=main.main", 1);
    assert_drawn(&d, "t 0/2 @39 go", 1);
    assert_drawn(&d, "s 0/2 @69 unblock (chan receive) sf=main.work", 1);
    assert_drawn(&d, "I 0/1 @0 proc start {thread=5,proc=1}", 0);
    assert_drawn(&d, "M 0/0 @0 process_name {name=\"G\"}", 1);
    /* The row of a goroutine that has ended has a name, too. */
    assert_drawn(&d, "M 0/2 @0 thread_name {name=\"G2 main.work (a label)\"}", 1);
    drawing_free(&d);
}

static void test_arrow_from_proc_0_is_drawn_only_if_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 0);
    write_runs(&d, CHAN);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "s 0/0 @19 go sf=main.main", 1);
    assert_drawn(&d, "s 0/0 @69 unblock (chan receive) sf=main.work", 0);
    assert_drawn(&d, "I 0/0 @0 proc start {thread=5}", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "s 0/0 @19 go sf=main.main", 1);
    assert_drawn(&d, "s 0/0 @69 unblock (chan receive) sf=main.work", 1);
    assert_drawn(&d, "I 0/0 @0 proc start {thread=5,proc=0}", 1);
    drawing_free(&d);
}

static void test_network_unblocks_from_its_own_row(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 0);
    write_runs(&d, NETWORK);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "I 0/1000002 @69 unblock (network wait) sf=main.work", 1);
    assert_drawn(&d, "s 0/1000002 @69 unblock (network wait) sf=main.work", 1);
    assert_drawn(&d, "t 0/0 @89 unblock (network wait)", 1);
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "I 0/5 @69 unblock (network wait) sf=main.work", 1);
    assert_drawn(&d, "s 0/5 @69 unblock (network wait) sf=main.work", 1);
    drawing_free(&d);
}

/* Thread 6 has no proc, as when the runtime's monitor polls the network. */
static void test_arrow_from_no_proc_is_drawn_unless_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 0);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 8, CHAN, 0);
    WIRE_EVENT(&d.wire, EV_GO_START, 20, 1, 2);
    wire_batch(&d.wire, 1, 6, 25);
    WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 1, 1, 1, 0);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "s 0/-1 @25 unblock (chan receive)", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "s 0/-1 @25 unblock (chan receive)", 0);
    assert_drawn(&d, "t 0/0 @39 unblock (chan receive)", 0);
    drawing_free(&d);
}

static void test_samples_logs_and_heap_are_drawn(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_LOG, 1, 7, CHAN, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_HEAP_ALLOC, 1, 100);
    WIRE_EVENT(&d.wire, EV_HEAP_GOAL, 1, 150);
    WIRE_EVENT(&d.wire, EV_PROCS_CHANGE, 1, 4, 0);
    WIRE_EVENT(&d.wire, EV_USER_LOG, 1, 7, LABEL + 1, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_LOG, 1, 7, 0, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 20, CHAN, 0);
    wire_strings(&d.wire, 1);
    wire_string(&d.wire, LABEL + 1, "k");
    wire_samples(&d.wire, 1);
    wire_sample(&d.wire, 20, 5, 1, 1, MAIN_WORK);
    wire_sample(&d.wire, 21, 5, WIRE_NONE, WIRE_NONE, MAIN_WORK);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "I 0/1 @12 [chan receive] a label cat=user event sf=main.main", 1);
    assert_drawn(&d, "I 0/1 @16 [k] a label cat=user event sf=main.main", 1);
    assert_drawn(&d, "I 0/1 @17 a label cat=user event sf=main.main", 1);
    assert_drawn(&d, "C 1/0 @13 Heap {Allocated=100,NextGC=0}", 1);
    assert_drawn(&d, "C 1/0 @14 Heap {Allocated=100,NextGC=50}", 1);
    assert_drawn(&d, "I 0/1 @19 CPU profile sample sf=main.work", 1);
    assert_drawn(&d, "I 0/-1 @20 CPU profile sample sf=main.work", 0);
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "I 0/5 @20 CPU profile sample sf=main.work", 1);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "I 0/1 @19 CPU profile sample sf=main.work", 1);
    drawing_free(&d);
}

/* Go would name all procs up to the largest number. */
static void test_large_proc_number_does_not_name_all_below(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 3);
    WIRE_EVENT(&d.wire, EV_PROC_STATUS, 1, UINT64_C(1) << 60, PROC_IDLE);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "M 0/1 @0 thread_name {name=\"Proc 1\"}", 1);
    assert_drawn(&d, "M 0/1152921504606846976 @0 thread_name {name=\"Proc 1152921504606846976\"}",
                 1);
    drawing_free(&d);
}

/* Rows have names even if there is nothing else to show. */
static void test_rows_are_named_without_events(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "M 0/0 @0 thread_name {name=\"Proc 0\"}", 1);
    drawing_free(&d);
}

/* A goroutine that ends is freed, so that memory does not grow with their number. */
static void test_memory_does_not_grow_with_ended_goroutines(void **state)
{
    uint64_t peaks[2];
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct drawing d;
        drawing_begin_running(&d, 0);
        WIRE_EVENT(&d.wire, EV_GO_BLOCK, 1, CHAN, 0);
        for (uint64_t k = 0; k < (i == 0 ? 300 : 3000); k++) {
            WIRE_EVENT(&d.wire, EV_GO_CREATE, 1, 10 + k, MAIN_WORK, 0);
            WIRE_EVENT(&d.wire, EV_GO_START, 1, 10 + k, 1);
            WIRE_EVENT(&d.wire, EV_GO_DESTROY, 1);
        }
        drawing_draw(&d, GT_VIEW_PROC, 0);
        peaks[i] = d.info.memory_peak;
        assert_drawn(&d, "X 0/0 @14+1 G10 main.work", 1);
        drawing_free(&d);
    }
    assert_int_equal(peaks[0], peaks[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_are_drawn_on_procs_and_threads),
        cmocka_unit_test(test_runs_are_drawn_on_goroutines),
        cmocka_unit_test(test_arrow_from_proc_0_is_drawn_only_if_exact),
        cmocka_unit_test(test_network_unblocks_from_its_own_row),
        cmocka_unit_test(test_arrow_from_no_proc_is_drawn_unless_exact),
        cmocka_unit_test(test_samples_logs_and_heap_are_drawn),
        cmocka_unit_test(test_large_proc_number_does_not_name_all_below),
        cmocka_unit_test(test_rows_are_named_without_events),
        cmocka_unit_test(test_memory_does_not_grow_with_ended_goroutines),
    };
    return cmocka_run_group_tests_name("timeline runs", tests, NULL, NULL);
}
