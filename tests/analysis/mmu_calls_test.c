/* SPDX-License-Identifier: BSD-3-Clause */

/* Wrong calls, calls in a wrong order, and memory. */

#include <math.h>

#include "curve.h"
#include "support/probe.h"
#include "support/test.h"

#define ALL (GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_SWEEP)

/* Writes some of everything: procs, stops, ranges that show late, goroutines that assist. */
static void write_trace(struct gen *g)
{
    curve_begin(g);
    for (uint64_t i = 1; i <= 40; i++) {
        uint64_t time = 100 + i * 100;
        curve_procs(g, time, 4 + i % 3);
        curve_event(g, 5, time + 10, EV_GC_MARK_ASSIST_BEGIN);
        curve_at(g, 5, time + 20);
        gen_go_create(g, 100 + i, 0, 0);
        curve_at(g, 5, time + 30);
        gen_go_stop(g, "preempted", 0);
        curve_at(g, 6, time + 40);
        gen_stw_begin(g, "GC mark termination", 0);
        curve_event(g, 6, time + 50, EV_STW_END);
        curve_at(g, 5, time + 60);
        gen_go_start(g, 1);
        curve_event(g, 5, time + 70, EV_GC_MARK_ASSIST_END);
        curve_at(g, 5, time + 80);
        GEN_EVENT(g, EV_PROC_STATUS, 10 + i, PROC_IDLE);
        curve_at(g, 5, time + 90);
        GEN_EVENT(g, EV_GC_SWEEP_ACTIVE, 10 + i);
    }
    curve_end(g, 5000);
}

static void test_bad_options_are_refused(void **state)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    gt_mmu *mmu = (gt_mmu *) &options;
    (void) state;
    assert_status(gt_mmu_open(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags |= 1 << 6;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(mmu);
    options.flags = UINT64_MAX;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = ALL | GT_MMU_PER_PROC | GT_MMU_EXACT;
    options.size = sizeof(options) - 1;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.size = 0;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.size = sizeof(options);
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_OK);
    gt_mmu_close(&mmu);
    assert_null(mmu);
    gt_mmu_close(&mmu);
    gt_mmu_close(NULL);
}

/* Options of a later release: unknown members must be zero. */
static void test_unknown_members_must_be_zero(void **state)
{
    struct {
        gt_mmu_options known;
        uint64_t more;
    } options = {GT_MMU_OPTIONS_INIT, 0};

    gt_mmu *mmu;
    (void) state;
    options.known.size = sizeof(options);
    assert_status(gt_mmu_open(&mmu, &options.known, NULL), GT_OK);
    gt_mmu_close(&mmu);
    options.more = 1;
    assert_true(gt_mmu_open(&mmu, &options.known, NULL) < 0);
    assert_null(mmu);
}

/* Without options, those of the initialiser apply. */
static void test_no_options_are_the_defaults(void **state)
{
    struct gen g = {0};
    gt_mmu *with, *without;
    double a, b;
    (void) state;
    write_trace(&g);
    with = curve_open(&g.wire, GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST);
    assert_status(gt_mmu_open(&without, NULL, NULL), GT_OK);
    curve_feed(without, &g.wire);
    assert_status(gt_mmu_finish(without), GT_OK);
    for (int64_t window = 1; window < 10000; window *= 3) {
        assert_status(gt_mmu_minimum(with, window, &a), GT_OK);
        assert_status(gt_mmu_minimum(without, window, &b), GT_OK);
        assert_true(a == b);
    }
    assert_true(a > 0 && a < 1);
    gt_mmu_close(&with);
    gt_mmu_close(&without);
    gen_free(&g);
}

/* Asserts that nothing can be asked, with valid pointers or with NULL. */
static void expect_no_answers(gt_mmu *mmu)
{
    const double quantile = 0.5;
    const gt_utilization *points;
    gt_utilization window;
    int64_t start, end;
    size_t count = 1;
    double value;
    assert_status(gt_mmu_range(mmu, &start, &end), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_series(mmu, 0, &points, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_minimum(mmu, 1, &value), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_quantiles(mmu, 1, &quantile, 1, &value), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_worst(mmu, 1, &window, &count), GT_ERR_INVALID_ARGUMENT);
}

static void test_results_are_there_after_the_finish_only(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    write_trace(&g);
    assert_status(gt_mmu_open(&mmu, NULL, NULL), GT_OK);
    expect_no_answers(mmu);
    expect_no_answers(NULL);
    assert_status(gt_mmu_event(mmu, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    curve_feed(mmu, &g.wire);
    expect_no_answers(mmu);
    assert_status(gt_mmu_finish(mmu), GT_OK);
    assert_status(gt_mmu_finish(mmu), GT_ERR_INVALID_ARGUMENT);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* An event after the finish, and events that go back in time. */
static void test_events_in_a_wrong_order_are_refused(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    write_trace(&g);
    assert_status(gt_mmu_open(&mmu, NULL, NULL), GT_OK);
    curve_feed(mmu, &g.wire);
    gen_read(&g, &r);
    reading_skip(&r, 1);
    assert_status(gt_mmu_event(NULL, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_event(mmu, r.event), GT_ERR_INVALID_ARGUMENT);
    /* The events that were taken before still count. */
    assert_status(gt_mmu_finish(mmu), GT_OK);
    assert_status(gt_mmu_event(mmu, r.event), GT_ERR_INVALID_ARGUMENT);
    reading_close(&r);
    gt_mmu_close(&mmu);
}

static void test_bad_arguments_are_refused(void **state)
{
    static const double bad[][2] = {{-0.1, 1}, {0, 1.1}, {0.5, 0.4}, {0, -1}, {(double) NAN, 1}};
    const double good[] = {0, 1};
    const gt_utilization *points;
    gt_utilization window;
    struct gen g = {0};
    int64_t time;
    size_t count = 1;
    double values[2];
    gt_mmu *mmu;
    (void) state;
    write_trace(&g);
    mmu = curve_open(&g.wire, ALL);
    assert_status(gt_mmu_range(mmu, NULL, &time), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_range(mmu, &time, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_series(mmu, 0, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_series(mmu, 0, &points, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_series(mmu, 1, &points, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_mmu_series(mmu, SIZE_MAX, &points, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_mmu_minimum(mmu, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_quantiles(mmu, 1, NULL, 2, values), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_quantiles(mmu, 1, good, 2, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_quantiles(mmu, 1, NULL, 0, NULL), GT_OK);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_status(gt_mmu_quantiles(mmu, 1, bad[i], 2, values), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_worst(mmu, 1, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_mmu_worst(mmu, 1, &window, NULL), GT_ERR_INVALID_ARGUMENT);
    count = 0;
    assert_status(gt_mmu_worst(mmu, 1, &window, &count), GT_OK);
    assert_int_equal(count, 0);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Without events, or without the number of procs, nothing is known. */
static void expect_unknown(uint64_t flags, const struct wire *wire)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    const double quantile = 0.5;
    const gt_utilization *points;
    gt_utilization window;
    int64_t start = 1, end = 1;
    size_t count = 1;
    double value = 0;
    gt_mmu *mmu;
    options.flags = flags;
    assert_status(gt_mmu_open(&mmu, &options, NULL), GT_OK);
    if (wire)
        curve_feed(mmu, wire);
    assert_status(gt_mmu_finish(mmu), GT_OK);
    assert_status(gt_mmu_range(mmu, &start, &end), GT_OK);
    assert_true(start == 0 && end == 0);
    assert_status(gt_mmu_series(mmu, 0, &points, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_mmu_minimum(mmu, 10, &value), GT_OK);
    assert_true(value == 1);
    value = 0;
    assert_status(gt_mmu_quantiles(mmu, 10, &quantile, 1, &value), GT_OK);
    assert_true(value == 1);
    assert_status(gt_mmu_worst(mmu, 10, &window, &count), GT_OK);
    assert_int_equal(count, 0);
    gt_mmu_close(&mmu);
}

static void test_unknown_procs_give_no_results(void **state)
{
    struct gen g = {0};
    (void) state;
    expect_unknown(ALL, NULL);
    expect_unknown(ALL | GT_MMU_PER_PROC, NULL);
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    g.dt = 10;
    gen_running(&g, 5, 0, 1);
    curve_event(&g, 5, 100, EV_GC_SWEEP_BEGIN);
    gen_end(&g);
    expect_unknown(ALL, &g.wire);
    expect_unknown(ALL | GT_MMU_PER_PROC, &g.wire);
    gen_free(&g);
}

/* Feeds a trace and asks everything. Returns the first failure. */
static gt_status use(const struct wire *wire, const gt_mmu_options *options)
{
    const double quantiles[] = {0.01, 0.5};
    const gt_utilization *points;
    gt_utilization windows[20];
    const gt_event *event;
    gt_reader *reader;
    int64_t start, end;
    size_t count = 20;
    double values[2];
    gt_mmu *mmu;
    gt_status status = gt_mmu_open(&mmu, options, NULL);
    if (status != GT_OK) {
        assert_null(mmu);
        return status;
    }
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_mmu_event(mmu, event);
    if (status == GT_OK)
        status = gt_mmu_finish(mmu);
    else
        assert_status(gt_mmu_event(mmu, event), status);
    if (status != GT_OK)
        assert_status(gt_mmu_finish(mmu), status);
    gt_reader_close(&reader);
    if (status == GT_OK)
        status = gt_mmu_minimum(mmu, 30, &values[0]);
    if (status == GT_OK)
        status = gt_mmu_range(mmu, &start, &end);
    if (status == GT_OK)
        status = gt_mmu_series(mmu, 0, &points, &count);
    if (status == GT_OK)
        status = gt_mmu_quantiles(mmu, 30, quantiles, 2, values);
    count = 20;
    if (status == GT_OK)
        status = gt_mmu_worst(mmu, 30, windows, &count);
    assert_true(status == GT_OK || count == 20 || count == 0);
    gt_mmu_close(&mmu);
    return status;
}

/* Whichever allocation fails, the failure is reported and all memory is freed. */
static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    struct gen g = {0};
    (void) state;
    write_trace(&g);
    for (int per_proc = 0; per_proc < 2; per_proc++) {
        uint64_t calls;
        struct probe probe;
        options.flags = per_proc ? ALL | GT_MMU_PER_PROC : ALL;
        options.allocator = &probe.allocator;
        probe_init(&probe);
        assert_status(use(&g.wire, &options), GT_OK);
        probe_check(&probe);
        calls = probe.calls;
        assert_true(calls > 10);
        for (uint64_t at = 1; at <= calls; at++) {
            gt_status status;
            probe_init(&probe);
            probe.fail_at = at;
            status = use(&g.wire, &options);
            assert_true(status == GT_ERR_NO_MEMORY);
            assert_int_equal(probe.failed, 1);
            probe_check(&probe);
        }
    }
    gen_free(&g);
}

static void test_memory_limit_is_kept(void **state)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    uint64_t peak;
    struct gen g = {0};
    (void) state;
    write_trace(&g);
    for (int per_proc = 0; per_proc < 2; per_proc++) {
        struct probe probe;
        probe_init(&probe);
        options.flags = per_proc ? ALL | GT_MMU_PER_PROC : ALL;
        options.allocator = &probe.allocator;
        options.memory_limit = 0;
        assert_status(use(&g.wire, &options), GT_OK);
        peak = probe.peak_bytes;
        options.memory_limit = peak;
        assert_status(use(&g.wire, &options), GT_OK);
        for (uint64_t limit = 1; limit < peak; limit += 500) {
            options.memory_limit = limit;
            assert_status(use(&g.wire, &options), GT_ERR_LIMIT);
        }
        assert_true(probe.peak_bytes <= peak);
        probe_check(&probe);
    }
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_unknown_members_must_be_zero),
        cmocka_unit_test(test_no_options_are_the_defaults),
        cmocka_unit_test(test_results_are_there_after_the_finish_only),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_events_in_a_wrong_order_are_refused),
        cmocka_unit_test(test_unknown_procs_give_no_results),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
