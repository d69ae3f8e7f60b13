/* SPDX-License-Identifier: BSD-3-Clause */

/* The radix heap of lanes, compared with a plain array. */

#include "merge/radix.h"

#include <string.h>

#include "support/test.h"

#define LANES 500

struct fixture {
    struct gt_radix radix;
    struct gt_lane lanes[LANES]; /* by rank */
    uint8_t there[LANES];
    size_t count; /* how many are in the heap */
    uint64_t seed;
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    gt_radix_clear(&f->radix);
    f->seed = 20260101;
}

static void add(struct fixture *f, size_t rank, int64_t time)
{
    struct gt_lane *lane = &f->lanes[rank];
    lane->rank = (uint32_t) rank;
    lane->time = time;
    assert_true(gt_radix_fits(&f->radix, lane));
    gt_radix_add(&f->radix, lane);
    f->there[rank] = 1;
    assert_int_equal(f->radix.count, ++f->count);
}

static bool is_after(const struct gt_lane *lane, const struct gt_lane *until)
{
    return lane->time != until->time ? lane->time > until->time : lane->rank > until->rank;
}

/* Takes lanes, which must be exactly those up to `*until`. Returns how many. */
static unsigned take(struct fixture *f, unsigned most, struct gt_lane *until)
{
    struct gt_lane *lanes[LANES];
    unsigned count = gt_radix_take(&f->radix, most, lanes, until);
    assert_true(count <= most);
    assert_true((count == 0) == (f->count == 0));
    for (unsigned i = 0; i < count; i++) {
        assert_true(f->there[lanes[i]->rank]);
        assert_false(is_after(lanes[i], until));
        f->there[lanes[i]->rank] = 0;
    }
    f->count -= count;
    assert_int_equal(f->radix.count, f->count);
    for (size_t rank = 0; rank < LANES && count != 0; rank++)
        assert_true(!f->there[rank] || is_after(&f->lanes[rank], until));
    return count;
}

/* A time with any number of bits, which often is that of another lane as well. */
static int64_t random_time(struct fixture *f)
{
    uint64_t pick = test_random(&f->seed);
    int64_t time = (int64_t) test_random(&f->seed);
    if (pick % 3 == 0)
        return (int64_t) (pick >> 8) % 4;
    return time / (INT64_C(1) << (pick >> 8) % 63);
}

static void test_lanes_come_in_order(void **state)
{
    static const unsigned most[] = {1, 2, 16, LANES};
    static struct fixture f;
    struct gt_lane until;
    (void) state;
    for (size_t k = 0; k < sizeof(most) / sizeof(most[0]); k++) {
        begin(&f);
        for (size_t i = 0; i < LANES; i++)
            add(&f, i, random_time(&f));
        while (take(&f, most[k], &until) != 0)
            ;
        assert_int_equal(f.count, 0);
    }
}

/* As in a merge, lanes that were taken are added again with a later time. */
static void test_lanes_may_come_back_later(void **state)
{
    static struct fixture f;
    struct gt_lane until;
    (void) state;
    begin(&f);
    for (size_t rank = 0; rank < LANES; rank++)
        add(&f, rank, (int64_t) rank % 50);
    for (size_t round = 0; round < 3000; round++) {
        take(&f, 16, &until);
        for (size_t rank = 0; rank < LANES; rank++) {
            struct gt_lane later = {.rank = (uint32_t) rank};
            later.time = until.time + (int64_t) (test_random(&f.seed) % 3000);
            if (!f.there[rank] && is_after(&later, &until))
                add(&f, rank, later.time);
        }
    }
}

static void test_extreme_times_are_ordered(void **state)
{
    static struct fixture f;
    struct gt_lane until;
    (void) state;
    begin(&f);
    add(&f, 3, INT64_MAX);
    add(&f, 1, INT64_MIN);
    add(&f, 2, INT64_MAX);
    assert_int_equal(take(&f, 1, &until), 1);
    assert_true(f.there[2] && f.there[3]);
    assert_int_equal(take(&f, 1, &until), 1);
    assert_true(f.there[3]);
    assert_int_equal(take(&f, 1, &until), 1);
    assert_int_equal(until.time, INT64_MAX);
    assert_int_equal(take(&f, 1, &until), 0);
}

/* An empty heap can start at any time. */
static void test_empty_heap_starts_anywhere(void **state)
{
    static const struct gt_lane first = {.time = -5, .rank = 7};
    static struct fixture f;
    struct gt_lane until, before = first;
    (void) state;
    begin(&f);
    add(&f, 0, 1000);
    assert_int_equal(take(&f, 1, &until), 1);
    assert_false(gt_radix_fits(&f.radix, &first));
    gt_radix_start(&f.radix, &first);
    assert_true(gt_radix_fits(&f.radix, &first));
    before.rank--;
    assert_false(gt_radix_fits(&f.radix, &before));
    add(&f, 8, -5);
    add(&f, 7, -5);
    assert_int_equal(take(&f, 1, &until), 1);
    assert_true(f.there[8]);
    assert_int_equal(take(&f, 1, &until), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_come_in_order),
        cmocka_unit_test(test_lanes_may_come_back_later),
        cmocka_unit_test(test_extreme_times_are_ordered),
        cmocka_unit_test(test_empty_heap_starts_anywhere),
    };
    return cmocka_run_group_tests_name("radix", tests, NULL, NULL);
}
