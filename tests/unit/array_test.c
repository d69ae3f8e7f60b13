/* SPDX-License-Identifier: BSD-3-Clause */

/* Growing arrays. */

#include "base/array.h"

#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

static void test_keeps_what_was_appended_in_few_allocations(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    GT_ARRAY(uint32_t) array = {NULL, 0, 0};
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 0);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t *item = gt_array_push(&mem, &array);
        assert_non_null(item);
        *item = i;
    }
    assert_int_equal(array.count, 100000);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(array.items[i], i);
    assert_true(probe.calls < 40);
    assert_int_equal(gt_array_bytes(&array), probe.live_bytes);
    assert_true(gt_array_bytes(&array) <= 150000 * sizeof(uint32_t));
    gt_array_free(&mem, &array);
    assert_null(array.items);
    assert_int_equal(gt_array_bytes(&array), 0);
    gt_array_free(&mem, &array);
    probe_check(&probe);
}

static void test_an_added_item_comes_last(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    GT_ARRAY(gt_string) array = {NULL, 0, 0};
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 8 * sizeof(gt_string));
    for (size_t i = 0; i < 8; i++)
        assert_status(gt_array_add(&mem, &array, (gt_string){"abcdefgh", i}), GT_OK);
    assert_status(gt_array_add(&mem, &array, (gt_string){"", 8}), GT_ERR_LIMIT);
    assert_int_equal(array.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(array.items[i].size, i);
    gt_array_free(&mem, &array);
    probe_check(&probe);
}

static void test_an_extended_array_has_zeros_where_nothing_was_set(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    GT_ARRAY(uint32_t) array = {NULL, 0, 0};
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 500);
    assert_status(gt_array_extend(&mem, &array, 3), GT_OK);
    array.items[2] = 7;
    /* Less than there is changes nothing. */
    assert_status(gt_array_extend(&mem, &array, 1), GT_OK);
    assert_int_equal(array.count, 3);
    assert_int_equal(array.items[2], 7);
    memset(array.items, 0xff, gt_array_bytes(&array));
    assert_status(gt_array_extend(&mem, &array, 100), GT_OK);
    assert_int_equal(array.count, 100);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(array.items[i], i < 3 ? UINT32_MAX : 0);
    assert_status(gt_array_extend(&mem, &array, 101), GT_ERR_LIMIT);
    assert_int_equal(array.count, 100);
    /* What is left of dropped items is cleared. */
    array.count = 0;
    assert_status(gt_array_extend(&mem, &array, 3), GT_OK);
    assert_int_equal(array.items[0], 0);
    gt_array_free(&mem, &array);
    probe_check(&probe);
}

static void test_the_index_of_no_item_is_that_of_the_next_one(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    GT_ARRAY(uint32_t) array = {NULL, 0, 0};
    const uint32_t *none = NULL;
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 0);
    assert_int_equal(gt_array_index(&array, none), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_status(gt_array_add(&mem, &array, i), GT_OK);
    assert_int_equal(gt_array_index(&array, &array.items[0]), 0);
    assert_int_equal(gt_array_index(&array, &array.items[2]), 2);
    assert_int_equal(gt_array_index(&array, none), 3);
    gt_array_free(&mem, &array);
    probe_check(&probe);
}

static void test_too_many_items_are_a_limit(void **state)
{
    struct probe probe;
    struct gt_mem mem;
    GT_ARRAY(uint64_t) array = {NULL, 0, 0};
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 1000);
    assert_status(gt_array_reserve(&mem, &array, SIZE_MAX / 8), GT_ERR_LIMIT);
    assert_status(gt_array_reserve(&mem, &array, 126), GT_ERR_LIMIT);
    assert_int_equal(probe.calls, 0);
    assert_status(gt_array_reserve(&mem, &array, 125), GT_OK);
    assert_int_equal(array.count, 0);
    assert_int_equal(array.capacity, 125);
    gt_array_free(&mem, &array);
    probe_check(&probe);
}

static void append(struct failing *failing)
{
    GT_ARRAY(uint64_t) array = {NULL, 0, 0};
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t *item;
        if (!TRY_POINTER(failing, item, gt_array_push(&failing->mem, &array)))
            break;
        *item = i;
    }
    for (uint64_t i = 0; i < array.count; i++)
        assert_int_equal(array.items[i], i);
    gt_array_free(&failing->mem, &array);
}

static void test_each_failing_allocation_is_reported_and_changes_nothing(void **state)
{
    (void) state;
    failing_each(append, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_what_was_appended_in_few_allocations),
        cmocka_unit_test(test_an_added_item_comes_last),
        cmocka_unit_test(test_an_extended_array_has_zeros_where_nothing_was_set),
        cmocka_unit_test(test_the_index_of_no_item_is_that_of_the_next_one),
        cmocka_unit_test(test_too_many_items_are_a_limit),
        cmocka_unit_test(test_each_failing_allocation_is_reported_and_changes_nothing),
    };
    return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
