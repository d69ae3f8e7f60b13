/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What starts anew with each generation and what does not, clocks, and which of several faults is
 * reported. Each trace has the events of one of Go's own test traces, those in
 * internal/trace/testdata/generators of its source; the comment at a test begins with the name of
 * that trace.
 */

#include "support/gen_events.h"
#include "support/gen_moments.h"
#include "support/test.h"

/*
 * Goroutine 1 moves to thread 1 in the first generation. In the second, the start with number 2 is
 * the earliest event by time, and waits for number 1.
 */
static void write_confused(struct gen *g)
{
    g->dt = 2;
    gen_generation(g, 1);
    gen_running(g, 0, 0, 1);
    gen_go_stop(g, "whatever", 0);
    gen_on_at(g, 1, 2);
    gen_proc_status(g, 1, PROC_RUNNING);
    gen_go_start(g, 1);
    gen_go_stop(g, "whatever", 0);
    gen_generation(g, 2);
    gen_on_at(g, 1, 10);
    gen_proc_status(g, 1, PROC_RUNNING);
    gen_seq(g, 2);
    gen_go_start(g, 1);
    gen_on_at(g, 0, 20);
    gen_proc_status(g, 0, PROC_RUNNING);
    gen_go_status(g, 1, 0, GO_RUNNABLE);
    gen_go_start(g, 1);
    gen_go_stop(g, "whatever", 0);
}

static const struct gen_moment confused[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    PROC(1, UNDETERMINED, RUNNING, 1, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    GO(1, RUNNING, RUNNABLE, 0, 0, 1),
    GO(1, RUNNABLE, RUNNING, 1, 1, -1),
    GO(1, RUNNING, RUNNABLE, 1, 1, 1),
    SYNC_OF(2),
    PROC(1, RUNNING, RUNNING, 1, 1, -1),
    PROC(0, RUNNING, RUNNING, 0, 0, -1),
    GO(1, RUNNABLE, RUNNABLE, 0, 0, -1),
    GO(1, RUNNABLE, RUNNING, 0, 0, -1),
    GO(1, RUNNING, RUNNABLE, 0, 0, 1),
    GO(1, RUNNABLE, RUNNING, 1, 1, -1),
};

/* confuse-seq-across-generations: a sequence number is valid only within its generation. */
static void test_sequence_number_counts_within_its_generation(void **state)
{
    (void) state;
    gen_check(write_confused, 22, 26, GEN_MOMENTS(confused));
}

static void write_bare_create(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_proc_status(g, 0, PROC_RUNNING);
    gen_go_create(g, 5, 0, 0);
    gen_go_start(g, 5);
    gen_go_stop(g, "whatever", 0);
}

static const struct gen_moment bare_create[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(5, NOT_EXIST, RUNNABLE, 0, 0, -1),
    GO(5, RUNNABLE, RUNNING, 0, 0, -1),
    GO(5, RUNNING, RUNNABLE, 0, 0, 5),
};

/* go-create-without-running-g: a proc without a goroutine can create one. */
static void test_proc_alone_creates_a_goroutine(void **state)
{
    (void) state;
    gen_check(write_bare_create, 22, 26, GEN_MOMENTS(bare_create));
}

static void write_task(struct gen *g)
{
    gen_generation(g, 1);
    gen_running(g, 0, 0, 1);
    gen_task_begin(g, 2, 0, "my task", 0);
    gen_generation(g, 2);
    gen_running(g, 0, 0, 1);
    gen_task_end(g, 2, 0);
}

static const struct gen_moment task_begins[] = {
    SYNC_OF(1),
    PROC(0, UNDETERMINED, RUNNING, 0, -1, -1),
    GO(1, UNDETERMINED, RUNNING, 0, 0, -1),
    ANY(TASK_BEGIN, 0, 0, 1),
};

static const struct gen_moment task_ends[] = {
    SYNC_OF(2),
    PROC(0, RUNNING, RUNNING, 0, 0, 1),
    GO(1, RUNNING, RUNNING, 0, 0, 1),
    ANY(TASK_END, 0, 0, 1),
};

static void expect_task(const struct reading *r)
{
    gt_task task = GT_TASK_INIT;
    assert_status(gt_event_task(r->event, &task), GT_OK);
    assert_int_equal(task.id, 2);
    assert_true(task.parent == GT_NO_TASK);
    assert_text(task.type, "my task");
}

/*
 * task-across-generations: the name of the ended task is only in the strings of the generation
 * before.
 */
static void test_task_end_keeps_the_name_of_an_earlier_generation(void **state)
{
    static const unsigned versions[] = {22, 23, 25, 26};
    struct reading r = {0};
    struct gen g = {0};
    (void) state;
    for (size_t k = 0; k < 4; k++) {
        gen_begin(&g, versions[k]);
        write_task(&g);
        gen_read(&g, &r);
        gen_expect(&r, GEN_MOMENTS(task_begins));
        expect_task(&r);
        gen_expect(&r, GEN_MOMENTS(task_ends));
        expect_task(&r);
        reading_end(&r);
    }
}

/* An event without any context; the batch of the next generation lacks its content. */
static void write_first_fault(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 0);
    gen_go_create(g, 1, 0, 0);
    gen_end(g);
    wire_bytes(&g->wire, (const uint8_t[]){EV_EVENT_BATCH, 2, 0, 0, 50}, 5);
}

static const struct gen_moment first_fault[] = {SYNC_OF(1)};

/* fail-first-gen-first */
static void test_fault_of_first_generation_is_reported_first(void **state)
{
    (void) state;
    gen_check_fault(write_first_fault, 22, 26, GT_ERR_ORDER, GEN_MOMENTS(first_fault));
}

/* Three generations with different clocks, the second of which contains nothing else. */
static void write_clocks(struct gen *g)
{
    static const uint64_t frequencies[] = {1000000000, 500000000, 500000000};
    static const uint64_t times[] = {10, 20, 30};
    for (uint64_t i = 0; i < 3; i++) {
        gen_end(g);
        g->clock.frequency = frequencies[i];
        g->clock.time = times[i];
        g->clock.monotonic = 99 + 100 * i;
        g->clock.seconds = 1740755049 + i;
        g->clock.nanoseconds = 123;
        gen_generation(g, i + 1);
        gen_on_at(g, 1, times[i] + 5);
        if (i != 1)
            gen_proc_status(g, 0, PROC_RUNNING);
    }
}

static void expect_clock(struct reading *r, uint64_t number, uint64_t time, uint64_t trace)
{
    gt_sync sync = reading_sync(r);
    assert_int_equal(sync.generation, number);
    reading_time(r, (int64_t) time);
    assert_int_equal(sync.has_clock, r->wire.version >= 25);
    if (!sync.has_clock)
        return;
    assert_int_equal(sync.clock_trace, trace);
    assert_int_equal(sync.clock_monotonic, 100 * number - 1);
    assert_int_equal(sync.clock_seconds, 1740755048 + (int64_t) number);
    assert_int_equal(sync.clock_nanoseconds, 123);
}

/* 123-sync and 125-sync: the times of each generation are computed from its own frequency. */
static void test_each_generation_has_its_own_clock(void **state)
{
    static const unsigned versions[] = {22, 23, 25, 26};
    struct reading r = {0};
    struct gen g = {0};
    (void) state;
    for (size_t k = 0; k < 4; k++) {
        gen_begin(&g, versions[k]);
        write_clocks(&g);
        gen_read(&g, &r);
        expect_clock(&r, 1, 10, 11);
        reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_time(&r, 16);
        expect_clock(&r, 2, 40, 42);
        expect_clock(&r, 3, 60, 62);
        reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_RUNNING);
        reading_time(&r, 72);
        reading_end(&r);
    }
}

/*
 * The first generation with events describes what existed when the trace began. A generation
 * without events before it does not make it a later one.
 */
static void test_generation_without_events_leaves_states_undetermined(void **state)
{
    static const unsigned versions[] = {22, 23, 25, 26};
    struct reading r = {0};
    struct gen g = {0};
    (void) state;
    for (size_t k = 0; k < 4; k++) {
        gen_begin(&g, versions[k]);
        gen_generation(&g, 1);
        gen_generation(&g, 2);
        gen_on(&g, 5);
        gen_proc_status(&g, 0, PROC_RUNNING);
        gen_go_status(&g, 1, WIRE_NONE, GO_WAITING);
        gen_read(&g, &r);
        assert_int_equal(reading_sync(&r).generation, 1);
        assert_int_equal(reading_sync(&r).generation, 2);
        reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_goroutine(&r, 1, GT_GO_UNDETERMINED, GT_GO_WAITING);
        reading_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_number_counts_within_its_generation),
        cmocka_unit_test(test_proc_alone_creates_a_goroutine),
        cmocka_unit_test(test_task_end_keeps_the_name_of_an_earlier_generation),
        cmocka_unit_test(test_fault_of_first_generation_is_reported_first),
        cmocka_unit_test(test_each_generation_has_its_own_clock),
        cmocka_unit_test(test_generation_without_events_leaves_states_undetermined),
    };
    return cmocka_run_group_tests_name("generated generations", tests, NULL, NULL);
}
