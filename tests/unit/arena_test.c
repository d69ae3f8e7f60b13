/* SPDX-License-Identifier: BSD-3-Clause */

/* Bytes that stay where they are. */

#include "base/arena.h"

#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

#define BLOCKS 2000

static size_t size_of(size_t i)
{
    return i % 100 == 99 ? 30000 : i * 7 % 300;
}

static void test_blocks_stay_where_they_are_and_do_not_overlap(void **state)
{
    static char *blocks[BLOCKS];
    struct probe probe;
    struct gt_mem mem;
    struct gt_arena arena = {NULL, NULL, 0, 0};
    size_t total = 0;
    (void) state;
    probe_init(&probe);
    gt_mem_init(&mem, &probe.allocator, 0);
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_non_null(blocks[i] = gt_arena_take(&arena, &mem, size_of(i)));
        memset(blocks[i], (int) (i % 251), size_of(i));
        total += size_of(i);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t j = 0; j < size_of(i); j++)
            assert_int_equal((unsigned char) blocks[i][j], i % 251);
    }
    assert_int_equal(arena.bytes, probe.live_bytes);
    assert_in_range(arena.bytes, total, 2 * total);
    assert_true(probe.calls < BLOCKS / 10);
    gt_arena_free(&arena, &mem);
    assert_int_equal(arena.bytes, 0);
    probe_check(&probe);
}

static void test_an_arena_is_at_most_about_twice_as_large_as_its_bytes(void **state)
{
    struct gt_arena arena = {NULL, NULL, 0, 0};
    struct gt_mem mem;
    (void) state;
    gt_mem_init(&mem, NULL, 0);
    for (size_t taken = 50; taken < 100000; taken += 50) {
        assert_non_null(gt_arena_take(&arena, &mem, 50));
        assert_in_range(arena.bytes, taken, 2 * taken + 1200);
    }
    assert_true(mem.used < 100000 + 16 * 1024 + 1000);
    gt_arena_free(&arena, &mem);
}

static void test_impossible_sizes_are_a_limit(void **state)
{
    struct gt_arena arena = {NULL, NULL, 0, 0};
    struct gt_mem mem;
    (void) state;
    gt_mem_init(&mem, NULL, 0);
    assert_null(gt_arena_take(&arena, &mem, SIZE_MAX));
    assert_status(mem.failure, GT_ERR_LIMIT);
    gt_arena_free(&arena, &mem);
}

static void copy(struct failing *failing)
{
    struct gt_arena arena = {NULL, NULL, 0, 0};
    for (size_t i = 0; i < 5000; i++) {
        char bytes[] = "0123456789";
        gt_string text = {bytes, i % sizeof(bytes)};
        if (!TRY(failing, gt_arena_copy(&arena, &failing->mem, &text))) {
            assert_ptr_equal(text.data, bytes);
            break;
        }
        assert_ptr_not_equal(text.data, bytes);
        assert_memory_equal(text.data, bytes, text.size);
    }
    gt_string none = {NULL, 0};
    if (TRY(failing, gt_arena_copy(&arena, &failing->mem, &none)))
        assert_non_null(none.data);
    gt_arena_free(&arena, &failing->mem);
}

static void test_each_failing_allocation_is_reported_and_changes_nothing(void **state)
{
    (void) state;
    failing_each(copy, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_stay_where_they_are_and_do_not_overlap),
        cmocka_unit_test(test_an_arena_is_at_most_about_twice_as_large_as_its_bytes),
        cmocka_unit_test(test_impossible_sizes_are_a_limit),
        cmocka_unit_test(test_each_failing_allocation_is_reported_and_changes_nothing),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
