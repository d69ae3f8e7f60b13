/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * There is so much of everything that each table of an analysis grows: nothing is lost, and every
 * failing allocation is reported.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/crowd.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    COUNT = 150,
    /* A snapshot is taken after so many events, where there are snapshots. */
    STEP = 499
};

/* Counts events. Tells whether a snapshot is due, which it never is if `*left` begins as 0. */
static bool is_due(unsigned *left)
{
    if (*left == 0 || --*left > 0)
        return false;
    *left = STEP;
    return true;
}

/* An analysis of the trace from start to end. */
typedef gt_status analysis(gt_reader *reader, const gt_allocator *allocator);

static gt_latency *open_latency(const gt_allocator *allocator, gt_status *status)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency *latency;
    options.allocator = allocator;
    *status = gt_latency_open(&latency, &options, NULL);
    return latency;
}

/* Of pairs with equal counts, those that took longer come first. */
static void check_pairs(const gt_latency *latency)
{
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    int64_t last = INT64_MAX;
    size_t count, again;
    gt_frame frame;
    assert_int_equal(gt_latency_pair_count(latency), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_status(gt_latency_get_pair(latency, i, &pair), GT_OK);
        assert_int_equal(pair.count, 1);
        assert_true(pair.time <= last);
        last = pair.time;
        assert_status(gt_latency_pair_frames(latency, i, GT_LATENCY_WAITER, NULL, 0, &count),
                      GT_OK);
        assert_int_equal(count, 2);
        assert_status(gt_latency_pair_frames(latency, i, GT_LATENCY_UNBLOCKER, &frame, 1, &again),
                      GT_OK);
        assert_int_equal(again, 2);
        assert_memory_equal(frame.function.data, "main.wake", strlen("main.wake"));
    }
}

static void check_series(const gt_latency *latency)
{
    size_t tasks = 0, regions = 0, waits = 0;
    for (size_t i = 0; i < gt_latency_series_count(latency); i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        assert_status(gt_latency_get_series(latency, i, &series), GT_OK);
        tasks += series.kind == GT_LATENCY_TASK && series.group == GT_LATENCY_BY_TASK;
        regions += series.kind == GT_LATENCY_REGION && series.group == GT_LATENCY_BY_REGION;
        waits += series.kind == GT_LATENCY_BLOCK && series.group == GT_LATENCY_BY_REASON;
    }
    assert_int_equal(tasks, COUNT / 2);
    assert_int_equal(regions, COUNT);
    assert_int_equal(waits, COUNT);
}

static gt_status measure(gt_reader *reader, const gt_allocator *allocator)
{
    gt_status status;
    gt_latency *latency = open_latency(allocator, &status);
    const gt_event *event;
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        status = gt_latency_event(latency, reader, event);
        if (status != GT_OK) {
            assert_status(gt_latency_event(latency, reader, event), status);
            assert_status(gt_latency_finish(latency), status);
            assert_int_equal(gt_latency_series_count(latency), 0);
            assert_int_equal(gt_latency_pair_count(latency), 0);
        }
    }
    if (status == GT_OK) {
        assert_status(gt_latency_finish(latency), GT_OK);
        check_series(latency);
        check_pairs(latency);
    }
    gt_latency_close(&latency);
    return status;
}

static void check_summary(const gt_summary *summary, uint64_t flags)
{
    size_t goroutines, tasks;
    gt_summary_goroutines(summary, &goroutines);
    gt_summary_tasks(summary, &tasks);
    assert_int_equal(goroutines, flags & GT_SUMMARY_DROP ? 0 : COUNT + 1);
    assert_int_equal(tasks, flags & GT_SUMMARY_DROP ? 0 : COUNT);
    if (tasks) {
        const gt_task_summary *task = gt_summary_find_task(summary, COUNT);
        const gt_goroutine_summary *first = gt_summary_find_goroutine(summary, 1);
        assert_int_equal(task->parent, COUNT - 1);
        assert_int_equal(task->log_count, 1);
        assert_int_equal(first->region_count, COUNT);
        /* The other reasons are counted together under the last name. */
        assert_int_equal(first->times->block_count, 64);
    }
}

static gt_status sum_up(gt_reader *reader, const gt_allocator *allocator, uint64_t flags,
                        unsigned left)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary *summary;
    const gt_event *event;
    gt_status status;
    options.flags = flags;
    options.allocator = allocator;
    status = gt_summary_open(&summary, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        status = gt_summary_event(summary, reader, event);
        if (status != GT_OK)
            assert_status(gt_summary_event(summary, reader, event), status);
        else if (is_due(&left))
            status = gt_summary_snapshot(summary);
    }
    if (status == GT_OK)
        status = gt_summary_finish(summary);
    if (status == GT_OK)
        check_summary(summary, flags);
    gt_summary_close(&summary);
    return status;
}

static gt_status sum_up_all(gt_reader *reader, const gt_allocator *allocator)
{
    return sum_up(reader, allocator, 0, 0);
}

static gt_status sum_up_dropping(gt_reader *reader, const gt_allocator *allocator)
{
    return sum_up(reader, allocator, GT_SUMMARY_DROP, 0);
}

static gt_status sum_up_in_snapshots(gt_reader *reader, const gt_allocator *allocator)
{
    return sum_up(reader, allocator, 0, STEP);
}

static gt_status sum_up_dropping_in_snapshots(gt_reader *reader, const gt_allocator *allocator)
{
    return sum_up(reader, allocator, GT_SUMMARY_DROP, STEP);
}

static int discard(void *user_data, const void *data, size_t size)
{
    (void) data;
    *(size_t *) user_data += size;
    return 0;
}

/* Writes a sample for each stack, and reads all of them back from the protobuf. */
static gt_status write_samples(gt_profile *profile)
{
    gt_status status = GT_OK;
    size_t written = 0;
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_SCHED), COUNT);
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_OFFCPU) > COUNT, 1);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL && status == GT_OK; kind++)
        status = gt_profile_write_pprof(profile, kind, discard, &written);
    return status;
}

static gt_status profile_with(gt_reader *reader, const gt_allocator *allocator, unsigned left)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile;
    const gt_event *event;
    gt_status status;
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET);
    options.allocator = allocator;
    status = gt_profile_open(&profile, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        status = gt_profile_event(profile, reader, event);
        if (status == GT_OK && is_due(&left))
            status = gt_profile_snapshot(profile);
    }
    if (status == GT_OK)
        status = gt_profile_finish(profile);
    if (status == GT_OK)
        status = write_samples(profile);
    gt_profile_close(&profile);
    return status;
}

static gt_status profile(gt_reader *reader, const gt_allocator *allocator)
{
    return profile_with(reader, allocator, 0);
}

static gt_status profile_in_snapshots(gt_reader *reader, const gt_allocator *allocator)
{
    return profile_with(reader, allocator, STEP);
}

/* Asks everything that can be asked. */
static gt_status ask(gt_mmu *mmu)
{
    static const double parts[] = {0.25, 0.5};
    const gt_utilization *points;
    gt_utilization worst[4];
    double values[2], minimum;
    size_t count = 4, functions;
    int64_t start, end;
    gt_status status = gt_mmu_range(mmu, &start, &end);
    if (status == GT_OK)
        status = gt_mmu_series(mmu, 0, &points, &functions);
    if (status == GT_OK)
        status = gt_mmu_minimum(mmu, 20, &minimum);
    if (status == GT_OK)
        status = gt_mmu_quantiles(mmu, 20, parts, 2, values);
    if (status == GT_OK)
        status = gt_mmu_worst(mmu, 20, worst, &count);
    if (status == GT_OK) {
        assert_true(values[0] >= minimum && values[1] >= values[0]);
        assert_int_equal(count, 4);
    }
    return status;
}

static gt_status use(gt_reader *reader, const gt_allocator *allocator)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    const gt_event *event;
    gt_status status;
    gt_mmu *mmu;
    options.flags |= GT_MMU_SWEEP | GT_MMU_PER_PROC;
    options.allocator = allocator;
    status = gt_mmu_open(&mmu, &options, NULL);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_mmu_event(mmu, event);
    if (status == GT_OK)
        status = gt_mmu_finish(mmu);
    if (status == GT_OK)
        status = ask(mmu);
    gt_mmu_close(&mmu);
    return status;
}

static gt_status run(const struct gen *gen, analysis *analyse, struct probe *probe)
{
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, gen->wire.data, gen->wire.size, NULL, NULL),
                  GT_OK);
    status = analyse(reader, &probe->allocator);
    gt_reader_close(&reader);
    probe_check(probe);
    return status;
}

/* Lets each allocation fail, alone or together with all later ones in turn. */
static void fail_each(analysis *analyse)
{
    gt_status status = GT_ERR_NO_MEMORY;
    struct gen g = {0};
    uint64_t at;
    crowd_write(&g, COUNT);
    for (at = 1; status != GT_OK; at++) {
        struct probe probe;
        probe_init(&probe);
        probe.fail_at = at;
        probe.fail_on = at % 2 == 0;
        status = run(&g, analyse, &probe);
        assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
    }
    assert_true(at > 10);
    gen_free(&g);
}

static void test_growing_latency_loses_nothing(void **state)
{
    (void) state;
    fail_each(measure);
}

static void test_growing_summary_loses_nothing(void **state)
{
    (void) state;
    fail_each(sum_up_all);
    fail_each(sum_up_dropping);
}

static void test_growing_profile_loses_nothing(void **state)
{
    (void) state;
    fail_each(profile);
}

static void test_growing_snapshots_lose_nothing(void **state)
{
    (void) state;
    fail_each(sum_up_in_snapshots);
    fail_each(sum_up_dropping_in_snapshots);
    fail_each(profile_in_snapshots);
}

static void test_growing_mmu_loses_nothing(void **state)
{
    (void) state;
    fail_each(use);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing_latency_loses_nothing),
        cmocka_unit_test(test_growing_summary_loses_nothing),
        cmocka_unit_test(test_growing_profile_loses_nothing),
        cmocka_unit_test(test_growing_snapshots_lose_nothing),
        cmocka_unit_test(test_growing_mmu_loses_nothing),
    };
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
