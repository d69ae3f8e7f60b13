/* SPDX-License-Identifier: BSD-3-Clause */

/* How the number of procs affects the utilisation; and traces of Go 1.21 and older. */

#include "curve.h"
#include "support/measure.h"
#include "support/test.h"
#include "support/v1wire.h"

#define ALL (GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_SWEEP)

/*
 * A change of the number of procs without collector work on them does not change the utilisation. A
 * range that shows late counts with the old number for the time before the change.
 */
static void test_change_of_procs_without_work_changes_nothing(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 120, 8);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 0.75}, {130, 0.875}, {151, 0});
    gen_free(&g);
}

/* The share of a proc depends on their number. Procs that go away end what they did. */
static void test_share_of_a_proc_depends_on_their_number(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 6, 110, EV_GC_SWEEP_BEGIN);
    curve_procs(&g, 120, 2);
    curve_procs(&g, 130, 8);
    curve_procs(&g, 140, 1);
    curve_procs(&g, 150, 2);
    curve_event(&g, 6, 160, EV_GC_SWEEP_END);
    curve_event(&g, 6, 170, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 6, 175, EV_GC_SWEEP_END);
    curve_end(&g, 180);
    /* The end at 160 belongs to another proc 1 than the begin. */
    CURVE(&g.wire, ALL, {100, 1}, {110, 0.75}, {120, 0.5}, {130, 0.875}, {140, 1}, {181, 0});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    /* 2 and 3 at first; 2 to 7; 1 with the sweep; 0; 1 again. */
    curve_expect(mmu, 5, CURVE_POINTS({100, 1}, {120, 0}));
    curve_expect(mmu, 5, CURVE_POINTS({130, 1}, {140, 0}));
    curve_expect(mmu, 5, CURVE_POINTS({100, 1}, {110, 0}));
    curve_expect(mmu, 5, CURVE_POINTS({100, 1}, {181, 0}));
    curve_expect(mmu, 5, CURVE_POINTS({150, 1}, {181, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* A point at the time of a change counts with the number of procs before it. */
static void test_point_at_a_change_counts_with_the_old_number(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_MARK_ASSIST_BEGIN);
    curve_procs(&g, 120, 2);
    curve_event(&g, 5, 125, EV_GC_MARK_ASSIST_END);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 0.75}, {110, 0.5}, {120, 0.25}, {125, 0.5}, {151, 0});
    gen_free(&g);
}

/* Procs may be added while the world is stopped. */
static void test_procs_can_be_added_while_stopped(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_at(&g, 5, 110);
    gen_stw_begin(&g, "GC mark termination", 0);
    curve_procs(&g, 115, 6);
    curve_event(&g, 5, 120, EV_STW_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {110, 0}, {120, 1}, {151, 0});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {110, 0}, {120, 1}, {151, 0}));
    curve_expect(mmu, 2, CURVE_POINTS({115, 0}, {120, 1}, {151, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* With no procs the function ends, and continues when there are some again. */
static void test_function_ends_without_procs(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_SWEEP_BEGIN);
    curve_procs(&g, 120, 0);
    curve_event(&g, 5, 130, EV_GC_SWEEP_END);
    curve_event(&g, 6, 135, EV_GC_SWEEP_BEGIN);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {110, 0.75});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {110, 0}));
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {120, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

static void test_function_continues_with_new_procs(void **state)
{
    struct gen g = {0};
    int64_t start, end;
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 120, 0);
    curve_procs(&g, 130, 2);
    curve_event(&g, 6, 140, EV_GC_SWEEP_BEGIN);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {140, 0.5}, {151, 0});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 3, CURVE_POINTS({100, 1}, {120, 0}));
    curve_expect(mmu, 3, CURVE_POINTS({130, 1}, {151, 0}));
    curve_expect(mmu, 3, CURVE_POINTS({130, 1}, {140, 0}));
    assert_status(gt_mmu_range(mmu, &start, &end), GT_OK);
    assert_int_equal(start, 100);
    assert_int_equal(end, 151);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Nothing counts before the number of procs is known, but a range that ends later is ended. */
static void test_nothing_counts_before_the_number_is_known(void **state)
{
    static const unsigned flags[] = {ALL, ALL | GT_MMU_PER_PROC};
    struct gen g = {0};
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    g.dt = 1;
    gen_running(&g, 5, 0, 1);
    curve_event(&g, 5, 50, EV_GC_MARK_ASSIST_BEGIN);
    curve_event(&g, 5, 60, EV_GC_MARK_ASSIST_END);
    curve_event(&g, 5, 70, EV_GC_SWEEP_BEGIN);
    curve_at(&g, 5, 75);
    gen_label(&g, "GC (fractional)");
    curve_procs(&g, 80, 1);
    curve_event(&g, 5, 90, EV_GC_SWEEP_END);
    curve_event(&g, 5, 100, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 5, 110, EV_GC_SWEEP_END);
    curve_event(&g, 5, 120, EV_GC_MARK_ASSIST_BEGIN);
    curve_end(&g, 150);
    for (size_t i = 0; i < 2; i++)
        CURVE(&g.wire, flags[i], {80, 1}, {151, 0});
    gen_free(&g);
}

/* A trace may claim any number of procs, of which only a limited number is considered. */
static void test_absurd_number_of_procs_is_limited(void **state)
{
    static const uint64_t counts[] = {10000, 1ULL << 40, UINT64_MAX};
    struct gen g = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        gt_mmu *mmu;
        curve_begin(&g);
        g.dt = 1;
        gen_running(&g, 7, 4095, 3);
        gen_running(&g, 8, 4096, 4);
        curve_procs(&g, 110, counts[i]);
        curve_event(&g, 7, 120, EV_GC_SWEEP_BEGIN);
        curve_event(&g, 8, 125, EV_GC_SWEEP_BEGIN);
        curve_event(&g, 7, 130, EV_GC_SWEEP_END);
        curve_procs(&g, 140, 2);
        curve_end(&g, 150);
        if (counts[i] < UINT64_MAX)
            CURVE(&g.wire, ALL, {100, 1}, {120, 1 - 1 / (double) counts[i]}, {130, 1}, {151, 0});
        else
            CURVE(&g.wire, ALL, {100, 1}, {151, 0});
        mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
        curve_expect(mmu, 4, CURVE_POINTS({100, 1}, {151, 0}));
        curve_expect(mmu, 4, CURVE_POINTS({100, 1}, {140, 0}));
        curve_expect(mmu, 4, CURVE_POINTS({110, 1}, {140, 0}));
        curve_expect(mmu, 4, CURVE_POINTS({110, 1}, {120, 0}, {130, 1}, {140, 0}));
        gt_mmu_close(&mmu);
        gen_free(&g);
    }
}

/* Procs come and go one by one, each at its own time. */
static void test_procs_that_come_one_by_one_are_distinct(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    for (uint64_t count = 5; count <= 300; count++)
        curve_procs(&g, 100 + count, count);
    g.dt = 1;
    gen_running(&g, 7, 199, 3);
    curve_event(&g, 7, 410, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 7, 420, EV_GC_SWEEP_END);
    curve_procs(&g, 500, 150);
    curve_procs(&g, 510, 200);
    curve_event(&g, 7, 520, EV_GC_SWEEP_BEGIN);
    curve_end(&g, 600);
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    /* The 4 from the start, 296 after them; 49 that came back at once, and proc 199 again. */
    curve_expect(mmu, 1 + 296 + 1 + 1, CURVE_POINTS({100, 1}, {601, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({105, 1}, {601, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({250, 1}, {601, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({251, 1}, {500, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({400, 1}, {500, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({300, 1}, {410, 0}, {420, 1}, {500, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({510, 1}, {601, 0}));
    curve_expect(mmu, 299, CURVE_POINTS({510, 1}, {520, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* A function that several procs share has their weight. */
static void test_shared_function_has_the_weight_of_its_procs(void **state)
{
    static const double quantiles[] = {0.24, 0.26};
    struct gen g = {0};
    double values[2];
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 101, EV_GC_SWEEP_BEGIN);
    curve_end(&g, 1000);
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {101, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
    /* Proc 0 belongs to the collector nearly all the time, and comes back at the end. */
    curve_begin(&g);
    curve_event(&g, 5, 101, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 5, 999, EV_GC_SWEEP_END);
    curve_end(&g, 1000);
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    assert_status(gt_mmu_quantiles(mmu, 10, quantiles, 2, values), GT_OK);
    assert_true(values[0] == 0);
    assert_true(values[1] > 0.999);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* A trace that is cut off at a change ends there. */
static void test_trace_cut_at_a_change_ends_there(void **state)
{
    static const unsigned flags[] = {ALL, ALL | GT_MMU_PER_PROC};
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 105, 1);
    curve_event(&g, 5, 110, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 5, 120, EV_GC_SWEEP_END);
    curve_end(&g, 150);
    for (size_t i = 0; i < 2; i++) {
        gt_mmu_options options = GT_MMU_OPTIONS_INIT;
        struct reading r = {0};
        gt_mmu *mmu;
        options.flags = flags[i];
        assert_status(gt_mmu_open(&mmu, &options, NULL), GT_OK);
        wire_bytes(&r.wire, g.wire.data, g.wire.size);
        reading_open(&r, NULL);
        do {
            assert_status(gt_reader_next_event(r.reader, &r.event), GT_OK);
            assert_status(gt_mmu_event(mmu, r.event), GT_OK);
        } while (r.event->kind != GT_EVENT_RANGE_END);
        assert_status(gt_mmu_finish(mmu), GT_OK);
        curve_expect(mmu, 1 + i, CURVE_POINTS({100, 1}, {110, 0}, {120, 0}));
        reading_close(&r);
        gt_mmu_close(&mmu);
    }
    gen_free(&g);
}

/* From 100 on: 10 ns each of a stopped world, an assist, a sweep, and a worker that starts. */
static void write_v1(struct wire *wire)
{
    v1_start(wire, 21);
    V1_EVENT(wire, V1_GOMAXPROCS, 97, 4, 0);
    V1_EVENT(wire, V1_STW_START, 10, 1);
    V1_EVENT(wire, V1_STW_DONE, 10);
    V1_EVENT(wire, V1_MARK_ASSIST_START, 10, 0);
    V1_EVENT(wire, V1_MARK_ASSIST_DONE, 10);
    V1_EVENT(wire, V1_SWEEP_START, 10, 0);
    V1_EVENT(wire, V1_SWEEP_DONE, 10, 0, 0);
    V1_EVENT(wire, V1_GO_SCHED, 10, 0);
    V1_EVENT(wire, V1_GO_START_LABEL, 10, 1, 2, 7);
    V1_EVENT(wire, V1_GO_SCHED, 10, 0);
    v1_string(wire, 7, "GC (fractional)");
}

static void test_old_trace_has_the_same_ranges(void **state)
{
    struct wire wire = {0};
    (void) state;
    write_v1(&wire);
    CURVE(&wire, ALL, {100, 1}, {110, 0}, {120, 1}, {130, 0.75}, {140, 1}, {150, 0.75}, {160, 1},
          {181, 0.75}, {190, 1}, {191, 0});
    CURVE(&wire, GT_MMU_BACKGROUND, {100, 1}, {181, 0.75}, {190, 1}, {191, 0});
    CURVE(&wire, GT_MMU_STW, {100, 1}, {110, 0}, {120, 1}, {191, 0});
    wire_free(&wire);
}

/* Asserts that a trace takes no longer than such a small one should. */
static void check_time(struct gen *g, uint64_t flags)
{
    double start = test_cpu_seconds();
    gt_mmu *mmu = curve_open(&g->wire, flags);
    double minimum;
    assert_status(gt_mmu_minimum(mmu, 1000, &minimum), GT_OK);
    assert_true(test_cpu_seconds() - start < measure_allowed(1));
    gt_mmu_close(&mmu);
}

/* All procs that are considered come and go half a million times, and one of them works. */
static void test_many_changes_of_procs_are_quick(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    for (uint64_t i = 0; i < 500000; i++) {
        g.dt = 1;
        GEN_EVENT(&g, EV_PROCS_CHANGE, i % 2 == 0 ? 1 : 5000, 0);
        if (i == 1000)
            GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    }
    gen_end(&g);
    check_time(&g, ALL);
    check_time(&g, ALL | GT_MMU_PER_PROC);
    gen_free(&g);
}

/* Many changes, and as many ranges that show to be older than these. */
static void test_many_late_ranges_are_quick(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    for (uint64_t i = 2; i < 60000; i++) {
        curve_procs(&g, g.time + 1, 1000000 + i % 2);
        g.dt = 1;
        GEN_EVENT(&g, EV_GC_MARK_ASSIST_BEGIN, 0);
        gen_proc_status(&g, i, PROC_IDLE);
        GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, i);
        gen_bare(&g, EV_GC_MARK_ASSIST_END);
    }
    gen_end(&g);
    check_time(&g, ALL);
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_at_a_change_counts_with_the_old_number),
        cmocka_unit_test(test_procs_can_be_added_while_stopped),
        cmocka_unit_test(test_change_of_procs_without_work_changes_nothing),
        cmocka_unit_test(test_share_of_a_proc_depends_on_their_number),
        cmocka_unit_test(test_function_ends_without_procs),
        cmocka_unit_test(test_function_continues_with_new_procs),
        cmocka_unit_test(test_nothing_counts_before_the_number_is_known),
        cmocka_unit_test(test_absurd_number_of_procs_is_limited),
        cmocka_unit_test(test_procs_that_come_one_by_one_are_distinct),
        cmocka_unit_test(test_shared_function_has_the_weight_of_its_procs),
        cmocka_unit_test(test_old_trace_has_the_same_ranges),
        cmocka_unit_test(test_trace_cut_at_a_change_ends_there),
        cmocka_unit_test(test_many_changes_of_procs_are_quick),
        cmocka_unit_test(test_many_late_ranges_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
