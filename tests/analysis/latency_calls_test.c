/* SPDX-License-Identifier: BSD-3-Clause */

/* Calls of gt_latency that are refused, and traces in which something is missing. */

#include <stdbool.h>
#include <string.h>

#include "summing.h"
#include "support/probe.h"

static void feed(gt_latency *latency, const struct gen *g, bool with_reader)
{
    gt_reader *reader;
    const gt_event *event;
    assert_status(gt_reader_open_memory(&reader, g->wire.data, g->wire.size, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_latency_event(latency, with_reader ? reader : NULL, event), GT_OK);
    gt_reader_close(&reader);
}

static gt_latency *measure(struct gen *g, const gt_latency_options *options, bool with_reader)
{
    gt_latency *latency;
    gen_end(g);
    assert_status(gt_latency_open(&latency, options, NULL), GT_OK);
    feed(latency, g, with_reader);
    assert_status(gt_latency_finish(latency), GT_OK);
    gen_free(g);
    return latency;
}

/* Goroutine 1 waits, twice for `first` and once for `second`, each time for 10. */
static void write_waits(struct gen *g, uint64_t first, uint64_t second)
{
    const uint64_t stacks[] = {first, second, first};
    for (size_t i = 0; i < 3; i++) {
        gen_go_block(g, "sleep", stacks[i]);
        gen_go_unblock(g, 1, 0);
        gen_go_start(g, 1);
    }
}

static void begin_waits(struct gen *g)
{
    uint64_t first, second;
    summing_begin(g, 26);
    first = GEN_STACK(g, {"main.first", "m.go", 1});
    second = GEN_STACK(g, {"main.second", "m.go", 2});
    gen_running(g, 5, 0, 1);
    write_waits(g, second, first);
}

/* There are no results before the finish, and no events are taken after it. */
static void test_results_are_there_after_the_finish_only(void **state)
{
    struct gen g = {0};
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    const gt_event event = {0};
    gt_latency *latency;
    gt_frame frame;
    size_t count;
    (void) state;
    begin_waits(&g);
    gen_end(&g);
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    feed(latency, &g, true);
    assert_int_equal(gt_latency_series_count(latency), 0);
    assert_int_equal(gt_latency_pair_count(latency), 0);
    assert_status(gt_latency_get_series(latency, 0, &series), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_pair_frames(latency, 0, GT_LATENCY_WAITER, &frame, 1, &count),
                  GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_finish(latency), GT_OK);
    assert_status(gt_latency_finish(latency), GT_OK);
    assert_status(gt_latency_event(latency, NULL, &event), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(gt_latency_pair_count(latency), 2);
    gt_latency_close(&latency);
    gen_free(&g);
}

static void test_null_arguments_are_refused(void **state)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    int64_t duration;
    gt_frame frame;
    size_t count;
    (void) state;
    assert_status(gt_latency_get_series(NULL, 0, &series), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_quantile(NULL, 0, 0.5, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_bucket(NULL, 0, &bucket), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(gt_latency_pair_count(NULL), 0);
    assert_status(gt_latency_get_pair(NULL, 0, &pair), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_frames(NULL, 0, 0, &frame, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_quantile(NULL, 0, 0.5, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_pair_bucket(NULL, 0, &bucket), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_snapshot(NULL), GT_ERR_INVALID_ARGUMENT);
    gt_latency_close(NULL);
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    assert_status(gt_latency_get_series(latency, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_quantile(latency, 0, 0.5, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_quantile(latency, 0, -0.1, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_bucket(latency, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_get_pair(latency, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_frames(latency, 0, 0, &frame, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_frames(latency, 0, 0, NULL, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_get_info(latency, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_quantile(latency, 0, 0.5, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_quantile(latency, 0, 1.1, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_quantile(latency, 0, 0.5, &duration), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_next_pair_bucket(latency, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_pair_bucket(latency, 0, &bucket), GT_ERR_NOT_AVAILABLE);
    gt_latency_close(&latency);
}

static void test_structures_of_wrong_size_are_refused(void **state)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    (void) state;
    options.size = 8;
    assert_status(gt_latency_open(&latency, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(latency);
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    pair.size--;
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_ERR_INVALID_ARGUMENT);
    info.size--;
    assert_status(gt_latency_get_info(latency, &info), GT_ERR_INVALID_ARGUMENT);
    gt_latency_close(&latency);
}

/* An allocator that calls the analysis that calls it. */
struct meddler {
    gt_allocator allocator;
    struct probe probe;
    gt_latency *latency;
    unsigned calls;
};

static void *meddle(void *context, size_t size)
{
    struct meddler *meddler = context;
    gt_latency *latency = meddler->latency;
    const gt_event event = {0};
    if (latency) {
        meddler->calls++;
        assert_status(gt_latency_event(latency, NULL, &event), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_latency_finish(latency), GT_ERR_INVALID_ARGUMENT);
        gt_latency_close(&latency);
        assert_ptr_equal(latency, meddler->latency);
    }
    return meddler->probe.allocator.allocate(&meddler->probe, size);
}

static void *meddle_again(void *context, void *pointer, size_t old_size, size_t new_size)
{
    struct meddler *meddler = context;
    return meddler->probe.allocator.reallocate(&meddler->probe, pointer, old_size, new_size);
}

static void give_back(void *context, void *pointer, size_t size)
{
    struct meddler *meddler = context;
    meddler->probe.allocator.release(&meddler->probe, pointer, size);
}

static void test_calls_from_the_allocator_are_refused(void **state)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    struct meddler meddler = {0};
    struct gen g = {0};
    (void) state;
    probe_init(&meddler.probe);
    meddler.allocator = meddler.probe.allocator;
    meddler.allocator.context = &meddler;
    meddler.allocator.allocate = meddle;
    meddler.allocator.reallocate = meddle_again;
    meddler.allocator.release = give_back;
    options.allocator = &meddler.allocator;
    begin_waits(&g);
    gen_end(&g);
    assert_status(gt_latency_open(&meddler.latency, &options, NULL), GT_OK);
    feed(meddler.latency, &g, true);
    assert_true(meddler.calls > 3);
    gt_latency_close(&meddler.latency);
    probe_check(&meddler.probe);
    gen_free(&g);
}

/* Pairs with more waits come first, whatever the order of the trace. */
static void test_pairs_with_more_waits_come_first(void **state)
{
    struct gen g = {0};
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_latency *latency;
    gt_frame frame;
    size_t count;
    (void) state;
    begin_waits(&g);
    latency = measure(&g, NULL, true);
    assert_int_equal(gt_latency_pair_count(latency), 2);
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_OK);
    assert_int_equal(pair.count, 2);
    assert_int_equal(pair.time, 20);
    assert_status(gt_latency_pair_frames(latency, 0, GT_LATENCY_WAITER, &frame, 1, &count), GT_OK);
    assert_text(frame.function, "main.second");
    gt_latency_close(&latency);
}

/* Without a reader there are no stacks, and without pairs none are counted. */
static void test_missing_reader_or_pairs_are_fine(void **state)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    struct gen g = {0};
    size_t count = 9;
    (void) state;
    begin_waits(&g);
    latency = measure(&g, NULL, false);
    assert_int_equal(gt_latency_pair_count(latency), 1);
    assert_status(gt_latency_pair_frames(latency, 0, GT_LATENCY_WAITER, NULL, 0, &count), GT_OK);
    assert_int_equal(count, 0);
    gt_latency_close(&latency);
    options.pairs = 0;
    begin_waits(&g);
    latency = measure(&g, &options, true);
    assert_int_equal(gt_latency_pair_count(latency), 0);
    assert_status(gt_latency_get_info(latency, &info), GT_OK);
    assert_int_equal(info.unpaired, 0);
    assert_true(gt_latency_series_count(latency) > 0);
    gt_latency_close(&latency);
}

/* Returns the number of durations in the series of a kind and a group. */
static uint64_t count_of(const gt_latency *latency, uint32_t kind, uint32_t group)
{
    uint64_t count = 0;
    for (size_t i = 0; i < gt_latency_series_count(latency); i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        assert_status(gt_latency_get_series(latency, i, &series), GT_OK);
        if (series.kind == kind && series.group == group)
            count += series.count;
    }
    return count;
}

/*
 * An end without a begin does not count, and what happened before it does not count for the task or
 * region.
 */
static void test_scopes_from_before_the_trace_do_not_count(void **state)
{
    gt_latency *latency;
    struct gen g = {0};
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_region_end(&g, 7, "older", 0);
    gen_task_end(&g, 7, 0);
    /* In a region of a task that is older than the trace. */
    gen_region_begin(&g, 7, "region", 0);
    gen_go_create(&g, 2, 0, 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_unblock(&g, 1, 0);
    gen_go_start(&g, 1);
    gen_region_end(&g, 7, "region", 0);
    gen_go_block(&g, "sleep", 0);
    gen_go_start(&g, 2);
    /* Of the region that it was created in, which belongs to its creator. */
    gen_region_end(&g, 7, "region", 0);
    latency = measure(&g, NULL, true);
    assert_int_equal(count_of(latency, GT_LATENCY_TASK, GT_LATENCY_BY_TASK), 0);
    assert_int_equal(count_of(latency, GT_LATENCY_REGION, GT_LATENCY_BY_REGION), 1);
    assert_int_equal(count_of(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_TASK), 0);
    assert_int_equal(count_of(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REGION), 1);
    gt_latency_close(&latency);
}

/* A task that begins again has the last name, and its last begin counts. */
static void test_task_that_begins_again_counts_twice(void **state)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency *latency;
    struct gen g = {0};
    size_t last;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_task_begin(&g, 8, 0, "first", 0);
    gen_task_end(&g, 8, 0);
    gen_task_begin(&g, 8, 0, "second", 0);
    gen_task_end(&g, 8, 0);
    gen_task_begin(&g, 8, 0, "second", 0);
    latency = measure(&g, NULL, true);
    assert_int_equal(count_of(latency, GT_LATENCY_TASK, GT_LATENCY_BY_TASK), 2);
    last = gt_latency_series_count(latency) - 1;
    assert_status(gt_latency_get_series(latency, last, &series), GT_OK);
    assert_text(series.name, "second");
    assert_int_equal(series.sum, 10);
    gt_latency_close(&latency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_are_there_after_the_finish_only),
        cmocka_unit_test(test_null_arguments_are_refused),
        cmocka_unit_test(test_structures_of_wrong_size_are_refused),
        cmocka_unit_test(test_calls_from_the_allocator_are_refused),
        cmocka_unit_test(test_pairs_with_more_waits_come_first),
        cmocka_unit_test(test_missing_reader_or_pairs_are_fine),
        cmocka_unit_test(test_scopes_from_before_the_trace_do_not_count),
        cmocka_unit_test(test_task_that_begins_again_counts_twice),
    };
    return cmocka_run_group_tests_name("latency_calls", tests, NULL, NULL);
}
