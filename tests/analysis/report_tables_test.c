/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports of events whose number, depth or order no program would make: tables have limits. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

enum {
    MICROSECOND = 1000,
    MILLISECOND = 1000 * MICROSECOND,
    MEGABYTE = 1 << 20
};

static void feed(gt_report *report, gt_event_make_options *options, int64_t time, int64_t goroutine)
{
    gt_event *event;
    options->time = time;
    options->goroutine = goroutine;
    assert_status(gt_event_make(&event, options, NULL), GT_OK);
    assert_status(gt_report_event(report, NULL, event), GT_OK);
    gt_event_free(&event);
}

/* The transition of goroutine `id` that goroutine `by` makes. */
static void move_by(gt_report *report, int64_t time, int64_t by, int64_t id, uint32_t from,
                    uint32_t to, const char *reason)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    change.reason = (gt_string){reason, strlen(reason)};
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.transition = &change;
    feed(report, &options, time, by);
}

static void move(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to)
{
    move_by(report, time, GT_NO_GOROUTINE, id, from, to, "");
}

static void set_procs(gt_report *report, int64_t time, uint64_t procs)
{
    static const char name[] = "/sched/gomaxprocs:threads";
    gt_metric metric = GT_METRIC_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    metric.name = (gt_string){name, sizeof(name) - 1};
    metric.value.kind = GT_VALUE_UINT64;
    metric.value.number = procs;
    options.kind = GT_EVENT_METRIC;
    options.metric = &metric;
    feed(report, &options, time, GT_NO_GOROUTINE);
}

static void task(gt_report *report, int64_t time, uint64_t id, bool begins, const char *type)
{
    gt_task task = GT_TASK_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    task.id = id;
    task.parent = GT_NO_TASK;
    task.type = (gt_string){type, strlen(type)};
    options.kind = begins ? GT_EVENT_TASK_BEGIN : GT_EVENT_TASK_END;
    options.task = &task;
    feed(report, &options, time, 1);
}

static void region(gt_report *report, int64_t time, bool begins, const char *type)
{
    gt_region region = GT_REGION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    region.task = 7;
    region.type = (gt_string){type, strlen(type)};
    options.kind = begins ? GT_EVENT_REGION_BEGIN : GT_EVENT_REGION_END;
    options.region = &region;
    feed(report, &options, time, 1);
}

static void set(gt_report *report, const char *name, double value)
{
    assert_status(gt_report_set(report, (gt_string){name, strlen(name)}, value), GT_OK);
}

static gt_report *open_report(void)
{
    gt_report *report;
    assert_status(gt_report_open(&report, NULL, NULL), GT_OK);
    return report;
}

/* Returns whether there is such a finding; then it is in `*finding`. */
static bool find(const gt_report *report, const char *name, gt_report_finding *finding)
{
    *finding = (gt_report_finding) GT_REPORT_FINDING_INIT;
    for (size_t i = 0; gt_report_get_finding(report, i, finding) == GT_OK; i++) {
        if (strcmp(finding->name.data, name) == 0)
            return true;
    }
    return false;
}

static uint64_t memory_peak(const gt_report *report)
{
    gt_report_info info = GT_REPORT_INFO_INIT;
    assert_status(gt_report_get_info(report, &info), GT_OK);
    return info.memory_peak;
}

static void test_tasks_that_never_end_are_held_up_to_a_limit(void **state)
{
    gt_report *report = open_report();
    gt_report_finding finding;
    (void) state;
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (uint64_t i = 0; i < 400000; i++)
        task(report, (int64_t) i, i, true, "endless");
    assert_true(memory_peak(report) < 16 * MEGABYTE);
    /* Those that there was no room for are not known when they end. */
    for (uint64_t i = 0; i < 400000; i++)
        task(report, 400000, i, false, "");
    task(report, 400001, 1, false, "");
    assert_status(gt_report_finish(report), GT_OK);
    assert_false(find(report, "task-outlier", &finding));
    gt_report_close(&report);
}

static void test_regions_may_be_nested_to_any_depth(void **state)
{
    gt_report *report = open_report();
    gt_report_finding finding;
    (void) state;
    set(report, "region-outlier.times", 0);
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    region(report, 0, false, "older than the trace");
    for (int64_t i = 0; i < 400000; i++)
        region(report, 1 + i, true, i == 0 ? "outer" : "inner");
    assert_true(memory_peak(report) < 16 * MEGABYTE);
    for (int64_t i = 0; i < 400000; i++)
        region(report, 2 * MILLISECOND + i, false, "");
    assert_status(gt_report_finish(report), GT_OK);
    assert_true(find(report, "region-outlier", &finding));
    assert_int_equal(finding.subject_count, 1);
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    assert_status(gt_report_get_subject(report, 0, 0, &subject), GT_OK);
    assert_int_equal(subject.detail.size, strlen("inner"));
    assert_memory_equal(subject.detail.data, "inner", strlen("inner"));
    assert_int_equal(subject.count, (1 << 17) - 1);
    gt_report_close(&report);
}

static void test_regions_end_with_their_goroutine(void **state)
{
    gt_report *report = open_report();
    uint64_t early = 0;
    (void) state;
    for (int64_t i = 0; i < 20000; i++) {
        move(report, 10 * i, 1, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        for (int depth = 0; depth < 20; depth++)
            region(report, 10 * i + 1, true, "open");
        move(report, 10 * i + 2, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        region(report, 10 * i + 2, false, "open");
        if (i == 100)
            early = memory_peak(report);
    }
    assert_true(memory_peak(report) < early + 4096);
    gt_report_close(&report);
}

static void test_types_beyond_the_limit_are_not_counted(void **state)
{
    gt_report *report = open_report();
    char type[32];
    (void) state;
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
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
        gt_report *report = open_report();
        gt_report_finding finding;
        int64_t step = slow ? 20 * MICROSECOND : MICROSECOND;
        set_procs(report, 0, 2);
        move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
        for (int64_t storm = 0; storm < STORMS; storm++) {
            int64_t time = storm * MILLISECOND;
            for (int64_t id = 2; id < 2 + WOKEN; id++)
                move(report, time, id, GT_GO_RUNNABLE, GT_GO_WAITING);
            for (int64_t id = 2; id < 2 + WOKEN; id++)
                move_by(report, time + id * step, 1, id, GT_GO_WAITING, GT_GO_RUNNABLE, "");
        }
        assert_status(gt_report_finish(report), GT_OK);
        assert_int_equal(find(report, "wake-storm", &finding), !slow);
        if (!slow)
            assert_true(finding.figure == STORMS && finding.goroutine == 1);
        gt_report_close(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks_that_never_end_are_held_up_to_a_limit),
        cmocka_unit_test(test_regions_may_be_nested_to_any_depth),
        cmocka_unit_test(test_regions_end_with_their_goroutine),
        cmocka_unit_test(test_types_beyond_the_limit_are_not_counted),
        cmocka_unit_test(test_a_storm_is_many_goroutines_in_a_short_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
