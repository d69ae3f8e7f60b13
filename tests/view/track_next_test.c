/* SPDX-License-Identifier: BSD-3-Clause */

/* Compares totals of tracks, and the spans that pass a filter, with a plain array of spans. */

#include "store/track.h"

#include <stdlib.h>
#include <string.h>

#include "store/pool.h"
#include "support/test.h"
#include "view/memory.h"

#define MOST 6000

/* A track, and the spans that it should contain. */
struct fixture {
    struct gt_mem mem;
    struct gt_store_pool pool;
    struct gt_track track;
    struct gt_span spans[MOST];
    uint32_t count;
    uint64_t seed;
};

static uint64_t below(struct fixture *f, uint64_t limit)
{
    return test_random(&f->seed) % limit;
}

/*
 * Appends spans that mostly have a few classes for a while, so that others are rare. There are
 * gaps, and spans of no duration.
 */
static void append(struct fixture *f, uint32_t count)
{
    for (; f->count < count; f->count++) {
        struct gt_span *span = &f->spans[f->count];
        uint32_t period = f->count / 500 % 3;

        memset(span, 0, sizeof(*span));
        span->start = f->count == 0 ? -50 : span[-1].end;
        span->start += below(f, 3) == 0 ? (int64_t) below(f, 100) : 0;
        span->end = span->start + (int64_t) (test_random(&f->seed) >> (28 + below(f, 36)));
        span->index = f->count;
        span->cls = 4 * period + (uint32_t) below(f, below(f, 200) == 0 ? 8 : 4);
        span->name = below(f, 50) == 0 ? (uint32_t) below(f, 1000000) : (uint32_t) below(f, 30);
        if (period == 1)
            span->name = below(f, 4) == 0 ? 1000000 : (uint32_t) below(f, 3);
        span->stack = (uint32_t) below(f, 5000);
        assert_true(gt_track_append(&f->track, &f->pool, span));
    }
}

static bool passes(const struct gt_span *span, const struct gt_track_filter *filter)
{
    uint64_t length = (uint64_t) span->end - (uint64_t) span->start;

    return (filter->classes >> span->cls & 1) != 0 && length >= filter->shortest &&
           length <= filter->longest &&
           (filter->names == NULL || (span->name < filter->name_count &&
                                      (filter->names[span->name] & filter->name_bit) != 0));
}

static struct gt_track_filter pick_filter(struct fixture *f, uint8_t *names, uint32_t name_count)
{
    struct gt_track_filter filter = {.classes = UINT32_MAX, .longest = UINT64_MAX};

    if (below(f, 4) != 0)
        filter.classes = (uint32_t) (1 + below(f, 3)) << below(f, GT_STORE_CLASSES);
    if (below(f, 3) == 0)
        filter.shortest = test_random(&f->seed) >> below(f, 64);
    if (below(f, 3) == 0)
        filter.longest = test_random(&f->seed) >> below(f, 64);
    if (below(f, 2) != 0)
        return filter;
    filter.names = names;
    filter.name_count = name_count;
    filter.name_bit = (uint8_t) (1 << below(f, 8));
    for (uint32_t i = 0; i < name_count; i++)
        names[i] = (uint8_t) (test_random(&f->seed) & test_random(&f->seed));
    return filter;
}

static void check_next(struct fixture *f)
{
    uint8_t names[20];
    int found = 0;

    for (int n = 0; n < 40; n++) {
        struct gt_track_filter filter = pick_filter(f, names, sizeof(names));
        uint32_t last = below(f, 2) == 0 ? f->count : (uint32_t) below(f, f->count + 1);
        uint32_t next = below(f, 2) == 0 ? 0 : (uint32_t) below(f, last + 1);

        for (; next < last; next++) {
            uint32_t expected = next;
            while (expected < last && !passes(&f->spans[expected], &filter))
                expected++;
            next = gt_track_next(&f->track, next, last, &filter);
            assert_int_equal(next, expected);
            found += next < last;
        }
        assert_int_equal(gt_track_next(&f->track, last, last, &filter), last);
    }
    assert_true(f->count < 500 || found > 0);
}

static void check_whole(const struct fixture *f)
{
    struct gt_track_sums total = {{0}, {0}}, expected = {{0}, {0}};
    int64_t start = -7, finish = -7;

    assert_int_equal(gt_track_extent(&f->track, &start, &finish), f->count > 0);
    assert_int_equal(start, f->count > 0 ? f->spans[0].start : -7);
    assert_int_equal(finish, f->count > 0 ? f->spans[f->count - 1].end : -7);
    gt_track_total(&f->track, &total);
    for (uint32_t i = 0; i < f->count; i++) {
        const struct gt_span *span = &f->spans[i];
        uint64_t sum =
            (uint64_t) expected.time[span->cls] + ((uint64_t) span->end - (uint64_t) span->start);

        expected.time[span->cls] = sum > INT64_MAX ? INT64_MAX : (int64_t) sum;
        expected.count[span->cls]++;
    }
    assert_memory_equal(&total, &expected, sizeof(total));
}

static void test_filter_equals_a_pass_over_all_spans(void **state)
{
    static const uint32_t counts[] = {0, 1, 2, 5, 63, 64, 65, 128, 129, 1000, MOST};

    (void) state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct fixture *f = calloc(1, sizeof(*f));

        assert_non_null(f);
        memory_init(&f->mem);
        f->pool.mem = &f->mem;
        f->seed = seed;
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
            append(f, counts[i]);
            check_next(f);
            check_whole(f);
        }
        gt_track_free(&f->track, &f->mem);
        gt_store_pool_destroy(&f->pool);
        free(f);
    }
}

static void test_extreme_times_can_be_filtered(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    const struct gt_track_filter longest = {
        .classes = UINT32_MAX, .shortest = UINT64_MAX, .longest = UINT64_MAX};
    const struct gt_track_filter shorter = {.classes = UINT32_MAX, .longest = UINT64_MAX - 1};

    (void) state;
    assert_non_null(f);
    memory_init(&f->mem);
    f->pool.mem = &f->mem;
    f->spans[0] = (struct gt_span){.start = INT64_MIN, .end = INT64_MAX};
    f->spans[1] = (struct gt_span){.start = INT64_MAX, .end = INT64_MAX, .cls = GT_CLASS_STW};
    for (f->count = 0; f->count < 2; f->count++)
        assert_true(gt_track_append(&f->track, &f->pool, &f->spans[f->count]));
    check_whole(f);
    assert_int_equal(gt_track_next(&f->track, 0, 2, &longest), 0);
    assert_int_equal(gt_track_next(&f->track, 1, 2, &longest), 2);
    assert_int_equal(gt_track_next(&f->track, 0, 2, &shorter), 1);
    gt_track_free(&f->track, &f->mem);
    gt_store_pool_destroy(&f->pool);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter_equals_a_pass_over_all_spans),
        cmocka_unit_test(test_extreme_times_can_be_filtered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
