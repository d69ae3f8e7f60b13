/* SPDX-License-Identifier: BSD-3-Clause */

/* Compares the sums over a scope with a pass over all of its spans. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "support/test.h"
#include "view/memory.h"
#include "web/distribution.h"
#include "web/histogram.h"
#include "web/scope_sums.h"

#define END 1000000

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

    return (left > right) - (left < right);
}

/*
 * Computes a percentile by its definition: the smallest value that at least `percent` percent of
 * the values do not exceed.
 */
static int64_t percentile(const int64_t *sorted, size_t count, size_t percent)
{
    size_t i = 0;

    while ((i + 1) * 100 < count * percent)
        i++;
    return sorted[i];
}

/* Returns values of all magnitudes, many of them equal. */
static int64_t random_value(uint64_t *seed)
{
    return (int64_t) (test_random(seed) >> (1 + test_random(seed) % 62)) / 3 * 3;
}

static void test_percentiles_are_exact_or_within_a_64th(void **state)
{
    static const size_t counts[] = {1, 2, 3, 99, 100, 101, 5000};
    uint64_t seed = 5;

    (void) state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct gt_distribution exact = {0}, half = {0}, coarse = {0};
        int64_t *values = calloc(counts[i], sizeof(*values));
        unsigned percent;

        assert_non_null(values);
        for (size_t j = 0; j < counts[i]; j++) {
            values[j] = random_value(&seed);
            assert_true(gt_distribution_add(j % 2 ? &exact : &half, memory_shared(), values[j]));
            assert_true(gt_distribution_add(&coarse, memory_shared(), values[j]));
            if (j == counts[i] / 2)
                assert_true(gt_distribution_coarsen(&coarse, memory_shared()));
        }
        assert_true(gt_distribution_merge(&exact, memory_shared(), &half));
        qsort(values, counts[i], sizeof(*values), compare);
        assert_int_equal(exact.count, counts[i]);
        assert_int_equal(exact.least, values[0]);
        assert_int_equal(exact.most, values[counts[i] - 1]);
        assert_int_equal(coarse.sum, exact.sum);
        for (percent = 0; percent <= 100; percent++) {
            int64_t expected = percentile(values, counts[i], percent);
            int64_t near = gt_distribution_percentile(&coarse, percent);

            assert_int_equal(gt_distribution_percentile(&exact, percent), expected);
            assert_true(near - expected <= expected / 64 && expected - near <= expected / 64);
        }
        gt_distribution_free(&exact, memory_shared());
        gt_distribution_free(&half, memory_shared());
        gt_distribution_free(&coarse, memory_shared());
        free(values);
    }
}

static void test_sum_of_extreme_durations_saturates(void **state)
{
    struct gt_distribution spread = {0}, other = {0};

    (void) state;
    assert_int_equal(gt_distribution_percentile(&spread, 50), 0);
    assert_true(gt_distribution_coarsen(&spread, memory_shared()) &&
                gt_distribution_coarsen(&other, memory_shared()));
    assert_true(gt_distribution_add(&spread, memory_shared(), INT64_MAX) &&
                gt_distribution_add(&spread, memory_shared(), 0));
    assert_true(gt_distribution_add(&other, memory_shared(), INT64_MAX));
    assert_true(gt_distribution_merge(&spread, memory_shared(), &other));
    assert_int_equal(spread.sum, INT64_MAX);
    assert_int_equal(spread.count, 3);
    assert_int_equal(gt_distribution_percentile(&spread, 1), 0);
    assert_true(gt_distribution_percentile(&spread, 99) > INT64_MAX / 128 * 127);
    gt_distribution_free(&spread, memory_shared());
    gt_distribution_free(&other, memory_shared());
}

/* The result of a pass over all spans. */
struct naive {
    int64_t time[GT_STORE_CLASSES];
    uint64_t count[GT_STORE_CLASSES];
    int64_t *values;
    size_t used;
};

static int is_in(const struct gt_scope *scope, uint32_t view, uint32_t track)
{
    if (!scope->has_tracks)
        return view == scope->view;
    for (size_t i = 0; i < scope->tracks.count; i++) {
        if (scope->tracks.list[i] == track)
            return 1;
    }
    return 0;
}

/* Calls `each` for the spans of a scope, clipped to its range. */
static void walk(const struct gt_store *store, const struct gt_scope *scope,
                 void (*each)(void *user_data, const struct gt_span *span), void *user_data)
{
    uint32_t view, ordinal;
    struct gt_span span;

    for (uint32_t track = 0; track < gt_store_track_count(store); track++) {
        assert_true(gt_store_track_row(store, track, &view, &ordinal));
        if (!is_in(scope, view, track))
            continue;
        for (uint32_t i = 0; gt_track_get(gt_store_track(store, track), i, &span); i++) {
            if (span.start >= scope->end || span.end <= scope->start)
                continue;
            if (span.start < scope->start)
                span.start = scope->start;
            if (span.end > scope->end)
                span.end = scope->end;
            each(user_data, &span);
        }
    }
}

static void add_naive(void *user_data, const struct gt_span *span)
{
    struct naive *naive = user_data;

    naive->time[span->cls] += span->end - span->start;
    naive->count[span->cls]++;
    if (span->cls == GT_CLASS_WAIT_SYNC)
        naive->values[naive->used++] = span->end - span->start;
}

/* A rough answer rounds percentiles, and nothing else. */
static void check_rough_tally(struct filling *m, const struct gt_scope *scope,
                              const struct naive *naive)
{
    struct gt_scope_sums tally;
    int64_t by_function = 0, all = 0;

    assert_true(gt_scope_sums_make(&tally, memory_shared(), m->store, scope, true, NULL));
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        assert_int_equal(tally.classes[cls].sum, naive->time[cls]);
        assert_int_equal(tally.classes[cls].count, naive->count[cls]);
        all += naive->time[cls];
    }
    for (size_t i = 0; i < tally.functions.list.count; i++) {
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
            by_function += tally.functions.list.items[i].time[cls];
    }
    if (!scope->has_tracks && scope->view == GT_STORE_VIEW_GOROUTINE)
        assert_int_equal(by_function, all);
    gt_scope_sums_free(&tally);
}

static void check_tally(struct filling *m, const struct gt_scope *scope)
{
    struct gt_scope_sums tally;
    struct naive naive = {.values = calloc(1000000, sizeof(int64_t))};
    int64_t by_function = 0, all = 0;

    assert_non_null(naive.values);
    walk(m->store, scope, add_naive, &naive);
    assert_true(gt_scope_sums_make(&tally, memory_shared(), m->store, scope, false, NULL));
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        assert_int_equal(tally.classes[cls].sum, naive.time[cls]);
        assert_int_equal(tally.classes[cls].count, naive.count[cls]);
        all += naive.time[cls];
    }
    qsort(naive.values, naive.used, sizeof(*naive.values), compare);
    for (size_t i = 0; i < tally.reasons.count; i++) {
        struct gt_scope_sums_reason *reason = &tally.reasons.items[i];
        gt_string name = gt_store_text(m->store, reason->name);

        if (name.size != 4 || memcmp(name.data, "sync", 4) != 0)
            continue;
        assert_int_equal(reason->distribution.count, naive.used);
        assert_int_equal(gt_distribution_percentile(&reason->distribution, 95),
                         percentile(naive.values, naive.used, 95));
        naive.used = 0;
    }
    /* Either the reason was found above, or there is no such span. */
    assert_int_equal(naive.used, 0);
    for (size_t i = 0; i < tally.functions.list.count; i++) {
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
            by_function += tally.functions.list.items[i].time[cls];
    }
    assert_int_equal(by_function, all);
    gt_scope_sums_free(&tally);
    check_rough_tally(m, scope, &naive);
    free(naive.values);
}

static void test_sums_equal_a_pass_over_all_spans(void **state)
{
    uint32_t some[] = {2, 3, 8, 9, 40000000};
    const struct gt_scope scopes[] = {
        {.start = 0, .end = END, .view = GT_STORE_VIEW_GOROUTINE},
        {.start = 0, .end = END, .view = GT_STORE_VIEW_PROC},
        {.start = 0, .end = END, .view = GT_VIEW_TASK},
        {.start = 123456, .end = 234567, .view = GT_STORE_VIEW_GOROUTINE},
        {.start = 123456, .end = 123457, .view = GT_STORE_VIEW_GOROUTINE},
        {.start = 5, .end = 777777, .has_tracks = true, .tracks = {NULL, some, 5, 0}},
        {.start = 5, .end = 777777, .has_tracks = true, .tracks = {NULL, some, 0, 0}},
        {.start = 2 * END, .end = 3 * END, .view = GT_STORE_VIEW_GOROUTINE},
    };
    struct filling m;

    (void) state;
    filling_open(&m);
    scene_random(&m, 7, 300, END);
    for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
        check_tally(&m, &scopes[i]);
    filling_close(&m);
}

static void test_start_functions_are_sorted_by_time(void **state)
{
    const struct gt_scope scope = {.start = 0, .end = 100, .view = GT_STORE_VIEW_GOROUTINE};
    struct filling m;
    struct gt_scope_sums tally;
    const struct gt_start_function *first;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    filling_goroutine(&m, 2, "main.worker", -1);
    filling_goroutine(&m, 3, "main.worker", -1);
    filling_goroutine(&m, 4, "main.worker", -1);
    scene_state(&m, 1, 0, 90, "Running", NULL, 0, 0, 0);
    scene_state(&m, 2, 0, 50, "Waiting", "sleep", -1, 0, 0);
    scene_state(&m, 3, 50, 110, "Running", NULL, 1, 0, 0);
    scene_state(&m, 4, 100, 200, "Running", NULL, 1, 0, 0);
    assert_true(gt_scope_sums_make(&tally, memory_shared(), m.store, &scope, false, NULL));
    assert_int_equal(tally.spans, 3);
    assert_int_equal(tally.functions.list.count, 2);
    first = &tally.functions.list.items[0];
    assert_text(gt_store_text(m.store, first->name), "main.worker");
    assert_int_equal(first->goroutines, 2);
    assert_int_equal(first->time[GT_CLASS_RUNNING], 50);
    assert_int_equal(first->time[GT_CLASS_WAIT_SLEEP], 50);
    assert_text(gt_store_text(m.store, tally.functions.list.items[1].name), "main.main");
    gt_scope_sums_free(&tally);
    filling_close(&m);
}

/* There are more spans than the limit up to which every duration is kept. */
static void test_many_short_spans_have_exact_percentiles(void **state)
{
    const int64_t count = 2100000;
    struct filling m;
    struct gt_scope_sums tally;
    struct gt_scope scope = {.start = 0, .end = count * 100, .view = GT_STORE_VIEW_GOROUTINE};
    struct gt_distribution *sleeps;
    int64_t near;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    for (int64_t i = 0; i < count; i++)
        scene_state(&m, 1, i * 100, i * 100 + 1 + i % 99, "Waiting", "sleep", -1, 0, 0);
    assert_true(gt_scope_sums_make(&tally, memory_shared(), m.store, &scope, false, NULL));
    sleeps = &tally.classes[GT_CLASS_WAIT_SLEEP];
    assert_true(tally.coarse);
    assert_false(tally.approximate);
    assert_int_equal(tally.spans, count);
    assert_int_equal(sleeps->count, count);
    near = gt_distribution_percentile(sleeps, 50);
    assert_true(near >= 49 && near <= 51);
    assert_int_equal(sleeps->least, 1);
    assert_int_equal(sleeps->most, 99);
    assert_int_equal(tally.reasons.count, 1);
    assert_int_equal(tally.reasons.items[0].distribution.sum, sleeps->sum);
    gt_scope_sums_free(&tally);
    scope.end = count / 2 * 100;
    assert_true(gt_scope_sums_make(&tally, memory_shared(), m.store, &scope, false, NULL));
    assert_false(tally.coarse);
    assert_int_equal(tally.classes[GT_CLASS_WAIT_SLEEP].count, count / 2);
    gt_scope_sums_free(&tally);
    filling_close(&m);
}

/* Sleeps of many lengths, more than the limit up to which every duration is kept. */
static void test_many_spans_have_exact_percentiles_unless_rough(void **state)
{
    const int64_t count = 2100000, step = 2000000;
    const struct gt_scope scope = {
        .start = 0, .end = count * step, .view = GT_STORE_VIEW_GOROUTINE};
    int64_t *values = calloc((size_t) count, sizeof(*values));
    struct filling m;
    struct gt_scope_sums exact, rough;

    (void) state;
    assert_non_null(values);
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    for (int64_t i = 0; i < count; i++) {
        values[i] = i % 50 == 0 ? 1900000 - i % 7 : 1000 + i * 7919 % 1000003;
        scene_state(&m, 1, i * step, i * step + values[i], "Waiting", "sleep", -1, 0, 0);
    }
    qsort(values, (size_t) count, sizeof(*values), compare);
    assert_true(gt_scope_sums_make(&exact, memory_shared(), m.store, &scope, false, NULL));
    assert_true(gt_scope_sums_make(&rough, memory_shared(), m.store, &scope, true, NULL));
    assert_false(exact.approximate);
    assert_true(rough.approximate);
    for (size_t i = 0; i < GT_SCOPE_SUMS_PERCENTS; i++) {
        int64_t expected = percentile(values, (size_t) count, gt_scope_sums_percents[i]);
        int64_t near = gt_distribution_percentile(&rough.classes[GT_CLASS_WAIT_SLEEP],
                                                  gt_scope_sums_percents[i]);

        assert_true(near - expected <= expected / 64 && expected - near <= expected / 64);
        assert_int_equal(gt_distribution_percentile(&exact.classes[GT_CLASS_WAIT_SLEEP],
                                                    gt_scope_sums_percents[i]),
                         expected);
        assert_int_equal(gt_distribution_percentile(&exact.reasons.items[0].distribution,
                                                    gt_scope_sums_percents[i]),
                         expected);
    }
    assert_int_equal(rough.classes[GT_CLASS_WAIT_SLEEP].least, values[0]);
    assert_int_equal(rough.classes[GT_CLASS_WAIT_SLEEP].most, values[count - 1]);
    assert_int_equal(rough.classes[GT_CLASS_WAIT_SLEEP].sum,
                     exact.classes[GT_CLASS_WAIT_SLEEP].sum);
    gt_scope_sums_free(&exact);
    gt_scope_sums_free(&rough);
    filling_close(&m);
    free(values);
}

static void check_brief(const struct gt_track *track, uint32_t index,
                        const struct gt_span_brief *brief)
{
    struct gt_span span;

    assert_true(gt_track_get(track, index, &span));
    assert_int_equal(brief->start, span.start);
    assert_int_equal(brief->end, span.end);
    assert_int_equal(brief->cls, span.cls);
    assert_int_equal(brief->name, span.name);
    assert_int_equal(brief->goroutine, span.goroutine);
}

static void test_briefs_equal_spans(void **state)
{
    struct gt_span_brief briefs[GT_TRACK_BRIEFS];
    struct filling m;
    uint32_t all = 0;

    (void) state;
    filling_open(&m);
    scene_random(&m, 11, 300, END);
    for (uint32_t id = 0; id < gt_store_track_count(m.store); id++) {
        const struct gt_track *track = gt_store_track(m.store, id);
        uint32_t count = 0, i = id % 3;

        for (; (count = gt_track_briefs(track, i, UINT32_MAX, briefs)) > 0; i += count) {
            for (uint32_t k = 0; k < count; k++)
                check_brief(track, i + k, &briefs[k]);
            all += count;
        }
        assert_true(i >= gt_track_count(track));
        assert_int_equal(gt_track_briefs(track, 1, 1, briefs), 0);
    }
    assert_true(all > 1000);
    filling_close(&m);
}

/* Each of two threads has seen some of the goroutines, and a few were seen by both. */
static void test_goroutine_seen_by_two_threads_counts_once(void **state)
{
    struct filling m;
    struct gt_start_functions one = {.mem = memory_shared()}, other = {.mem = memory_shared()};

    (void) state;
    filling_open(&m);
    for (uint32_t i = 0; i < 5; i++)
        filling_goroutine(&m, i + 1, i < 4 ? "main.main" : "main.other", -1);
    for (uint32_t i = 0; i < 5; i++) {
        if (i < 3)
            gt_start_functions_time(&one, m.store, i)[GT_CLASS_RUNNING] += 10;
        if (i > 0)
            gt_start_functions_time(&other, m.store, i)[GT_CLASS_RUNNING] += i;
    }
    assert_true(gt_start_functions_merge(&one, &other));
    gt_start_functions_sort(&one);
    assert_int_equal(one.list.count, 2);
    assert_int_equal(one.list.items[0].goroutines, 4);
    assert_int_equal(one.list.items[0].time[GT_CLASS_RUNNING], 36);
    assert_int_equal(one.list.items[1].goroutines, 1);
    gt_start_functions_free(&one);
    gt_start_functions_free(&other);
    filling_close(&m);
}

/* There are more reasons than the limit, and so many spans that two threads share them. */
static void test_reasons_over_the_limit_share_one(void **state)
{
    const int64_t count = 300000;
    const struct gt_scope scope = {.start = 0, .end = count * 10, .view = GT_STORE_VIEW_GOROUTINE};
    struct filling m;
    struct gt_scope_sums tally;
    int64_t sum = 0;
    size_t others = 0;

    (void) state;
    filling_open(&m);
    filling_goroutine(&m, 1, "main.main", -1);
    for (int64_t i = 0; i < count; i++) {
        char reason[32];

        snprintf(reason, sizeof(reason), "reason %d", (int) (i % 2000));
        scene_state(&m, 1, i * 10, i * 10 + 10, "Waiting", reason, -1, 0, 0);
    }
    assert_true(gt_scope_sums_make(&tally, memory_shared(), m.store, &scope, false, NULL));
    assert_int_equal(tally.reasons.count, 1024);
    for (int64_t i = 0; i < 1024; i++) {
        sum += tally.reasons.items[i].distribution.sum;
        others += tally.reasons.items[i].name == GT_STORE_NONE;
    }
    assert_int_equal(sum, count * 10);
    assert_int_equal(others, 1);
    gt_scope_sums_free(&tally);
    filling_close(&m);
}

/* Returns the number of the bucket that a duration belongs to. */
static size_t bucket_of(int64_t value)
{
    struct gt_histogram histogram = {0};
    size_t bucket;

    assert_true(gt_histogram_add(&histogram, memory_shared(), value));
    assert_int_equal(histogram.count, 1);
    bucket = histogram.first;
    gt_histogram_free(&histogram, memory_shared());
    return bucket;
}

/* Each power of ten has ten buckets, and a bucket begins with its lower bound. */
static void test_buckets_begin_with_their_lower_bounds(void **state)
{
    int64_t power = 1;

    (void) state;
    for (size_t exponent = 1; exponent <= 18; exponent++) {
        power *= 10;
        assert_int_equal(bucket_of(power), 10 * exponent + 1);
        assert_int_equal(bucket_of(power - 1), 10 * exponent);
    }
    /* 10 to the power of 4.1, 4.5 and 18.9 */
    assert_int_equal(bucket_of(12588), 41);
    assert_int_equal(bucket_of(12589), 42);
    assert_int_equal(bucket_of(31622), 45);
    assert_int_equal(bucket_of(31623), 46);
    assert_int_equal(bucket_of(7943282346999999999), 189);
    assert_int_equal(bucket_of(7943282347000000000), 190);
    assert_int_equal(bucket_of(INT64_MAX), 190);
    assert_int_equal(bucket_of(0), 0);
    assert_int_equal(bucket_of(INT64_MIN), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles_are_exact_or_within_a_64th),
        cmocka_unit_test(test_sum_of_extreme_durations_saturates),
        cmocka_unit_test(test_buckets_begin_with_their_lower_bounds),
        cmocka_unit_test(test_sums_equal_a_pass_over_all_spans),
        cmocka_unit_test(test_start_functions_are_sorted_by_time),
        cmocka_unit_test(test_many_short_spans_have_exact_percentiles),
        cmocka_unit_test(test_many_spans_have_exact_percentiles_unless_rough),
        cmocka_unit_test(test_briefs_equal_spans),
        cmocka_unit_test(test_goroutine_seen_by_two_threads_counts_once),
        cmocka_unit_test(test_reasons_over_the_limit_share_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
