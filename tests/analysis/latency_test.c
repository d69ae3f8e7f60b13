/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Latencies: which series there are and what is in them, quantiles compared with the exact
 * durations, and pairs. The trace begins at 1000; each event is 10 ns after the one before.
 */

#include "summing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/probe.h"

static gt_status take_all(gt_latency *latency, const void *bytes, size_t size)
{
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, bytes, size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_latency_event(latency, reader, event);
        if (status != GT_OK)
            break;
    }
    gt_reader_close(&reader);
    return status == GT_END ? gt_latency_finish(latency) : status;
}

static gt_latency *read_trace(struct gen *gen, const gt_latency_options *options)
{
    gt_latency *latency;
    gen_end(gen);
    assert_status(gt_latency_open(&latency, options, NULL), GT_OK);
    assert_status(take_all(latency, gen->wire.data, gen->wire.size), GT_OK);
    gen_free(gen);
    return latency;
}

/* Returns the number of a series; fails if there is none. */
static size_t find(const gt_latency *latency, uint32_t kind, uint32_t group, const char *name,
                   gt_latency_series *series)
{
    for (size_t i = 0; i < gt_latency_series_count(latency); i++) {
        *series = (gt_latency_series) GT_LATENCY_SERIES_INIT;
        assert_status(gt_latency_get_series(latency, i, series), GT_OK);
        if (series->kind == kind && series->group == group && series->name.size == strlen(name) &&
            memcmp(series->name.data, name, series->name.size) == 0)
            return i;
    }
    fail_msg("no series %s by %s '%s'", gt_latency_kind_name(kind), gt_latency_group_name(group),
             name);
    return 0;
}

static void expect(const gt_latency *latency, uint32_t kind, uint32_t group, const char *name,
                   uint64_t count, int64_t sum)
{
    gt_latency_series series;
    find(latency, kind, group, name, &series);
    assert_int_equal(series.count, count);
    assert_int_equal(series.sum, sum);
}

static void write_waits(struct gen *g)
{
    uint64_t waiter = GEN_STACK(g, {"runtime.chanrecv1", "c.go", 1}, {"main.wait", "m.go", 2});
    uint64_t sender = GEN_STACK(g, {"runtime.chansend1", "c.go", 3}, {"main.send", "m.go", 4});
    gen_running(g, 5, 0, 1);
    gen_task_begin(g, 8, 0, "job", 0);
    gen_region_begin(g, 8, "part", 0);
    gen_go_create(g, 2, GEN_STACK(g, {"main.send", "m.go", 7}), 0);
    gen_go_block(g, "chan receive", waiter); /* at 1060 */
    gen_go_start(g, 2);                      /* at 1070: created at 1050 */
    gen_go_unblock(g, 1, sender);            /* at 1080 */
    gen_go_stop(g, "preempted", 0);
    gen_go_start(g, 1); /* at 1100 */
    gen_region_end(g, 8, "part", 0);
    gen_task_end(g, 8, 0);
    gen_go_block(g, "forever", 0);
    gen_go_start(g, 2); /* at 1140: preempted at 1090 */
    gen_go_destroy(g);
}

static void test_series_have_their_durations(void **state)
{
    struct gen g = {0};
    gt_latency *latency;
    (void) state;
    summing_begin(&g, 26);
    write_waits(&g);
    latency = read_trace(&g, NULL);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_ALL, "", 3, 20 + 20 + 50);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_GOROUTINE, "main.wait", 1, 20);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_GOROUTINE, "main.send", 2, 70);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REASON, "created", 1, 20);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REASON, "chan receive", 1, 20);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REASON, "preempted", 1, 50);
    /* Goroutine 2 was created in the task, but is in no region. */
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_TASK, "job", 3, 90);
    expect(latency, GT_LATENCY_SCHED, GT_LATENCY_BY_REGION, "part", 1, 20);
    expect(latency, GT_LATENCY_BLOCK, GT_LATENCY_ALL, "", 1, 20);
    expect(latency, GT_LATENCY_BLOCK, GT_LATENCY_BY_REASON, "chan receive", 1, 20);
    expect(latency, GT_LATENCY_TASK, GT_LATENCY_BY_TASK, "job", 1, 90);
    expect(latency, GT_LATENCY_REGION, GT_LATENCY_BY_REGION, "part", 1, 70);
    assert_int_equal(gt_latency_series_count(latency), 17);
    gt_latency_close(&latency);
    assert_null(latency);
}

/* States that began before the trace have no known duration. */
static void test_states_from_before_the_trace_do_not_count(void **state)
{
    struct gen g = {0};
    gt_latency *latency;
    (void) state;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_status(&g, 2, WIRE_NONE, GO_RUNNABLE);
    gen_go_status(&g, 3, WIRE_NONE, GO_WAITING);
    gen_go_unblock(&g, 3, 0);
    gen_go_block(&g, "forever", 0);
    gen_go_start(&g, 2);
    latency = read_trace(&g, NULL);
    assert_int_equal(gt_latency_series_count(latency), 0);
    assert_int_equal(gt_latency_pair_count(latency), 0);
    gt_latency_close(&latency);
}

/* A name that does not come again takes memory only for the series that it is in. */
static uint64_t peak_of(unsigned rounds)
{
    struct gen g = {0};
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    char name[32];
    options.series = 1;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (unsigned i = 0; i < rounds; i++) {
        snprintf(name, sizeof(name), "a task with number %08u", i);
        gen_task_begin(&g, i + 1, 0, name, 0);
        gen_region_begin(&g, i + 1, name, 0);
        gen_go_block(&g, name, 0);
        gen_go_unblock(&g, 1, 0);
        gen_go_start(&g, 1);
        gen_region_end(&g, i + 1, name, 0);
        gen_task_end(&g, i + 1, 0);
    }
    latency = read_trace(&g, &options);
    assert_status(gt_latency_get_info(latency, &info), GT_OK);
    gt_latency_close(&latency);
    return info.memory_peak;
}

static void test_memory_does_not_grow_with_names(void **state)
{
    (void) state;
    assert_true(peak_of(8000) < peak_of(4000) + 1024);
}

static void test_pair_has_both_stacks(void **state)
{
    struct gen g = {0};
    gt_latency *latency;
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_frame frames[2];
    size_t count;
    (void) state;
    summing_begin(&g, 26);
    write_waits(&g);
    latency = read_trace(&g, NULL);
    assert_int_equal(gt_latency_pair_count(latency), 1);
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_OK);
    assert_int_equal(pair.count, 1);
    assert_int_equal(pair.time, 20);
    assert_status(gt_latency_pair_frames(latency, 0, GT_LATENCY_WAITER, frames, 2, &count), GT_OK);
    assert_int_equal(count, 2);
    assert_text(frames[1].function, "main.wait");
    assert_status(gt_latency_pair_frames(latency, 0, GT_LATENCY_UNBLOCKER, frames, 1, &count),
                  GT_OK);
    assert_int_equal(count, 2);
    assert_text(frames[0].function, "runtime.chansend1");
    assert_status(gt_latency_pair_frames(latency, 0, 2, frames, 1, &count),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_frames(latency, 1, 0, frames, 1, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_get_pair(latency, 1, &pair), GT_ERR_NOT_AVAILABLE);
    gt_latency_close(&latency);
}

/* Goroutine 2 waits at one place for 30, 20 and 40 ns, and is woken at one; the reason differs. */
static void write_reasons(struct gen *g)
{
    static const char *const reasons[] = {"sync", "sync", "select"};
    gen_running(g, 5, 0, 1);
    gen_go_create(g, 2, GEN_STACK(g, {"main.two", "main.go", 2}), 0);
    for (unsigned i = 0; i < 3; i++) {
        gen_go_stop(g, "preempted", 0);
        gen_go_start(g, 2);
        gen_go_block(g, reasons[i], GEN_STACK(g, {"main.wait", "main.go", 3}));
        gen_go_start(g, 1);
        if (i != 1)
            g->dt = i == 0 ? 20 : 30;
        gen_go_unblock(g, 2, GEN_STACK(g, {"main.wake", "main.go", 4}));
        g->dt = 10;
    }
}

static void test_pairs_without_waits_are_not_apart_by_reason(void **state)
{
    struct gen g = {0};
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    int64_t median;
    (void) state;
    summing_begin(&g, 26);
    write_reasons(&g);
    gt_latency *latency = read_trace(&g, NULL);
    assert_int_equal(gt_latency_pair_count(latency), 1);
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_OK);
    assert_int_equal(pair.count, 3);
    assert_int_equal(pair.time, 90);
    assert_int_equal(pair.maximum, 0);
    assert_int_equal(pair.reason.size, 0);
    assert_status(gt_latency_pair_quantile(latency, 0, 0.5, &median), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_next_pair_bucket(latency, 0, &bucket), GT_ERR_NOT_AVAILABLE);
    gt_latency_close(&latency);
}

static void test_pairs_with_waits_have_a_reason_a_histogram_and_the_longest(void **state)
{
    struct gen g = {0};
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    int64_t quantile;
    (void) state;
    options.flags = GT_LATENCY_PAIR_WAITS;
    summing_begin(&g, 26);
    write_reasons(&g);
    gt_latency *latency = read_trace(&g, &options);
    assert_int_equal(gt_latency_pair_count(latency), 2);
    assert_status(gt_latency_get_pair(latency, 0, &pair), GT_OK);
    assert_text(pair.reason, "sync");
    assert_int_equal(pair.count, 2);
    assert_int_equal(pair.time, 50);
    assert_int_equal(pair.maximum, 30);
    assert_int_equal(pair.goroutine, 2);
    assert_int_equal(pair.unblocker, 1);
    int64_t begin = pair.begin;
    assert_status(gt_latency_pair_quantile(latency, 0, 0.5, &quantile), GT_OK);
    assert_int_equal(quantile, 20);
    assert_status(gt_latency_pair_quantile(latency, 0, 0.99, &quantile), GT_OK);
    assert_int_equal(quantile, 30);
    assert_status(gt_latency_next_pair_bucket(latency, 0, &bucket), GT_OK);
    assert_int_equal(bucket.from, 20);
    assert_int_equal(bucket.count, 1);
    assert_status(gt_latency_next_pair_bucket(latency, 0, &bucket), GT_OK);
    assert_int_equal(bucket.from, 30);
    assert_status(gt_latency_next_pair_bucket(latency, 0, &bucket), GT_END);
    assert_status(gt_latency_get_pair(latency, 1, &pair), GT_OK);
    assert_text(pair.reason, "select");
    assert_int_equal(pair.maximum, 40);
    assert_int_equal(pair.begin - begin, 2 * 50 + 10);
    assert_status(gt_latency_pair_quantile(latency, 2, 0.5, &quantile), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_pair_quantile(latency, 0, 1.1, &quantile), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_pair_quantile(latency, 0, 0.5, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_pair_bucket(latency, 2, &bucket), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_next_pair_bucket(latency, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_latency_close(&latency);
}

enum {
    WAITS = 1999
};

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;
    return (left > right) - (left < right);
}

/* Makes waits from 1 ns to some minutes, as many of each order of magnitude; sorted. */
static gt_latency *random_waits(int64_t *durations)
{
    struct gen g = {0};
    uint64_t seed = 7;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (uint64_t i = 0; i < WAITS; i++) {
        g.dt = 1;
        gen_go_block(&g, "sleep", 0);
        g.dt = 1 + (test_random(&seed) >> (26 + test_random(&seed) % 38));
        durations[i] = (int64_t) g.dt;
        gen_go_unblock(&g, 1, 0);
        g.dt = 1;
        gen_go_start(&g, 1);
    }
    qsort(durations, WAITS, sizeof(*durations), compare);
    return read_trace(&g, NULL);
}

static void test_quantiles_are_nearly_exact(void **state)
{
    static const double parts[] = {0, 0.1, 0.5, 0.9, 0.99, 0.999, 1};
    int64_t durations[WAITS];
    gt_latency *latency = random_waits(durations);
    gt_latency_series series;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    size_t index = find(latency, GT_LATENCY_BLOCK, GT_LATENCY_ALL, "", &series), i;
    uint64_t sum = 0;
    (void) state;
    assert_int_equal(series.count, WAITS);
    assert_int_equal(series.minimum, durations[0]);
    assert_int_equal(series.maximum, durations[WAITS - 1]);
    for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        size_t rank = (size_t) (parts[i] * WAITS) + (parts[i] > 0 && parts[i] < 1);
        int64_t exact = durations[rank > 0 ? rank - 1 : 0], ours;
        assert_status(gt_latency_quantile(latency, index, parts[i], &ours), GT_OK);
        assert_true(llabs(ours - exact) <= exact / 64);
    }
    for (i = 0; gt_latency_next_bucket(latency, index, &bucket) == GT_OK; i++) {
        assert_true(bucket.from < bucket.to && bucket.count > 0);
        assert_true(bucket.to - bucket.from <= 1 + bucket.from / 32);
        assert_true(durations[sum] >= bucket.from);
        sum += bucket.count;
        assert_true(durations[sum - 1] < bucket.to);
    }
    assert_int_equal(sum, WAITS);
    assert_true(i > 100);
    gt_latency_close(&latency);
}

/* Durations beyond the limits of the options are added up, or counted as left out. */
static void test_series_and_pairs_beyond_the_limit_are_added_up(void **state)
{
    struct gen g = {0};
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    char reason[] = "reason a";
    (void) state;
    options.series = 2;
    options.pairs = 1;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (; reason[7] < 'a' + 5; reason[7]++) {
        gen_go_block(&g, reason, GEN_STACK(&g, {reason, "m.go", 1}));
        gen_go_unblock(&g, 1, 0);
        gen_go_start(&g, 1);
    }
    latency = read_trace(&g, &options);
    expect(latency, GT_LATENCY_BLOCK, GT_LATENCY_BY_REASON, "reason b", 1, 10);
    expect(latency, GT_LATENCY_BLOCK, GT_LATENCY_BY_REASON, GT_LATENCY_OTHER, 3, 30);
    assert_int_equal(gt_latency_pair_count(latency), 1);
    assert_status(gt_latency_get_info(latency, &info), GT_OK);
    assert_int_equal(info.unpaired, 4);
    gt_latency_close(&latency);
}

/* Lets each allocation fail, alone or together with all later ones, and then sets a limit. */
static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct gen g = {0};
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_info info = GT_LATENCY_INFO_INIT;
    gt_latency *latency;
    gt_status status = GT_ERR_NO_MEMORY;
    uint64_t at;
    (void) state;
    summing_begin(&g, 26);
    write_waits(&g);
    gen_end(&g);
    for (at = 1; status != GT_OK; at++) {
        struct probe probe;
        probe_init(&probe);
        probe.fail_at = at;
        probe.fail_on = at % 2 == 0;
        options.allocator = &probe.allocator;
        status = gt_latency_open(&latency, &options, NULL);
        if (status == GT_OK)
            status = take_all(latency, g.wire.data, g.wire.size);
        assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
        if (status == GT_OK)
            gt_latency_get_info(latency, &info);
        else if (latency)
            assert_status(gt_latency_finish(latency), GT_ERR_NO_MEMORY);
        gt_latency_close(&latency);
        probe_check(&probe);
    }
    assert_true(at > 20);
    options.allocator = NULL;
    options.memory_limit = info.memory_peak - 1;
    assert_status(gt_latency_open(&latency, &options, NULL), GT_OK);
    assert_status(take_all(latency, g.wire.data, g.wire.size), GT_ERR_LIMIT);
    gt_latency_close(&latency);
    gen_free(&g);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    gt_latency *latency;
    int64_t duration;
    (void) state;
    assert_status(gt_latency_open(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 2;
    assert_status(gt_latency_open(&latency, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(latency);
    assert_status(gt_latency_open(&latency, NULL, NULL), GT_OK);
    assert_status(gt_latency_event(latency, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_event(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_finish(latency), GT_OK);
    assert_int_equal(gt_latency_series_count(latency), 0);
    assert_int_equal(gt_latency_series_count(NULL), 0);
    assert_status(gt_latency_get_series(latency, 0, &series), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_quantile(latency, 0, 0.5, &duration), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_latency_quantile(latency, 0, 1.5, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_next_bucket(latency, 0, &bucket), GT_ERR_NOT_AVAILABLE);
    bucket.size = 1;
    assert_status(gt_latency_next_bucket(latency, 0, &bucket), GT_ERR_INVALID_ARGUMENT);
    series.size = 1;
    assert_status(gt_latency_get_series(latency, 0, &series), GT_ERR_INVALID_ARGUMENT);
    gt_latency_close(&latency);
    gt_latency_close(&latency);
    assert_string_equal(gt_latency_kind_name(GT_LATENCY_REGION), "region");
    assert_string_equal(gt_latency_kind_name(5), "bad");
    assert_string_equal(gt_latency_group_name(GT_LATENCY_BY_TASK), "task");
    assert_string_equal(gt_latency_group_name(5), "bad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_from_before_the_trace_do_not_count),
        cmocka_unit_test(test_memory_does_not_grow_with_names),
        cmocka_unit_test(test_series_have_their_durations),
        cmocka_unit_test(test_pair_has_both_stacks),
        cmocka_unit_test(test_quantiles_are_nearly_exact),
        cmocka_unit_test(test_pairs_without_waits_are_not_apart_by_reason),
        cmocka_unit_test(test_pairs_with_waits_have_a_reason_a_histogram_and_the_longest),
        cmocka_unit_test(test_series_and_pairs_beyond_the_limit_are_added_up),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
