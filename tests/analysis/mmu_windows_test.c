/* SPDX-License-Identifier: BSD-3-Clause */

/* Results for windows, compared with sums over every nanosecond; and windows of any length. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "curve.h"
#include "support/test.h"

#define ALL       (GT_MMU_STW | GT_MMU_ASSIST | GT_MMU_SWEEP)
#define FUNCTIONS 8
#define LENGTH    2000
#define WORST     6

/*
 * Means of the windows of one length: means[f][t] is that of the window that begins at t in
 * function f.
 */
struct brute {
    double means[FUNCTIONS][LENGTH];
    int64_t starts[FUNCTIONS];
    int64_t counts[FUNCTIONS];
    size_t functions;
};

/*
 * Writes ranges that begin and end on two procs at random, besides those that sweep all the time.
 */
static void write_random(struct gen *g, uint64_t *seed, uint64_t sweepers)
{
    static const unsigned begins[] = {EV_GC_MARK_ASSIST_BEGIN, EV_GC_SWEEP_BEGIN};
    unsigned open[2] = {0, 0};
    uint64_t time;
    curve_begin(g);
    curve_procs(g, 101, 2 + sweepers);
    g->dt = 1;
    for (time = 2; time < 2 + sweepers; time++) {
        gen_running(g, 5 + time, time, 1 + time);
        GEN_EVENT(g, EV_GC_SWEEP_BEGIN, 0);
    }
    time = 110;
    for (int i = 0; i < 60; i++) {
        uint64_t proc = test_random(seed) % 2;
        if (open[proc]) {
            curve_event(g, 5 + proc, time, open[proc]);
            open[proc] = 0;
        } else if (test_random(seed) % 4 == 0) {
            curve_at(g, 5 + proc, time);
            gen_stw_begin(g, "GC mark termination", 0);
            open[proc] = EV_STW_END;
        } else {
            unsigned begin = begins[test_random(seed) % 2];
            curve_event(g, 5 + proc, time, begin);
            open[proc] = begin + 1;
        }
        time += 1 + test_random(seed) % (test_random(seed) % 4 == 0 ? 100 : 10);
    }
    curve_end(g, time);
}

static void fill(struct brute *brute, gt_mmu *mmu, int64_t window)
{
    const gt_utilization *points;
    size_t f, count;
    for (f = 0; gt_mmu_series(mmu, f, &points, &count) == GT_OK; f++) {
        int64_t start = points[0].time, length = points[count - 1].time - start;
        int64_t width = window < length ? window : length;
        double sums[LENGTH + 1] = {0};
        size_t at = 0;
        assert_true(f < FUNCTIONS && length < LENGTH);
        for (int64_t t = 0; t < length; t++) {
            while (points[at + 1].time <= start + t)
                at++;
            sums[t + 1] = sums[t] + points[at].value;
        }
        brute->starts[f] = start;
        brute->counts[f] = length - width + 1;
        for (int64_t t = 0; t + width <= length; t++)
            brute->means[f][t] = (sums[t + width] - sums[t]) / (double) width;
    }
    brute->functions = f;
}

static bool overlaps(const gt_utilization *windows, size_t count, int64_t time, int64_t window)
{
    for (size_t i = 0; i < count; i++) {
        if (llabs(windows[i].time - time) < window)
            return true;
    }
    return false;
}

/* Returns the least mean of windows that overlap none of these; above 1 if there is none. */
static double least(const struct brute *brute, const gt_utilization *windows, size_t count,
                    int64_t window)
{
    double minimum = 2;
    for (size_t f = 0; f < brute->functions; f++) {
        for (int64_t t = 0; t < brute->counts[f]; t++) {
            if (brute->means[f][t] < minimum &&
                !overlaps(windows, count, brute->starts[f] + t, window))
                minimum = brute->means[f][t];
        }
    }
    return minimum;
}

/*
 * Returns the part of the windows that are at most this: between two nanoseconds the mean is
 * linear.
 */
static double part_below(const struct brute *brute, double value)
{
    double below = 0, total = 0;
    for (size_t f = 0; f < brute->functions; f++) {
        for (int64_t t = 0; t + 1 < brute->counts[f]; t++) {
            double from = brute->means[f][t], to = brute->means[f][t + 1];
            double low = from < to ? from : to, high = from < to ? to : from;
            total++;
            if (high <= value)
                below++;
            else if (low < value)
                below += (value - low) / (high - low);
        }
    }
    return below / total;
}

static void check_worst(gt_mmu *mmu, const struct brute *brute, int64_t window)
{
    gt_utilization windows[WORST];
    size_t count = WORST;
    assert_status(gt_mmu_worst(mmu, window, windows, &count), GT_OK);
    assert_true(count > 0 && count <= WORST);
    for (size_t i = 0; i < count; i++) {
        assert_false(overlaps(windows, i, windows[i].time, window));
        assert_true(fabs(windows[i].value - least(brute, windows, i, window)) < 1e-9);
        assert_true(i == 0 || windows[i].value > windows[i - 1].value - 1e-9);
    }
    if (count < WORST)
        assert_true(least(brute, windows, count, window) > 1);
}

static void check_quantiles(gt_mmu *mmu, const struct brute *brute, int64_t window, double minimum)
{
    static const double quantiles[] = {0, 0.001, 0.01, 0.05, 0.25, 0.5, 0.5, 0.75, 0.9, 1};
    const double near = 1e-9;
    double values[10];
    assert_status(gt_mmu_quantiles(mmu, window, quantiles, 10, values), GT_OK);
    assert_true(values[0] == minimum);
    for (size_t i = 0; i < 10; i++) {
        assert_true(i == 0 || values[i] >= values[i - 1]);
        assert_true(part_below(brute, values[i] + near) > quantiles[i] - near);
        assert_true(values[i] < minimum + near ||
                    part_below(brute, values[i] - 1000 * near) < quantiles[i]);
    }
}

static void check_windows(gt_mmu *mmu)
{
    static const int64_t windows[] = {1, 2, 3, 7, 10, 25, 60, 150, 290};
    struct brute *brute = malloc(sizeof(*brute));
    assert_non_null(brute);
    for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
        double minimum;
        fill(brute, mmu, windows[i]);
        assert_status(gt_mmu_minimum(mmu, windows[i], &minimum), GT_OK);
        assert_true(fabs(minimum - least(brute, NULL, 0, 0)) < 1e-9);
        check_worst(mmu, brute, windows[i]);
        check_quantiles(mmu, brute, windows[i], minimum);
    }
    free(brute);
}

static void test_windows_equal_sums_over_nanoseconds(void **state)
{
    struct gen g = {0};
    uint64_t seed = 1;
    (void) state;
    for (int i = 0; i < 30; i++) {
        gt_mmu *mmu;
        write_random(&g, &seed, (uint64_t) i % 3);
        mmu = curve_open(&g.wire, ALL | GT_MMU_EXACT);
        check_windows(mmu);
        gt_mmu_close(&mmu);
        /* Procs that go away at 101 exist for 1 ns: one window, and no distribution. */
        mmu = curve_open(&g.wire, ALL | GT_MMU_EXACT | GT_MMU_PER_PROC);
        check_windows(mmu);
        gt_mmu_close(&mmu);
        gen_free(&g);
    }
}

/* A quarter of the time at 0, a quarter at 1/2, and the rest at 1. */
static gt_mmu *open_steps(void)
{
    struct gen g = {0};
    gt_mmu *mmu;
    curve_begin(&g);
    curve_procs(&g, 101, 2);
    curve_event(&g, 5, 1101, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 6, 2101, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 6, 3101, EV_GC_SWEEP_END);
    curve_event(&g, 5, 3102, EV_GC_SWEEP_END);
    curve_end(&g, 4100);
    mmu = curve_open(&g.wire, ALL);
    gen_free(&g);
    return mmu;
}

/*
 * Where the utilisation of the windows jumps, the value before the jump is the quantile as long as
 * it suffices.
 */
static void test_quantile_at_a_jump_is_the_value_before_it(void **state)
{
    static const double quantiles[] = {0.0001, 0.24, 0.26, 0.49, 0.51, 0.75, 1};
    static const double expected[] = {0, 0, 0.5, 0.5, 1, 1, 1};
    gt_mmu *mmu = open_steps();
    double values[7];
    (void) state;
    assert_status(gt_mmu_quantiles(mmu, 1, quantiles, 7, values), GT_OK);
    for (size_t i = 0; i < 7; i++)
        assert_true(fabs(values[i] - expected[i]) < 1e-9);
    gt_mmu_close(&mmu);
}

/* All windows are alike. */
static void test_constant_utilisation_has_one_quantile(void **state)
{
    static const double quantiles[] = {0, 0.3, 1};
    static const int64_t windows[] = {1, 17, 48, 49, 1000};
    gt_utilization worst[3];
    struct gen g = {0};
    double values[3];
    gt_mmu *mmu;
    size_t count;
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 101, 3);
    curve_at(&g, 6, 110);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_end(&g, 148);
    mmu = curve_open(&g.wire, ALL);
    for (size_t i = 0; i < 5; i++) {
        assert_status(gt_mmu_quantiles(mmu, windows[i], quantiles, 3, values), GT_OK);
        for (size_t k = 0; k < 3; k++)
            assert_true(values[k] > 0.66 && values[k] < 0.7501);
    }
    assert_true(fabs(values[2] - values[0]) < 1e-12);
    count = 3;
    assert_status(gt_mmu_worst(mmu, 17, worst, &count), GT_OK);
    assert_int_equal(count, 2);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Windows longer than the trace are as long as the trace; windows without a length are refused. */
static void test_windows_are_at_most_as_long_as_the_trace(void **state)
{
    static const int64_t longer[] = {4000, 4001, 1000000, INT64_MAX - 1, INT64_MAX};
    static const int64_t none[] = {0, -1, INT64_MIN};
    static const double quantiles[] = {0, 0.5, 1};
    gt_utilization worst[3];
    gt_mmu *mmu = open_steps();
    double minimum, values[3];
    size_t count;
    (void) state;
    for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++) {
        assert_status(gt_mmu_minimum(mmu, longer[i], &minimum), GT_OK);
        assert_true(fabs(minimum - (1001 + 500 + 0.5 + 999) / 4001) < 1e-3);
        assert_status(gt_mmu_quantiles(mmu, longer[i], quantiles, 3, values), GT_OK);
        for (size_t k = 0; k < 3 && longer[i] > 4000; k++)
            assert_true(values[k] == minimum);
        count = 3;
        assert_status(gt_mmu_worst(mmu, longer[i], worst, &count), GT_OK);
        assert_int_equal(count, 1);
        assert_int_equal(worst[0].time, 100);
        assert_true(worst[0].value == minimum);
    }
    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        assert_status(gt_mmu_minimum(mmu, none[i], &minimum), GT_OK);
        assert_true(minimum == 0);
        assert_status(gt_mmu_quantiles(mmu, none[i], quantiles, 3, values), GT_OK);
        assert_true(values[0] == 0 && values[2] == 0);
        count = 3;
        assert_status(gt_mmu_worst(mmu, none[i], worst, &count), GT_OK);
        assert_int_equal(count, 0);
    }
    gt_mmu_close(&mmu);
}

/* The trace lasts from 100 to the end of time, and the world is stopped in the third quarter. */
static void test_longest_possible_trace_is_fine(void **state)
{
    static const double quantiles[] = {0, 1};
    const uint64_t quarter = 1ULL << 61;
    gt_utilization worst[9];
    int64_t start, end;
    struct gen g = {0};
    double minimum, values[2];
    size_t count;
    (void) state;
    curve_begin(&g);
    curve_at(&g, 5, 2 * quarter);
    gen_stw_begin(&g, "GC mark termination", 0);
    curve_event(&g, 5, 3 * quarter, EV_STW_END);
    curve_end(&g, 4 * quarter - 1024);
    for (int per_proc = 0; per_proc < 2; per_proc++) {
        gt_mmu *mmu = curve_open(&g.wire, per_proc ? ALL | GT_MMU_PER_PROC : ALL);
        assert_status(gt_mmu_range(mmu, &start, &end), GT_OK);
        assert_int_equal(start, 100);
        assert_true(end > INT64_MAX - 2048);
        assert_status(gt_mmu_minimum(mmu, INT64_MAX, &minimum), GT_OK);
        assert_true(fabs(minimum - 0.75) < 1e-9);
        assert_status(gt_mmu_minimum(mmu, (int64_t) (2 * quarter), &minimum), GT_OK);
        assert_true(fabs(minimum - 0.5) < 1e-9);
        assert_status(gt_mmu_minimum(mmu, 1, &minimum), GT_OK);
        assert_true(minimum == 0);
        assert_status(gt_mmu_quantiles(mmu, INT64_MAX - 2000, quantiles, 2, values), GT_OK);
        assert_true(fabs(values[1] - 0.75) < 1e-9);
        count = 9;
        assert_status(gt_mmu_worst(mmu, (int64_t) quarter, worst, &count), GT_OK);
        assert_int_equal(count, 3);
        /* The reader computes a time from its batch's in a double. */
        assert_true(llabs(worst[0].time - (int64_t) (2 * quarter)) < 1024);
        count = 9;
        assert_status(gt_mmu_worst(mmu, INT64_MAX, worst, &count), GT_OK);
        assert_int_equal(count, 1);
        gt_mmu_close(&mmu);
    }
    gen_free(&g);
}

/* Both bad times are found, although the second one is worse further on. */
static void test_worst_windows_do_not_overlap(void **state)
{
    gt_utilization worst[4];
    struct gen g = {0};
    size_t count = 4;
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 101, 1);
    for (size_t i = 0; i < 20; i++) {
        curve_event(&g, 5, 200 + i * 10, EV_GC_SWEEP_BEGIN);
        curve_event(&g, 5, 201 + i * 10 + i / 4, EV_GC_SWEEP_END);
    }
    curve_end(&g, 500);
    mmu = curve_open(&g.wire, ALL);
    assert_status(gt_mmu_worst(mmu, 40, worst, &count), GT_OK);
    assert_int_equal(count, 4);
    /* 4 times 5 ns of 40; 4 times 4; ... */
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(worst[i].value - (1 - (5 - (double) i) / 10)) < 1e-9);
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Writes collections within 2046 ns of a time. */
static void write_collections(struct gen *g, uint64_t base)
{
    gen_begin(g, 23);
    g->time = base;
    gen_generation(g, 1);
    g->dt = 1;
    gen_running(g, 5, 0, 1);
    curve_procs(g, base + 10, 2);
    for (uint64_t time = base + 20; time < base + 1900; time += 90) {
        curve_event(g, 5, time, EV_GC_MARK_ASSIST_BEGIN);
        curve_event(g, 5, time + 37, EV_GC_MARK_ASSIST_END);
    }
    curve_end(g, base + 2045);
}

/* What follows the end of the trace, of which Go's algorithm takes some, is behind all times. */
static void test_minimum_at_the_end_of_time_equals_an_earlier_one(void **state)
{
    (void) state;
    struct gen early = {0}, late = {0};
    write_collections(&early, 2048);
    /* The reader computes the time of a batch in a double, which is exact here. */
    write_collections(&late, (UINT64_C(1) << 63) - 2048);
    gt_mmu *first = curve_open(&early.wire, GT_MMU_ASSIST);
    gt_mmu *second = curve_open(&late.wire, GT_MMU_ASSIST);
    for (int64_t window = 1; window < 2046; window++) {
        double expected, found;
        assert_status(gt_mmu_minimum(first, window, &expected), GT_OK);
        assert_status(gt_mmu_minimum(second, window, &found), GT_OK);
        assert_true(fabs(found - expected) < 1e-9);
    }
    gt_mmu_close(&first);
    gt_mmu_close(&second);
    gen_free(&early);
    gen_free(&late);
}

/*
 * 599 ns with 6 changes are 6 bands of 100 ns, as Go divides them, of which the last one ends 1 ns
 * behind the end. Only a window that is not longer than a band, or 1 ns longer, may begin with that
 * band; then Go counts what is behind the end as utilisation 0. Two assists on one of two procs,
 * of 1 ns each, are the lowest utilisation otherwise.
 */
static void test_minimum_includes_the_windows_beyond_the_end_that_go_includes(void **state)
{
    static const struct {
        int64_t window;
        double minimum, exact;
    } cases[] = {
        {98, 1 - 0.5 / 98, 1 - 0.5 / 98},    {99, 1 - 0.5 / 99, 1 - 0.5 / 99},
        {100, 99.0 / 100, 1 - 0.5 / 100},    {101, 99.0 / 101, 1 - 0.5 / 101},
        {102, 1 - 0.5 / 102, 1 - 0.5 / 102}, {103, 1 - 0.5 / 103, 1 - 0.5 / 103},
    };
    struct gen g = {0};
    const gt_utilization *points;
    size_t count;
    double minimum;
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 101, 2);
    for (uint64_t time = 251; time < 600; time += 200) {
        curve_event(&g, 5, time, EV_GC_MARK_ASSIST_BEGIN);
        curve_event(&g, 5, time + 1, EV_GC_MARK_ASSIST_END);
    }
    curve_end(&g, 698);
    gt_mmu *mmu = curve_open(&g.wire, GT_MMU_ASSIST);
    gt_mmu *exact = curve_open(&g.wire, GT_MMU_ASSIST | GT_MMU_EXACT);
    assert_status(gt_mmu_series(mmu, 0, &points, &count), GT_OK);
    assert_int_equal(count, 6);
    assert_int_equal(points[5].time - points[0].time, 599);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_status(gt_mmu_minimum(mmu, cases[i].window, &minimum), GT_OK);
        assert_true(fabs(minimum - cases[i].minimum) < 1e-9);
        assert_status(gt_mmu_minimum(exact, cases[i].window, &minimum), GT_OK);
        assert_true(fabs(minimum - cases[i].exact) < 1e-9);
    }
    gt_mmu_close(&mmu);
    gt_mmu_close(&exact);
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_equal_sums_over_nanoseconds),
        cmocka_unit_test(test_quantile_at_a_jump_is_the_value_before_it),
        cmocka_unit_test(test_constant_utilisation_has_one_quantile),
        cmocka_unit_test(test_windows_are_at_most_as_long_as_the_trace),
        cmocka_unit_test(test_longest_possible_trace_is_fine),
        cmocka_unit_test(test_worst_windows_do_not_overlap),
        cmocka_unit_test(test_minimum_at_the_end_of_time_equals_an_earlier_one),
        cmocka_unit_test(test_minimum_includes_the_windows_beyond_the_end_that_go_includes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
