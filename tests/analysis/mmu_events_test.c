/* SPDX-License-Identifier: BSD-3-Clause */

/* What in a trace belongs to the collector, and how the utilisation follows from it. */

#include "curve.h"
#include "support/test.h"

#define USUAL (GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST)
#define ALL   (USUAL | GT_MMU_SWEEP)

static void test_trace_without_collector_is_utilised_fully(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {151, 0});
    CURVE(&g.wire, ALL | GT_MMU_PER_PROC, {100, 1}, {151, 0});
    gen_free(&g);
}

static void stop(struct gen *g, uint64_t thread, uint64_t time, const char *kind)
{
    curve_at(g, thread, time);
    gen_stw_begin(g, kind, 0);
}

/* Only stopped worlds whose reason names the collector count. */
static void test_stop_for_the_collector_counts(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    stop(&g, 5, 110, "GC sweep termination");
    curve_event(&g, 5, 120, EV_STW_END);
    stop(&g, 6, 130, "all goroutines stack trace");
    curve_event(&g, 6, 140, EV_STW_END);
    stop(&g, 6, 142, "write GC trace");
    curve_event(&g, 6, 143, EV_STW_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {110, 0}, {120, 1}, {142, 0}, {143, 1}, {151, 0});
    CURVE(&g.wire, GT_MMU_STW | GT_MMU_PER_PROC, {100, 1}, {110, 0}, {120, 1}, {142, 0}, {143, 1},
          {151, 0});
    CURVE(&g.wire, ALL & ~GT_MMU_STW, {100, 1}, {151, 0});
    gen_free(&g);
}

/* The world runs again when the last of two overlapping stops ends. The last stop does not end. */
static void test_overlapping_stops_are_one(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    stop(&g, 5, 110, "GC sweep termination");
    stop(&g, 6, 112, "GC mark termination");
    curve_event(&g, 5, 115, EV_STW_END);
    curve_event(&g, 6, 118, EV_STW_END);
    stop(&g, 6, 130, "GC mark termination");
    curve_end(&g, 150);
    CURVE(&g.wire, GT_MMU_STW, {100, 1}, {110, 0}, {118, 1}, {130, 0});
    CURVE(&g.wire, GT_MMU_STW | GT_MMU_PER_PROC, {100, 1}, {110, 0}, {118, 1}, {130, 0});
    gen_free(&g);
}

/* A goroutine on thread 5 runs from 120 to 130, from 140 to 150 and from 160 to 170. */
static void write_worker(struct gen *g, const char *const labels[3])
{
    curve_begin(g);
    curve_at(g, 5, 105);
    gen_go_create_blocked(g, 3, 0, 0);
    curve_at(g, 5, 110);
    gen_go_block(g, "chan receive", 0);
    for (int i = 0; i < 3; i++) {
        curve_at(g, 6, 115 + (uint64_t) i * 20);
        gen_go_unblock(g, 3, 0);
        curve_at(g, 5, 120 + (uint64_t) i * 20);
        gen_go_start(g, 3);
        curve_at(g, 5, 121 + (uint64_t) i * 20);
        if (labels[i])
            gen_label(g, labels[i]);
        curve_at(g, 5, 130 + (uint64_t) i * 20);
        gen_go_block(g, "GC worker (idle)", 0);
    }
    curve_end(g, 180);
}

#define NONE                                                                                       \
    {100, 1},                                                                                      \
    {                                                                                              \
        181, 0                                                                                     \
    }

/* After its label a worker counts while it runs. */
static void test_labelled_worker_counts_while_it_runs(void **state)
{
    static const char *const kinds[] = {"GC (dedicated)", "GC (fractional)", "GC x"};
    struct gen g = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        const char *const labels[3] = {kinds[i], NULL, NULL};
        gt_mmu *mmu;
        write_worker(&g, labels);
        CURVE(&g.wire, GT_MMU_BACKGROUND, {100, 1}, {121, 0.75}, {130, 1}, {140, 0.75}, {150, 1},
              {160, 0.75}, {170, 1}, {181, 0});
        CURVE(&g.wire, GT_MMU_BACKGROUND | GT_MMU_EXACT, {100, 1}, {121, 0.75}, {130, 1}, {181, 0});
        CURVE(&g.wire, ALL & ~GT_MMU_BACKGROUND, NONE);
        mmu = curve_open(&g.wire, GT_MMU_BACKGROUND | GT_MMU_PER_PROC);
        curve_expect(mmu, i == 0 ? 1 : 2, CURVE_POINTS(NONE));
        if (i > 0)
            curve_expect(mmu, 2,
                         CURVE_POINTS({100, 1}, {121, 0}, {130, 1}, {140, 0}, {150, 1}, {160, 0},
                                      {170, 1}, {181, 0}));
        gt_mmu_close(&mmu);
        gen_free(&g);
    }
}

static void test_other_labels_are_no_workers(void **state)
{
    static const char *const kinds[] = {"GC (idle)", "gc (dedicated)", "GC", "x GC "};
    struct gen g = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        const char *const labels[3] = {kinds[i], kinds[i], kinds[i]};
        write_worker(&g, labels);
        CURVE(&g.wire, ALL, NONE);
        CURVE(&g.wire, ALL | GT_MMU_PER_PROC, NONE);
        CURVE(&g.wire, ALL | GT_MMU_EXACT, NONE);
        gen_free(&g);
    }
}

/* In Go a worker that gets a label when it starts again never stops counting. */
static void test_worker_labelled_again_never_stops_unless_exact(void **state)
{
    static const char *const labels[3] = {"GC (dedicated)", "GC (fractional)", "GC (idle)"};
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    write_worker(&g, labels);
    CURVE(&g.wire, USUAL, {100, 1}, {121, 0.75}, {130, 1}, {140, 0.75}, {181, 0});
    CURVE(&g.wire, USUAL | GT_MMU_EXACT, {100, 1}, {121, 0.75}, {130, 1}, {141, 0.75}, {150, 1},
          {181, 0});
    mmu = curve_open(&g.wire, USUAL | GT_MMU_EXACT | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {141, 0}, {150, 1}, {181, 0}));
    gt_mmu_close(&mmu);
    mmu = curve_open(&g.wire, USUAL | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {141, 0}, {150, 1}, {160, 0}, {170, 1}, {181, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* A goroutine with two labels in one run is one worker. */
static void test_two_labels_are_one_worker(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_at(&g, 5, 110);
    gen_label(&g, "GC (dedicated)");
    curve_at(&g, 5, 120);
    gen_label(&g, "GC (fractional)");
    curve_at(&g, 5, 130);
    gen_go_block(&g, "", 0);
    curve_end(&g, 140);
    CURVE(&g.wire, USUAL | GT_MMU_EXACT, {100, 1}, {110, 0.75}, {130, 1}, {141, 0});
    CURVE(&g.wire, USUAL, {100, 1}, {110, 0.75}, {141, 0});
    gen_free(&g);
}

/* An assist counts while its goroutine runs, where that runs. */
static void test_assist_counts_while_its_goroutine_runs(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_MARK_ASSIST_BEGIN);
    curve_at(&g, 5, 120);
    gen_go_stop(&g, "preempted", 0);
    curve_at(&g, 6, 125);
    gen_go_block(&g, "select", 0);
    curve_at(&g, 6, 130);
    gen_go_start(&g, 1);
    curve_at(&g, 6, 135);
    gen_syscall_begin(&g, 0);
    curve_at(&g, 6, 137);
    gen_syscall_end(&g);
    curve_event(&g, 6, 140, EV_GC_MARK_ASSIST_END);
    curve_at(&g, 6, 145);
    gen_go_stop(&g, "preempted", 0);
    curve_at(&g, 5, 147);
    gen_go_start(&g, 1);
    curve_end(&g, 150);
    CURVE(&g.wire, GT_MMU_ASSIST, {100, 1}, {110, 0.75}, {120, 1}, {130, 0.75}, {140, 1}, {151, 0});
    CURVE(&g.wire, ALL & ~GT_MMU_ASSIST, {100, 1}, {151, 0});
    mmu = curve_open(&g.wire, USUAL | GT_MMU_PER_PROC);
    curve_expect(mmu, 3, CURVE_POINTS({100, 1}, {110, 0}, {120, 1}, {151, 0}));
    curve_expect(mmu, 3, CURVE_POINTS({100, 1}, {130, 0}, {140, 1}, {151, 0}));
    curve_expect(mmu, 3, CURVE_POINTS({100, 1}, {151, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Goroutines that assist in a later generation are known, although others came and went before. */
static void test_assist_in_a_later_generation_counts(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    for (uint64_t id = 100; id < 200; id++) {
        curve_at(&g, 5, id + 10);
        gen_go_create(&g, id, 0, 0);
    }
    gen_generation(&g, 2);
    g.dt = 1;
    gen_running(&g, 5, 0, 1);
    gen_running(&g, 6, 1, 2);
    curve_event(&g, 5, 220, EV_GC_MARK_ASSIST_BEGIN);
    curve_at(&g, 5, 230);
    gen_go_stop(&g, "preempted", 0);
    curve_at(&g, 5, 235);
    gen_go_start(&g, 1);
    curve_event(&g, 5, 240, EV_GC_MARK_ASSIST_END);
    curve_end(&g, 250);
    CURVE(&g.wire, USUAL, {100, 1}, {220, 0.75}, {230, 1}, {235, 0.75}, {240, 1}, {251, 0});
    gen_free(&g);
}

static void test_sweep_counts_for_its_proc(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 6, 115, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 5, 120, EV_GC_SWEEP_END);
    curve_event(&g, 6, 125, EV_GC_SWEEP_END);
    curve_end(&g, 150);
    CURVE(&g.wire, GT_MMU_SWEEP, {100, 1}, {110, 0.75}, {115, 0.5}, {120, 0.75}, {125, 1},
          {151, 0});
    CURVE(&g.wire, USUAL, {100, 1}, {151, 0});
    gen_free(&g);
}

/* A proc counts once for the collector, whatever it does, and not while the world is stopped. */
static void test_proc_counts_once(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_SWEEP_BEGIN);
    curve_event(&g, 5, 112, EV_GC_MARK_ASSIST_BEGIN);
    curve_event(&g, 5, 114, EV_GC_SWEEP_END);
    stop(&g, 6, 116, "GC mark termination");
    curve_event(&g, 5, 118, EV_GC_MARK_ASSIST_END);
    curve_event(&g, 6, 120, EV_STW_END);
    stop(&g, 6, 130, "GC mark termination");
    curve_event(&g, 5, 132, EV_GC_MARK_ASSIST_BEGIN);
    curve_event(&g, 6, 134, EV_STW_END);
    curve_event(&g, 5, 136, EV_GC_MARK_ASSIST_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {110, 0.75}, {116, 0}, {120, 1}, {130, 0}, {134, 0.75}, {136, 1},
          {151, 0});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {110, 0}, {120, 1}, {130, 0}, {136, 1}, {151, 0}));
    curve_expect(mmu, 2, CURVE_POINTS({100, 1}, {116, 0}, {120, 1}, {130, 0}, {134, 1}, {151, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* A range that must have been active when the trace began counts from the start. */
static void test_range_without_begin_counts_from_the_start(void **state)
{
    struct gen g = {0};
    gt_mmu *mmu;
    (void) state;
    curve_begin(&g);
    curve_event(&g, 5, 110, EV_GC_MARK_ASSIST_BEGIN);
    curve_event(&g, 5, 120, EV_GC_MARK_ASSIST_END);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_event(&g, 6, 140, EV_GC_SWEEP_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 0.75}, {110, 0.5}, {120, 0.75}, {140, 1}, {151, 0});
    CURVE(&g.wire, USUAL, {100, 1}, {110, 0.75}, {120, 1}, {151, 0});
    mmu = curve_open(&g.wire, ALL | GT_MMU_PER_PROC);
    curve_expect(mmu, 3, CURVE_POINTS({100, 1}, {130, 0}, {140, 1}, {151, 0}));
    gt_mmu_close(&mmu);
    gen_free(&g);
}

/* Later generations repeat what is known. */
static void test_repeated_range_is_not_late(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_event(&g, 6, 110, EV_GC_SWEEP_BEGIN);
    gen_generation(&g, 2);
    g.dt = 1;
    gen_running(&g, 5, 0, 1);
    gen_running(&g, 6, 1, 2);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_event(&g, 6, 140, EV_GC_SWEEP_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 1}, {110, 0.75}, {140, 1}, {151, 0});
    gen_free(&g);
}

/* If more ranges show late than there are procs, the utilisation is 0, not less. */
static void test_utilisation_is_not_negative(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    for (uint64_t proc = 2; proc < 8; proc++) {
        curve_at(&g, 6, 110 + 10 * proc);
        GEN_EVENT(&g, EV_PROC_STATUS, proc, PROC_IDLE);
        curve_at(&g, 6, 115 + 10 * proc);
        GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, proc);
    }
    curve_end(&g, 200);
    /* From its own time on each range belongs to the thread's only proc. */
    CURVE(&g.wire, ALL, {100, 0}, {145, 0}, {155, 0}, {165, 0.25}, {175, 0.5}, {185, 0.75},
          {201, 0});
    gen_free(&g);
}

/* An assist that shows late counts for the past only if its goroutine ran. */
static void test_late_assist_of_a_goroutine_that_did_not_run_is_not_past(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 2);
    curve_event(&g, 6, 140, EV_GC_MARK_ASSIST_END);
    curve_end(&g, 150);
    CURVE(&g.wire, USUAL, {100, 1}, {130, 0.75}, {140, 1}, {151, 0});
    gen_free(&g);
}

/* The same with a goroutine that has run since the number of procs was known. */
static void test_late_assist_of_a_running_goroutine_counts_from_the_start(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    g.dt = 10;
    gen_running(&g, 7, 2, 3);
    curve_at(&g, 7, 130);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 3);
    curve_event(&g, 7, 140, EV_GC_MARK_ASSIST_END);
    curve_end(&g, 150);
    CURVE(&g.wire, USUAL, {100, 0.75}, {140, 1}, {151, 0});
    CURVE(&g.wire, ALL & ~GT_MMU_ASSIST, {100, 1}, {151, 0});
    gen_free(&g);
}

/* Ranges that show late are divided by the number of procs at each time. */
static void test_late_ranges_are_divided_by_the_procs_of_each_time(void **state)
{
    struct gen g = {0};
    (void) state;
    curve_begin(&g);
    curve_procs(&g, 105, 8);
    curve_event(&g, 5, 110, EV_GC_MARK_ASSIST_BEGIN);
    curve_event(&g, 5, 120, EV_GC_MARK_ASSIST_END);
    curve_procs(&g, 125, 2);
    curve_at(&g, 6, 130);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 1);
    curve_event(&g, 6, 140, EV_GC_SWEEP_END);
    curve_end(&g, 150);
    CURVE(&g.wire, ALL, {100, 0.75}, {110, 0.75}, {120, 0.875}, {130, 0.5}, {140, 1}, {151, 0});
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace_without_collector_is_utilised_fully),
        cmocka_unit_test(test_stop_for_the_collector_counts),
        cmocka_unit_test(test_overlapping_stops_are_one),
        cmocka_unit_test(test_labelled_worker_counts_while_it_runs),
        cmocka_unit_test(test_other_labels_are_no_workers),
        cmocka_unit_test(test_worker_labelled_again_never_stops_unless_exact),
        cmocka_unit_test(test_two_labels_are_one_worker),
        cmocka_unit_test(test_assist_counts_while_its_goroutine_runs),
        cmocka_unit_test(test_assist_in_a_later_generation_counts),
        cmocka_unit_test(test_sweep_counts_for_its_proc),
        cmocka_unit_test(test_proc_counts_once),
        cmocka_unit_test(test_range_without_begin_counts_from_the_start),
        cmocka_unit_test(test_repeated_range_is_not_late),
        cmocka_unit_test(test_utilisation_is_not_negative),
        cmocka_unit_test(test_late_assist_of_a_goroutine_that_did_not_run_is_not_past),
        cmocka_unit_test(test_late_assist_of_a_running_goroutine_counts_from_the_start),
        cmocka_unit_test(test_late_ranges_are_divided_by_the_procs_of_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
