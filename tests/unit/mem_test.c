/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory that is counted and limited. */

#include "base/mem.h"

#include <string.h>

#include "support/probe.h"
#include "support/test.h"

struct fixture {
    struct probe probe;
    struct gt_mem mem;
};

static void begin(struct fixture *f, uint64_t limit)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, limit);
}

/* Asserts that everything was counted as the allocator saw it, and that nothing is left. */
static void end(struct fixture *f)
{
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
}

/* Asserts the bytes in use, their peak, and the number of calls of the allocator. */
static void assert_held(const struct fixture *f, uint64_t used, uint64_t peak, uint64_t calls)
{
    assert_int_equal(f->mem.used, used);
    assert_int_equal(f->mem.peak, peak);
    assert_int_equal(f->probe.live_bytes, used);
    assert_int_equal(f->probe.peak_bytes, peak);
    assert_int_equal(f->probe.calls, calls);
}

static void test_default_allocator_is_malloc(void **state)
{
    struct gt_mem mem;
    char *block;
    (void) state;
    gt_mem_init(&mem, NULL, 0);
    block = gt_mem_alloc(&mem, 100);
    assert_non_null(block);
    memset(block, 'x', 100);
    block = gt_mem_realloc(&mem, block, 100, 100000);
    assert_non_null(block);
    assert_int_equal(block[99], 'x');
    memset(block, 'y', 100000);
    assert_int_equal(mem.used, 100000);
    assert_int_equal(mem.peak, 100100);
    gt_mem_free(&mem, block, 100000);
    assert_int_equal(mem.used, 0);
    assert_status(mem.failure, GT_OK);
}

static void test_allocation_beyond_the_limit_fails(void **state)
{
    struct fixture f;
    void *a, *b, *c;
    (void) state;
    begin(&f, 100);
    assert_null(gt_mem_alloc(&f.mem, 101));
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    assert_held(&f, 0, 0, 0);
    assert_non_null(a = gt_mem_alloc(&f.mem, 60));
    assert_null(gt_mem_alloc(&f.mem, 41));
    assert_held(&f, 60, 60, 1);
    assert_non_null(b = gt_mem_alloc(&f.mem, 40));
    assert_null(gt_mem_alloc(&f.mem, 1));
    assert_held(&f, 100, 100, 2);
    gt_mem_free(&f.mem, b, 40);
    assert_null(gt_mem_alloc(&f.mem, SIZE_MAX));
    assert_null(gt_mem_alloc(&f.mem, SIZE_MAX - 59));
    assert_held(&f, 60, 100, 2);
    assert_non_null(c = gt_mem_alloc(&f.mem, 1));
    assert_held(&f, 61, 100, 3);
    gt_mem_free(&f.mem, a, 60);
    gt_mem_free(&f.mem, c, 1);
    end(&f);
}

/* A limit of 0 means none. */
static void test_limit_0_is_none(void **state)
{
    struct fixture f;
    void *block;
    (void) state;
    begin(&f, 0);
    assert_non_null(block = gt_mem_alloc(&f.mem, 1 << 20));
    assert_held(&f, 1 << 20, 1 << 20, 1);
    gt_mem_free(&f.mem, block, 1 << 20);
    end(&f);
}

/* While a block is reallocated, both the old and the new one count. */
static void test_both_blocks_of_a_realloc_count(void **state)
{
    struct fixture f;
    char *block, *moved;
    (void) state;
    begin(&f, 100);
    assert_non_null(block = gt_mem_realloc(&f.mem, NULL, 0, 50));
    assert_held(&f, 50, 50, 1);
    memset(block, 'x', 50);
    assert_null(gt_mem_realloc(&f.mem, block, 50, 51));
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    assert_held(&f, 50, 50, 1);
    assert_non_null(moved = gt_mem_realloc(&f.mem, block, 50, 50));
    assert_held(&f, 50, 100, 2);
    assert_int_equal(moved[49], 'x');
    assert_non_null(moved = gt_mem_realloc(&f.mem, moved, 50, 20));
    assert_held(&f, 20, 100, 3);
    assert_int_equal(moved[19], 'x');
    assert_null(gt_mem_realloc(&f.mem, moved, 20, 81));
    assert_null(gt_mem_realloc(&f.mem, moved, 20, SIZE_MAX));
    assert_held(&f, 20, 100, 3);
    assert_non_null(moved = gt_mem_realloc(&f.mem, moved, 20, 80));
    assert_held(&f, 80, 100, 4);
    gt_mem_free(&f.mem, moved, 80);
    end(&f);
}

/* A failure of the allocator itself is another status, and changes nothing either. */
static void test_failure_of_the_allocator_changes_nothing(void **state)
{
    struct fixture f;
    char *block;
    (void) state;
    begin(&f, 1000);
    f.probe.fail_at = 1;
    assert_null(gt_mem_alloc(&f.mem, 10));
    assert_status(f.mem.failure, GT_ERR_NO_MEMORY);
    assert_held(&f, 0, 0, 1);
    assert_non_null(block = gt_mem_alloc(&f.mem, 10));
    block[9] = 'x';
    f.probe.fail_at = 3;
    assert_null(gt_mem_realloc(&f.mem, block, 10, 20));
    assert_status(f.mem.failure, GT_ERR_NO_MEMORY);
    assert_held(&f, 10, 10, 3);
    assert_int_equal(block[9], 'x');
    assert_null(gt_mem_alloc(&f.mem, 991));
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    gt_mem_free(&f.mem, block, 10);
    gt_mem_free(&f.mem, NULL, 10);
    end(&f);
}

static void test_reserve_grows_by_half(void **state)
{
    /* The number of elements requested, and the capacity after that. */
    static const size_t steps[][2] = {
        {0, 0}, {1, 8}, {8, 8}, {9, 12}, {12, 12}, {13, 18}, {19, 27}, {100, 100}, {101, 150},
    };
    struct fixture f;
    uint32_t *data = NULL;
    size_t capacity = 0;
    (void) state;
    begin(&f, 0);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        size_t before = capacity;
        assert_status(gt_mem_reserve(&f.mem, &data, &capacity, steps[i][0], sizeof(*data)), GT_OK);
        assert_int_equal(capacity, steps[i][1]);
        assert_int_equal(f.mem.used, capacity * sizeof(*data));
        for (size_t k = 0; k < before; k++)
            assert_int_equal(data[k], k);
        for (size_t k = 0; k < capacity; k++)
            data[k] = (uint32_t) k;
    }
    assert_int_equal(f.probe.calls, 6);
    gt_mem_free(&f.mem, data, capacity * sizeof(*data));
    end(&f);
}

/* An array that grows by one element takes few allocations. */
static void test_reserve_one_by_one_takes_few_allocations(void **state)
{
    struct fixture f;
    uint64_t *data = NULL;
    size_t capacity = 0;
    (void) state;
    begin(&f, 0);
    for (size_t i = 0; i < 100000; i++) {
        assert_status(gt_mem_reserve(&f.mem, &data, &capacity, i + 1, sizeof(*data)), GT_OK);
        data[i] = i;
    }
    assert_true(capacity < 150000);
    assert_true(f.probe.calls < 30);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(data[i], i);
    gt_mem_free(&f.mem, data, capacity * sizeof(*data));
    end(&f);
}

static void test_failing_reserve_changes_nothing(void **state)
{
    struct fixture f;
    uint64_t *data = NULL, *before;
    size_t capacity = 0;
    (void) state;
    begin(&f, 200);
    assert_status(gt_mem_reserve(&f.mem, &data, &capacity, 1, sizeof(*data)), GT_OK);
    data[7] = 77;
    before = data;
    /* 12 elements of 8 bytes, besides the 8 that are there. */
    f.mem.limit = 8 * 8 + 12 * 8 - 1;
    assert_status(gt_mem_reserve(&f.mem, &data, &capacity, 9, sizeof(*data)), GT_ERR_LIMIT);
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    f.mem.limit++;
    f.probe.fail_at = f.probe.calls + 1;
    assert_status(gt_mem_reserve(&f.mem, &data, &capacity, 9, sizeof(*data)), GT_ERR_NO_MEMORY);
    assert_ptr_equal(data, before);
    assert_int_equal(capacity, 8);
    assert_int_equal(data[7], 77);
    assert_status(gt_mem_reserve(&f.mem, &data, &capacity, 9, sizeof(*data)), GT_OK);
    assert_int_equal(capacity, 12);
    assert_int_equal(data[7], 77);
    gt_mem_free(&f.mem, data, capacity * sizeof(*data));
    end(&f);
}

/* Sizes beyond the address space are refused instead of wrapping around. */
static void test_reserve_of_impossible_sizes_is_refused(void **state)
{
    static const size_t elements[] = {1, 2, 3, 8, 24, 100};
    struct fixture f;
    void *data = NULL;
    size_t capacity = 0;
    (void) state;
    begin(&f, 0);
    for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
        size_t most = SIZE_MAX / 2 / elements[i];
        f.mem.failure = GT_OK;
        assert_status(gt_mem_reserve(&f.mem, &data, &capacity, most + 1, elements[i]),
                      GT_ERR_LIMIT);
        assert_status(f.mem.failure, GT_ERR_LIMIT);
        assert_status(gt_mem_reserve(&f.mem, &data, &capacity, SIZE_MAX, elements[i]),
                      GT_ERR_LIMIT);
        assert_int_equal(f.probe.calls, i);
        f.probe.fail_at = i + 1;
        assert_status(gt_mem_reserve(&f.mem, &data, &capacity, most, elements[i]),
                      GT_ERR_NO_MEMORY);
        assert_int_equal(f.probe.calls, i + 1);
    }
    assert_null(data);
    assert_int_equal(capacity, 0);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_allocator_is_malloc),
        cmocka_unit_test(test_allocation_beyond_the_limit_fails),
        cmocka_unit_test(test_limit_0_is_none),
        cmocka_unit_test(test_both_blocks_of_a_realloc_count),
        cmocka_unit_test(test_failure_of_the_allocator_changes_nothing),
        cmocka_unit_test(test_reserve_grows_by_half),
        cmocka_unit_test(test_reserve_one_by_one_takes_few_allocations),
        cmocka_unit_test(test_failing_reserve_changes_nothing),
        cmocka_unit_test(test_reserve_of_impossible_sizes_is_refused),
    };
    return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
