/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Threads whose next event has to wait for that of another thread, and the order in which they
 * continue.
 */

#include "support/reading.h"
#include "support/test.h"

/* Sequence numbers, not times, tell which thread's event comes first. */
static void test_sequence_numbers_count_more_than_times(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1000, 2, 1, 0);
    wire_batch(&r.wire, 1, 6, 20);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 2, 2);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_int_equal(r.event->time, 21);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    assert_int_equal(r.event->time, 1013);
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    assert_int_equal(r.event->time, 1014);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_RUNNABLE);
    assert_int_equal(r.event->time, 1015);
    reading_end(&r);
}

/* An event that waits comes right after the one that it waits for. */
static void expect_order(struct reading *r, const int64_t *threads, size_t count)
{
    reading_open(r, NULL);
    reading_skip(r, 1);
    for (size_t i = 0; i < count; i++) {
        reading_next(r, GT_EVENT_STATE_TRANSITION);
        assert_int_equal(r->event->thread, threads[i]);
    }
    reading_end(r);
}

static void test_unblock_waits_for_block(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, 1, 1, 0);
    wire_batch(&r.wire, 1, 6, 100);
    wire_running(&r.wire, 6, 0, 1);
    WIRE_EVENT(&r.wire, EV_GO_BLOCK, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    expect_order(&r, (const int64_t[]){6, 6, 6, 5, 6}, 5);
}

static void test_switch_waits_for_creation(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SWITCH, 1, 2, 1);
    wire_batch(&r.wire, 1, 6, 100);
    wire_running(&r.wire, 6, 1, 3);
    WIRE_EVENT(&r.wire, EV_GO_CREATE_BLOCKED, 1, 2, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY, 1);
    expect_order(&r, (const int64_t[]){5, 5, 6, 6, 6, 5, 5, 5, 6}, 9);
}

/* What is left of a goroutine that has ended serves the one that is created after it. */
static void test_start_waits_for_creation_after_an_end(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 3, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 1, 5, GO_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1000, 4, 0, 0);
    for (uint64_t i = 10; i < 14; i++)
        WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, i, PROC_IDLE);
    wire_batch(&r.wire, 1, 6, 20);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 4, 1);
    expect_order(&r, (const int64_t[]){5, 5, 5, 5, 5, 6, 5, 6, 5, 5, 5, 5}, 12);
}

static void test_start_waits_for_status(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 2, 1);
    wire_batch(&r.wire, 1, 6, 100);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_RUNNABLE);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 3, WIRE_NONE, GO_RUNNABLE);
    expect_order(&r, (const int64_t[]){5, 6, 5, 6}, 4);
}

static void test_proc_start_waits_for_stop(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 2);
    wire_batch(&r.wire, 1, 6, 100);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 1);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 3, WIRE_NONE, GO_RUNNABLE);
    expect_order(&r, (const int64_t[]){6, 6, 6, 5, 6}, 5);
}

static void test_steal_waits_for_syscall(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 2, 6);
    wire_batch(&r.wire, 1, 6, 100);
    wire_running(&r.wire, 6, 0, 1);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    expect_order(&r, (const int64_t[]){6, 6, 6, 5, 6}, 5);
}

/* A thread that returns from a system call takes a proc once it has lost its own. */
static void test_proc_start_waits_for_steal(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 1, 1);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    wire_batch(&r.wire, 1, 6, 100);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 2, 5);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 3);
    expect_order(&r, (const int64_t[]){5, 5, 5, 5, 6, 5, 5, 6}, 8);
}

/*
 * Several threads wait for the same event, which happens repeatedly: the thread of the earliest
 * time goes first.
 */
static void test_earliest_of_several_waiting_threads_goes_first(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    for (uint64_t i = 0; i < 5; i++) {
        wire_batch(&r.wire, 1, 10 + i, 50 - i);
        WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 1);
        WIRE_EVENT(&r.wire, EV_PROC_STOP, 0);
    }
    wire_batch(&r.wire, 1, 9, 100);
    for (uint64_t i = 0; i < 5; i++)
        WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1 + 1000 * i, 0, PROC_IDLE);
    expect_order(&r, (const int64_t[]){9, 14, 14, 9, 13, 13, 9, 12, 12, 9, 11, 11, 9, 10, 10}, 15);
}

/* At equal times the threads are in the order in which they first appear. */
static void test_equal_times_keep_the_order_of_threads(void **state)
{
    static const uint64_t threads[] = {9, 3, 7, 4, 8, 5};
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    wire_sync(&r.wire, 1, 1, WIRE_NANOSECONDS);
    for (size_t i = 0; i < 6; i++) {
        wire_batch(&r.wire, 1, threads[i], 10);
        WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, threads[i], PROC_IDLE);
        WIRE_EVENT(&r.wire, EV_PROC_STATUS, 0, threads[i], PROC_IDLE);
    }
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    for (size_t i = 0; i < 12; i++) {
        reading_next(&r, GT_EVENT_STATE_TRANSITION);
        assert_int_equal(r.event->thread, threads[i / 2]);
        assert_int_equal(r.event->time, 11 + i);
    }
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_numbers_count_more_than_times),
        cmocka_unit_test(test_unblock_waits_for_block),
        cmocka_unit_test(test_switch_waits_for_creation),
        cmocka_unit_test(test_start_waits_for_creation_after_an_end),
        cmocka_unit_test(test_start_waits_for_status),
        cmocka_unit_test(test_proc_start_waits_for_stop),
        cmocka_unit_test(test_steal_waits_for_syscall),
        cmocka_unit_test(test_proc_start_waits_for_steal),
        cmocka_unit_test(test_earliest_of_several_waiting_threads_goes_first),
        cmocka_unit_test(test_equal_times_keep_the_order_of_threads),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
