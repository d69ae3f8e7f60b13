/* SPDX-License-Identifier: BSD-3-Clause */

/* The hash index, with keys that come and go, and with ones that collide. */

#include "base/index.h"

#include "base/array.h"
#include "base/hash.h"
#include "support/test.h"
#include "unit/failing.h"

/* A table of keys as its users have one. */
struct table {
    struct gt_mem *mem;
    struct gt_index index;
    GT_ARRAY(uint64_t) keys;
    uint64_t (*hash)(uint64_t key);
    uint64_t probes; /* keys that lookups compared */
};

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct table table;
};

static uint64_t good_hash(uint64_t key)
{
    return gt_hash(key, UINT64_C(0x123456789abcdef));
}

static uint64_t one_hash(uint64_t key)
{
    (void) key;
    return UINT32_MAX;
}

/* Homes around the end of the entries, whatever their number. */
static uint64_t last_hashes(uint64_t key)
{
    return UINT32_MAX - key % 3;
}

/* The index uses 32 bits: those above must not matter. */
static uint64_t high_bits(uint64_t key)
{
    return key << 32 | (uint32_t) good_hash(key);
}

static void begin(struct fixture *f, uint64_t (*hash)(uint64_t key))
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    f->table = (struct table){.mem = &f->mem, .hash = hash};
}

static void table_free(struct table *table)
{
    gt_index_free(&table->index, table->mem);
    gt_array_free(table->mem, &table->keys);
}

static void end(struct fixture *f)
{
    table_free(&f->table);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

/* The ordinal of the key, or SIZE_MAX. */
static size_t table_find(struct table *table, uint64_t key)
{
    struct gt_probe probe = gt_index_probe(&table->index, table->hash(key));
    while (gt_index_next(&table->index, &probe)) {
        table->probes++;
        if (table->keys.items[probe.ordinal] == key)
            return probe.ordinal;
    }
    return SIZE_MAX;
}

static gt_status table_add(struct table *table, uint64_t key)
{
    gt_status status = gt_array_reserve(table->mem, &table->keys, 1);
    if (status == GT_OK)
        status = gt_index_add(&table->index, table->mem, table->hash(key), table->keys.count);
    if (status == GT_OK)
        table->keys.items[table->keys.count++] = key;
    return status;
}

/* The last key takes the place of the one that goes. */
static void table_remove(struct table *table, size_t at)
{
    uint64_t last = table->keys.items[--table->keys.count];
    gt_index_remove(&table->index, table->hash(table->keys.items[at]), at);
    if (at == table->keys.count)
        return;
    gt_index_move(&table->index, table->hash(last), table->keys.count, at);
    table->keys.items[at] = last;
}

static void test_an_empty_index_finds_nothing_and_has_no_memory(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, good_hash);
    assert_int_equal(table_find(&f.table, 0), SIZE_MAX);
    assert_int_equal(gt_index_bytes(&f.table.index), 0);
    gt_index_free(&f.table.index, &f.mem);
    assert_int_equal(f.probe.calls, 0);
    end(&f);
}

/* Adds and removes at random, by turns mostly the one and mostly the other. */
static void random_history(uint64_t (*hash)(uint64_t key), uint64_t universe, size_t steps)
{
    struct fixture f;
    uint64_t seed = 4711;
    begin(&f, hash);
    for (size_t step = 0; step < steps; step++) {
        uint64_t pick = test_random(&seed), key = pick % universe;
        size_t at = table_find(&f.table, key);
        bool adds = (pick >> 32) % 8 < (step / 1000 % 2 ? 2 : 6);
        if (at == SIZE_MAX && adds)
            assert_status(table_add(&f.table, key), GT_OK);
        else if (at != SIZE_MAX && !adds)
            table_remove(&f.table, at);
        assert_int_equal(f.table.index.used, f.table.keys.count);
    }
    for (size_t i = 0; i < f.table.keys.count; i++)
        assert_int_equal(table_find(&f.table, f.table.keys.items[i]), i);
    while (f.table.keys.count > 0)
        table_remove(&f.table, 0);
    for (uint64_t key = 0; key < universe; key++)
        assert_int_equal(table_find(&f.table, key), SIZE_MAX);
    end(&f);
}

static void test_finds_what_was_added_and_not_removed(void **state)
{
    (void) state;
    random_history(good_hash, 5000, 60000);
    random_history(high_bits, 5000, 20000);
    random_history(last_hashes, 100, 20000);
    random_history(one_hash, 60, 20000);
}

static void test_lookups_stay_short_and_memory_small_while_it_grows(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, good_hash);
    for (uint64_t key = 0; key < 100000; key++)
        assert_status(table_add(&f.table, key << 20), GT_OK);
    for (uint64_t key = 0; key < 200000; key++)
        assert_int_equal(table_find(&f.table, key << 20), key < 100000 ? key : SIZE_MAX);
    /* Hashes of 32 bits are seldom equal for different keys. */
    assert_in_range(f.table.probes, 100000, 100100);
    assert_int_equal(gt_index_bytes(&f.table.index), 262144 * sizeof(struct gt_index_entry));
    assert_true(f.probe.calls < 100);
    end(&f);
}

static void test_ordinals_have_32_bits(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, good_hash);
    assert_status(gt_index_add(&f.table.index, &f.mem, 7, UINT32_MAX - 1), GT_OK);
    assert_status(gt_index_add(&f.table.index, &f.mem, 7, UINT32_MAX), GT_ERR_LIMIT);
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    struct gt_probe probe = gt_index_probe(&f.table.index, 7);
    assert_true(gt_index_next(&f.table.index, &probe));
    assert_int_equal(probe.ordinal, UINT32_MAX - 1);
    assert_false(gt_index_next(&f.table.index, &probe));
    end(&f);
}

static void test_after_a_reservation_adding_takes_no_memory(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, good_hash);
    for (size_t more = 1; more <= 4096; more *= 2) {
        assert_status(gt_index_reserve(&f.table.index, &f.mem, more), GT_OK);
        uint64_t calls = f.probe.calls;
        for (size_t i = 0; i < more; i++)
            assert_status(gt_index_add(&f.table.index, &f.mem, good_hash(i), i), GT_OK);
        assert_int_equal(f.probe.calls, calls);
    }
    assert_status(gt_index_reserve(&f.table.index, &f.mem, SIZE_MAX), GT_ERR_LIMIT);
    assert_status(gt_index_reserve(&f.table.index, &f.mem, SIZE_MAX / 16), GT_ERR_LIMIT);
    end(&f);
}

static void test_growing_past_the_memory_limit_fails_and_changes_nothing(void **state)
{
    struct fixture f;
    uint64_t key = 0;
    (void) state;
    begin(&f, good_hash);
    f.mem.limit = 10000;
    while (table_add(&f.table, key) == GT_OK)
        key++;
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    assert_in_range(key, 100, 10000 / sizeof(uint64_t));
    for (uint64_t i = 0; i < key; i++)
        assert_int_equal(table_find(&f.table, i), i);
    assert_int_equal(table_find(&f.table, key), SIZE_MAX);
    end(&f);
}

static void fill(struct failing *failing)
{
    struct table table = {.mem = &failing->mem, .hash = good_hash};
    for (uint64_t key = 0; key < 300; key++) {
        if (!TRY(failing, table_add(&table, key)))
            break;
    }
    for (size_t i = 0; i < table.keys.count; i++)
        assert_int_equal(table_find(&table, i), i);
    assert_int_equal(table_find(&table, table.keys.count), SIZE_MAX);
    table_free(&table);
}

static void test_each_failing_allocation_is_reported_and_changes_nothing(void **state)
{
    (void) state;
    failing_each(fill, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_index_finds_nothing_and_has_no_memory),
        cmocka_unit_test(test_finds_what_was_added_and_not_removed),
        cmocka_unit_test(test_lookups_stay_short_and_memory_small_while_it_grows),
        cmocka_unit_test(test_ordinals_have_32_bits),
        cmocka_unit_test(test_after_a_reservation_adding_takes_no_memory),
        cmocka_unit_test(test_growing_past_the_memory_limit_fails_and_changes_nothing),
        cmocka_unit_test(test_each_failing_allocation_is_reported_and_changes_nothing),
    };
    return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
