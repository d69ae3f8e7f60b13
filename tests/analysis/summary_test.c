/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Times of goroutines: every rule of the summary, in traces of a few events. The trace begins at
 * 1000 and each event is 10 ns after the one before, in all threads. The last Sync is 1 ns after
 * the last event.
 */

#include "summing.h"

#include <stdio.h>

static const gt_goroutine_summary *goroutine(const gt_summary *summary, int64_t id)
{
    const gt_goroutine_summary *found = gt_summary_find_goroutine(summary, id);
    assert_non_null(found);
    assert_int_equal(found->id, id);
    return found;
}

/* It is created, started, blocked, unblocked, started, and ends. */
static void test_each_state_has_its_time(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *work;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_create(&g, 2, GEN_STACK(&g, {"main.inner", "m.go", 1}, {"main.work", "m.go", 7}), 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 2);
    g.dt = 30;
    gen_go_block(&g, "chan receive", 0);
    g.dt = 10;
    gen_go_unblock(&g, 2, 0);
    gen_go_start(&g, 2);
    gen_go_stop(&g, "preempted", 0);
    gen_go_start(&g, 2);
    gen_go_destroy(&g);
    summary = summing_read(&g, NULL);
    work = goroutine(summary, 2);
    assert_text(work->name, "main.work");
    assert_true(work->pc != 0);
    assert_int_equal(work->created, 1030);
    assert_int_equal(work->started, 1050);
    assert_int_equal(work->ended, 1130);
    assert_spent(work->times, SPENT(50, 40, 0, 0, 10, 0, 100));
    assert_named(work->times->blocks, work->times->block_count, 1, "chan receive", 10);
    assert_int_equal(work->region_count, 0);
    gt_summary_close(&summary);
    assert_null(summary);
}

/* A state from before the trace lasts since the Sync. */
static void test_first_state_lasts_since_the_sync(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    size_t count;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, GO_RUNNABLE);
    gen_go_status(&g, 3, WIRE_NONE, GO_WAITING);
    gen_on(&g, 7);
    gen_go_status(&g, 4, 7, GO_SYSCALL);
    gen_on(&g, 6);
    gen_proc_status(&g, 1, PROC_SYSCALL);
    gen_go_status(&g, 5, 6, GO_SYSCALL);
    summary = summing_read(&g, NULL);
    assert_spent(goroutine(summary, 1)->times, SPENT(71, 0, 0, 0, 0, 0, 71));
    assert_int_equal(goroutine(summary, 1)->created, 1000);
    assert_int_equal(goroutine(summary, 1)->started, 1020);
    assert_int_equal(goroutine(summary, 1)->ended, 0);
    assert_text(goroutine(summary, 1)->name, "");
    assert_spent(goroutine(summary, 2)->times, SPENT(0, 71, 0, 0, 0, 0, 71));
    assert_spent(goroutine(summary, 3)->times, SPENT(0, 0, 0, 0, 71, 0, 71));
    assert_named(goroutine(summary, 3)->times->blocks, 1, 1, "", 71);
    /* A system call without a proc was already blocked. */
    assert_spent(goroutine(summary, 4)->times, SPENT(0, 0, 21, 50, 0, 0, 71));
    assert_spent(goroutine(summary, 5)->times, SPENT(0, 0, 71, 0, 0, 0, 71));
    assert_non_null(gt_summary_goroutines(summary, &count));
    assert_int_equal(count, 5);
    gt_summary_close(&summary);
}

/* One system call keeps its proc, and one loses it. */
static void test_stolen_proc_makes_a_syscall_blocked(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_syscall_begin(&g, 0);
    gen_syscall_end(&g);
    gen_syscall_begin(&g, 0);
    gen_running(&g, 6, 1, 2);
    gen_proc_steal(&g, 0, 5);
    g.dt = 40;
    gen_on(&g, 5);
    gen_syscall_end_blocked(&g);
    summary = summing_read(&g, NULL);
    /* 1000 running, 1030 in a call, 1040 running, 1050 in a call, 1080 stolen, 1120 runnable. */
    assert_spent(goroutine(summary, 1)->times, SPENT(40, 1, 40, 40, 0, 0, 121));
    gt_summary_close(&summary);
}

/* As in Go, a blocked system call that lasts to the end counts twice from where it blocked. */
static void test_blocked_syscall_to_the_end_counts_twice(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_syscall_begin(&g, 0);
    gen_running(&g, 6, 1, 2);
    gen_proc_steal(&g, 0, 5);
    gen_go_block(&g, "sleep", 0);
    summary = summing_read(&g, NULL);
    assert_spent(goroutine(summary, 1)->times, SPENT(30, 11, 41, 0, 0, 0, 71));
    gt_summary_close(&summary);
}

/* Waiting "forever" ends a goroutine. */
static void test_waiting_forever_ends_a_goroutine(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_block(&g, "forever", 0);
    gen_bare(&g, EV_PROC_STOP);
    summary = summing_read(&g, NULL);
    assert_int_equal(goroutine(summary, 1)->ended, 1030);
    assert_spent(goroutine(summary, 1)->times, SPENT(30, 0, 0, 0, 0, 0, 30));
    assert_int_equal(goroutine(summary, 1)->times->block_count, 0);
    gt_summary_close(&summary);
}

/* A proc's range counts for the goroutine that runs there from begin to end. */
static void test_range_of_a_proc_counts_for_its_goroutine(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, GO_RUNNABLE);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 0, 0);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 2);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 0, 0);
    summary = summing_read(&g, NULL);
    /* The second sweep lasts for goroutine 1 until the trace ends, as in Go. */
    assert_named(goroutine(summary, 1)->times->ranges, goroutine(summary, 1)->times->range_count, 1,
                 "GC incremental sweep", 41);
    assert_int_equal(goroutine(summary, 2)->times->range_count, 0);
    gt_summary_close(&summary);
}

/* Ranges of goroutines, one of which goes on in the next generation. */
static void test_range_goes_on_over_generations(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *one;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_stw_begin(&g, "GOMAXPROCS", 0);
    gen_bare(&g, EV_STW_END);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_BEGIN, 0);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 1);
    gen_bare(&g, EV_GC_MARK_ASSIST_END);
    summary = summing_read(&g, NULL);
    one = goroutine(summary, 1);
    assert_named(one->times->ranges, one->times->range_count, 2, "stop-the-world (GOMAXPROCS)", 10);
    /* From 1050 to the Sync, which has the time of the last event before it, and on to 1090. */
    assert_named(one->times->ranges, one->times->range_count, 2, "GC mark assist", 40);
    gt_summary_close(&summary);
}

/* C that calls Go again gets the same goroutine id. */
static void test_id_that_comes_again_is_another_goroutine(void **state)
{
    struct gen g = {0};
    gt_summary *summary;
    const gt_goroutine_summary *const *all;
    size_t count;
    (void) state;
    summing_begin(&g, 26);
    gen_on(&g, 5);
    for (size_t i = 0; i < 2; i++) {
        gen_go_create_syscall(&g, 17);
        gen_go_destroy_syscall(&g);
    }
    summary = summing_read(&g, NULL);
    all = gt_summary_goroutines(summary, &count);
    assert_int_equal(count, 2);
    assert_int_equal(all[0]->id, 17);
    assert_int_equal(all[1]->id, 17);
    assert_int_equal(all[0]->created, 1010);
    assert_int_equal(all[1]->created, 1030);
    assert_ptr_equal(gt_summary_find_goroutine(summary, 17), all[1]);
    assert_null(gt_summary_find_goroutine(summary, 18));
    gt_summary_close(&summary);
}

/* Reasons beyond the limit are added up under one name. */
static void test_names_beyond_the_limit_are_added_up(void **state)
{
    enum {
        REASONS = GT_SUMMARY_MAX_NAMES + 3
    };
    struct gen g = {0};
    gt_summary *summary;
    const gt_summary_times *times;
    char reason[16];
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (size_t i = 0; i < REASONS; i++) {
        snprintf(reason, sizeof(reason), "reason %03u", (unsigned) i);
        gen_go_block(&g, reason, 0);
        gen_go_unblock(&g, 1, 0);
        gen_go_start(&g, 1);
    }
    summary = summing_read(&g, NULL);
    times = goroutine(summary, 1)->times;
    assert_named(times->blocks, times->block_count, GT_SUMMARY_MAX_NAMES + 1, GT_SUMMARY_OTHER, 30);
    assert_int_equal(times->block, 10 * REASONS);
    for (size_t i = 2; i < times->block_count; i++)
        assert_true(times->blocks[i - 1].name.data[9] != times->blocks[i].name.data[9] ||
                    times->blocks[i - 1].name.data[8] != times->blocks[i].name.data[8]);
    assert_text(times->blocks[0].name, GT_SUMMARY_OTHER);
    assert_text(times->blocks[1].name, "reason 000");
    gt_summary_close(&summary);
}

/*
 * The first events are missing: a goroutine that is not known was in its old state since the first
 * event that was given.
 */
static void test_missing_start_is_fine(void **state)
{
    struct gen g = {0};
    struct reading r = {0};
    gt_summary *summary;
    const gt_event *event;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_region_begin(&g, 0, "lost", 0);
    gen_region_end(&g, 0, "lost", 0);
    gen_go_block(&g, "sleep", 0);
    gen_read(&g, &r);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    reading_skip(&r, 3);
    while (gt_reader_next_event(r.reader, &event) == GT_OK)
        assert_status(gt_summary_event(summary, NULL, event), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    assert_spent(goroutine(summary, 1)->times, SPENT(20, 0, 0, 0, 1, 0, 21));
    assert_int_equal(goroutine(summary, 1)->created, 1030);
    assert_int_equal(goroutine(summary, 1)->region_count, 0);
    gt_summary_close(&summary);
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_state_has_its_time),
        cmocka_unit_test(test_first_state_lasts_since_the_sync),
        cmocka_unit_test(test_stolen_proc_makes_a_syscall_blocked),
        cmocka_unit_test(test_blocked_syscall_to_the_end_counts_twice),
        cmocka_unit_test(test_waiting_forever_ends_a_goroutine),
        cmocka_unit_test(test_range_of_a_proc_counts_for_its_goroutine),
        cmocka_unit_test(test_range_goes_on_over_generations),
        cmocka_unit_test(test_id_that_comes_again_is_another_goroutine),
        cmocka_unit_test(test_names_beyond_the_limit_are_added_up),
        cmocka_unit_test(test_missing_start_is_fine),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
