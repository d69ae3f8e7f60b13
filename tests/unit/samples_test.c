/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU samples are sorted by time, and at equal times by their place in the file. */

#include "v2/samples.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "v2/v2.h"

static struct gt_v2 v2;

static int before(const struct gt_v2_sample *a, const struct gt_v2_sample *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->offset < b->offset;
}

/* All members of a sample but its time are made of its offset. */
static struct gt_v2_sample make_sample(int64_t time, uint64_t offset)
{
    struct gt_v2_sample sample = {
        time, (int64_t) offset, (int64_t) ~offset, (int64_t) offset * 3, offset ^ 5, offset};
    return sample;
}

/* Sorts samples with these times, at the offsets 1, 2, ... in the file. */
static void check(const int64_t *times, size_t count)
{
    struct gt_v2_sample *samples = calloc(count + 1, sizeof(*samples));
    uint8_t *seen = calloc(count + 1, 1);
    assert_non_null(samples);
    assert_non_null(seen);
    for (size_t i = 0; i < count; i++)
        samples[i] = make_sample(times[i], i + 1);
    v2.generation.samples.items = samples;
    v2.generation.samples.count = count;
    gt_v2_samples_sort(&v2);
    assert_ptr_equal(v2.generation.samples.items, samples);
    assert_int_equal(v2.generation.samples.count, count);
    for (size_t i = 0; i < count; i++) {
        struct gt_v2_sample expected;
        assert_in_range(samples[i].offset, 1, count);
        assert_false(seen[samples[i].offset]);
        seen[samples[i].offset] = 1;
        expected = make_sample(times[samples[i].offset - 1], samples[i].offset);
        assert_memory_equal(&samples[i], &expected, sizeof(expected));
        if (i > 0)
            assert_true(before(&samples[i - 1], &samples[i]));
    }
    /* Nothing was written after the last one. */
    assert_int_equal(samples[count].offset, 0);
    free(samples);
    free(seen);
}

/* All combinations of up to 6 samples with up to 6 times, which may be equal. */
static void test_few_samples_are_ordered(void **state)
{
    (void) state;
    for (size_t count = 0; count <= 6; count++) {
        uint64_t ways = 1;
        for (size_t i = 0; i < count; i++)
            ways *= count;
        for (uint64_t way = 0; way < ways; way++) {
            int64_t times[6];
            uint64_t rest = way;
            for (size_t i = 0; i < count; i++) {
                times[i] = (int64_t) (rest % count);
                rest /= count;
            }
            check(times, count);
        }
    }
}

enum shape {
    SORTED,
    REVERSE,
    EQUAL,
    ORGAN_PIPE,
    LAST_IS_FIRST,
    FEW_TIMES,
    RANDOM
};

static int64_t time_at(enum shape shape, size_t i, size_t count, uint64_t *seed)
{
    uint64_t pick = test_random(seed);
    switch (shape) {
    case SORTED:
        return (int64_t) i;
    case REVERSE:
        return -(int64_t) i;
    case EQUAL:
        return 7;
    case ORGAN_PIPE:
        return (int64_t) (i < count / 2 ? i : count - i);
    case LAST_IS_FIRST:
        return i + 1 == count ? INT64_MIN : (int64_t) i;
    case FEW_TIMES:
        return (int64_t) (pick % 10);
    default:
        return (int64_t) pick;
    }
}

static void test_many_samples_are_ordered(void **state)
{
    static const size_t counts[] = {1, 2, 3, 100, 1023, 1024, 1025, 30000};
    static int64_t times[30000];
    uint64_t seed = 8086;
    (void) state;
    for (int shape = SORTED; shape <= RANDOM; shape++) {
        for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
            for (size_t i = 0; i < counts[k]; i++)
                times[i] = time_at((enum shape) shape, i, counts[k], &seed);
            check(times, counts[k]);
        }
    }
}

static void test_extreme_times_are_ordered(void **state)
{
    const int64_t times[] = {INT64_MAX, 0, INT64_MIN, -1, INT64_MAX, INT64_MIN, 1};
    (void) state;
    check(times, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_samples_are_ordered),
        cmocka_unit_test(test_many_samples_are_ordered),
        cmocka_unit_test(test_extreme_times_are_ordered),
    };
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
