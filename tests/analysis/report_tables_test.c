/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports of events whose number, depth or order no program would make: tables have limits. */

#include <stdio.h>
#include <string.h>

#include "analysis/reporting.h"

enum {
    MEGABYTE = 1 << 20
};

static void task(gt_report *report, int64_t time, uint64_t id, bool begins, const char *type)
{
    gt_task task = GT_TASK_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    task.id = id;
    task.parent = GT_NO_TASK;
    task.type = (gt_string){type, strlen(type)};
    options.kind = begins ? GT_EVENT_TASK_BEGIN : GT_EVENT_TASK_END;
    options.task = &task;
    reporting_feed(report, &options, time, 1);
}

static void region(gt_report *report, int64_t time, bool begins, const char *type)
{
    gt_region region = GT_REGION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    region.task = 7;
    region.type = (gt_string){type, strlen(type)};
    options.kind = begins ? GT_EVENT_REGION_BEGIN : GT_EVENT_REGION_END;
    options.region = &region;
    reporting_feed(report, &options, time, 1);
}

static uint64_t memory_peak(const gt_report *report)
{
    gt_report_info info = GT_REPORT_INFO_INIT;
    assert_status(gt_report_get_info(report, &info), GT_OK);
    return info.memory_peak;
}

static void test_tasks_that_never_end_are_held_up_to_a_limit(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    reporting_move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (uint64_t i = 0; i < 400000; i++)
        task(report, (int64_t) i, i, true, "endless");
    assert_true(memory_peak(report) < 16 * MEGABYTE);
    /* Those that there was no room for are not known when they end. */
    for (uint64_t i = 0; i < 400000; i++)
        task(report, 400000, i, false, "");
    task(report, 400001, 1, false, "");
    assert_status(gt_report_finish(report), GT_OK);
    assert_false(reporting_find(report, "task-outlier", &finding));
    gt_report_close(&report);
}

static void test_regions_may_be_nested_to_any_depth(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    reporting_set(report, "region-outlier.times", 0);
    reporting_move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    region(report, 0, false, "older than the trace");
    for (int64_t i = 0; i < 400000; i++)
        region(report, 1 + i, true, i == 0 ? "outer" : "inner");
    assert_true(memory_peak(report) < 16 * MEGABYTE);
    for (int64_t i = 0; i < 400000; i++)
        region(report, 2 * MILLISECOND + i, false, "");
    assert_status(gt_report_finish(report), GT_OK);
    size_t number = reporting_number(report, "region-outlier", &finding);
    assert_int_equal(finding.subject_count, 1);
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    assert_status(gt_report_get_subject(report, number, 0, &subject), GT_OK);
    assert_int_equal(subject.detail.size, strlen("inner"));
    assert_memory_equal(subject.detail.data, "inner", strlen("inner"));
    assert_int_equal(subject.count, (1 << 17) - 1);
    gt_report_close(&report);
}

static void test_regions_end_with_their_goroutine(void **state)
{
    gt_report *report = reporting_open();
    uint64_t early = 0;
    (void) state;
    for (int64_t i = 0; i < 20000; i++) {
        reporting_move(report, 10 * i, 1, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        for (int depth = 0; depth < 20; depth++)
            region(report, 10 * i + 1, true, "open");
        reporting_move(report, 10 * i + 2, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        region(report, 10 * i + 2, false, "open");
        if (i == 100)
            early = memory_peak(report);
    }
    assert_true(memory_peak(report) < early + 4096);
    gt_report_close(&report);
}

static void test_types_beyond_the_limit_are_not_counted(void **state)
{
    gt_report *report = reporting_open();
    char type[32];
    (void) state;
    reporting_move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int64_t i = 0; i < 100000; i++) {
        snprintf(type, sizeof(type), "type %d", (int) i);
        task(report, i * 100, (uint64_t) i, true, type);
        task(report, i * 100 + i % 60, (uint64_t) i, false, "");
    }
    /* Most of it are the names of types. */
    assert_true(memory_peak(report) < 24 * MEGABYTE);
    assert_status(gt_report_finish(report), GT_OK);
    gt_report_close(&report);
}

static void test_a_storm_is_many_goroutines_in_a_short_time(void **state)
{
    enum {
        WOKEN = 9,
        STORMS = 11
    };

    (void) state;
    for (int slow = 0; slow < 2; slow++) {
        gt_report *report = reporting_open();
        gt_report_finding finding;
        int64_t step = slow ? 20 * MICROSECOND : MICROSECOND;
        reporting_procs(report, 0, 2);
        reporting_create(report, 0, 1, GT_GO_RUNNING);
        for (int64_t storm = 0; storm < STORMS; storm++) {
            int64_t time = storm * MILLISECOND;
            for (int64_t id = 2; id < 2 + WOKEN; id++)
                reporting_move(report, time, id, GT_GO_RUNNABLE, GT_GO_WAITING);
            for (int64_t id = 2; id < 2 + WOKEN; id++)
                reporting_move_by(report, time + id * step, 1, id, GT_GO_WAITING, GT_GO_RUNNABLE,
                                  "");
        }
        assert_status(gt_report_finish(report), GT_OK);
        assert_int_equal(reporting_find(report, "wake-storm", &finding), !slow);
        if (!slow)
            assert_true(finding.figure == STORMS && finding.goroutine == 1);
        gt_report_close(&report);
    }
}

/* Goroutine 1 waits 30 times for a channel, a third of them for long. */
static bool is_blocked(bool in_task, int64_t longest)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    int64_t time = 0;
    reporting_create(report, 0, 1, GT_GO_RUNNING);
    if (in_task)
        task(report, 0, 1, true, "task");
    for (int i = 0; i < 30; i++) {
        reporting_move_by(report, time, 1, 1, GT_GO_RUNNING, GT_GO_WAITING, "chan receive");
        time += i % 3 == 0 ? longest : MILLISECOND;
        reporting_move_by(report, time, 2, 1, GT_GO_WAITING, GT_GO_RUNNABLE, "");
        reporting_move(report, time, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
        time += MICROSECOND;
    }
    assert_status(gt_report_finish(report), GT_OK);
    bool found = reporting_find(report, "blocked-on-channel", &finding);
    gt_report_close(&report);
    return found;
}

static void test_waits_for_channels_count_in_tasks_and_if_some_are_long(void **state)
{
    (void) state;
    assert_true(is_blocked(true, 20 * MILLISECOND));
    assert_false(is_blocked(false, 20 * MILLISECOND));
    assert_false(is_blocked(true, 2 * MILLISECOND));
}

static void sync_clock(gt_report *report, int64_t time, int64_t trace, int64_t seconds,
                       uint32_t nanoseconds)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    sync.number = sync.generation = 1;
    sync.has_clock = 1;
    sync.clock_trace = trace;
    sync.clock_seconds = seconds;
    sync.clock_nanoseconds = nanoseconds;
    options.kind = GT_EVENT_SYNC;
    options.sync = &sync;
    reporting_feed(report, &options, time, GT_NO_GOROUTINE);
}

static void test_a_step_of_the_clock_is_a_fault_of_the_trace(void **state)
{
    static const struct {
        int64_t seconds;
        uint32_t milliseconds;
        uint64_t steps;
    } cases[] = {
        {1, 1, 0},
        {0, 995, 0},
        {1, 30, 1},
        {0, 500, 1},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        gt_report *report = reporting_open();
        gt_report_finding finding;
        sync_clock(report, 0, 0, 0, 0);
        reporting_procs(report, 0, 2);
        sync_clock(report, 1000 * MILLISECOND, 1000 * MILLISECOND, cases[i].seconds,
                   cases[i].milliseconds * MILLISECOND);
        assert_status(gt_report_finish(report), GT_OK);
        assert_true(reporting_find(report, "trace-health", &finding));
        assert_int_equal(finding.excess >= 1, cases[i].steps);
        assert_int_equal(finding.end >= finding.start, cases[i].steps);
        assert_int_equal(finding.subject_count, 1 + cases[i].steps);
        gt_report_close(&report);
    }
}

static void test_clocks_at_the_ends_of_their_range_do_not_overflow(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    sync_clock(report, 0, INT64_MIN, 0, 0);
    sync_clock(report, 1, INT64_MAX, INT64_MAX / 1000000000 - 2, 999999999);
    sync_clock(report, 2, 0, INT64_MAX, 0);
    sync_clock(report, 3, 0, INT64_MIN, 0);
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(reporting_find(report, "trace-health", &finding));
    assert_true(finding.excess >= 1);
    gt_report_close(&report);
}

/*
 * Four gaps of 40 ms that end at multiples of `distance` ms, between which goroutine 2 does
 * something. Returns whether that is throttling.
 */
static bool is_throttled(int64_t distance, uint32_t state, gt_report_finding *finding)
{
    gt_report *report = reporting_open();
    reporting_move(report, 0, 1, GT_GO_NOT_EXIST, state);
    for (int64_t i = 0; i < 4; i++) {
        int64_t end = (i + 1) * distance;
        for (int64_t time = i * distance; time < end - 40; time += 10)
            reporting_move(report, time * MILLISECOND, 2, GT_GO_WAITING, GT_GO_SYSCALL);
        reporting_move(report, (end - 40) * MILLISECOND, 2, GT_GO_WAITING, GT_GO_SYSCALL);
        reporting_move(report, end * MILLISECOND, 2, GT_GO_WAITING, GT_GO_SYSCALL);
    }
    assert_status(gt_report_finish(report), GT_OK);
    bool found = reporting_find(report, "throttled", finding);
    gt_report_close(&report);
    return found;
}

static void test_gaps_are_throttling_if_they_end_in_periods_of_100_ms(void **state)
{
    gt_report_finding finding;
    (void) state;
    assert_true(is_throttled(100, GT_GO_RUNNING, &finding));
    assert_true(finding.figure == 160.0 * MILLISECOND);
    assert_true(is_throttled(300, GT_GO_RUNNING, &finding));
    assert_true(is_throttled(101, GT_GO_RUNNING, &finding));
    assert_false(is_throttled(70, GT_GO_RUNNING, &finding));
    assert_false(is_throttled(133, GT_GO_RUNNING, &finding));
    /* Nothing runs, so nothing is missing. */
    assert_false(is_throttled(100, GT_GO_WAITING, &finding));
}

/*
 * Goroutine 2 waits beside an idle proc for so many milliseconds, and goroutine 3 from the middle
 * of that on, while the world is stopped or not. The trace lasts for 100 ms.
 */
static double idle_time(int64_t milliseconds, bool stopped)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    reporting_set(report, "cpu-idle-with-work.count", 1);
    const int64_t end = milliseconds * MILLISECOND;
    reporting_procs(report, 0, 2);
    reporting_move_proc(report, 0, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reporting_move_proc(report, 0, 1, GT_PROC_UNDETERMINED, GT_PROC_IDLE);
    reporting_move(report, 0, 1, GT_GO_NOT_EXIST, GT_GO_RUNNING);
    if (stopped)
        reporting_stop(report, 0, GT_EVENT_RANGE_BEGIN);
    reporting_create(report, 0, 2, GT_GO_RUNNABLE);
    reporting_create(report, end / 2, 3, GT_GO_RUNNABLE);
    if (stopped)
        reporting_stop(report, end, GT_EVENT_RANGE_END);
    reporting_move_proc(report, end, 1, GT_PROC_IDLE, GT_PROC_RUNNING);
    reporting_move(report, end, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reporting_move(report, 99 * MILLISECOND, 3, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reporting_move(report, 100 * MILLISECOND, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_status(gt_report_finish(report), GT_OK);
    double figure = reporting_find(report, "cpu-idle-with-work", &finding) ? finding.figure : 0;
    gt_report_close(&report);
    return figure;
}

static void test_work_beside_an_idle_proc_counts_once(void **state)
{
    (void) state;
    assert_true(idle_time(10, false) == 9900.0 * MICROSECOND);
    assert_true(idle_time(1, false) == 0);
    assert_true(idle_time(10, true) == 0);
}

static void test_work_may_wait_until_the_end_of_the_trace(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    reporting_set(report, "cpu-idle-with-work.count", 1);
    reporting_set(report, "cpu-idle-with-work.sum", MILLISECOND);
    reporting_procs(report, 0, 1);
    for (int64_t id = 1; id < 4; id++)
        reporting_create(report, 0, id, GT_GO_RUNNABLE);
    /* A proc that is said to stop more often than it was started. */
    reporting_move_proc(report, 0, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reporting_move_proc(report, MILLISECOND, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reporting_create(report, MILLISECOND, 2, GT_GO_RUNNABLE);
    reporting_move(report, 2 * MILLISECOND, 1, GT_GO_RUNNABLE, GT_GO_NOT_EXIST);
    reporting_move(report, 2 * MILLISECOND, 9, GT_GO_RUNNING, GT_GO_WAITING);
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(reporting_find(report, "cpu-idle-with-work", &finding));
    assert_true(finding.figure == 1900.0 * MICROSECOND);
    gt_report_close(&report);
}

static void test_a_goroutine_may_end_while_it_stops_the_world(void **state)
{
    gt_report *report = reporting_open();
    gt_report_finding finding;
    (void) state;
    reporting_set(report, "cpu-idle-with-work.count", 1);
    reporting_procs(report, 0, 1);
    reporting_move(report, 0, 1, GT_GO_NOT_EXIST, GT_GO_RUNNING);
    reporting_stop(report, 0, GT_EVENT_RANGE_BEGIN);
    reporting_stop(report, 0, GT_EVENT_RANGE_BEGIN);
    reporting_move(report, 1, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    reporting_stop(report, 1, GT_EVENT_RANGE_END);
    reporting_create(report, 1, 2, GT_GO_RUNNABLE);
    reporting_move(report, 10 * MILLISECOND, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(reporting_find(report, "cpu-idle-with-work", &finding));
    gt_report_close(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_that_never_end_are_held_up_to_a_limit),
        cmocka_unit_test(test_regions_may_be_nested_to_any_depth),
        cmocka_unit_test(test_regions_end_with_their_goroutine),
        cmocka_unit_test(test_types_beyond_the_limit_are_not_counted),
        cmocka_unit_test(test_a_storm_is_many_goroutines_in_a_short_time),
        cmocka_unit_test(test_waits_for_channels_count_in_tasks_and_if_some_are_long),
        cmocka_unit_test(test_a_step_of_the_clock_is_a_fault_of_the_trace),
        cmocka_unit_test(test_clocks_at_the_ends_of_their_range_do_not_overflow),
        cmocka_unit_test(test_gaps_are_throttling_if_they_end_in_periods_of_100_ms),
        cmocka_unit_test(test_work_beside_an_idle_proc_counts_once),
        cmocka_unit_test(test_work_may_wait_until_the_end_of_the_trace),
        cmocka_unit_test(test_a_goroutine_may_end_while_it_stops_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
