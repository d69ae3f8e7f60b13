/* SPDX-License-Identifier: BSD-3-Clause */

/* What counts for a finding of a report, and what accuses nobody. */

#include <string.h>

#include "analysis/reporting.h"

#define ASSIST "GC mark assist"

/* Finishes and closes a report. Returns the figure of a finding, or 0; and its share. */
static double finish(gt_report *report, const char *name, double *share)
{
    gt_report_finding finding;
    assert_status(gt_report_finish(report), GT_OK);
    bool found = reporting_find(report, name, &finding);
    if (share)
        *share = found ? finding.share : 0;
    double figure = found ? finding.figure : 0;
    gt_report_close(&report);
    return figure;
}

/* A report that tells of any assist and of any share of the collector. */
static gt_report *open_for_assists(void)
{
    gt_report *report = reporting_open();
    reporting_set(report, "gc-assist.share", 0);
    reporting_set(report, "gc-assist.time", 0);
    reporting_set(report, "gc-cpu.share", 0);
    reporting_set(report, "gc-cpu.time", 0);
    return report;
}

static void test_assist_ends_where_its_goroutine_stops_the_world(void **state)
{
    gt_report *report = open_for_assists();
    (void) state;
    reporting_create(report, 0, 1, GT_GO_RUNNABLE);
    reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reporting_range(report, 1 * MILLISECOND, GT_EVENT_RANGE_BEGIN, 1, ASSIST, "");
    reporting_range(report, 3 * MILLISECOND, GT_EVENT_RANGE_BEGIN, 1, "stop-the-world", "GC");
    reporting_range(report, 13 * MILLISECOND, GT_EVENT_RANGE_END, 1, "stop-the-world", "GC");
    reporting_range(report, 15 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
    /* The next one is not shortened by that. */
    reporting_range(report, 20 * MILLISECOND, GT_EVENT_RANGE_BEGIN, 1, ASSIST, "");
    reporting_range(report, 21 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
    assert_true(finish(report, "gc-assist", NULL) == 3.0 * MILLISECOND);
}

static void test_assist_ends_where_others_wait_for_their_turn_to_end_marking(void **state)
{
    gt_report *report = open_for_assists();
    (void) state;
    for (int64_t id = 1; id <= 2; id++) {
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
        reporting_move(report, 0, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_range(report, 1 * MILLISECOND, GT_EVENT_RANGE_BEGIN, id, ASSIST, "");
    }
    reporting_move_at(report, 4 * MILLISECOND, "runtime.gcMarkDone", 2, GT_GO_RUNNING,
                      GT_GO_WAITING, "sync");
    reporting_move_by(report, 30 * MILLISECOND, 1, 2, GT_GO_WAITING, GT_GO_RUNNABLE, "");
    reporting_range(report, 31 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
    assert_true(finish(report, "gc-assist", NULL) == 6.0 * MILLISECOND);
}

static void sweep(gt_report *report, int64_t time, uint32_t kind)
{
    static const char name[] = "GC incremental sweep";
    /* The bytes swept and reclaimed. */
    const gt_value bytes[2] = {{.kind = GT_VALUE_UINT64}, {.kind = GT_VALUE_UINT64}};
    gt_range range = GT_RANGE_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    range.name = (gt_string){name, sizeof(name) - 1};
    range.scope.kind = GT_RESOURCE_PROC;
    options.proc = 0;
    range.attribute_count = kind == GT_EVENT_RANGE_END ? 2 : 0;
    options.kind = kind;
    options.range = &range;
    options.values = kind == GT_EVENT_RANGE_END ? bytes : NULL;
    reporting_feed(report, &options, time, 1);
}

static void test_sweep_in_an_assist_counts_once(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        gt_report *report = open_for_assists();
        reporting_procs(report, 0, 1);
        reporting_create(report, 0, 1, GT_GO_RUNNABLE);
        reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        if (i == 1)
            reporting_range(report, 10 * MILLISECOND, GT_EVENT_RANGE_BEGIN, 1, ASSIST, "");
        sweep(report, 20 * MILLISECOND, GT_EVENT_RANGE_BEGIN);
        sweep(report, 30 * MILLISECOND, GT_EVENT_RANGE_END);
        if (i == 1)
            reporting_range(report, 40 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
        reporting_move(report, 100 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
        assert_true(finish(report, "gc-cpu", NULL) == (i == 1 ? 30.0 : 10.0) * MILLISECOND);
    }
}

static void test_time_of_procs_counts_from_the_beginning(void **state)
{
    double share;
    gt_report *report = open_for_assists();
    (void) state;
    reporting_move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    reporting_range(report, 0, GT_EVENT_RANGE_BEGIN, 1, ASSIST, "");
    reporting_range(report, 50 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
    reporting_procs(report, 90 * MILLISECOND, 2);
    reporting_move(report, 100 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_true(finish(report, "gc-cpu", &share) == 50.0 * MILLISECOND);
    assert_true(share == 25);
    /* Nothing tells GOMAXPROCS, but two procs have run. */
    report = open_for_assists();
    for (int64_t proc = 0; proc < 2; proc++)
        reporting_move_proc(report, 0, proc, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reporting_move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    reporting_range(report, 0, GT_EVENT_RANGE_BEGIN, 1, ASSIST, "");
    reporting_range(report, 50 * MILLISECOND, GT_EVENT_RANGE_END, 1, ASSIST, "");
    reporting_move(report, 100 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_true(finish(report, "gc-cpu", &share) == 50.0 * MILLISECOND);
    assert_true(share == 25);
}

static void test_nothing_short_is_saturated(void **state)
{
    (void) state;
    for (int64_t unit = MICROSECOND; unit <= MILLISECOND; unit *= 1000) {
        gt_report *report = reporting_open();
        reporting_procs(report, 0, 1);
        reporting_create(report, 0, 1, GT_GO_RUNNABLE);
        reporting_create(report, 0, 2, GT_GO_RUNNABLE);
        reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move(report, 300 * unit, 1, GT_GO_RUNNING, GT_GO_WAITING);
        assert_true((finish(report, "cpu-saturated", NULL) > 0) == (unit == MILLISECOND));
    }
}

enum {
    WOKEN = 20
};

/*
 * Goroutine 1 wakes goroutines 2 to 21 a number of times, each `step` after the other, and waits in
 * between, or not.
 */
static double count_storms(int times, int64_t step, bool waits)
{
    gt_report *report = reporting_open();
    int64_t time = 0;
    reporting_set(report, "wake-storm.count", 0);
    reporting_procs(report, 0, 2);
    for (int64_t id = 1; id <= 1 + WOKEN; id++)
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
    reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    for (int i = 0; i < times; i++) {
        for (int64_t id = 2; id <= 1 + WOKEN; id++) {
            reporting_move(report, time, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
            reporting_move(report, time, id, GT_GO_RUNNING, GT_GO_WAITING);
        }
        for (int64_t id = 2; id <= 1 + WOKEN; id++)
            reporting_move_by(report, time += step, 1, id, GT_GO_WAITING, GT_GO_RUNNABLE, "");
        if (!waits)
            continue;
        reporting_move(report, time, 1, GT_GO_RUNNING, GT_GO_WAITING);
        reporting_move(report, time, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
        reporting_move(report, time, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    return finish(report, "wake-storm", NULL);
}

static void test_each_time_many_are_woken_is_one_storm(void **state)
{
    (void) state;
    assert_true(count_storms(3, 1 * MICROSECOND, true) == 3);
    assert_true(count_storms(3, 1 * MICROSECOND, false) == 3);
    assert_true(count_storms(3, 10 * MICROSECOND, true) == 3);
    /* It takes its time for each. */
    assert_true(count_storms(3, 200 * MICROSECOND, true) == 0);
}

/* Goroutine 1 wakes 20 goroutines, and soon after that 20 others; in between it waits, or not. */
static double count_storms_of_others(bool waits)
{
    gt_report *report = reporting_open();
    int64_t time = 0;
    reporting_set(report, "wake-storm.count", 0);
    reporting_procs(report, 0, 2);
    for (int64_t id = 1; id <= 1 + 2 * WOKEN; id++) {
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
        reporting_move(report, 0, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        if (id != 1)
            reporting_move(report, 0, id, GT_GO_RUNNING, GT_GO_WAITING);
    }
    for (int64_t id = 2; id <= 1 + 2 * WOKEN; id++) {
        if (id == 2 + WOKEN && waits) {
            reporting_move(report, time, 1, GT_GO_RUNNING, GT_GO_WAITING);
            reporting_move(report, time, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
            reporting_move(report, time, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        }
        reporting_move_by(report, ++time, 1, id, GT_GO_WAITING, GT_GO_RUNNABLE, "");
    }
    return finish(report, "wake-storm", NULL);
}

static void test_storm_ends_where_its_goroutine_waits(void **state)
{
    (void) state;
    assert_true(count_storms_of_others(false) == 1);
    assert_true(count_storms_of_others(true) == 2);
}

static void test_goroutines_that_take_turns_are_no_storm(void **state)
{
    gt_report *report = reporting_open();
    (void) state;
    reporting_set(report, "wake-storm.count", 0);
    reporting_procs(report, 0, 2);
    for (int64_t id = 1; id <= 2; id++) {
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
        reporting_move(report, 0, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    for (int64_t time = 1; time < 1000; time++) {
        reporting_move(report, time, 2, GT_GO_RUNNING, GT_GO_WAITING);
        reporting_move_by(report, time, 1, 2, GT_GO_WAITING, GT_GO_RUNNABLE, "");
        reporting_move(report, time, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    assert_true(finish(report, "wake-storm", NULL) == 0);
}

/* Twelve goroutines wait for the whole trace; if `moves`, another one is served in the middle. */
static double count_stuck(const char *function, const char *reason, bool moves)
{
    enum {
        WAITERS = 12
    };

    gt_report *report = reporting_open();
    for (int64_t id = 1; id <= WAITERS + 1; id++) {
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
        reporting_move(report, 0, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move_at(report, 0, function, id, GT_GO_RUNNING, GT_GO_WAITING, reason);
    }
    if (moves)
        reporting_move(report, 50 * MILLISECOND, WAITERS + 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    reporting_move(report, 100 * MILLISECOND, 99, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    return finish(report, "goroutine-stuck", NULL);
}

static void test_who_may_be_idle_is_not_stuck(void **state)
{
    (void) state;
    assert_true(count_stuck("sync.(*Mutex).Lock", "sync", false) == 13);
    assert_true(count_stuck("main.send", "chan send", false) == 13);
    /* Others get on there, so that it is only slow. */
    assert_true(count_stuck("sync.(*Mutex).Lock", "sync", true) == 0);
    assert_true(count_stuck("main.send", "chan send", true) == 0);
    assert_true(count_stuck("main.worker", "chan receive", false) == 0);
    assert_true(count_stuck("main.subscriber", "select", false) == 0);
    assert_true(count_stuck("sync.(*Cond).Wait", "sync", false) == 0);
}

static void test_leak_that_grows_is_told_once(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    for (int64_t id = 1; id <= 400; id++) {
        reporting_create(report, id * MILLISECOND, id, GT_GO_RUNNABLE);
        reporting_move(report, id * MILLISECOND, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move_at(report, id * MILLISECOND, "main.send", id, GT_GO_RUNNING, GT_GO_WAITING,
                          "chan send");
    }
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(reporting_find(report, "goroutine-growth", &finding));
    assert_true(finding.figure == 400);
    assert_false(reporting_find(report, "goroutine-stuck", &finding));
    gt_report_close(&report);
}

/*
 * In each of the first `milliseconds` of a hundred a goroutine is created that waits to its end; if
 * `moves`, the last one is served then.
 */
static double count_left(int milliseconds, const char *function, const char *reason, bool moves)
{
    gt_report *report = reporting_open();
    for (int64_t id = 1; id <= milliseconds; id++) {
        reporting_create(report, id * MILLISECOND, id, GT_GO_RUNNABLE);
        reporting_move(report, id * MILLISECOND, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move_at(report, id * MILLISECOND, function, id, GT_GO_RUNNING, GT_GO_WAITING,
                          reason);
    }
    if (moves)
        reporting_move(report, 99 * MILLISECOND, milliseconds, GT_GO_WAITING, GT_GO_RUNNABLE);
    reporting_move(report, 101 * MILLISECOND, 999, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    return finish(report, "goroutine-growth", NULL);
}

static void test_few_that_are_left_behind_are_a_leak(void **state)
{
    (void) state;
    assert_true(count_left(90, "main.send", "chan send", false) == 90);
    assert_true(count_left(70, "main.send", "chan send", false) == 70);
    assert_true(count_left(70, "sync.(*Mutex).Lock", "sync", false) == 70);
    /* They may be idle, others get on there, or they are of one burst. */
    assert_true(count_left(90, "main.worker", "chan receive", false) == 0);
    assert_true(count_left(90, "main.send", "chan send", true) == 0);
    assert_true(count_left(40, "main.send", "chan send", false) == 0);
}

/* Nine that are left, six of them since before the last quarter. */
static double count_few_left(double threshold)
{
    gt_report *report = reporting_open();
    reporting_set(report, "goroutine-growth.left", threshold);
    for (int64_t id = 1; id <= 9; id++) {
        int64_t time = 10 * id * MILLISECOND;
        reporting_create(report, time, id, GT_GO_RUNNABLE);
        reporting_move(report, time, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move_at(report, time, "main.send", id, GT_GO_RUNNING, GT_GO_WAITING, "chan send");
    }
    return finish(report, "goroutine-growth", NULL);
}

static void test_threshold_of_who_is_left_counts(void **state)
{
    (void) state;
    assert_true(count_few_left(6) == 9);
    assert_true(count_few_left(7) == 0);
}

/* Goroutine 1 makes `count` quick system calls, of which every so many is slow. */
static bool has_slow_calls(int count, int every)
{
    gt_report *report = reporting_open();
    int64_t time = 0;
    reporting_create(report, 0, 1, GT_GO_RUNNABLE);
    reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    for (int i = 1; i <= count; i++) {
        bool is_slow = i % every == 0;
        reporting_move_at(report, time, "syscall.read", 1, GT_GO_RUNNING, GT_GO_SYSCALL, "");
        time += is_slow ? 20 * MILLISECOND : MICROSECOND;
        reporting_move(report, time, 1, GT_GO_SYSCALL, is_slow ? GT_GO_RUNNABLE : GT_GO_RUNNING);
        if (is_slow)
            reporting_move(report, time, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    return finish(report, "slow-syscall", NULL) > 0;
}

static void test_few_slow_calls_of_many_are_no_finding(void **state)
{
    (void) state;
    assert_false(has_slow_calls(10000, 400));
    assert_true(has_slow_calls(10000, 20));
}

static void test_who_would_not_stop_is_named(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    (void) state;
    reporting_create(report, 0, 1, GT_GO_RUNNABLE);
    reporting_create_in(report, 0, "main.greedy", 2, GT_GO_RUNNABLE);
    for (int64_t id = 1; id <= 2; id++)
        reporting_move(report, 0, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reporting_stop(report, 10 * MILLISECOND, GT_EVENT_RANGE_BEGIN);
    reporting_move_at(report, 410 * MILLISECOND, "main.greedy", 2, GT_GO_RUNNING, GT_GO_RUNNABLE,
                      "preempted");
    reporting_stop(report, 411 * MILLISECOND, GT_EVENT_RANGE_END);
    reporting_move(report, 420 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(reporting_find(report, "gc-stop-the-world", &finding));
    assert_true(finding.figure == 401.0 * MILLISECOND);
    assert_status(gt_report_get_subject(report, 0, 1, &subject), GT_OK);
    assert_text(subject.group, "main.greedy");
    assert_text(subject.detail, "ran on and would not stop");
    assert_true(subject.figure == 400.0 * MILLISECOND);
    /* The gap is its own. */
    assert_false(reporting_find(report, "suspended", &finding));
    gt_report_close(&report);
}

static void test_cause_comes_before_its_effect(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding first = GT_REPORT_FINDING_INIT, second = GT_REPORT_FINDING_INIT;
    (void) state;
    reporting_procs(report, 0, 1);
    reporting_move_proc(report, 0, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    for (int64_t id = 1; id <= 40; id++)
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
    for (int64_t id = 1; id <= 40; id++) {
        reporting_move(report, id * 10 * MILLISECOND, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move(report, (id + 1) * 10 * MILLISECOND, id, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    }
    assert_status(gt_report_finish(report), GT_OK);
    assert_status(gt_report_get_finding(report, 0, &first), GT_OK);
    assert_status(gt_report_get_finding(report, 1, &second), GT_OK);
    assert_text(first.name, "cpu-saturated");
    assert_text(second.name, "scheduler-latency");
    assert_true(first.excess < second.excess);
    gt_report_close(&report);
}

static void test_time_in_a_javascript_host_is_idle(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        gt_report *report = reporting_open();
        reporting_procs(report, 0, 1);
        reporting_create_in(report, 0, i == 0 ? "runtime.handleAsyncEvent" : "main.handle", 1,
                            GT_GO_RUNNABLE);
        reporting_create(report, 0, 2, GT_GO_RUNNABLE);
        reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reporting_move(report, 100 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
        assert_true((finish(report, "cpu-saturated", NULL) > 0) == (i == 1));
    }
}

/*
 * Goroutine 1, which has a task, waits often for short at one place, and once for long at another
 * one, as was planned; or all at the same place.
 */
static bool is_blocked_on_channel(const char *other)
{
    gt_report *report = reporting_open();
    gt_task task = GT_TASK_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    int64_t time = 0;
    reporting_create(report, 0, 1, GT_GO_RUNNABLE);
    reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    task.id = 1;
    options.kind = GT_EVENT_TASK_BEGIN;
    options.task = &task;
    reporting_feed(report, &options, 0, 1);
    for (int i = 0; i < 202; i++) {
        bool is_long = i % 50 == 49;
        reporting_move_at(report, time, is_long ? other : "main.ask", 1, GT_GO_RUNNING,
                          GT_GO_WAITING, "chan receive");
        time += is_long ? 40 * MILLISECOND : 2 * MICROSECOND;
        reporting_move(report, time, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
        reporting_move(report, time, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    return finish(report, "blocked-on-channel", NULL) > 0;
}

static void test_long_waits_at_a_place_of_their_own_are_planned(void **state)
{
    (void) state;
    assert_false(is_blocked_on_channel("main.sleepUntil"));
    assert_true(is_blocked_on_channel("main.ask"));
}

/* Each yield of a call of runtime.GC is two events. */
static double event_rate(const char *function)
{
    gt_report *report = reporting_open();
    reporting_create(report, 0, 1, GT_GO_RUNNABLE);
    reporting_move(report, 0, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    for (int64_t time = 1; time <= 10000; time++) {
        reporting_move_at(report, time * 100, function, 1, GT_GO_RUNNING, GT_GO_RUNNABLE,
                          "runtime.Gosched");
        reporting_move(report, time * 100, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    }
    return finish(report, "trace-health", NULL);
}

static void test_yields_of_a_collection_are_no_flood(void **state)
{
    (void) state;
    assert_true(event_rate("main.spin") > 19e6);
    assert_true(event_rate("runtime.GC") < 1e4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assist_ends_where_its_goroutine_stops_the_world),
        cmocka_unit_test(test_assist_ends_where_others_wait_for_their_turn_to_end_marking),
        cmocka_unit_test(test_sweep_in_an_assist_counts_once),
        cmocka_unit_test(test_time_of_procs_counts_from_the_beginning),
        cmocka_unit_test(test_nothing_short_is_saturated),
        cmocka_unit_test(test_each_time_many_are_woken_is_one_storm),
        cmocka_unit_test(test_storm_ends_where_its_goroutine_waits),
        cmocka_unit_test(test_goroutines_that_take_turns_are_no_storm),
        cmocka_unit_test(test_who_may_be_idle_is_not_stuck),
        cmocka_unit_test(test_leak_that_grows_is_told_once),
        cmocka_unit_test(test_few_that_are_left_behind_are_a_leak),
        cmocka_unit_test(test_threshold_of_who_is_left_counts),
        cmocka_unit_test(test_few_slow_calls_of_many_are_no_finding),
        cmocka_unit_test(test_who_would_not_stop_is_named),
        cmocka_unit_test(test_cause_comes_before_its_effect),
        cmocka_unit_test(test_time_in_a_javascript_host_is_idle),
        cmocka_unit_test(test_long_waits_at_a_place_of_their_own_are_planned),
        cmocka_unit_test(test_yields_of_a_collection_are_no_flood),
    };
    return cmocka_run_group_tests_name("report_rules", tests, NULL, NULL);
}
