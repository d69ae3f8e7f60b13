/* SPDX-License-Identifier: BSD-3-Clause */

/* Compares counters with a plain array of samples. */

#include "store/counter.h"

#include <stdlib.h>

#include "store/pool.h"
#include "support/test.h"
#include "view/memory.h"

#define MOST      20000
#define MOST_BINS 700

struct sample {
    int64_t time;
    uint64_t value;
};

struct fixture {
    struct gt_mem mem;
    struct gt_store_pool pool;
    struct gt_store_counter counter;
    struct sample samples[MOST];
    size_t count;
    uint64_t seed;
    struct gt_counter_bin bins[MOST_BINS];
};

/* Makes the next sample. `*sample` is the previous one, or zeros at first. */
typedef void make_fn(struct fixture *f, struct sample *sample);

static uint64_t below(struct fixture *f, uint64_t limit)
{
    return test_random(&f->seed) % limit;
}

static void make_steady(struct fixture *f, struct sample *sample)
{
    sample->time += (int64_t) below(f, 3000);
    sample->value += below(f, 3) - 1 + (f->count == 0 ? 5000 : 0);
}

/* Like a heap that grows and shrinks. Often two samples have the same time. */
static void make_heap(struct fixture *f, struct sample *sample)
{
    sample->time += (int64_t) (below(f, 2) * below(f, 1000000));
    sample->value += below(f, 65536);
    if (below(f, 50) == 0)
        sample->value /= 2;
}

/* Hundreds of samples have the same time. */
static void make_burst(struct fixture *f, struct sample *sample)
{
    sample->time += below(f, 300) == 0 ? 1000 : 0;
    sample->value = below(f, 10);
}

/* Times are in any order and include the extremes. */
static void make_wild(struct fixture *f, struct sample *sample)
{
    sample->time = (int64_t) test_random(&f->seed) >> below(f, 60);
    sample->value = test_random(&f->seed) >> below(f, 60);
    if (f->count < 1000)
        sample->time = INT64_MIN + (int64_t) below(f, 1000000) * (int64_t) f->count;
}

static make_fn *const makers[] = {make_steady, make_heap, make_burst, make_wild};

#define MAKERS (sizeof(makers) / sizeof(makers[0]))

static struct sample next_sample(struct fixture *f, make_fn *make)
{
    struct sample sample = {0};

    if (f->count > 0)
        sample = f->samples[f->count - 1];
    make(f, &sample);
    return sample;
}

/* Adds to the array what a counter makes of a sample. */
static void expect(struct fixture *f, struct sample sample)
{
    if (f->count > 0 && sample.time < f->samples[f->count - 1].time)
        sample.time = f->samples[f->count - 1].time;
    f->samples[f->count++] = sample;
}

static void append(struct fixture *f, make_fn *make, size_t count)
{
    while (f->count < count) {
        struct sample sample = next_sample(f, make);

        assert_true(gt_counter_append(&f->counter, &f->pool, sample.time, sample.value));
        expect(f, sample);
    }
}

static struct fixture *begin(uint64_t seed)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    memory_init(&f->mem);
    f->pool.mem = &f->mem;
    f->seed = seed;
    return f;
}

static void end(struct fixture *f)
{
    gt_counter_free(&f->counter, &f->mem);
    gt_store_pool_destroy(&f->pool);
    assert_int_equal(f->mem.used, 0);
    free(f);
}

static int64_t pick_time(struct fixture *f)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1, INT64_MAX - 1};
    uint64_t time = (uint64_t) f->samples[f->count == 0 ? 0 : below(f, f->count)].time;

    if (below(f, 10) == 0)
        return ends[below(f, sizeof(ends) / sizeof(ends[0]))];
    if (below(f, 2) == 0)
        time += below(f, 5) - 2;
    else if (below(f, 3) == 0)
        time += below(f, 100000000);
    return (int64_t) time;
}

/* Returns the index of the first sample at `time` or later. */
static size_t find(const struct fixture *f, int64_t time)
{
    size_t low = 0, high = f->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (f->samples[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t value_before(const struct fixture *f, size_t i)
{
    return i == 0 ? 0 : f->samples[i - 1].value;
}

static uint64_t value_at(const struct fixture *f, int64_t time)
{
    return value_before(f, time == INT64_MAX ? f->count : find(f, time + 1));
}

static void check_at(struct fixture *f)
{
    for (int n = 0; n < 100; n++) {
        int64_t time = pick_time(f);

        assert_int_equal(gt_counter_at(&f->counter, time), value_at(f, time));
    }
}

static long double length_of(int64_t from, int64_t to)
{
    return (long double) ((uint64_t) to - (uint64_t) from);
}

static void check_bin(const struct fixture *f, const struct gt_counter_bin *bin, int64_t finish)
{
    size_t i = find(f, bin->start);
    uint64_t value = value_before(f, i), min = UINT64_MAX, max = 0;
    int64_t from = bin->start;
    long double integral = 0;

    if (i == f->count || f->samples[i].time > from)
        min = max = value;
    for (; i < f->count && f->samples[i].time < finish; i++) {
        integral += (long double) value * length_of(from, f->samples[i].time);
        from = f->samples[i].time;
        value = f->samples[i].value;
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
    integral += (long double) value * length_of(from, finish);
    assert_int_equal(bin->min, min);
    assert_int_equal(bin->max, max);
    assert_int_equal(bin->last, value);
    long double off = (long double) bin->mean - integral / length_of(bin->start, finish);
    assert_true(off < 1e-9L * (long double) max + 1e-9L &&
                -off < 1e-9L * (long double) max + 1e-9L);
}

static void check_instant(const struct fixture *f, const struct gt_counter_bin *bin)
{
    uint64_t value = value_at(f, bin->start);

    assert_int_equal(bin->min, value);
    assert_int_equal(bin->max, value);
    assert_int_equal(bin->last, value);
    assert_true(bin->mean == (double) value);
}

/* Bins are consecutive, their lengths differ by at most one, and each has the right values. */
static void check_range(struct fixture *f, int64_t start, int64_t finish, size_t count)
{
    uint64_t least = ((uint64_t) finish - (uint64_t) start) / count;

    gt_counter_bins(&f->counter, start, finish, count, f->bins);
    assert_int_equal(f->bins[0].start, start);
    for (size_t i = 0; i < count; i++) {
        int64_t to = i + 1 == count ? finish : f->bins[i + 1].start;

        assert_in_range((uint64_t) to - (uint64_t) f->bins[i].start, least, least + 1);
        if (f->bins[i].start < to)
            check_bin(f, &f->bins[i], to);
        else
            check_instant(f, &f->bins[i]);
    }
}

static void check_bins(struct fixture *f)
{
    for (int n = 0; n < 20; n++) {
        int64_t start = pick_time(f), finish = pick_time(f);

        check_range(f, start < finish ? start : finish, start < finish ? finish : start,
                    1 + (size_t) below(f, MOST_BINS));
    }
    check_range(f, INT64_MIN, INT64_MAX, MOST_BINS);
    if (f->count > 1)
        check_range(f, f->samples[0].time, f->samples[f->count - 1].time, 1 + f->count % 100);
}

/* Everything is checked after each of several counts, while a counter grows. */
static void test_counters_equal_an_array_of_samples(void **state)
{
    static const size_t counts[] = {0,   1,   2,   31,   63,   64,   65,   128, 255,
                                    256, 257, 511, 2048, 2049, 2080, 5000, MOST};

    (void) state;
    for (size_t i = 0; i < MAKERS; i++) {
        struct fixture *f = begin(i + 1);

        for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
            append(f, makers[i], counts[n]);
            check_at(f);
            check_bins(f);
        }
        end(f);
    }
}

/* A range that ends before it begins counts as the instant of its start. */
static void test_backward_range_is_its_start(void **state)
{
    struct fixture *f = begin(3);

    (void) state;
    append(f, make_heap, 100);
    gt_counter_bins(&f->counter, f->samples[50].time, f->samples[20].time, 2, f->bins);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(f->bins[i].start, f->samples[50].time);
        check_instant(f, &f->bins[i]);
    }
    end(f);
}

/* The next attempt to append the sample succeeds. */
static void test_counter_is_unchanged_when_memory_runs_out(void **state)
{
    struct fixture *f = begin(4);
    int failures = 0;

    (void) state;
    while (f->count < 10000) {
        struct sample sample = next_sample(f, make_heap);
        int successes = 0;

        memory_fail_after(0);
        while (gt_store_pool_take(&f->pool, GT_POOL_LEAST)) {
        }
        for (; !gt_counter_append(&f->counter, &f->pool, sample.time, sample.value); failures++) {
            check_at(f);
            check_range(f, f->samples[0].time, INT64_MAX, 3);
            memory_fail_after(++successes);
        }
        memory_fail_after(-1);
        expect(f, sample);
    }
    assert_true(failures > 150);
    check_at(f);
    check_bins(f);
    end(f);
}

static void test_counter_without_samples_can_be_freed(void **state)
{
    struct fixture *f = begin(5);

    (void) state;
    for (int successes = 0; successes < 2; successes++) {
        memory_fail_after(successes);
        assert_false(gt_counter_append(&f->counter, &f->pool, 1, 1));
        assert_int_equal(gt_counter_at(&f->counter, 5), 0);
    }
    memory_fail_after(-1);
    end(f);
}

static void test_small_changes_take_little_memory(void **state)
{
    struct fixture *f = begin(6);

    (void) state;
    append(f, make_steady, MOST);
    assert_in_range(f->mem.used, MOST, 8 * MOST);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters_equal_an_array_of_samples),
        cmocka_unit_test(test_backward_range_is_its_start),
        cmocka_unit_test(test_counter_is_unchanged_when_memory_runs_out),
        cmocka_unit_test(test_counter_without_samples_can_be_freed),
        cmocka_unit_test(test_small_changes_take_little_memory),
    };

    return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
