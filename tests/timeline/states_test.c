/* SPDX-License-Identifier: BSD-3-Clause */

/* Goroutines drawn by their states, without gaps. */

#include "support/test.h"
#include "timeline/drawing.h"

static void draw(struct drawing *drawing)
{
    drawing_draw(drawing, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT | GT_TIMELINE_STATES);
}

/* Goroutine 1 creates goroutine 2, which blocks and is unblocked by it. */
static void test_states_are_drawn_without_gaps(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_CREATE, 8, 2, MAIN_WORK, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 10, CHAN, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, 2, 1);
    WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 10, 1, 1, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_DESTROY, 10);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, 1, 2);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, NETWORK, 0);
    WIRE_EVENT(&d.wire, EV_PROC_STOP, 10);
    draw(&d);
    assert_drawn(&d, "I 0/1 @0 cat=goroutine", 1);
    assert_drawn(&d, "I 0/2 @19 main.work cat=goroutine sf=main.main {by=1}", 1);
    assert_drawn(&d, "I 0/1 @29 main.main cat=goroutine", 1);
    assert_drawn(&d, "X 0/1 @0+29 Running cat=state esf=main.main {proc=1,thread=5}", 1);
    assert_drawn(&d,
                 "X 0/1 @29+20 Waiting cat=state sf=main.main esf=main.work "
                 "{reason=\"chan receive\"}",
                 1);
    assert_drawn(&d, "X 0/1 @49+20 Runnable cat=state sf=main.work {by=2}", 1);
    assert_drawn(&d, "X 0/1 @69+10 Running cat=state {proc=1,thread=5}", 1);
    assert_drawn(&d, "X 0/1 @79+11 Runnable cat=state {reason=\"network wait\"}", 1);
    assert_drawn(&d, "X 0/2 @19+20 Runnable cat=state sf=main.main {by=1}", 1);
    assert_drawn(&d, "X 0/2 @39+20 Running cat=state {proc=1,thread=5}", 1);
    assert_drawn(&d, "M 0/1 @0 thread_name {name=\"G1 main.main\"}", 0);
    drawing_free(&d);
}

/* Goroutine 1 switches to goroutine 2 and back; at no time is one of them runnable. */
static void test_switch_between_coroutines_is_a_moment(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_CREATE_BLOCKED, 8, 2, MAIN_WORK, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_SWITCH, 10, 2, 1);
    WIRE_EVENT(&d.wire, EV_GO_SWITCH, 10, 1, 1);
    WIRE_EVENT(&d.wire, EV_GO_SWITCH, 10, 2, 2);
    WIRE_EVENT(&d.wire, EV_GO_SWITCH_DESTROY, 10, 1, 2);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, NETWORK, 0);
    WIRE_EVENT(&d.wire, EV_PROC_STOP, 10);
    draw(&d);
    assert_drawn(&d, "X 0/1 @0+29 Running cat=state {proc=1,thread=5}", 1);
    assert_drawn(&d, "X 0/1 @29+10 Waiting cat=state", 1);
    assert_drawn(&d, "X 0/1 @39+10 Running cat=state {proc=1,thread=5,by=2}", 1);
    assert_drawn(&d, "X 0/1 @49+10 Waiting cat=state", 1);
    assert_drawn(&d, "X 0/1 @59+10 Running cat=state {proc=1,thread=5,by=2}", 1);
    assert_drawn(&d, "X 0/2 @19+10 Waiting cat=state sf=main.main {by=1}", 1);
    assert_drawn(&d, "X 0/2 @29+10 Running cat=state {proc=1,thread=5,by=1}", 1);
    assert_drawn(&d, "X 0/2 @39+10 Waiting cat=state", 1);
    assert_drawn(&d, "X 0/2 @49+10 Running cat=state {proc=1,thread=5,by=1}", 1);
    drawing_free(&d);
}

/* Thread 6 takes the proc away from a system call. */
static void test_lost_proc_splits_a_syscall(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_BEGIN, 8, 1, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END, 10);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_BEGIN, 1, 2, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END_BLOCKED, 50);
    wire_batch(&d.wire, 1, 6, 50);
    WIRE_EVENT(&d.wire, EV_PROC_STEAL, 1, 1, 3, 5);
    WIRE_EVENT(&d.wire, EV_PROC_START, 1, 1, 4);
    WIRE_EVENT(&d.wire, EV_GO_START, 58, 1, 1);
    draw(&d);
    assert_drawn(&d, "X 0/1 @0+19 Running cat=state esf=main.work {proc=1,thread=5}", 1);
    assert_drawn(&d, "X 0/1 @19+10 Syscall cat=state sf=main.work {proc=1,thread=5}", 1);
    assert_drawn(&d, "X 0/1 @30+20 Syscall cat=state sf=main.work esf=main.work {proc=1,thread=5}",
                 1);
    assert_drawn(&d, "X 0/1 @50+30 Syscall, blocked cat=state sf=main.work {thread=5}", 1);
    assert_drawn(&d, "X 0/1 @80+29 Runnable cat=state", 1);
    assert_drawn(&d, "C 1/0 @50 Threads {Running=0,InSyscall=0}", 1);
    assert_drawn(&d, "X 0/1 @19+10 syscall sf=main.work {blocked=\"no\"}", 0);
    drawing_free(&d);
}

/*
 * An assist goes on while its goroutine waits, and without an end event, to the end of the trace.
 */
static void test_ranges_are_drawn_whole(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GC_MARK_ASSIST_BEGIN, 8, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, 0);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, 1, 1);
    WIRE_EVENT(&d.wire, EV_GC_MARK_ASSIST_END, 10);
    WIRE_EVENT(&d.wire, EV_STW_BEGIN, 1, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_STW_END, 10);
    WIRE_EVENT(&d.wire, EV_GC_MARK_ASSIST_BEGIN, 1, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_DESTROY, 10);
    draw(&d);
    assert_drawn(&d, "X 0/1 @19+30 GC mark assist sf=main.work", 1);
    assert_drawn(&d, "X 0/1 @61+10 GC mark assist sf=main.main", 1);
    assert_drawn(&d, "X 0/1 @50+10 stop-the-world (chan receive) sf=main.work", 1);
    drawing_free(&d);
}

/* The number of a goroutine does not make its ranges those of the collector's row. */
static void
test_ranges_of_a_goroutine_numbered_like_the_row_of_the_collector_are_drawn(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_CREATE, 8, GT_ROW_GC, MAIN_WORK, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 10, CHAN, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_GO_START, 10, GT_ROW_GC, 1);
    WIRE_EVENT(&d.wire, EV_STW_BEGIN, 1, CHAN, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_STW_END, 10);
    draw(&d);
    assert_drawn(&d, "X 0/1000004 @40+10 stop-the-world (chan receive) sf=main.work", 1);
    drawing_free(&d);
}

/* Goroutine 1 reports two that are older than the trace; only what it creates is its own doing. */
static void test_state_from_before_the_trace_has_no_cause(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_STATUS, 8, 2, UINT64_MAX, GO_WAITING);
    WIRE_EVENT(&d.wire, EV_GO_UNBLOCK, 10, 2, 1, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 10, CHAN, MAIN_MAIN);
    draw(&d);
    assert_drawn(&d, "X 0/2 @0+29 Waiting cat=state esf=main.work", 1);
    assert_drawn(&d, "X 0/2 @29+11 Runnable cat=state sf=main.work {by=1}", 1);
    drawing_free(&d);
}

static void test_new_label_is_announced(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_LABEL, 8, LABEL);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, MAIN_MAIN);
    draw(&d);
    assert_drawn(&d, "I 0/1 @19 cat=goroutine {label=\"a label\"}", 1);
    assert_drawn(&d, "I 0/1 @29 main.main cat=goroutine {label=\"a label\"}", 1);
    drawing_free(&d);
}

static void test_log_has_its_category_and_task(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_USER_LOG, 8, 7, CHAN, LABEL, MAIN_MAIN);
    WIRE_EVENT(&d.wire, EV_USER_LOG, 10, 0, 0, LABEL, MAIN_MAIN);
    draw(&d);
    assert_drawn(&d,
                 "I 0/1 @19 [chan receive] a label cat=user event sf=main.main "
                 "{category=\"chan receive\",task=7}",
                 1);
    assert_drawn(&d, "I 0/1 @29 a label cat=user event sf=main.main", 1);
    drawing_free(&d);
}

static void test_states_need_the_view_of_goroutines(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    d.options = (gt_timeline_options) GT_TIMELINE_OPTIONS_INIT;
    d.options.flags = GT_TIMELINE_STATES;
    drawing_run(&d);
    assert_status(d.status, GT_ERR_INVALID_ARGUMENT);
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_drawn_without_gaps),
        cmocka_unit_test(test_switch_between_coroutines_is_a_moment),
        cmocka_unit_test(test_lost_proc_splits_a_syscall),
        cmocka_unit_test(test_ranges_are_drawn_whole),
        cmocka_unit_test(
            test_ranges_of_a_goroutine_numbered_like_the_row_of_the_collector_are_drawn),
        cmocka_unit_test(test_state_from_before_the_trace_has_no_cause),
        cmocka_unit_test(test_new_label_is_announced),
        cmocka_unit_test(test_log_has_its_category_and_task),
        cmocka_unit_test(test_states_need_the_view_of_goroutines),
    };
    return cmocka_run_group_tests_name("timeline states", tests, NULL, NULL);
}
