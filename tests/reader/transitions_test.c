/* SPDX-License-Identifier: BSD-3-Clause */

/* State transitions: every event of the wire format that is one, and what it becomes. */

#include "support/reading.h"
#include "support/test.h"

#define NONE (-1)

static void open_running(struct reading *r)
{
    reading_open(r, NULL);
    reading_skip(r, 3);
    reading_context(r, 5, 0, NONE);
}

static void test_proc_runs_from_start_to_stop(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 1);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_context(&r, 5, NONE, NONE);
    assert_int_equal(r.event->time, 11);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 5, 0, NONE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_context(&r, 5, NONE, NONE);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 5, 0, NONE);
    assert_int_equal(r.event->time, 14);
    reading_end(&r);
}

static void test_transitions_of_goroutines_and_procs_are_told_apart(void **state)
{
    struct reading r = {0};
    gt_transition change = GT_TRANSITION_INIT;
    (void) state;
    reading_begin_running(&r);
    reading_open(&r, NULL);
    reading_next(&r, GT_EVENT_SYNC);
    assert_status(gt_event_goroutine_transition(r.event, &change), GT_ERR_WRONG_KIND);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_status(gt_event_goroutine_transition(r.event, &change), GT_ERR_WRONG_KIND);
    assert_int_equal(change.to, 0);
    assert_status(gt_event_proc_transition(r.event, &change), GT_OK);
    assert_int_equal(change.to, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(gt_event_proc_transition(r.event, &change), GT_ERR_WRONG_KIND);
    assert_status(gt_event_goroutine_transition(r.event, &change), GT_OK);
    assert_int_equal(change.to, GT_GO_RUNNING);
    assert_int_equal(change.resource.id, 1);
    assert_status(gt_event_goroutine_transition(r.event, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_goroutine_transition(NULL, &change), GT_ERR_INVALID_ARGUMENT);
    change.size = 8;
    assert_status(gt_event_goroutine_transition(r.event, &change), GT_ERR_INVALID_ARGUMENT);
    reading_end(&r);
}

static void test_executing_states_are_those_of_go(void **state)
{
    (void) state;
    for (uint32_t s = 0; s < 9; s++) {
        assert_int_equal(gt_goroutine_state_executing(s), s == GT_GO_RUNNING || s == GT_GO_SYSCALL);
        assert_int_equal(gt_proc_state_executing(s), s == GT_PROC_RUNNING);
    }
}

static void test_proc_status_gives_the_state(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 2, PROC_SYSCALL);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 3, PROC_ABANDONED);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 4, PROC_BAD);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reading_context(&r, 5, NONE, NONE);
    reading_proc(&r, 2, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_context(&r, 5, NONE, NONE);
    reading_proc(&r, 3, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reading_context(&r, 5, 2, NONE);
    reading_proc(&r, 4, GT_PROC_UNDETERMINED, GT_PROC_UNDETERMINED);
    reading_context(&r, 5, 2, NONE);
    reading_end(&r);
}

/* A proc that is first mentioned in a later generation did not exist before it. */
static void test_proc_of_a_later_generation_did_not_exist(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    wire_sync(&r.wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 2, 5, 110);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_proc(&r, 1, GT_PROC_NOT_EXIST, GT_PROC_RUNNING);
    reading_context(&r, 5, NONE, NONE);
    reading_proc(&r, 1, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_context(&r, 5, 1, NONE);
    reading_end(&r);
}

/* Statuses are truncated to 8 bits, as Go's own reader does. */
static void test_status_is_a_byte(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, 256 + PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 1, 5, 512 + GO_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, 5, 256 + GO_WAITING);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    reading_context(&r, 5, 0, NONE);
    reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    reading_context(&r, 5, 0, 1);
    reading_end(&r);
}

static void test_stolen_proc_becomes_idle(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    wire_batch(&r.wire, 1, 6, 50);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 2, 5);
    open_running(&r);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    reading_context(&r, 5, 0, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 6, NONE, NONE);
    assert_int_equal(r.event->time, 51);
    /* The event waited for the steal, so its own time is moved on. */
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(&r, 5, NONE, 1);
    assert_int_equal(r.event->time, 52);
    reading_end(&r);
}

static void test_thread_steals_from_itself(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 2, 5);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 3);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    open_running(&r);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 5, 0, 1);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_context(&r, 5, NONE, 1);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    reading_end(&r);
}

/* The thread of an abandoned proc is unknown: the proc is idle before and after. */
static void test_abandoned_proc_stays_idle_when_stolen(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 3, PROC_ABANDONED);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 3, 1, 77);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    open_running(&r);
    reading_proc(&r, 3, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reading_proc(&r, 3, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_context(&r, 5, 0, 1);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    reading_end(&r);
}

/*
 * A status that calls a proc abandoned which is known to be in a system call is written by the
 * thief: it is reported in the context of the proc's owner.
 */
static void test_abandoned_status_is_in_its_owners_context(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    wire_sync(&r.wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 2, 6, 110);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 1, 5);
    WIRE_EVENT(&r.wire, EV_PROC_START, 1, 0, 2);
    wire_batch(&r.wire, 2, 5, 120);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    open_running(&r);
    reading_skip(&r, 2);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
    reading_context(&r, 5, 0, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 6, NONE, NONE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
    reading_context(&r, 6, NONE, NONE);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(&r, 5, NONE, 1);
    reading_end(&r);
}

static void test_abandoned_proc_stays_idle_over_generations(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    wire_sync(&r.wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 2, 6, 110);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 1, 5);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_context(&r, 6, NONE, NONE);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_end(&r);
}

static void test_goroutine_status_gives_the_state(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 1, WIRE_NONE, GO_RUNNABLE);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 3, WIRE_NONE, GO_BAD);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 4, 5, GO_SYSCALL);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 4, 5, GO_SYSCALL);
    reading_open(&r, NULL);
    reading_skip(&r, 2);
    reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, NONE);
    reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    reading_goroutine(&r, 3, GT_GO_UNDETERMINED, GT_GO_UNDETERMINED);
    reading_goroutine(&r, 4, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    reading_context(&r, 5, 0, NONE);
    reading_goroutine(&r, 4, GT_GO_SYSCALL, GT_GO_SYSCALL);
    reading_context(&r, 5, 0, 4);
    reading_end(&r);
}

/*
 * A goroutine that is in a system call of another thread: the event belongs to that thread, has the
 * goroutine once it is known, and has the proc of the thread that wrote it.
 */
static void test_status_of_syscall_is_in_the_context_of_its_thread(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 7, 9, GO_SYSCALL);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 7, 9, GO_SYSCALL);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    wire_batch(&r.wire, 1, 9, 100);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    open_running(&r);
    reading_goroutine(&r, 7, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    reading_context(&r, 9, 0, 1);
    reading_goroutine(&r, 7, GT_GO_SYSCALL, GT_GO_SYSCALL);
    reading_context(&r, 9, 0, 7);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    reading_goroutine(&r, 7, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(&r, 9, NONE, 7);
    reading_end(&r);
}

/* At the end of a generation the runtime writes statuses that belong to no thread. */
static void test_status_may_belong_to_no_thread(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    wire_batch(&r.wire, 1, WIRE_NONE, 100);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 7, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 8, 9, GO_SYSCALL);
    open_running(&r);
    reading_goroutine(&r, 7, GT_GO_UNDETERMINED, GT_GO_WAITING);
    reading_context(&r, NONE, NONE, NONE);
    reading_goroutine(&r, 8, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
    reading_context(&r, 9, NONE, NONE);
    reading_end(&r);
}

static void test_goroutine_changes_state_from_creation_to_end(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 2, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_BLOCK, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 2, 1);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 2, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 2, 2);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY, 1);
    wire_strings(&r.wire, 1);
    wire_string(&r.wire, 1, "chan receive");
    wire_string(&r.wire, 2, "preempted");
    open_running(&r);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    assert_text(reading_transition(&r).reason, "");
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_text(reading_transition(&r).reason, "chan receive");
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_context(&r, 5, 0, NONE);
    reading_goroutine(&r, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 2);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_RUNNABLE);
    assert_text(reading_transition(&r).reason, "preempted");
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    reading_context(&r, 5, 0, 2);
    reading_end(&r);
}

/*
 * A proc creates goroutines without having one itself; the id of an ended goroutine can be reused.
 */
static void test_proc_without_goroutine_creates_one(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 2, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 2, 1);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(&r.wire, EV_GO_CREATE_BLOCKED, 1, 2, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, 2, 1, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, NONE);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_WAITING);
    reading_context(&r, 5, 0, NONE);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_end(&r);
}

static void test_goroutine_enters_and_leaves_a_syscall(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END, 1);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 2, 0);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    open_running(&r);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
    reading_context(&r, 5, 0, 1);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 5, 0, 1);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(&r, 5, NONE, 1);
    reading_end(&r);
}

/* A C thread calls into Go and returns, without a proc. */
static void test_c_thread_has_a_goroutine_without_proc(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_GO_CREATE_SYSCALL, 1, 3);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY_SYSCALL, 1);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_goroutine(&r, 3, GT_GO_NOT_EXIST, GT_GO_SYSCALL);
    reading_context(&r, 5, NONE, NONE);
    reading_goroutine(&r, 3, GT_GO_SYSCALL, GT_GO_NOT_EXIST);
    reading_context(&r, 5, NONE, 3);
    reading_end(&r);
}

/* Its proc is taken away first, in an event of its own. */
static void test_c_thread_that_leaves_loses_its_proc_first(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY_SYSCALL, 1);
    wire_batch(&r.wire, 1, 6, 50);
    WIRE_EVENT(&r.wire, EV_PROC_STEAL, 1, 0, 2, 5);
    open_running(&r);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(&r, 5, 0, 1);
    assert_int_equal(r.event->time, 14);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_NOT_EXIST);
    reading_context(&r, 5, 0, 1);
    assert_int_equal(r.event->time, 15);
    reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_IDLE);
    reading_context(&r, 6, NONE, NONE);
    reading_end(&r);
}

/*
 * A switch is three events: the other goroutine wakes up, this one blocks, and the other one runs.
 */
static void test_switch_is_three_transitions(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_CREATE_BLOCKED, 1, 2, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_SWITCH, 1, 2, 1);
    WIRE_EVENT(&r.wire, EV_GO_SWITCH_DESTROY, 1, 1, 1);
    open_running(&r);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_WAITING);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 1);
    assert_int_equal(r.event->time, 14);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
    reading_context(&r, 5, 0, 1);
    assert_text(reading_transition(&r).reason, "");
    assert_true(reading_transition(&r).stack == GT_STACK_NONE);
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_context(&r, 5, 0, NONE);
    assert_int_equal(r.event->time, 16);
    reading_goroutine(&r, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 2);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    reading_context(&r, 5, 0, 2);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_context(&r, 5, 0, NONE);
    reading_end(&r);
}

static void test_unblock_may_belong_to_no_thread(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    wire_batch(&r.wire, 1, WIRE_NONE, 100);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, 2, 1, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_context(&r, NONE, NONE, NONE);
    reading_end(&r);
}

/* Runs a goroutine to its end. `number` is its next sequence number. */
static void run_to_end(struct reading *r, uint64_t id, uint64_t number)
{
    WIRE_EVENT(&r->wire, EV_GO_START, 1, id, number);
    WIRE_EVENT(&r->wire, EV_GO_DESTROY, 1);
}

/*
 * The reader finds goroutines by the low bits of their ids first. Here many share them, end, and
 * return with the same id or in the memory of another one.
 */
static void test_goroutines_with_equal_low_bits_are_told_apart(void **state)
{
    struct reading r = {0};
    const uint64_t ids[] = {7, 7 + 1024, 7 + 4096, 7 + (UINT64_C(1) << 40)};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 4; i++)
            WIRE_EVENT(&r.wire, EV_GO_CREATE_BLOCKED, 1, ids[i], 0, 0);
        for (unsigned i = 0; i < 4; i++)
            WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, ids[3 - i], 1, 0);
        for (unsigned i = 0; i < 4; i++)
            run_to_end(&r, ids[i], 2);
    }
    reading_open(&r, NULL);
    reading_skip(&r, 2);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 4; i++)
            reading_goroutine(&r, (int64_t) ids[i], GT_GO_NOT_EXIST, GT_GO_WAITING);
        for (unsigned i = 0; i < 4; i++)
            reading_goroutine(&r, (int64_t) ids[3 - i], GT_GO_WAITING, GT_GO_RUNNABLE);
        for (unsigned i = 0; i < 4; i++) {
            reading_goroutine(&r, (int64_t) ids[i], GT_GO_RUNNABLE, GT_GO_RUNNING);
            reading_goroutine(&r, (int64_t) ids[i], GT_GO_RUNNING, GT_GO_NOT_EXIST);
            reading_context(&r, 5, 0, (int64_t) ids[i]);
        }
    }
    reading_end(&r);
}

/* An event may wait for one that ended, whose memory is still there. */
static void test_goroutine_that_has_ended_cannot_start(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 7, 0, 0);
    run_to_end(&r, 7, 1);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 7, 2);
    reading_open(&r, NULL);
    reading_skip(&r, 5);
    reading_fail(&r, GT_ERR_STUCK);
}

/* Like any other, one that is created where another has ended begins with a stack of its own. */
static void test_goroutine_after_an_end_has_an_empty_stack(void **state)
{
    struct reading r = {0};
    gt_frame frame;
    size_t count = 1;
    (void) state;
    reading_begin(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 3, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 1, 5, GO_RUNNING);
    WIRE_EVENT(&r.wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 4, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 4, 1);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 5, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 6, 0, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 6);
    reading_goroutine(&r, 4, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, NONE);
    assert_true(reading_transition(&r).stack != GT_STACK_NONE);
    assert_status(gt_stack_frames(r.reader, reading_transition(&r).stack, &frame, 1, &count),
                  GT_OK);
    assert_int_equal(count, 0);
    assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
    reading_goroutine(&r, 4, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 5, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_context(&r, 5, 0, 4);
    reading_goroutine(&r, 6, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goroutine_after_an_end_has_an_empty_stack),
        cmocka_unit_test(test_proc_runs_from_start_to_stop),
        cmocka_unit_test(test_proc_status_gives_the_state),
        cmocka_unit_test(test_proc_of_a_later_generation_did_not_exist),
        cmocka_unit_test(test_status_is_a_byte),
        cmocka_unit_test(test_transitions_of_goroutines_and_procs_are_told_apart),
        cmocka_unit_test(test_executing_states_are_those_of_go),
        cmocka_unit_test(test_stolen_proc_becomes_idle),
        cmocka_unit_test(test_thread_steals_from_itself),
        cmocka_unit_test(test_abandoned_proc_stays_idle_when_stolen),
        cmocka_unit_test(test_abandoned_status_is_in_its_owners_context),
        cmocka_unit_test(test_abandoned_proc_stays_idle_over_generations),
        cmocka_unit_test(test_goroutine_status_gives_the_state),
        cmocka_unit_test(test_status_of_syscall_is_in_the_context_of_its_thread),
        cmocka_unit_test(test_status_may_belong_to_no_thread),
        cmocka_unit_test(test_goroutine_changes_state_from_creation_to_end),
        cmocka_unit_test(test_proc_without_goroutine_creates_one),
        cmocka_unit_test(test_goroutine_enters_and_leaves_a_syscall),
        cmocka_unit_test(test_c_thread_has_a_goroutine_without_proc),
        cmocka_unit_test(test_c_thread_that_leaves_loses_its_proc_first),
        cmocka_unit_test(test_switch_is_three_transitions),
        cmocka_unit_test(test_unblock_may_belong_to_no_thread),
        cmocka_unit_test(test_goroutines_with_equal_low_bits_are_told_apart),
        cmocka_unit_test(test_goroutine_that_has_ended_cannot_start),
    };
    return cmocka_run_group_tests_name("transitions", tests, NULL, NULL);
}
