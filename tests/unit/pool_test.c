/* SPDX-License-Identifier: BSD-3-Clause */

/* Pools of objects of one size. */

#include "base/pool.h"

#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

#define OBJECTS 3000

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_pool pool;
};

static void begin(struct fixture *f, size_t object)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_pool_init(&f->pool, &f->mem, object);
}

static void end(struct fixture *f)
{
    gt_pool_destroy(&f->pool);
    probe_check(&f->probe);
}

static unsigned char tag(size_t i)
{
    return (unsigned char) (i * 7 + 1);
}

static void assert_tagged(const unsigned char *object, size_t size, size_t i)
{
    while (size > 0)
        assert_int_equal(object[--size], tag(i));
}

/* Every object has its own bytes, aligned for a pointer. */
static void check_size(size_t size)
{
    static unsigned char *objects[OBJECTS];
    struct fixture f;
    begin(&f, size);
    for (size_t i = 0; i < OBJECTS; i++) {
        objects[i] = gt_pool_take(&f.pool);
        assert_non_null(objects[i]);
        assert_int_equal((uintptr_t) objects[i] % sizeof(void *), 0);
        memset(objects[i], tag(i), size);
    }
    for (size_t i = 0; i < OBJECTS; i += 2)
        gt_pool_give(&f.pool, objects[i]);
    for (size_t i = 0; i < OBJECTS; i += 2) {
        objects[i] = gt_pool_take(&f.pool);
        memset(objects[i], tag(i), size);
    }
    for (size_t i = 0; i < OBJECTS; i++)
        assert_tagged(objects[i], size, i);
    end(&f);
}

static void test_objects_of_any_size_do_not_overlap(void **state)
{
    static const size_t sizes[] = {1, 4, 7, 8, 9, 64, 100};
    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        check_size(sizes[i]);
}

/* Objects that come and go take memory only once. */
static void test_freed_objects_are_used_again(void **state)
{
    void *objects[100];
    struct fixture f;
    uint64_t seed = 99, calls;
    size_t i;
    (void) state;
    begin(&f, 40);
    for (i = 0; i < 100; i++)
        assert_non_null(objects[i] = gt_pool_take(&f.pool));
    gt_pool_give(&f.pool, objects[17]);
    assert_ptr_equal(gt_pool_take(&f.pool), objects[17]);
    calls = f.probe.calls;
    for (size_t k = 0; k < 10000; k++) {
        i = test_random(&seed) % 100;
        if (objects[i]) {
            memset(objects[i], 0xee, 40);
            gt_pool_give(&f.pool, objects[i]);
            objects[i] = NULL;
        } else {
            assert_non_null(objects[i] = gt_pool_take(&f.pool));
        }
    }
    assert_int_equal(f.probe.calls, calls);
    end(&f);
}

/* Over a random history, an object in use is never handed out again and keeps its bytes. */
static void test_objects_in_use_keep_their_bytes(void **state)
{
    static unsigned char *objects[OBJECTS];
    struct fixture f;
    uint64_t seed = 12;
    size_t i;
    (void) state;
    begin(&f, 24);
    memset(objects, 0, sizeof(objects));
    for (size_t k = 0; k < 50000; k++) {
        i = test_random(&seed) % OBJECTS;
        if (objects[i]) {
            assert_tagged(objects[i], 24, i);
            gt_pool_give(&f.pool, objects[i]);
            objects[i] = NULL;
        } else {
            assert_non_null(objects[i] = gt_pool_take(&f.pool));
            memset(objects[i], tag(i), 24);
        }
    }
    end(&f);
}

/* What a pool allocates at a time, and so its unused memory, stays small. */
static void test_unused_memory_is_bounded(void **state)
{
    struct fixture f;
    uint64_t before = 0, first;
    (void) state;
    begin(&f, 48);
    assert_non_null(gt_pool_take(&f.pool));
    first = f.probe.live_bytes;
    assert_true(first <= 2048);
    for (uint64_t i = 1; i < 100000; i++) {
        before = f.probe.live_bytes;
        assert_non_null(gt_pool_take(&f.pool));
        assert_true(f.probe.live_bytes - before <= 1 << 16);
    }
    /* The slabs grow, so that many objects take few allocations. */
    assert_true(f.probe.calls < 200);
    end(&f);
    assert_int_equal(f.mem.used, 0);
}

static void test_objects_can_be_larger_than_a_slab(void **state)
{
    struct fixture f;
    char *objects[40];
    (void) state;
    begin(&f, 100001);
    for (size_t i = 0; i < 40; i++) {
        assert_non_null(objects[i] = gt_pool_take(&f.pool));
        memset(objects[i], (int) i, 100001);
    }
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(objects[i][0], i);
        assert_int_equal(objects[i][100000], i);
    }
    end(&f);
}

static void test_destroyed_pool_can_be_used_again(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 16);
    for (int round = 0; round < 3; round++) {
        void *last = NULL;
        for (int i = 0; i < 1000; i++)
            assert_non_null(last = gt_pool_take(&f.pool));
        gt_pool_give(&f.pool, last);
        gt_pool_destroy(&f.pool);
        assert_int_equal(f.mem.used, 0);
    }
    end(&f);
}

static void run(struct failing *failing)
{
    unsigned char *objects[500];
    struct gt_pool pool;
    size_t count = 0;
    gt_pool_init(&pool, &failing->mem, 64);
    while (count < 500 && TRY_POINTER(failing, objects[count], gt_pool_take(&pool))) {
        memset(objects[count], tag(count), 64);
        count++;
    }
    for (size_t i = 0; i < count; i++)
        assert_tagged(objects[i], 64, i);
    gt_pool_destroy(&pool);
}

static void test_failing_allocation_changes_nothing(void **state)
{
    (void) state;
    failing_each(run, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_of_any_size_do_not_overlap),
        cmocka_unit_test(test_freed_objects_are_used_again),
        cmocka_unit_test(test_objects_in_use_keep_their_bytes),
        cmocka_unit_test(test_unused_memory_is_bounded),
        cmocka_unit_test(test_objects_can_be_larger_than_a_slab),
        cmocka_unit_test(test_destroyed_pool_can_be_used_again),
        cmocka_unit_test(test_failing_allocation_changes_nothing),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
