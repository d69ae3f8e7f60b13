/* SPDX-License-Identifier: BSD-3-Clause */

/* System calls: where they are drawn, and goroutines that end in one. */

#include "support/test.h"
#include "timeline/drawing.h"

static void test_short_syscall_is_drawn_within_the_run(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 1);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_BEGIN, 8, 1, MAIN_WORK);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END, 10);
    WIRE_EVENT(&d.wire, EV_GO_STOP, 10, CHAN, MAIN_MAIN);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @0+39 G1 main.work esf=main.main", 1);
    assert_drawn(&d, "X 0/1 @19+10 syscall sf=main.work {blocked=\"no\"}", 1);
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "X 0/5 @19+10 syscall sf=main.work {blocked=\"no\"}", 1);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "X 0/1 @19+10 syscall sf=main.work {blocked=\"no\"}", 1);
    drawing_free(&d);
}

/* Thread 6 takes the proc, on which the goroutine continues when the call is over. */
static void write_blocking(struct drawing *d)
{
    drawing_begin_running(d, 1);
    WIRE_EVENT(&d->wire, EV_GO_SYSCALL_BEGIN, 8, 1, MAIN_WORK);
    WIRE_EVENT(&d->wire, EV_GO_SYSCALL_END_BLOCKED, 50);
    wire_batch(&d->wire, 1, 6, 40);
    WIRE_EVENT(&d->wire, EV_PROC_STEAL, 1, 1, 2, 5);
    WIRE_EVENT(&d->wire, EV_PROC_START, 1, 1, 3);
    WIRE_EVENT(&d->wire, EV_GO_START, 58, 1, 1);
    WIRE_EVENT(&d->wire, EV_GO_STOP, 10, CHAN, MAIN_MAIN);
}

static void test_blocking_syscall_ends_the_run(void **state)
{
    struct drawing d;
    (void) state;
    write_blocking(&d);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @0+40 G1 main.work", 1);
    assert_drawn(&d, "X 0/1 @19+21 syscall sf=main.work {blocked=\"yes\"}", 1);
    assert_drawn(&d, "I 0/1000003 @69 exit blocked syscall", 1);
    assert_drawn(&d, "s 0/1000003 @69 exit blocked syscall", 1);
    assert_drawn(&d, "t 0/1 @99 exit blocked syscall", 1);
    assert_drawn(&d, "X 0/1 @99+10 G1 main.work esf=main.main", 1);
    assert_drawn(&d, "I 0/1 @40 proc stop {thread=6,proc=1}", 1);
    assert_drawn(&d, "C 1/0 @40 Threads {Running=0,InSyscall=0}", 1);
    drawing_free(&d);
}

/* Go draws the call together with the run after it. */
static void test_blocking_syscall_is_drawn_with_the_next_run_on_threads(void **state)
{
    struct drawing d;
    (void) state;
    write_blocking(&d);
    drawing_draw(&d, GT_VIEW_THREAD, 0);
    assert_drawn(&d, "X 0/5 @0+69 G1 main.work", 1);
    assert_drawn(&d, "X 0/6 @19+50 syscall sf=main.work {blocked=\"yes\"}", 1);
    assert_drawn(&d, "I 0/1000003 @69 exit blocked syscall", 0);
    drawing_draw(&d, GT_VIEW_THREAD, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 0/5 @0+69 G1 main.work", 1);
    assert_drawn(&d, "X 0/5 @19+50 syscall sf=main.work {blocked=\"yes\"}", 1);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "X 0/1 @19+50 syscall sf=main.work {blocked=\"yes\"}", 1);
    assert_drawn(&d, "I 0/1000003 @69 exit blocked syscall", 1);
    drawing_free(&d);
}

/* A C thread calls Go twice as goroutine 9, and ends in a system call each time. */
static void test_goroutine_that_ends_in_a_syscall_can_come_back(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin_running(&d, 0);
    WIRE_EVENT(&d.wire, EV_GO_BLOCK, 1, CHAN, 0);
    WIRE_EVENT(&d.wire, EV_PROC_STOP, 1);
    wire_batch(&d.wire, 1, 6, 20);
    for (uint64_t i = 0; i < 2; i++) {
        WIRE_EVENT(&d.wire, EV_GO_CREATE_SYSCALL, 1, 9);
        WIRE_EVENT(&d.wire, EV_PROC_START, 1, 0, 1 + 3 * i);
        WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
        WIRE_EVENT(&d.wire, EV_GO_START, 1, 9, 1);
        WIRE_EVENT(&d.wire, EV_GO_SYSCALL_BEGIN, 10, 2 + 3 * i, MAIN_WORK);
        WIRE_EVENT(&d.wire, EV_GO_DESTROY_SYSCALL, 10);
        WIRE_EVENT(&d.wire, EV_PROC_STEAL, 5, 0, 3 + 3 * i, 6);
    }
    drawing_draw(&d, GT_VIEW_PROC, 0);
    /* The second time its name is known, and where it was. */
    assert_drawn(&d, "X 0/0 @23+20 G9 main.work", 1);
    assert_drawn(&d, "X 0/0 @52+20 G9 main.work", 1);
    assert_drawn(&d, "X 0/0 @62+10 syscall sf=main.work {blocked=\"yes\"}", 1);
    drawing_draw(&d, GT_VIEW_GOROUTINE, 0);
    assert_drawn(&d, "M 0/9 @0 thread_name {name=\"G9 main.work\"}", 1);
    drawing_free(&d);
}

/* Another thread reports that proc 0 is idle, but the goroutine lost another proc. */
static void test_syscall_that_lost_another_proc_ends_only_if_exact(void **state)
{
    struct drawing d;
    (void) state;
    drawing_begin(&d);
    wire_batch(&d.wire, 1, 5, 10);
    WIRE_EVENT(&d.wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    WIRE_EVENT(&d.wire, EV_GO_STATUS, 1, 1, 5, GO_SYSCALL);
    WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    wire_batch(&d.wire, 1, 6, 20);
    WIRE_EVENT(&d.wire, EV_PROC_STATUS, 1, 2, PROC_RUNNING);
    WIRE_EVENT(&d.wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(&d.wire, EV_PROC_STEAL, 1, 0, 1, 5);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    assert_drawn(&d, "X 0/1 @0+23 G1", 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    assert_drawn(&d, "X 0/1 @0+12 G1", 1);
    assert_drawn(&d, "X 0/1 @0+12 syscall {blocked=\"yes\"}", 1);
    drawing_free(&d);
}

/* Go keeps what happened in a run until the run ends; so does this, but only up to a limit. */
static void test_memory_does_not_grow_with_syscalls_of_a_run(void **state)
{
    uint64_t peaks[2];
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        uint64_t count = i == 0 ? 4200 : 8000;
        struct drawing d;
        drawing_begin_running(&d, 1);
        for (uint64_t k = 0; k < count; k++) {
            WIRE_EVENT(&d.wire, EV_GO_SYSCALL_BEGIN, 1, k + 1, 0);
            WIRE_EVENT(&d.wire, EV_GO_SYSCALL_END, 1);
        }
        drawing_draw(&d, GT_VIEW_PROC, 0);
        peaks[i] = d.info.memory_peak;
        assert_drawn(&d, "X 0/1 @12+1 syscall {blocked=\"no\"}", 1);
        assert_drawn(&d, "X 0/1 @8410+1 syscall {blocked=\"no\"}", 1);
        drawing_free(&d);
    }
    assert_int_equal(peaks[0], peaks[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_syscall_is_drawn_within_the_run),
        cmocka_unit_test(test_blocking_syscall_ends_the_run),
        cmocka_unit_test(test_blocking_syscall_is_drawn_with_the_next_run_on_threads),
        cmocka_unit_test(test_goroutine_that_ends_in_a_syscall_can_come_back),
        cmocka_unit_test(test_syscall_that_lost_another_proc_ends_only_if_exact),
        cmocka_unit_test(test_memory_does_not_grow_with_syscalls_of_a_run),
    };
    return cmocka_run_group_tests_name("timeline syscalls", tests, NULL, NULL);
}
