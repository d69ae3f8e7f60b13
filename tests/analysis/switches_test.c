/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Switches between coroutines: the goroutine that is switched to has not waited for a proc, and
 * nobody woke it. The trace is that of a goroutine that takes values from an iterator; each event
 * is 1000 ns after the one before.
 */

#include <stdbool.h>
#include <string.h>

#include "support/gen_events.h"
#include "support/suite.h"

enum {
    SWITCHES = 20000,
    STEP = 1000,
    /* Goroutines. */
    MAIN = 1,
    COROUTINE = 2
};

/* The coroutine is created, switched to as often as it switches back, and ends. */
static void write_switches(struct gen *g)
{
    gen_begin(g, 26);
    g->time = g->dt = STEP;
    gen_generation(g, 1);
    gen_running(g, 5, 0, MAIN);
    GEN_EVENT(g, EV_PROCS_CHANGE, 1, 0);
    gen_go_stop(g, "preempted", GEN_STACK(g, {"main.main", "main.go", 1}));
    gen_go_start(g, MAIN);
    gen_go_create_blocked(g, COROUTINE, GEN_STACK(g, {"main.values", "main.go", 2}), 0);
    for (unsigned i = 0; i < SWITCHES; i++)
        gen_go_switch(g, i % 2 == 0 ? COROUTINE : MAIN);
    gen_go_switch(g, COROUTINE);
    gen_go_switch_destroy(g, MAIN);
    gen_end(g);
}

/* Calls `take` with each event of the trace. */
static void read_switches(gt_status (*take)(void *to, gt_reader *reader, const gt_event *event),
                          void *to)
{
    struct gen g = {0};
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    write_switches(&g);
    assert_status(gt_reader_open_memory(&reader, g.wire.data, g.wire.size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        assert_status(take(to, reader, event), GT_OK);
    assert_status(status, GT_END);
    gt_reader_close(&reader);
    gen_free(&g);
}

static gt_status take_latency(void *to, gt_reader *reader, const gt_event *event)
{
    return gt_latency_event(to, reader, event);
}

/* The count of a series; 0: there is none. */
static uint64_t count_of(const gt_latency *latency, uint32_t kind, uint32_t group, const char *name)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    for (size_t i = 0; gt_latency_get_series(latency, i, &series) == GT_OK; i++) {
        if (series.kind == kind && series.group == group && series.name.size == strlen(name) &&
            memcmp(series.name.data, name, series.name.size) == 0)
            return series.count;
    }
    return 0;
}

static void test_latency_has_waits_as_a_coroutine_and_none_for_a_proc(void **state)
{
    gt_latency *latency;
    (void) state;
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    read_switches(take_latency, latency);
    assert_status(gt_latency_finish(latency), GT_OK);
    /* The only one is that after the preemption. */
    assert_int_equal(count_of(latency, GT_LATENCY_SCHED, GT_LATENCY_ALL, ""), 1);
    assert_int_equal(count_of(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REASON, "preempted"), 1);
    assert_int_equal(count_of(latency, GT_LATENCY_BLOCK, GT_LATENCY_ALL, ""), SWITCHES + 2);
    assert_int_equal(count_of(latency, GT_LATENCY_BLOCK, GT_LATENCY_BY_REASON, "coroutine"),
                     SWITCHES + 2);
    assert_int_equal(count_of(latency, GT_LATENCY_BLOCK, GT_LATENCY_BY_REASON, ""), 0);
    gt_latency_close(&latency);
}

static gt_status take_path(void *to, gt_reader *reader, const gt_event *event)
{
    return gt_path_event(to, reader, event);
}

static void test_path_leads_from_one_running_coroutine_to_the_other(void **state)
{
    gt_path *path;
    gt_path_info info = GT_PATH_INFO_INIT;
    (void) state;
    assert_status(gt_path_open(&path, NULL, NULL), GT_OK);
    read_switches(take_path, path);
    assert_status(gt_path_finish(path), GT_OK);
    assert_status(gt_path_get_info(path, &info), GT_OK);
    /* From the creation of the coroutine on. */
    assert_status(gt_path_follow(path, MAIN, info.start + 5 * STEP, info.end), GT_OK);
    assert_true(gt_path_part_count(path) > SWITCHES);
    for (size_t i = 0; i < gt_path_part_count(path); i++) {
        gt_path_part part = GT_PATH_PART_INIT;
        assert_status(gt_path_get_part(path, i, &part), GT_OK);
        assert_int_equal(part.state, GT_PATH_RUNNING);
        assert_int_equal(part.goroutine, i % 2 == 0 ? MAIN : COROUTINE);
    }
    gt_path_close(&path);
}

static gt_status take_compare(void *to, gt_reader *reader, const gt_event *event)
{
    return gt_compare_event(to, reader, event);
}

static void test_compare_has_no_quantiles_of_waits_for_a_proc(void **state)
{
    gt_compare *compare;
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    bool is_blocked = false;
    (void) state;
    assert_status(gt_compare_open(&compare, NULL, NULL), GT_OK);
    for (uint32_t side = 0; side < 2; side++) {
        assert_status(gt_compare_begin(compare, side), GT_OK);
        read_switches(take_compare, compare);
    }
    assert_status(gt_compare_finish(compare), GT_OK);
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        bool is_sum = difference.statistic == GT_COMPARE_PER_SECOND;
        is_blocked |= difference.measure == GT_COMPARE_BLOCKED;
        assert_true(is_sum || difference.measure != GT_COMPARE_SCHEDULER ||
                    difference.before_count <= 1);
    }
    assert_true(is_blocked);
    gt_compare_close(&compare);
}

static gt_status take_report(void *to, gt_reader *reader, const gt_event *event)
{
    return gt_report_event(to, reader, event);
}

static void test_report_has_no_storm_of_wakeups(void **state)
{
    gt_report *report;
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    (void) state;
    assert_status(gt_report_open(&report, NULL, NULL), GT_OK);
    read_switches(take_report, report);
    assert_status(gt_report_finish(report), GT_OK);
    for (size_t i = 0; gt_report_get_finding(report, i, &finding) == GT_OK; i++)
        assert_true(strcmp(finding.name.data, "wake-storm") != 0);
    gt_report_close(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency_has_waits_as_a_coroutine_and_none_for_a_proc),
        cmocka_unit_test(test_path_leads_from_one_running_coroutine_to_the_other),
        cmocka_unit_test(test_compare_has_no_quantiles_of_waits_for_a_proc),
        cmocka_unit_test(test_report_has_no_storm_of_wakeups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
