/* SPDX-License-Identifier: BSD-3-Clause */

/* Comparisons of traces that are made: changes that are planted, noise, and calls that fail. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/probe.h"
#include "support/test.h"

enum {
    MICROSECOND = 1000,
    MILLISECOND = 1000 * MICROSECOND,
    TASKS = 2000,
    PAIRS = 20,
    /* Goroutines. */
    MAIN = 1,
    WORKER = 2
};

/* A program that is made up, and the trace of it. */
struct shop {
    gt_compare *compare;
    gt_status status;
    uint64_t random;
    int64_t now;
    int64_t slower;   /* by how many percent a task takes longer */
    int64_t held;     /* how long each task waits for a lock, in microseconds */
    uint64_t bytes;   /* what each task allocates */
    uint64_t others;  /* how many other types of tasks there are, which take no time of their own */
    const char *type; /* of tasks */
};

static const struct shop plain = {.held = 20, .bytes = 100 << 10, .type = "checkout"};

static uint64_t shop_random(struct shop *shop, uint64_t most)
{
    shop->random ^= shop->random << 13;
    shop->random ^= shop->random >> 7;
    shop->random ^= shop->random << 17;
    return shop->random % most;
}

static gt_string text_of(const char *text)
{
    return (gt_string){text, strlen(text)};
}

/* Feeds an event. After a failure all calls have to fail alike. */
static void shop_feed(struct shop *shop, gt_event_make_options *options)
{
    gt_event *event;
    options->time = shop->now;
    assert_status(gt_event_make(&event, options, NULL), GT_OK);
    gt_status status = gt_compare_event(shop->compare, NULL, event);
    gt_event_free(&event);
    if (shop->status != GT_OK)
        assert_status(status, shop->status);
    shop->status = status;
}

static void shop_move(struct shop *shop, int64_t id, uint32_t from, uint32_t to, const char *reason)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_frame frame = {0};
    frame.pc = (uint64_t) id;
    frame.function = text_of(id == MAIN ? "main.main" : "main.serve");
    assert_status(gt_goroutine_transition_make(id, from, to, &change), GT_OK);
    change.reason = text_of(reason);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.goroutine = id;
    options.stack = gt_stack_make(1, (uint32_t) id);
    options.frames = &frame;
    options.frame_count = 1;
    change.stack = options.stack;
    options.transition = &change;
    shop_feed(shop, &options);
}

static void shop_task_of(struct shop *shop, uint32_t kind, uint64_t id, const char *type)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_task task = GT_TASK_INIT;
    task.id = id;
    task.type = text_of(type);
    options.kind = kind;
    options.goroutine = WORKER;
    options.task = &task;
    shop_feed(shop, &options);
}

/* Begins or ends a task, and one of the other types beside it. */
static void shop_task(struct shop *shop, uint32_t kind, uint64_t id)
{
    char other[32];
    shop_task_of(shop, kind, id, shop->type);
    if (shop->others == 0)
        return;
    snprintf(other, sizeof(other), "other%u", (unsigned) (id % shop->others));
    shop_task_of(shop, kind, id + TASKS, other);
}

static void shop_region(struct shop *shop, uint32_t kind)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_region region = GT_REGION_INIT;
    region.type = text_of("price");
    options.kind = kind;
    options.goroutine = WORKER;
    options.region = &region;
    shop_feed(shop, &options);
}

static void shop_heap(struct shop *shop, uint64_t bytes)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_metric metric = GT_METRIC_INIT;
    metric.name = text_of("/memory/classes/heap/objects:bytes");
    metric.value.kind = GT_VALUE_UINT64;
    metric.value.number = bytes;
    options.kind = GT_EVENT_METRIC;
    options.metric = &metric;
    shop_feed(shop, &options);
}

static void shop_range(struct shop *shop, uint32_t kind, const char *name, const char *cause)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_range range = GT_RANGE_INIT;
    bool is_whole = strcmp(name, "GC concurrent mark phase") == 0;
    range.name = text_of(name);
    range.cause = text_of(cause);
    range.has_cause = cause[0] != '\0';
    range.scope.kind = is_whole ? GT_RESOURCE_NONE : GT_RESOURCE_GOROUTINE;
    range.scope.id = is_whole ? 0 : WORKER;
    options.kind = kind;
    options.goroutine = WORKER;
    options.range = &range;
    shop_feed(shop, &options);
}

/* The collector marks for a while, stops the world, and lets the worker help. */
static void shop_collect(struct shop *shop)
{
    shop_range(shop, GT_EVENT_RANGE_BEGIN, "GC concurrent mark phase", "");
    shop_range(shop, GT_EVENT_RANGE_BEGIN, "GC mark assist", "");
    shop->now += 100 * MICROSECOND + (int64_t) shop_random(shop, 50 * MICROSECOND);
    shop_range(shop, GT_EVENT_RANGE_END, "GC mark assist", "");
    shop_range(shop, GT_EVENT_RANGE_END, "GC concurrent mark phase", "");
    shop_range(shop, GT_EVENT_RANGE_BEGIN, "stop-the-world", "GC mark termination");
    shop->now += 20 * MICROSECOND;
    shop_range(shop, GT_EVENT_RANGE_END, "stop-the-world", "GC mark termination");
}

static void shop_serve(struct shop *shop, uint64_t id)
{
    int64_t time = 200 * MICROSECOND + (int64_t) shop_random(shop, 200 * MICROSECOND);
    shop_task(shop, GT_EVENT_TASK_BEGIN, id);
    shop_region(shop, GT_EVENT_REGION_BEGIN);
    shop->now += time + time * shop->slower / 100;
    shop_region(shop, GT_EVENT_REGION_END);
    shop_move(shop, WORKER, GT_GO_RUNNING, GT_GO_WAITING, "sync");
    shop->now += shop->held * MICROSECOND + (int64_t) shop_random(shop, 5 * MICROSECOND);
    shop_move(shop, WORKER, GT_GO_WAITING, GT_GO_RUNNABLE, "");
    shop->now += (int64_t) shop_random(shop, 10 * MICROSECOND);
    shop_move(shop, WORKER, GT_GO_RUNNABLE, GT_GO_RUNNING, "");
    shop_task(shop, GT_EVENT_TASK_END, id);
    shop_heap(shop, 1 << 20);
    shop_heap(shop, (1 << 20) + shop->bytes);
    shop_move(shop, WORKER, GT_GO_RUNNING, GT_GO_SYSCALL, "");
    shop->now += 10 * MICROSECOND;
    shop_move(shop, WORKER, GT_GO_SYSCALL, GT_GO_RUNNING, "");
}

/* Feeds a trace of so many tasks. */
static void shop_run(struct shop shop, gt_compare *compare, uint32_t side, uint64_t seed,
                     uint64_t tasks, gt_status *status)
{
    shop.compare = compare;
    shop.random = 88172645463325252U + seed * 2654435761U;
    shop.now = 5 * MILLISECOND;
    shop.status = gt_compare_begin(compare, side);
    shop_move(&shop, MAIN, GT_GO_UNDETERMINED, GT_GO_WAITING, "");
    for (uint64_t i = 0; i < tasks; i++) {
        if (i % 10 == 0) {
            shop_move(&shop, WORKER, GT_GO_NOT_EXIST, GT_GO_RUNNABLE, "");
            shop_move(&shop, WORKER, GT_GO_RUNNABLE, GT_GO_RUNNING, "");
        }
        shop_serve(&shop, i + 1);
        if (i % 10 == 5)
            shop_collect(&shop);
        if (i % 10 == 9)
            shop_move(&shop, WORKER, GT_GO_RUNNING, GT_GO_NOT_EXIST, "");
    }
    *status = shop.status;
}

static gt_compare *compare_open(void)
{
    gt_compare *compare;
    assert_status(gt_compare_open(&compare, NULL, NULL), GT_OK);
    return compare;
}

static void compare_add(gt_compare *compare, struct shop shop, uint32_t side, uint64_t seed)
{
    gt_status status;
    shop_run(shop, compare, side, seed, TASKS, &status);
    assert_status(status, GT_OK);
}

/* Compares the plain program with a changed one. */
static gt_compare *compare_with(struct shop after)
{
    gt_compare *compare = compare_open();
    compare_add(compare, plain, 0, 1);
    compare_add(compare, after, 1, 2);
    assert_status(gt_compare_finish(compare), GT_OK);
    return compare;
}

static gt_compare_difference difference_at(const gt_compare *compare, size_t index)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    assert_status(gt_compare_get(compare, index, &difference), GT_OK);
    return difference;
}

/* Finds the figure of a measure. */
static gt_compare_difference difference_of(const gt_compare *compare, uint32_t subject,
                                           uint32_t measure, uint32_t statistic)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        if (difference.subject == subject && difference.measure == measure &&
            difference.statistic == statistic)
            return difference;
    }
    fail_msg("there is no such figure");
    return difference;
}

static void test_a_slower_task_comes_first(void **state)
{
    struct shop slow = plain;
    slow.slower = 60;
    gt_compare *compare = compare_with(slow);
    gt_compare_difference first = difference_at(compare, 0);
    assert_int_equal(first.verdict, GT_COMPARE_WORSE);
    assert_int_equal(first.measure, GT_COMPARE_DURATION);
    assert_true(first.subject == GT_COMPARE_REGION || first.subject == GT_COMPARE_TASK);
    assert_true(first.after > first.before * 1.4 && first.after < first.before * 1.8);
    assert_true(first.low > 0 && first.low < first.after - first.before);
    assert_true(first.high > first.after - first.before);
    first = difference_of(compare, GT_COMPARE_TASK, GT_COMPARE_DURATION, GT_COMPARE_RATE);
    assert_int_equal(first.verdict, GT_COMPARE_CHANGED);
    assert_int_equal(first.before_count, TASKS);
    gt_compare_close(&compare);
    (void) state;
}

static void test_a_faster_task_is_better(void **state)
{
    struct shop fast = plain;
    fast.slower = -60;
    gt_compare *compare = compare_with(fast);
    assert_int_equal(
        difference_of(compare, GT_COMPARE_REGION, GT_COMPARE_DURATION, GT_COMPARE_P50).verdict,
        GT_COMPARE_BETTER);
    gt_compare_close(&compare);
    (void) state;
}

static void test_a_lock_that_is_held_longer_comes_first(void **state)
{
    struct shop lock = plain;
    lock.held = 200;
    gt_compare *compare = compare_with(lock);
    gt_compare_difference first = difference_at(compare, 0);
    assert_int_equal(first.verdict, GT_COMPARE_WORSE);
    assert_int_equal(first.measure, GT_COMPARE_BLOCKED);
    gt_compare_difference second = difference_at(compare, 1);
    /* The task has waited longer, and its goroutine; which comes first is up to the noise. */
    gt_compare_difference lock_wait = first.subject == GT_COMPARE_TASK ? second : first;
    assert_int_equal(lock_wait.verdict, GT_COMPARE_WORSE);
    assert_int_equal(lock_wait.measure, GT_COMPARE_BLOCKED);
    assert_int_equal(lock_wait.name.size, 10);
    assert_memory_equal(lock_wait.name.data, "main.serve", 10);
    gt_compare_close(&compare);
    (void) state;
}

static void test_more_allocation_comes_first(void **state)
{
    struct shop memory = plain;
    memory.bytes *= 2;
    gt_compare *compare = compare_with(memory);
    gt_compare_difference first = difference_at(compare, 0);
    assert_int_equal(first.verdict, GT_COMPARE_WORSE);
    assert_int_equal(first.measure, GT_COMPARE_ALLOCATED);
    assert_int_equal(difference_at(compare, 1).verdict, GT_COMPARE_NOISE);
    gt_compare_close(&compare);
    (void) state;
}

static void test_equal_programs_show_no_difference(void **state)
{
    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        gt_compare *compare = compare_open();
        compare_add(compare, plain, 0, 100 + pair);
        compare_add(compare, plain, 1, 200 + pair);
        assert_status(gt_compare_finish(compare), GT_OK);
        assert_true(gt_compare_count(compare) > 20);
        assert_int_equal(difference_at(compare, 0).verdict, GT_COMPARE_NOISE);
        gt_compare_close(&compare);
    }
    (void) state;
}

/* The verdict on a region that takes so many percent longer, beside so many other types of tasks.
 */
static uint32_t verdict_beside(int64_t slower, uint64_t others)
{
    struct shop before = plain, after = plain;
    before.others = after.others = others;
    after.slower = slower;
    gt_compare *compare = compare_open();
    compare_add(compare, before, 0, 1);
    compare_add(compare, after, 1, 2);
    assert_status(gt_compare_finish(compare), GT_OK);
    uint32_t verdict =
        difference_of(compare, GT_COMPARE_REGION, GT_COMPARE_DURATION, GT_COMPARE_MEAN).verdict;
    gt_compare_close(&compare);
    return verdict;
}

static void test_more_tests_need_a_clearer_difference(void **state)
{
    int64_t slower = 0;
    while (verdict_beside(slower, 0) == GT_COMPARE_NOISE)
        slower++;
    assert_true(slower > 5 && slower < 50);
    assert_int_equal(verdict_beside(slower, 100), GT_COMPARE_NOISE);
    assert_int_equal(verdict_beside(2 * slower, 100), GT_COMPARE_WORSE);
    (void) state;
}

static void test_several_traces_show_smaller_changes(void **state)
{
    struct shop slow = plain;
    slow.slower = 10;
    for (uint64_t traces = 1; traces <= 4; traces += 3) {
        gt_compare *compare = compare_open();
        for (uint64_t i = 0; i < traces; i++) {
            compare_add(compare, plain, 0, 10 + i);
            compare_add(compare, slow, 1, 20 + i);
        }
        assert_status(gt_compare_finish(compare), GT_OK);
        assert_int_equal(difference_at(compare, 0).verdict,
                         traces == 1 ? GT_COMPARE_NOISE : GT_COMPARE_WORSE);
        gt_compare_close(&compare);
    }
    (void) state;
}

static void test_what_is_on_one_side_is_added_or_removed(void **state)
{
    struct shop other = plain;
    unsigned added = 0, removed = 0;
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    other.type = "refund";
    gt_compare *compare = compare_with(other);
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        added += difference.verdict == GT_COMPARE_ADDED &&
                 memcmp(difference.name.data, "refund", 6) == 0;
        removed += difference.verdict == GT_COMPARE_REMOVED &&
                   memcmp(difference.name.data, "checkout", 8) == 0;
    }
    assert_int_equal(added, 1);
    assert_int_equal(removed, 1);
    gt_compare_close(&compare);
    (void) state;
}

static void test_sums_are_those_of_the_events(void **state)
{
    gt_compare *compare = compare_with(plain);
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    assert_status(gt_compare_get_info(compare, &info), GT_OK);
    assert_int_equal(info.before_traces, 1);
    assert_true(info.before_pieces >= 16 && info.before_pieces <= 32);
    gt_compare_difference syscall =
        difference_of(compare, GT_COMPARE_GOROUTINES, GT_COMPARE_SYSCALL, GT_COMPARE_PER_SECOND);
    /* Each task makes a system call of 10 us. */
    double sum = syscall.before * (double) info.before_time / 1e9;
    assert_true(sum > TASKS * 10.0 * MICROSECOND - 10 && sum < TASKS * 10.0 * MICROSECOND + 10);
    syscall = difference_of(compare, GT_COMPARE_GOROUTINES, GT_COMPARE_SYSCALL, GT_COMPARE_MEAN);
    assert_true(syscall.before > 100.0 * MICROSECOND - 1 &&
                syscall.before < 100.0 * MICROSECOND + 1);
    assert_int_equal(syscall.before_count, TASKS / 10);
    gt_compare_difference stop =
        difference_of(compare, GT_COMPARE_TRACE, GT_COMPARE_STOP, GT_COMPARE_P50);
    assert_true(stop.before > 20.0 * MICROSECOND * 0.98 && stop.before < 20.0 * MICROSECOND * 1.02);
    gt_compare_close(&compare);
    (void) state;
}

static double mean_of(const gt_compare *compare, uint32_t subject, uint32_t measure)
{
    return difference_of(compare, subject, measure, GT_COMPARE_MEAN).before;
}

static void test_tasks_and_regions_say_what_their_time_went_to(void **state)
{
    struct shop waiting = plain;
    gt_compare *compare = compare_with(plain);
    double duration = mean_of(compare, GT_COMPARE_TASK, GT_COMPARE_DURATION);
    double running = mean_of(compare, GT_COMPARE_TASK, GT_COMPARE_RUNNING);
    double blocked = mean_of(compare, GT_COMPARE_TASK, GT_COMPARE_BLOCKED);
    double scheduler = mean_of(compare, GT_COMPARE_TASK, GT_COMPARE_SCHEDULER);
    /* The system call comes after the task. */
    assert_true(mean_of(compare, GT_COMPARE_TASK, GT_COMPARE_SYSCALL) == 0);
    assert_true(blocked >= 20.0 * MICROSECOND && blocked < 25.0 * MICROSECOND);
    assert_true(scheduler > 4.0 * MICROSECOND && scheduler < 6.0 * MICROSECOND);
    double left = duration - running - blocked - scheduler;
    assert_true(left > -1 && left < 1);
    left = mean_of(compare, GT_COMPARE_REGION, GT_COMPARE_DURATION) -
           mean_of(compare, GT_COMPARE_REGION, GT_COMPARE_RUNNING);
    assert_true(left > -1 && left < 1);
    gt_compare_close(&compare);
    waiting.held = 400;
    compare = compare_with(waiting);
    gt_compare_difference first = difference_at(compare, 0);
    assert_int_equal(first.subject, GT_COMPARE_TASK);
    assert_int_equal(first.measure, GT_COMPARE_BLOCKED);
    assert_int_equal(first.verdict, GT_COMPARE_WORSE);
    gt_compare_close(&compare);
    (void) state;
}

static gt_compare *compare_open_with_stacks(uint64_t series)
{
    gt_compare_options options = GT_COMPARE_OPTIONS_INIT;
    gt_compare *compare;
    options.flags = GT_COMPARE_STACKS;
    options.series = series;
    assert_status(gt_compare_open(&compare, &options, NULL), GT_OK);
    return compare;
}

static void test_stacks_are_compared_if_they_are_asked_for(void **state)
{
    struct shop waiting = plain;
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    gt_compare *compare = compare_open_with_stacks(1000);
    double running = 0;
    waiting.held = 400;
    compare_add(compare, plain, 0, 1);
    compare_add(compare, waiting, 1, 2);
    assert_status(gt_compare_finish(compare), GT_OK);
    bool found = false;
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++) {
        if (difference.subject != GT_COMPARE_STACK)
            continue;
        assert_int_equal(difference.statistic, GT_COMPARE_PER_SECOND);
        /* The goroutine that starts the others has a stack, too. */
        assert_memory_equal(difference.name.data, "main.", 5);
        if (difference.name.size != strlen("main.serve"))
            continue;
        assert_memory_equal(difference.name.data, "main.serve", difference.name.size);
        if (difference.measure == GT_COMPARE_RUNNING)
            running += difference.before;
        found = found || (difference.measure == GT_COMPARE_BLOCKED &&
                          difference.verdict == GT_COMPARE_WORSE &&
                          memcmp(difference.detail.data, "sync", difference.detail.size) == 0);
    }
    assert_true(found);
    double all =
        difference_of(compare, GT_COMPARE_GOROUTINES, GT_COMPARE_RUNNING, GT_COMPARE_PER_SECOND)
            .before;
    assert_true(running > all * 0.999 && running < all * 1.001);
    gt_compare_close(&compare);
    compare = compare_with(plain);
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++)
        assert_int_not_equal(difference.subject, GT_COMPARE_STACK);
    gt_compare_close(&compare);
    (void) state;
}

static void test_stacks_take_half_of_the_series(void **state)
{
    gt_compare *compare = compare_open_with_stacks(8);
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    size_t stacks = 0;
    compare_add(compare, plain, 0, 1);
    compare_add(compare, plain, 1, 2);
    assert_status(gt_compare_finish(compare), GT_OK);
    for (size_t i = 0; gt_compare_get(compare, i, &difference) == GT_OK; i++)
        stacks += difference.subject == GT_COMPARE_STACK;
    assert_true(stacks > 0 && stacks <= 4);
    gt_compare_close(&compare);
    (void) state;
}

static void test_equal_programs_show_no_difference_of_stacks(void **state)
{
    for (uint64_t i = 0; i < PAIRS / 4; i++) {
        gt_compare *compare = compare_open_with_stacks(1000);
        compare_add(compare, plain, 0, 2 * i + 1);
        compare_add(compare, plain, 1, 2 * i + 2);
        assert_status(gt_compare_finish(compare), GT_OK);
        assert_int_equal(difference_at(compare, 0).verdict, GT_COMPARE_NOISE);
        gt_compare_close(&compare);
    }
    (void) state;
}

/* Adds up the buckets of a figure on one side, and checks that they follow each other. */
static uint64_t distribution_count(const gt_compare *compare, size_t index, uint32_t side,
                                   double middle, uint64_t *below)
{
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    uint64_t count = 0;
    int64_t last = 0;
    *below = 0;
    while (gt_compare_next_bucket(compare, index, side, &bucket) == GT_OK) {
        assert_true(bucket.from >= last && bucket.to > bucket.from && bucket.count > 0);
        last = bucket.to;
        count += bucket.count;
        *below += (double) bucket.to <= middle ? bucket.count : 0;
    }
    assert_status(gt_compare_next_bucket(compare, index, side, &bucket), GT_END);
    return count;
}

static void test_distributions_are_those_of_the_figures(void **state)
{
    struct shop slow = plain;
    slow.slower = 60;
    gt_compare *compare = compare_with(slow);
    gt_compare_difference figure = GT_COMPARE_DIFFERENCE_INIT;
    uint64_t below, medians = 0;
    for (size_t i = 0; gt_compare_get(compare, i, &figure) == GT_OK; i++) {
        uint64_t before = distribution_count(compare, i, 0, figure.before, &below);
        if (figure.measure == GT_COMPARE_RUNNING || figure.measure == GT_COMPARE_ALLOCATED)
            assert_int_equal(before, 0);
        if (figure.statistic != GT_COMPARE_P50)
            continue;
        medians++;
        assert_int_equal(before, figure.before_count);
        assert_true(below <= before / 2);
        assert_int_equal(distribution_count(compare, i, 1, figure.after, &below),
                         figure.after_count);
        assert_true(below <= figure.after_count / 2);
    }
    assert_true(medians > 3);
    gt_compare_close(&compare);
    (void) state;
}

static void test_empty_and_short_traces_have_no_intervals(void **state)
{
    gt_compare *compare = compare_open();
    gt_status status;
    assert_status(gt_compare_begin(compare, 0), GT_OK);
    assert_status(gt_compare_begin(compare, 1), GT_OK);
    assert_status(gt_compare_finish(compare), GT_OK);
    assert_int_equal(gt_compare_count(compare), 0);
    gt_compare_close(&compare);
    compare = compare_open();
    shop_run(plain, compare, 1, 1, 3, &status);
    assert_status(gt_compare_finish(compare), GT_OK);
    assert_true(gt_compare_count(compare) > 0);
    for (size_t i = 0; i < gt_compare_count(compare); i++) {
        gt_compare_difference difference = difference_at(compare, i);
        assert_int_equal(difference.verdict, GT_COMPARE_NOISE);
        assert_int_equal(difference.has_interval, 0);
        assert_true(difference.before == 0);
    }
    gt_compare_close(&compare);
    (void) state;
}

static void test_leaps_of_the_clock_are_borne(void **state)
{
    static const int64_t leaps[] = {1, 3 * MILLISECOND, 100 * INT64_C(1000000000), INT64_MAX};
    gt_compare *compare = compare_open();
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    struct shop shop = plain;
    assert_status(gt_compare_begin(compare, 1), GT_OK);
    shop.compare = compare;
    shop.now = -5;
    shop.random = 1;
    shop_move(&shop, WORKER, GT_GO_NOT_EXIST, GT_GO_RUNNING, "");
    for (size_t i = 0; i < sizeof(leaps) / sizeof(leaps[0]); i++) {
        for (uint64_t k = 0; k < 50 && shop.now < INT64_MAX - MILLISECOND; k++)
            shop_serve(&shop, k);
        shop.now = leaps[i];
    }
    shop_move(&shop, WORKER, GT_GO_RUNNING, GT_GO_WAITING, "");
    shop.now = 7;
    shop_move(&shop, WORKER, GT_GO_WAITING, GT_GO_NOT_EXIST, "");
    assert_status(gt_compare_finish(compare), GT_OK);
    assert_status(gt_compare_get_info(compare, &info), GT_OK);
    assert_true(info.after_pieces >= 1 && info.after_pieces <= 32);
    assert_true(info.after_time == INT64_MAX);
    for (size_t i = 0; i < gt_compare_count(compare); i++)
        assert_true(difference_at(compare, i).after >= 0);
    gt_compare_close(&compare);
    (void) state;
}

static void test_too_many_series_are_counted(void **state)
{
    gt_compare_options options = GT_COMPARE_OPTIONS_INIT;
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    gt_compare *compare;
    options.series = 3;
    assert_status(gt_compare_open(&compare, &options, NULL), GT_OK);
    compare_add(compare, plain, 0, 1);
    assert_status(gt_compare_finish(compare), GT_OK);
    assert_status(gt_compare_get_info(compare, &info), GT_OK);
    assert_true(info.lost > TASKS);
    gt_compare_close(&compare);
    (void) state;
}

/* Compares two short traces. Returns the first failure. */
static gt_status compare_probed(struct probe *probe)
{
    gt_compare_options options = GT_COMPARE_OPTIONS_INIT;
    gt_compare *compare;
    gt_status failed, status = GT_OK;
    options.allocator = &probe->allocator;
    failed = gt_compare_open(&compare, &options, NULL);
    for (uint32_t side = 0; side < 2 && failed == GT_OK; side++) {
        shop_run(plain, compare, side, side, 60, &status);
        failed = status;
    }
    if (compare) {
        assert_status(gt_compare_finish(compare),
                      failed == GT_OK ? gt_compare_finish(compare) : failed);
        failed = gt_compare_finish(compare);
        assert_true((gt_compare_count(compare) > 0) == (failed == GT_OK));
    }
    gt_compare_close(&compare);
    return failed;
}

static void test_no_allocation_may_fail_unseen(void **state)
{
    struct probe probe;
    uint64_t at = 0;
    gt_status status = GT_ERR_NO_MEMORY;
    while (status == GT_ERR_NO_MEMORY) {
        probe_init(&probe);
        probe.fail_at = ++at;
        status = compare_probed(&probe);
        probe_check(&probe);
    }
    assert_status(status, GT_OK);
    assert_true(at > 20);
    (void) state;
}

static void test_wrong_calls_are_refused(void **state)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_event *event;
    gt_compare *none = NULL, *compare = compare_open();
    gt_task task = GT_TASK_INIT;
    task.id = 1;
    options.kind = GT_EVENT_TASK_BEGIN;
    options.task = &task;
    assert_status(gt_event_make(&event, &options, NULL), GT_OK);
    assert_status(gt_compare_event(compare, NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_begin(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_begin(compare, 2), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_get(compare, 0, &difference), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_compare_get(compare, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_get(NULL, 0, &difference), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_next_bucket(compare, 0, 1, &bucket), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_compare_next_bucket(compare, 0, 2, &bucket), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_next_bucket(compare, 0, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_next_bucket(NULL, 0, 0, &bucket), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    info.size = 1;
    assert_status(gt_compare_get_info(compare, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_finish(compare), GT_OK);
    assert_status(gt_compare_begin(compare, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_compare_event(compare, NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(gt_compare_count(NULL), 0);
    assert_string_equal(gt_compare_subject_name(99), "bad");
    assert_string_equal(gt_compare_measure_name(99), "bad");
    assert_string_equal(gt_compare_statistic_name(99), "bad");
    assert_string_equal(gt_compare_verdict_name(99), "bad");
    gt_event_free(&event);
    gt_compare_close(&compare);
    gt_compare_close(&none);
    gt_compare_close(NULL);
    (void) state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slower_task_comes_first),
        cmocka_unit_test(test_a_faster_task_is_better),
        cmocka_unit_test(test_a_lock_that_is_held_longer_comes_first),
        cmocka_unit_test(test_more_allocation_comes_first),
        cmocka_unit_test(test_equal_programs_show_no_difference),
        cmocka_unit_test(test_more_tests_need_a_clearer_difference),
        cmocka_unit_test(test_several_traces_show_smaller_changes),
        cmocka_unit_test(test_what_is_on_one_side_is_added_or_removed),
        cmocka_unit_test(test_sums_are_those_of_the_events),
        cmocka_unit_test(test_tasks_and_regions_say_what_their_time_went_to),
        cmocka_unit_test(test_stacks_are_compared_if_they_are_asked_for),
        cmocka_unit_test(test_stacks_take_half_of_the_series),
        cmocka_unit_test(test_equal_programs_show_no_difference_of_stacks),
        cmocka_unit_test(test_distributions_are_those_of_the_figures),
        cmocka_unit_test(test_empty_and_short_traces_have_no_intervals),
        cmocka_unit_test(test_leaps_of_the_clock_are_borne),
        cmocka_unit_test(test_too_many_series_are_counted),
        cmocka_unit_test(test_no_allocation_may_fail_unseen),
        cmocka_unit_test(test_wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
