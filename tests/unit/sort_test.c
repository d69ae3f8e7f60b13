/* SPDX-License-Identifier: BSD-3-Clause */

/* The sort, on elements of all sizes and in orders that are hard for others. */

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define MOST 4096

struct counted {
    size_t comparisons;
    size_t size; /* of an element, which begins with its key */
};

static uint32_t key_of(const void *element)
{
    uint32_t key;
    memcpy(&key, element, sizeof(key));
    return key;
}

static bool is_before(const void *a, const void *b, void *context)
{
    ((struct counted *) context)->comparisons++;
    return key_of(a) < key_of(b);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = key_of(a), y = key_of(b);
    return (x > y) - (x < y);
}

/* Sorts elements of `size` bytes with these keys and holds the result against qsort's. */
static size_t check(const uint32_t *keys, size_t count, size_t size)
{
    static unsigned char elements[MOST * GT_SORT_MAX_SIZE], expected[MOST * GT_SORT_MAX_SIZE];
    struct counted counted = {0, size};
    for (size_t i = 0; i < count; i++) {
        memset(elements + i * size, (int) (keys[i] % 251), size);
        memcpy(elements + i * size, &keys[i], sizeof(keys[i]));
    }
    memcpy(expected, elements, count * size);
    qsort(expected, count, size, compare);
    gt_sort(elements, count, size, is_before, &counted);
    assert_memory_equal(elements, expected, count * size);
    return counted.comparisons;
}

static void test_sorts_elements_of_any_size(void **state)
{
    static const size_t sizes[] = {4, 5, 8, 12, 16, 24, 40, GT_SORT_MAX_SIZE};
    uint32_t keys[300];
    uint64_t seed = 99;
    (void) state;
    for (size_t count = 1; count <= 300; count += 1 + count / 4) {
        for (size_t i = 0; i < count; i++)
            keys[i] = (uint32_t) test_random(&seed);
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            check(keys, count, sizes[i]);
    }
}

static void test_sorts_every_order_of_few_elements(void **state)
{
    (void) state;
    /* Equal keys as well. */
    for (uint32_t order = 0; order < 6 * 6 * 6 * 6 * 6 * 6; order++) {
        uint32_t keys[6], rest = order;
        for (size_t i = 0; i < 6; i++, rest /= 6)
            keys[i] = rest % 6;
        check(keys, 6, sizeof(uint32_t));
    }
}

static void test_takes_n_log_n_comparisons_in_any_order(void **state)
{
    static uint32_t keys[MOST];
    (void) state;
    for (uint32_t shape = 0; shape < 5; shape++) {
        for (uint32_t i = 0; i < MOST; i++) {
            const uint32_t shapes[] = {MOST - i, i < MOST / 2 ? i : MOST - i, i * 2654435761U,
                                       i % 2 ? i : MOST - i, i / 100};
            keys[i] = shapes[shape];
        }
        /* 2 comparisons for each of the 12 levels of a heap, twice as a bound. */
        assert_in_range(check(keys, MOST, 8), 1, 2 * 2 * 12 * MOST);
    }
}

static void test_what_is_in_order_takes_one_comparison_each(void **state)
{
    static uint32_t keys[MOST];
    (void) state;
    for (uint32_t i = 0; i < MOST; i++)
        keys[i] = i / 2;
    assert_int_equal(check(keys, MOST, 8), MOST - 1);
}

static void test_nothing_and_one_element_take_no_comparison(void **state)
{
    struct counted counted = {0, 4};
    uint32_t key = 1;
    (void) state;
    gt_sort(NULL, 0, 4, is_before, &counted);
    gt_sort(&key, 1, 4, is_before, &counted);
    assert_int_equal(counted.comparisons, 0);
}

static void test_keeps_the_first_of_many_elements(void **state)
{
    uint64_t seed = 7;
    (void) state;
    for (size_t most = 0; most <= 40; most++) {
        uint32_t all[100], kept[40];
        struct counted counted = {0, sizeof(all[0])};
        size_t count = 0;
        for (size_t i = 0; i < 100; i++) {
            all[i] = (uint32_t) test_random(&seed) % 60;
            gt_sort_keep_first(kept, &count, most, &all[i], sizeof(all[i]), is_before, &counted);
            assert_int_equal(count, i < most ? i + 1 : most);
        }
        qsort(all, 100, sizeof(all[0]), compare);
        gt_sort(kept, count, sizeof(kept[0]), is_before, &counted);
        assert_memory_equal(kept, all, most * sizeof(all[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_elements_of_any_size),
        cmocka_unit_test(test_sorts_every_order_of_few_elements),
        cmocka_unit_test(test_takes_n_log_n_comparisons_in_any_order),
        cmocka_unit_test(test_what_is_in_order_takes_one_comparison_each),
        cmocka_unit_test(test_nothing_and_one_element_take_no_comparison),
        cmocka_unit_test(test_keeps_the_first_of_many_elements),
    };
    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
