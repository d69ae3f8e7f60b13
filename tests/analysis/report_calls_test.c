/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports of events that were made, also such as no program makes, and calls that fail. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"

enum {
    MANY = 100000,
    MILLISECOND = 1000000
};

/* Feeds the transition of goroutine `id` that goroutine `by` makes. */
static gt_status move_for(gt_report *report, int64_t time, int64_t by, int64_t id, uint32_t from,
                          uint32_t to, const char *reason)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_event *event;
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    change.reason = (gt_string){reason, strlen(reason)};
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.time = time;
    options.goroutine = by;
    options.transition = &change;
    assert_status(gt_event_make(&event, &options, NULL), GT_OK);
    gt_status status = gt_report_event(report, NULL, event);
    gt_event_free(&event);
    return status;
}

/* Goroutine `id`, which runs, begins to wait for the lock. */
static void wait_for_lock(gt_report *report, int64_t time, int64_t id)
{
    static const char lock[] = "sync.(*Mutex).Lock", work[] = "main.work";
    const gt_frame frames[] = {
        {.pc = 2, .function = {lock, sizeof(lock) - 1}, .file = {"", 0}},
        {.pc = 1, .function = {work, sizeof(work) - 1}, .file = {"", 0}},
    };
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_event *event;
    assert_status(gt_goroutine_transition_make(id, GT_GO_RUNNING, GT_GO_WAITING, &change), GT_OK);
    change.reason = (gt_string){"sync", strlen("sync")};
    change.stack = gt_stack_make(1, 1);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.time = time;
    options.goroutine = id;
    options.transition = &change;
    options.transition_frames = frames;
    options.transition_frame_count = sizeof(frames) / sizeof(frames[0]);
    assert_status(gt_event_make(&event, &options, NULL), GT_OK);
    assert_status(gt_report_event(report, NULL, event), GT_OK);
    gt_event_free(&event);
}

static void move(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to)
{
    assert_status(move_for(report, time, GT_NO_GOROUTINE, id, from, to, ""), GT_OK);
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

/* A report in which everything is a fault. */
static gt_report *open_strict(void)
{
    gt_report *report = open_report();
    for (size_t i = 0; i < gt_report_threshold_count(); i++) {
        gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;
        assert_status(gt_report_get_threshold(report, i, &threshold), GT_OK);
        set(report, threshold.name.data, 0);
    }
    return report;
}

/* Returns whether there is such a finding; then it is in `*finding`. */
static bool find(const gt_report *report, const char *name, gt_report_finding *finding)
{
    for (size_t i = 0; gt_report_get_finding(report, i, finding) == GT_OK; i++) {
        if (strcmp(finding->name.data, name) == 0)
            return true;
    }
    return false;
}

static void test_a_trace_without_events_has_no_finding(void **state)
{
    gt_report *report = open_strict();
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    assert_int_equal(gt_report_finding_count(report), 0);
    assert_status(gt_report_finish(report), GT_OK);
    assert_int_equal(gt_report_finding_count(report), 0);
    assert_status(gt_report_get_finding(report, 0, &finding), GT_ERR_NOT_AVAILABLE);
    gt_report_close(&report);
}

static void test_goroutines_of_no_known_function_are_not_stuck(void **state)
{
    gt_report *report = open_report();
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    set(report, "goroutine-stuck.count", 3);
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int64_t id = 2; id < 7; id++) {
        move(report, id, id, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        assert_status(move_for(report, id, id, id, GT_GO_RUNNING, GT_GO_WAITING, "chan receive"),
                      GT_OK);
    }
    move(report, 50, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    move(report, 1000, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_status(gt_report_finish(report), GT_OK);
    /* Nothing is known of these goroutines, so they could be of the runtime. */
    assert_false(find(report, "goroutine-stuck", &finding));
    gt_report_close(&report);
}

enum {
    WAITERS = 12,
    LENGTH = 100 * MILLISECOND
};

/*
 * Twelve goroutines wait for a lock, of which `served` get it, one in each `step`; the trace ends
 * long after that. The caller closes the report.
 */
static gt_report *queue_for_lock(int64_t served, int64_t step)
{
    gt_report *report = open_report();
    gt_report_finding stuck = GT_REPORT_FINDING_INIT;
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int64_t i = 0; i < WAITERS; i++) {
        move(report, i, 10 + i, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        wait_for_lock(report, i, 10 + i);
    }
    for (int64_t i = 0; i < served; i++)
        move(report, (i + 1) * step, 10 + i, GT_GO_WAITING, GT_GO_RUNNABLE);
    move(report, LENGTH, 1, GT_GO_RUNNING, GT_GO_WAITING);
    assert_status(gt_report_finish(report), GT_OK);
    assert_int_equal(find(report, "goroutine-stuck", &stuck), WAITERS - served >= 10);
    return report;
}

static bool is_convoy(int64_t served, int64_t step, gt_report_finding *finding)
{
    gt_report *report = queue_for_lock(served, step);
    bool found = find(report, "lock-convoy", finding);
    gt_report_close(&report);
    return found;
}

static void test_goroutines_that_never_get_a_lock_are_no_convoy(void **state)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    assert_false(is_convoy(0, MILLISECOND, &finding));
    assert_false(is_convoy(9, 2 * MILLISECOND, &finding));
}

static void test_a_deadlock_is_told_once_as_stuck_goroutines(void **state)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report *report = queue_for_lock(0, MILLISECOND);
    (void) state;
    assert_false(find(report, "blocked-on-lock", &finding));
    assert_status(gt_report_get_finding(report, 0, &finding), GT_OK);
    assert_string_equal(finding.name.data, "goroutine-stuck");
    assert_true(finding.figure == WAITERS);
    gt_report_close(&report);
    /* Too few to be told as stuck are told as waiting. */
    report = queue_for_lock(3, MILLISECOND);
    assert_true(find(report, "blocked-on-lock", &finding));
    assert_true(finding.figure > 9.0 * (LENGTH - WAITERS));
    gt_report_close(&report);
}

static void test_a_convoy_ends_when_the_last_goroutine_got_the_lock(void **state)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    assert_true(is_convoy(12, 2 * MILLISECOND, &finding));
    assert_true(finding.figure == 24 * MILLISECOND && finding.goroutine == 10 + WAITERS - 1);
    /* The others wait until the end of the trace, perhaps in a deadlock. */
    assert_true(is_convoy(10, 2 * MILLISECOND, &finding));
    assert_true(finding.figure == 20 * MILLISECOND && finding.goroutine == GT_NO_GOROUTINE);
    assert_true(finding.start == 0 && finding.end == 20 * MILLISECOND);
    /* The queue lasts for a moment. */
    assert_false(is_convoy(10, 100, &finding));
    assert_false(is_convoy(12, 100, &finding));
}

static void test_the_number_of_goroutines_must_rise_in_each_quarter(void **state)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    for (int only_at_start = 0; only_at_start < 2; only_at_start++) {
        gt_report *report = open_report();
        for (int64_t i = 0; i < 400; i++) {
            int64_t time = only_at_start ? i : i * MILLISECOND;
            move(report, time, 10 + i, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
        }
        move(report, 400 * MILLISECOND, 1, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
        assert_status(gt_report_finish(report), GT_OK);
        assert_int_equal(find(report, "goroutine-growth", &finding), !only_at_start);
        if (!only_at_start)
            assert_true(finding.figure == 401 && finding.start <= finding.end);
        gt_report_close(&report);
    }
}

static void test_times_at_the_ends_of_the_range_saturate(void **state)
{
    gt_report *report = open_strict();
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    move(report, INT64_MIN, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    move(report, -5, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    move(report, 0, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    move(report, INT64_MAX, 3, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    move(report, INT64_MAX, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    move(report, INT64_MIN, 2, GT_GO_RUNNING, GT_GO_RUNNABLE);
    assert_status(gt_report_finish(report), GT_OK);
    for (size_t i = 0; gt_report_get_finding(report, i, &finding) == GT_OK; i++)
        assert_true(isfinite(finding.figure) && isfinite(finding.share));
    gt_report_close(&report);
}

static void test_an_id_that_comes_back_is_another_goroutine(void **state)
{
    gt_report *report = open_strict();
    gt_report_info info = GT_REPORT_INFO_INIT;
    (void) state;
    for (int64_t i = 0; i < 10; i++)
        move(report, i, 7, GT_GO_NOT_EXIST, i % 2 ? GT_GO_RUNNING : GT_GO_RUNNABLE);
    move(report, 10, 8, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    assert_status(gt_report_get_info(report, &info), GT_OK);
    assert_int_equal(info.goroutines, 10);
    assert_int_equal(info.events, 11);
    gt_report_close(&report);
}

static void test_memory_does_not_grow_with_goroutines_that_end(void **state)
{
    gt_report *report = open_strict();
    gt_report_info early = GT_REPORT_INFO_INIT, late = GT_REPORT_INFO_INIT;
    (void) state;
    for (int64_t i = 0; i < MANY; i++) {
        move(report, 3 * i, i, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
        move(report, 3 * i + 1, i, GT_GO_RUNNABLE, GT_GO_RUNNING);
        move(report, 3 * i + 2, i, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        if (i == MANY / 10)
            assert_status(gt_report_get_info(report, &early), GT_OK);
    }
    assert_status(gt_report_get_info(report, &late), GT_OK);
    assert_true(late.memory_peak < early.memory_peak + 4096);
    assert_true(late.memory_peak < 64 << 10);
    gt_report_close(&report);
}

static void test_the_memory_limit_is_a_status_that_remains(void **state)
{
    gt_report_options options = GT_REPORT_OPTIONS_INIT;
    gt_report *report;
    gt_status status = GT_OK;
    (void) state;
    options.memory_limit = 1 << 20;
    assert_status(gt_report_open(&report, &options, NULL), GT_OK);
    for (int64_t i = 1; i < MANY && status == GT_OK; i++)
        status = move_for(report, i, GT_NO_GOROUTINE, i, GT_GO_NOT_EXIST, GT_GO_RUNNABLE, "");
    assert_status(status, GT_ERR_LIMIT);
    assert_status(gt_report_finish(report), GT_ERR_LIMIT);
    assert_int_equal(gt_report_finding_count(report), 0);
    gt_report_close(&report);
}

static void test_thresholds_have_the_names_of_kinds(void **state)
{
    (void) state;
    for (size_t i = 0; i < gt_report_threshold_count(); i++) {
        gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;
        gt_report_kind kind = GT_REPORT_KIND_INIT;
        bool known = false;
        assert_status(gt_report_get_threshold(NULL, i, &threshold), GT_OK);
        for (size_t k = 0; !known && gt_report_get_kind(k, &kind) == GT_OK; k++)
            known = strncmp(threshold.name.data, kind.name.data, kind.name.size) == 0 &&
                    threshold.name.data[kind.name.size] == '.';
        assert_true(known);
        assert_true(threshold.value == threshold.usual && threshold.reason.size > 0);
        assert_string_not_equal(gt_report_unit_name(threshold.unit), "bad");
    }
}

static void test_calls_that_are_wrong_are_refused(void **state)
{
    gt_report_options options = GT_REPORT_OPTIONS_INIT;
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;
    const gt_string name = {"gc-cpu.share", strlen("gc-cpu.share")};
    gt_error error = GT_ERROR_INIT;
    gt_report *report;
    size_t count;
    (void) state;
    options.flags = 1;
    assert_status(gt_report_open(&report, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "flags"));
    report = open_report();
    assert_status(gt_report_set(report, name, NAN), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_set(report, name, -1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_set(report, (gt_string){"gc-cpu", 6}, 1), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_report_set(report, name, 12.5), GT_OK);
    assert_status(gt_report_event(report, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    move(report, 0, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(gt_report_set(report, name, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_finish(report), GT_OK);
    assert_status(gt_report_finish(report), GT_OK);
    assert_status(move_for(report, 0, 1, 1, GT_GO_RUNNING, GT_GO_WAITING, ""),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_get_finding(report, 1, &finding), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_report_get_subject(report, 0, 1, &subject), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_report_subject_frames(report, 1, 0, 0, NULL, 0, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_report_subject_frames(report, 0, 0, 2, NULL, 0, &count),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_get_kind(gt_report_kind_count(), &kind), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_report_get_threshold(report, gt_report_threshold_count(), &threshold),
                  GT_ERR_NOT_AVAILABLE);
    kind.size = threshold.size = 1;
    assert_status(gt_report_get_kind(0, &kind), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_report_get_threshold(report, 0, &threshold), GT_ERR_INVALID_ARGUMENT);
    gt_report_close(&report);
    gt_report_close(&report);
    assert_int_equal(gt_report_finding_count(NULL), 0);
    assert_string_equal(gt_report_unit_name(99), "bad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_trace_without_events_has_no_finding),
        cmocka_unit_test(test_goroutines_of_no_known_function_are_not_stuck),
        cmocka_unit_test(test_goroutines_that_never_get_a_lock_are_no_convoy),
        cmocka_unit_test(test_a_deadlock_is_told_once_as_stuck_goroutines),
        cmocka_unit_test(test_a_convoy_ends_when_the_last_goroutine_got_the_lock),
        cmocka_unit_test(test_the_number_of_goroutines_must_rise_in_each_quarter),
        cmocka_unit_test(test_times_at_the_ends_of_the_range_saturate),
        cmocka_unit_test(test_an_id_that_comes_back_is_another_goroutine),
        cmocka_unit_test(test_memory_does_not_grow_with_goroutines_that_end),
        cmocka_unit_test(test_the_memory_limit_is_a_status_that_remains),
        cmocka_unit_test(test_thresholds_have_the_names_of_kinds),
        cmocka_unit_test(test_calls_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
