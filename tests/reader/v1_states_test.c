/* SPDX-License-Identifier: BSD-3-Clause */

/* What becomes of the events of Go 1.5 to 1.21 that change the state of a goroutine or proc. */

#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The pc of the only frame of a stack, or 0 if there is no stack. */
static uint64_t pc_of(const struct reading *r, gt_stack stack)
{
    gt_frame frame = {0};
    size_t count;
    if (stack == GT_STACK_NONE)
        return 0;
    assert_status(gt_stack_frames(r->reader, stack, &frame, 1, &count), GT_OK);
    assert_int_equal(count, 1);
    return frame.pc;
}

/* Asserts the pcs of both stacks of the transition that was read last. */
static void expect_stacks(const struct reading *r, uint64_t event_pc, uint64_t resource_pc)
{
    assert_int_equal(pc_of(r, gt_event_stack(r->event)), event_pc);
    assert_int_equal(pc_of(r, reading_transition(r).stack), resource_pc);
}

/* Stacks 1 and 2 have pcs 0x10 and 0x20; in Go 1.5 stacks hold only pcs. */
static void write_stacks(struct reading *r)
{
    v1_stack_one(&r->wire, 1, (struct v1_frame){0x10, 0, 0, 0});
    v1_stack_one(&r->wire, 2, (struct v1_frame){0x20, 0, 0, 0});
}

/* Writes the stacks, opens the trace, and reads the events of v1_start. */
static void open_started(struct reading *r)
{
    write_stacks(r);
    reading_open(r, NULL);
    reading_skip(r, V1_START_EVENTS);
}

static void test_start_reports_the_running_goroutine(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        reading_open(&r, NULL);
        assert_int_equal(reading_sync(&r).generation, 1);
        reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_context(&r, 5, 0, GT_NO_GOROUTINE);
        assert_int_equal(r.event->time, 1);
        expect_stacks(&r, 0, 0);
        reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 1);
        assert_text(reading_transition(&r).reason, "");
        assert_int_equal(r.event->time, 2);
        expect_stacks(&r, 0, 0);
        reading_end(&r);
    }
}

/*
 * Goroutines that existed before the trace: those whose state is not known are reported with the
 * first GOMAXPROCS.
 */
static void test_earlier_goroutines_are_reported_at_the_first_gomaxprocs(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        wire_begin(&r.wire, v1_versions[k]);
        v1_batch(&r.wire, 0, V1_TICKS);
        V1_EVENT(&r.wire, V1_FREQUENCY, WIRE_NANOSECONDS);
        V1_EVENT(&r.wire, V1_GO_CREATE, 10, 1, 1, 2);
        V1_EVENT(&r.wire, V1_GO_CREATE, 10, 2, 1, 2);
        V1_EVENT(&r.wire, V1_GO_WAITING, 10, 2);
        V1_EVENT(&r.wire, V1_GO_CREATE, 10, 3, 1, 2);
        V1_EVENT(&r.wire, V1_GO_IN_SYSCALL, 10, 3);
        V1_EVENT(&r.wire, V1_GO_CREATE, 10, 4, 1, 2);
        V1_EVENT(&r.wire, V1_PROC_START, 10, 5);
        V1_EVENT(&r.wire, V1_GO_START, 10, 1, 1);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 10, 4, 2);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 10, 4);
        write_stacks(&r);
        reading_open(&r, NULL);
        reading_skip(&r, 1);
        assert_int_equal(r.event->time, -1);
        reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
        reading_context(&r, GT_NO_THREAD, 0, 2);
        assert_int_equal(r.event->time, 20);
        expect_stacks(&r, 0, 0);
        reading_goroutine(&r, 3, GT_GO_UNDETERMINED, GT_GO_SYSCALL);
        reading_context(&r, GT_NO_THREAD, 0, 3);
        expect_stacks(&r, 0, 0);
        reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_context(&r, 5, 0, GT_NO_GOROUTINE);
        reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 1);
        reading_goroutine(&r, 4, GT_GO_UNDETERMINED, GT_GO_RUNNABLE);
        reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
        assert_int_equal(r.event->time, 80);
        expect_stacks(&r, 0, 0);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(r.event->time, 90);
        reading_end(&r);
    }
}

/* Several such goroutines are each reported once, 1 ns apart. */
static void test_each_earlier_goroutine_is_reported_once(void **state)
{
    struct reading r = {0};
    unsigned seen = 0;
    (void) state;
    v1_start_open(&r.wire, 21);
    for (unsigned i = 2; i < 10; i++)
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, i, 0, 0);
    V1_EVENT(&r.wire, V1_GOMAXPROCS, 100, 4, 0);
    reading_open(&r, NULL);
    reading_skip(&r, V1_START_EVENTS);
    for (unsigned i = 2; i < 10; i++) {
        gt_transition transition;
        reading_next(&r, GT_EVENT_STATE_TRANSITION);
        transition = reading_transition(&r);
        assert_int_equal(transition.resource.kind, GT_RESOURCE_GOROUTINE);
        assert_in_range(transition.resource.id, 2, 9);
        assert_int_equal(transition.to, GT_GO_RUNNABLE);
        assert_int_equal(seen & 1u << transition.resource.id, 0);
        seen |= 1u << transition.resource.id;
        assert_int_equal(r.event->time, 110 + i - 2);
    }
    reading_end(&r);
}

static void test_proc_runs_from_start_to_stop(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_END, 1);
        V1_EVENT(&r.wire, V1_PROC_STOP, 1);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 0);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 7);
        v1_batch(&r.wire, 0x7fffffff, V1_TICKS + 100);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 0);
        V1_EVENT(&r.wire, V1_PROC_STOP, 1);
        open_started(&r);
        reading_skip(&r, 1);
        reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
        reading_context(&r, 5, 0, GT_NO_GOROUTINE);
        reading_next(&r, GT_EVENT_METRIC);
        reading_context(&r, GT_NO_THREAD, 0, GT_NO_GOROUTINE);
        reading_proc(&r, 0, GT_PROC_IDLE, GT_PROC_RUNNING);
        reading_context(&r, 7, 0, GT_NO_GOROUTINE);
        reading_proc(&r, 0x7fffffff, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_context(&r, 0, 0x7fffffff, GT_NO_GOROUTINE);
        reading_proc(&r, 0x7fffffff, GT_PROC_RUNNING, GT_PROC_IDLE);
        reading_context(&r, 0, 0x7fffffff, GT_NO_GOROUTINE);
        reading_end(&r);
    }
}

/* The start stack of Go 1.5 is the pc of a function, whose name is looked up at that address. */
static void test_goroutine_changes_state_from_creation_to_end(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, 2, v1_versions[k] < 7 ? 0x1f : 2, 1);
        V1_EVENT(&r.wire, V1_GO_STOP, 1, 1);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 1);
        V1_EVENT(&r.wire, V1_GO_END, 1);
        v1_batch(&r.wire, 1, V1_TICKS + 100);
        V1_EVENT(&r.wire, V1_GO_CREATE, 1, 3, 0, 0);
        open_started(&r);
        reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
        reading_context(&r, 5, 0, 1);
        assert_text(reading_transition(&r).reason, "");
        expect_stacks(&r, 0x10, 0x20);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
        reading_context(&r, 5, 0, 1);
        assert_text(reading_transition(&r).reason, "forever");
        expect_stacks(&r, 0x10, 0x10);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 2);
        assert_text(reading_transition(&r).reason, "");
        expect_stacks(&r, 0, 0);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        reading_context(&r, 5, 0, 2);
        expect_stacks(&r, 0, 0);
        reading_goroutine(&r, 3, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
        reading_context(&r, GT_NO_THREAD, 1, GT_NO_GOROUTINE);
        assert_int_equal(pc_of(&r, gt_event_stack(r.event)), 0);
        reading_end(&r);
    }
}

/* The ways to stop running, and their reasons. */
static const struct way {
    unsigned type;
    uint32_t to;
    const char *reason;
} ways[] = {
    {V1_GO_SCHED, GT_GO_RUNNABLE, "runtime.Gosched"},
    {V1_GO_PREEMPT, GT_GO_RUNNABLE, "preempted"},
    {V1_GO_STOP, GT_GO_WAITING, "forever"},
    {V1_GO_SLEEP, GT_GO_WAITING, "sleep"},
    {V1_GO_BLOCK, GT_GO_WAITING, ""},
    {V1_GO_BLOCK_SEND, GT_GO_WAITING, "chan send"},
    {V1_GO_BLOCK_RECV, GT_GO_WAITING, "chan receive"},
    {V1_GO_BLOCK_SELECT, GT_GO_WAITING, "select"},
    {V1_GO_BLOCK_SYNC, GT_GO_WAITING, "sync"},
    {V1_GO_BLOCK_COND, GT_GO_WAITING, "sync.(*Cond).Wait"},
    {V1_GO_BLOCK_NET, GT_GO_WAITING, "network"},
    {V1_GO_BLOCK_GC, GT_GO_WAITING, "GC mark assist wait for work"},
};

static void test_stop_has_its_state_and_reason(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (v1_specs[ways[i].type].since > v1_versions[k])
                continue;
            v1_start(&r.wire, v1_versions[k]);
            V1_EVENT(&r.wire, ways[i].type, 1, 1);
            open_started(&r);
            reading_goroutine(&r, 1, GT_GO_RUNNING, ways[i].to);
            reading_context(&r, 5, 0, 1);
            assert_text(reading_transition(&r).reason, ways[i].reason);
            expect_stacks(&r, 0x10, 0x10);
            reading_end(&r);
        }
    }
}

/* A stop with stack 0 has no stack. */
static void test_stop_of_stack_zero_has_none(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        open_started(&r);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
        expect_stacks(&r, 0, 0);
        reading_end(&r);
    }
}

/*
 * Goroutine 2 blocks in the given way, and is unblocked by goroutine 1 on proc 0; `timers` is the
 * goroutine that runs the timers.
 */
static void write_unblock(struct reading *r, unsigned version, unsigned block, uint64_t timers)
{
    v1_start(&r->wire, version);
    V1_EVENT(&r->wire, V1_TIMER_GOROUTINE, timers);
    V1_EVENT(&r->wire, V1_GO_CREATE, 1, 2, 0, 0);
    V1_EVENT(&r->wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&r->wire, V1_GO_START, 1, 2, 1);
    V1_EVENT(&r->wire, block, 1, 0);
    V1_EVENT(&r->wire, V1_GO_START, 1, 1, 2);
    V1_EVENT(&r->wire, V1_GO_UNBLOCK, 1, 2, 2, 1);
    V1_EVENT(&r->wire, V1_HEAP_ALLOC, 1, 0);
    open_started(r);
    reading_skip(r, 5);
    reading_goroutine(r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    assert_text(reading_transition(r).reason, "");
    expect_stacks(r, 0x10, 0);
}

/* Timers and the network have their own procs; their thread is unknown. */
static void test_unblock_is_on_the_proc_of_its_cause(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_unblock(&r, v1_versions[k], V1_GO_BLOCK_SEND, 9);
        reading_context(&r, 5, 0, 1);
        reading_next(&r, GT_EVENT_METRIC);
        reading_end(&r);
        write_unblock(&r, v1_versions[k], V1_GO_BLOCK_NET, 9);
        reading_context(&r, GT_NO_THREAD, GT_STAND_IN_NETWORK, 1);
        reading_next(&r, GT_EVENT_METRIC);
        reading_context(&r, 5, 0, 1);
        reading_end(&r);
        write_unblock(&r, v1_versions[k], V1_GO_SLEEP, 1);
        reading_context(&r, GT_NO_THREAD, GT_STAND_IN_TIMERS, 1);
        reading_next(&r, GT_EVENT_METRIC);
        reading_context(&r, 5, 0, 1);
        reading_end(&r);
    }
}

/*
 * A timer wakes up a goroutine that waited for the network: readers before that of Go 1.23 kept the
 * event on the proc of the timers.
 */
static void test_timer_unblocks_on_the_proc_of_its_version(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_unblock(&r, v1_versions[k], V1_GO_BLOCK_NET, 1);
        reading_context(&r, GT_NO_THREAD,
                        v1_versions[k] < 11 ? GT_STAND_IN_TIMERS : GT_STAND_IN_NETWORK, 1);
        reading_next(&r, GT_EVENT_METRIC);
        reading_end(&r);
    }
}

/* As in Go, events without a goroutine belong to goroutine 0, which may be a timer's. */
static void test_timer_0_unblocks_without_a_goroutine(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start_four(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_TIMER_GOROUTINE, 0);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        reading_open(&r, NULL);
        reading_skip(&r, V1_FOUR_EVENTS + 1);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_context(&r, GT_NO_THREAD, GT_STAND_IN_TIMERS, GT_NO_GOROUTINE);
        reading_end(&r);
    }
}

static void test_labelled_start_is_a_start_and_a_label(void **state)
{
    struct reading r = {0};
    gt_label label = GT_LABEL_INIT;
    (void) state;
    for (size_t k = 2; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        v1_string(&r.wire, 1, "GC (dedicated)");
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(&r.wire, V1_GO_START_LABEL, 10, 1, 2, 1);
        open_started(&r);
        reading_skip(&r, 1);
        reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 1);
        assert_text(reading_transition(&r).reason, "");
        assert_int_equal(r.event->time, 14);
        expect_stacks(&r, 0, 0);
        assert_status(gt_event_label(reading_next(&r, GT_EVENT_LABEL), &label), GT_OK);
        assert_text(label.label, "GC (dedicated)");
        assert_int_equal(label.resource.kind, GT_RESOURCE_GOROUTINE);
        assert_int_equal(label.resource.id, 1);
        reading_context(&r, 5, 0, 1);
        assert_int_equal(r.event->time, 15);
        assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
        reading_end(&r);
    }
}

/* A proc that never named its thread is on thread 0, as in Go. */
static void test_proc_without_a_thread_is_on_thread_0(void **state)
{
    struct reading r = {0};
    (void) state;
    v1_start(&r.wire, 21);
    V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
    v1_batch(&r.wire, 3, V1_TICKS + 100);
    V1_EVENT(&r.wire, V1_GO_START_LABEL, 1, 1, 2, 0);
    V1_EVENT(&r.wire, V1_GO_SYS_CALL, 1, 0);
    V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
    open_started(&r);
    reading_skip(&r, 1);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_context(&r, 0, 3, 1);
    reading_next(&r, GT_EVENT_LABEL);
    reading_context(&r, 0, 3, 1);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    reading_context(&r, 0, 3, 1);
    reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
    reading_context(&r, 0, 3, 1);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
    reading_context(&r, GT_NO_THREAD, 3, 1);
    reading_end(&r);
}

/* Goroutine 1 makes a system call on proc 0, and its exit is on proc 1. */
static void write_exit(struct reading *r)
{
    V1_EVENT(&r->wire, V1_PROC_STOP, 10);
    v1_batch(&r->wire, 1, V1_TICKS + 200);
    V1_EVENT(&r->wire, V1_PROC_START, 1, 6);
    V1_EVENT(&r->wire, V1_GO_SYS_EXIT, 1, 1, r->wire.version < 7 ? 0 : 2, 0);
    V1_EVENT(&r->wire, V1_GO_START, 1, 1, 3);
    open_started(r);
}

static void expect_exit(struct reading *r)
{
    reading_proc(r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_context(r, 5, 0, GT_NO_GOROUTINE);
    reading_proc(r, 1, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_goroutine(r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
    reading_context(r, GT_NO_THREAD, GT_STAND_IN_SYSCALLS, 1);
    expect_stacks(r, 0, 0);
    reading_goroutine(r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_context(r, 6, 1, 1);
    reading_end(r);
}

/* A system call that blocks lasts from its begin to its exit; the block itself is not an event. */
static void test_blocking_syscall_lasts_until_its_exit(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 10);
        write_exit(&r);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        reading_context(&r, 5, 0, 1);
        assert_text(reading_transition(&r).reason, "");
        expect_stacks(&r, 0x10, 0x10);
        assert_int_equal(r.event->time, 13);
        expect_exit(&r);
    }
}

/* The goroutine's next event is not the block, and Go looks no further. */
static void test_event_before_the_block_ends_the_syscall(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 1);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 10, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 10);
        write_exit(&r);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
        assert_int_equal(r.event->time, 14);
        reading_next(&r, GT_EVENT_METRIC);
        expect_exit(&r);
    }
}

/* A system call that does not block lasts 1 ns. */
static void test_syscall_without_block_lasts_1_ns(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 2);
        open_started(&r);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        reading_context(&r, 5, 0, 1);
        expect_stacks(&r, 0x10, 0x10);
        assert_int_equal(r.event->time, 13);
        reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 1);
        expect_stacks(&r, 0, 0);
        assert_int_equal(r.event->time, 14);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        expect_stacks(&r, 0x20, 0x20);
        assert_int_equal(r.event->time, 23);
        reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
        assert_int_equal(r.event->time, 24);
        reading_end(&r);
    }
}

/*
 * If a CPU sample of the goroutine precedes the block, Go takes the system call for one that does
 * not block.
 */
static void test_sample_before_the_block_ends_the_syscall(void **state)
{
    struct reading r = {0};
    (void) state;
    for (unsigned version = 19; version <= 21; version += 2) {
        v1_start(&r.wire, version);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 1);
        V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 10);
        v1_batch(&r.wire, 1, V1_TICKS + 200);
        V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 1, 2, 0);
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, V1_TICKS + 19, 0, 1, 1);
        open_started(&r);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
        assert_int_equal(r.event->time, 14);
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        assert_int_equal(r.event->time, 18);
        reading_goroutine(&r, 1, GT_GO_SYSCALL, GT_GO_RUNNABLE);
        reading_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_reports_the_running_goroutine),
        cmocka_unit_test(test_earlier_goroutines_are_reported_at_the_first_gomaxprocs),
        cmocka_unit_test(test_each_earlier_goroutine_is_reported_once),
        cmocka_unit_test(test_proc_runs_from_start_to_stop),
        cmocka_unit_test(test_goroutine_changes_state_from_creation_to_end),
        cmocka_unit_test(test_stop_has_its_state_and_reason),
        cmocka_unit_test(test_stop_of_stack_zero_has_none),
        cmocka_unit_test(test_unblock_is_on_the_proc_of_its_cause),
        cmocka_unit_test(test_timer_unblocks_on_the_proc_of_its_version),
        cmocka_unit_test(test_timer_0_unblocks_without_a_goroutine),
        cmocka_unit_test(test_labelled_start_is_a_start_and_a_label),
        cmocka_unit_test(test_proc_without_a_thread_is_on_thread_0),
        cmocka_unit_test(test_blocking_syscall_lasts_until_its_exit),
        cmocka_unit_test(test_event_before_the_block_ends_the_syscall),
        cmocka_unit_test(test_syscall_without_block_lasts_1_ns),
        cmocka_unit_test(test_sample_before_the_block_ends_the_syscall),
    };
    return cmocka_run_group_tests_name("v1 states", tests, NULL, NULL);
}
