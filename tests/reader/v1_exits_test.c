/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Ends of system calls in traces of Go 1.5 to 1.21. They are recorded when the goroutine gets a
 * proc, and say when they happened.
 */

#include "support/fault.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* A tick far from the start. */
#define NOON 2000u

/* The time of a tick. */
static int64_t at(uint64_t ticks)
{
    return (int64_t) ticks - V1_TICKS - 1;
}

/* Since Go 1.7 an exit has only its time. There is one version of each set of rules. */
static const unsigned versions[] = {7, 9, 11, 21};
#define VERSIONS 4

/*
 * Goroutine 1 loses its proc in a system call, and has an exit later on proc 1, with the time
 * `real`. Proc 1 has its own events at NOON, NOON + 100 and NOON + 200.
 */
static void write_exit(struct reading *r, unsigned version, uint64_t sequence, uint64_t real)
{
    v1_start_four(&r->wire, version);
    V1_EVENT(&r->wire, V1_GO_SYS_CALL, 1, 0);
    V1_EVENT(&r->wire, V1_GO_SYS_BLOCK, 1);
    v1_batch(&r->wire, 1, NOON - 2);
    V1_EVENT(&r->wire, V1_PROC_START, 0, 6);
    V1_EVENT(&r->wire, V1_GO_START, 1, 3, 1);
    V1_EVENT(&r->wire, V1_HEAP_ALLOC, 1, 0);
    V1_EVENT(&r->wire, V1_HEAP_ALLOC, 100, 1);
    V1_EVENT(&r->wire, V1_HEAP_ALLOC, 100, 2);
    V1_EVENT(&r->wire, V1_GO_SYS_EXIT, 100, 1, sequence, real);
    reading_open(r, NULL);
    reading_skip(r, V1_FOUR_EVENTS + 3);
}

static void expect_exit(struct reading *r, int64_t time)
{
    reading_goroutine(r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(r, GT_NO_THREAD, GT_STAND_IN_SYSCALLS, 1);
    reading_time(r, time);
}

static void test_exit_is_placed_at_its_time(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        write_exit(&r, versions[k], 2, NOON + 50);
        reading_metric(&r, 0);
        expect_exit(&r, at(NOON) + 50);
        reading_metric(&r, 1);
        reading_time(&r, at(NOON) + 100);
        reading_metric(&r, 2);
        reading_end(&r);
    }
}

/* At equal times the event that was recorded first comes first. */
static void test_exit_follows_an_event_of_the_same_time(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        write_exit(&r, versions[k], 2, NOON + 100);
        reading_metric(&r, 0);
        reading_metric(&r, 1);
        expect_exit(&r, at(NOON) + 101);
        reading_metric(&r, 2);
        reading_end(&r);
    }
}

static void test_exit_without_time_stays_where_it_was_recorded(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_exit(&r, v1_versions[k], v1_versions[k] < 7 ? 0 : 2, 0);
        reading_metric(&r, 0);
        reading_metric(&r, 1);
        reading_metric(&r, 2);
        expect_exit(&r, at(NOON) + 300);
        reading_end(&r);
    }
}

/* A goroutine that was in a system call when the trace began, and left it before the next event. */
static void test_exit_of_earlier_syscall_is_placed_at_its_time(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_open(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, 4, 0, 0);
        V1_EVENT(&r.wire, V1_GO_IN_SYSCALL, 1, 4);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 1, 4, 0);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 100, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 4, 2, V1_TICKS + 50);
        reading_open(&r, NULL);
        reading_skip(&r, V1_START_EVENTS);
        reading_goroutine(&r, 4, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
        reading_goroutine(&r, 4, GT_GO_SYSCALL, GT_GO_RUNNABLE);
        reading_time(&r, 49);
        reading_metric(&r, 1);
        reading_end(&r);
    }
}

static void test_wrong_exit_is_an_error(void **state)
{
    struct fault stray = {GT_ERR_ORDER, 0, 0, V1_FOUR_EVENTS + 1};
    struct fault early = {GT_ERR_TIME, 0, 0, V1_FOUR_EVENTS + 2};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 1);
        stray.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 2, 2, V1_TICKS + 10);
        bad += fault_check("exit of one that only waits", &r.wire, &stray);
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 1, 0);
        V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 1);
        early.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 1, 2, V1_TICKS + 11);
        bad += fault_check("exit before its block", &r.wire, &early);
    }
    assert_int_equal(bad, 0);
}

/* Go 1.5 gives an exit the sequence number and the time at which it happened. */
static void test_exit_follows_its_global_number(void **state)
{
    struct reading r = {0};
    (void) state;
    v1_start_four(&r.wire, 5);
    V1_EVENT(&r.wire, V1_GO_SYS_CALL, 1, 0);
    V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 1);
    r.wire.sequence = 100;
    v1_batch(&r.wire, 1, NOON);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 0);
    r.wire.sequence = 110;
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 1);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 2);
    V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 1, 105, NOON + 1);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 3);
    reading_open(&r, NULL);
    reading_skip(&r, V1_FOUR_EVENTS + 1);
    reading_metric(&r, 0);
    expect_exit(&r, at(NOON) + 2);
    reading_metric(&r, 1);
    reading_time(&r, at(NOON) + 3);
    reading_metric(&r, 2);
    reading_metric(&r, 3);
    reading_time(&r, at(NOON) + 5);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_is_placed_at_its_time),
        cmocka_unit_test(test_exit_follows_an_event_of_the_same_time),
        cmocka_unit_test(test_exit_without_time_stays_where_it_was_recorded),
        cmocka_unit_test(test_exit_of_earlier_syscall_is_placed_at_its_time),
        cmocka_unit_test(test_wrong_exit_is_an_error),
        cmocka_unit_test(test_exit_follows_its_global_number),
    };
    return cmocka_run_group_tests_name("v1 exits", tests, NULL, NULL);
}
