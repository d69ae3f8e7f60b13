/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests that blocks of a pool do not overlap, and that freed blocks are used again. */

#include "store/pool.h"

#include <string.h>

#include "support/test.h"
#include "view/memory.h"

#define BLOCKS 50000
/* A block that is freed is freed after this many further blocks were taken. */
#define GOING 100

struct block {
    unsigned char *bytes;
    size_t size;
};

/* Each block is filled with a byte of its own. */
static void check(const struct block *block, size_t number)
{
    for (size_t i = 0; i < block->size; i++)
        assert_int_equal(block->bytes[i], number % 251);
}

static void take(struct gt_store_pool *pool, struct block *block, size_t number, size_t size)
{
    block->size = size;
    block->bytes = gt_store_pool_take(pool, size);
    assert_non_null(block->bytes);
    memset(block->bytes, (int) (number % 251), size);
}

/* Some blocks stay, while others are freed. Their sizes grow with time. */
static void test_blocks_do_not_overlap(void **state)
{
    static struct block blocks[BLOCKS];
    struct gt_mem mem;
    memory_init(&mem);
    struct gt_store_pool pool = {.mem = &mem};
    uint64_t seed = 7;
    size_t held = 0;

    (void) state;
    for (size_t number = 0; number < BLOCKS; number++) {
        if (number >= GOING && number % 3 != 0) {
            struct block *gone = &blocks[number - GOING];

            check(gone, number - GOING);
            gt_store_pool_give(&pool, gone->bytes, gone->size);
            held -= gone->size;
            gone->size = 0;
        }
        take(&pool, &blocks[number], number,
             GT_POOL_LEAST + number / 100 + test_random(&seed) % (GT_POOL_MOST / 2));
        held += blocks[number].size;
    }
    for (size_t i = 0; i < BLOCKS; i++)
        check(&blocks[i], i);
    assert_in_range(gt_pool_memory(&pool), held, held + held / 4);
    gt_store_pool_destroy(&pool);
    assert_int_equal(mem.used, 0);
    assert_int_equal(gt_pool_memory(&pool), 0);
}

/* Small blocks are taken from a large one that was freed. */
static void test_freed_block_is_used_again(void **state)
{
    struct gt_mem mem;
    memory_init(&mem);
    struct gt_store_pool pool = {.mem = &mem};
    unsigned char *large = gt_store_pool_take(&pool, GT_POOL_MOST);

    (void) state;
    assert_non_null(large);
    memory_fail_after(0);
    while (gt_store_pool_take(&pool, GT_POOL_LEAST)) {
    }
    assert_null(gt_store_pool_take(&pool, GT_POOL_MOST));
    gt_store_pool_give(&pool, large, GT_POOL_MOST);
    for (int i = 0; i < GT_POOL_MOST / 100; i++)
        assert_ptr_equal(gt_store_pool_take(&pool, 99), large + i * 100);
    assert_null(gt_store_pool_take(&pool, 100));
    memory_fail_after(-1);
    assert_non_null(gt_store_pool_take(&pool, 100));
    gt_store_pool_destroy(&pool);
    assert_int_equal(mem.used, 0);
}

static void test_failed_resize_changes_nothing(void **state)
{
    struct gt_mem mem;
    memory_init(&mem);
    struct gt_store_pool pool = {.mem = &mem};
    void *block = gt_pool_resize(&pool, NULL, 0, 100000);

    (void) state;
    assert_non_null(block);
    assert_int_equal(gt_pool_memory(&pool), 100000);
    memory_fail_after(0);
    assert_null(gt_pool_resize(&pool, block, 100000, 200000));
    assert_int_equal(gt_pool_memory(&pool), 100000);
    memory_fail_after(-1);
    gt_mem_free(&mem, block, 100000);
    gt_store_pool_destroy(&pool);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_do_not_overlap),
        cmocka_unit_test(test_freed_block_is_used_again),
        cmocka_unit_test(test_failed_resize_changes_nothing),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
