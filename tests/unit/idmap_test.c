/* SPDX-License-Identifier: BSD-3-Clause */

/* The map from ids to pointers, also with ids that were chosen to make it slow. */

#include "base/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

#define UNIVERSE 6000

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_idmap map;
};

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_idmap_init(&f->map, &f->mem);
}

static void end(struct fixture *f)
{
    gt_idmap_destroy(&f->map);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

/* Returns a value that is not NULL and not odd for any number. */
static void *value_of(uint64_t number)
{
    return (void *) (uintptr_t) (2 * number + 2);
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
    return (x > y) - (x < y);
}

/* Makes small ids, the largest ones, and random ones, each once; returns their number. */
static size_t make_ids(uint64_t *ids)
{
    uint64_t seed = 31337;
    size_t count = 0;
    for (size_t i = 0; i < UNIVERSE; i++) {
        if (i % 3 == 0)
            ids[i] = i;
        else if (i % 3 == 1)
            ids[i] = UINT64_MAX - i;
        else
            ids[i] = test_random(&seed);
    }
    qsort(ids, UNIVERSE, sizeof(*ids), compare_ids);
    for (size_t i = 0; i < UNIVERSE; i++) {
        if (count == 0 || ids[count - 1] != ids[i])
            ids[count++] = ids[i];
    }
    return count;
}

/* Puts, replaces and removes at random, and compares with an array. */
static void random_history(struct fixture *f, const uint64_t *ids, void **values, size_t count)
{
    uint64_t seed = 271828;
    size_t i;
    for (size_t step = 0; step < 60000; step++) {
        uint64_t pick = test_random(&seed);
        i = pick % count;
        assert_ptr_equal(gt_idmap_get(&f->map, ids[i]), values[i]);
        /* The map fills up and empties in turn. */
        if ((pick >> 32) % 8 < (step / 10000 % 2 ? 2 : 6)) {
            values[i] = value_of(step);
            assert_status(gt_idmap_put(&f->map, ids[i], values[i]), GT_OK);
        } else {
            values[i] = NULL;
            gt_idmap_remove(&f->map, ids[i]);
        }
    }
    for (i = 0; i < count; i++)
        assert_ptr_equal(gt_idmap_get(&f->map, ids[i]), values[i]);
}

static void test_map_equals_an_array_over_a_random_history(void **state)
{
    static uint64_t ids[UNIVERSE];
    static void *values[UNIVERSE];
    struct fixture f;
    size_t count = make_ids(ids), i;
    (void) state;
    begin(&f);
    random_history(&f, ids, values, count);
    for (i = 0; i < count; i++)
        gt_idmap_remove(&f.map, ids[i]);
    for (i = 0; i < count; i++)
        assert_null(gt_idmap_get(&f.map, ids[i]));
    assert_int_equal(f.map.used, 0);
    end(&f);
}

static void test_empty_map_has_nothing_and_takes_no_memory(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_null(gt_idmap_get(&f.map, 0));
    assert_null(gt_idmap_get(&f.map, UINT64_MAX));
    gt_idmap_remove(&f.map, 0);
    gt_idmap_remove(&f.map, UINT64_MAX);
    assert_int_equal(f.probe.calls, 0);
    end(&f);
}

/* The id that means none elsewhere is an ordinary id here. */
static void test_largest_id_is_an_ordinary_id(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_status(gt_idmap_put(&f.map, UINT64_MAX, value_of(1)), GT_OK);
    assert_ptr_equal(gt_idmap_get(&f.map, UINT64_MAX), value_of(1));
    assert_null(gt_idmap_get(&f.map, UINT64_MAX - 1));
    assert_null(gt_idmap_get(&f.map, 0));
    assert_null(gt_idmap_get(&f.map, UINT64_MAX >> GT_IDMAP_BLOCK_BITS));
    assert_status(gt_idmap_put(&f.map, UINT64_MAX - 1, value_of(2)), GT_OK);
    assert_status(gt_idmap_put(&f.map, 0, value_of(3)), GT_OK);
    gt_idmap_remove(&f.map, UINT64_MAX);
    assert_null(gt_idmap_get(&f.map, UINT64_MAX));
    assert_ptr_equal(gt_idmap_get(&f.map, UINT64_MAX - 1), value_of(2));
    assert_ptr_equal(gt_idmap_get(&f.map, 0), value_of(3));
    end(&f);
}

/* Neighbours share a block, which is freed with the last of them and used again. */
static void test_blocks_are_freed(void **state)
{
    struct fixture f;
    uint64_t calls;
    (void) state;
    begin(&f);
    for (uint64_t id = 0; id < GT_IDMAP_BLOCK; id++)
        assert_status(gt_idmap_put(&f.map, id, value_of(id)), GT_OK);
    assert_int_equal(f.map.used, 1);
    for (uint64_t id = 0; id < GT_IDMAP_BLOCK; id++) {
        assert_int_equal(f.map.used, 1);
        gt_idmap_remove(&f.map, id);
        gt_idmap_remove(&f.map, id);
    }
    assert_int_equal(f.map.used, 0);
    calls = f.probe.calls;
    /* A block that was used before is empty again. */
    assert_status(gt_idmap_put(&f.map, 3, value_of(3)), GT_OK);
    assert_status(gt_idmap_put(&f.map, 4, value_of(4)), GT_OK);
    for (uint64_t id = 0; id < GT_IDMAP_BLOCK; id++)
        assert_ptr_equal(gt_idmap_get(&f.map, id), id == 3 || id == 4 ? value_of(id) : NULL);
    assert_int_equal(f.probe.calls, calls);
    end(&f);
}

/* Ids that come and go endlessly, a few at a time, take no more memory. */
static void test_ids_that_come_and_go_take_no_more_memory(void **state)
{
    struct fixture f;
    uint64_t calls = 0;
    (void) state;
    begin(&f);
    for (uint64_t id = 0; id < 200000; id++) {
        assert_status(gt_idmap_put(&f.map, id, value_of(id)), GT_OK);
        if (id >= 100) {
            assert_ptr_equal(gt_idmap_get(&f.map, id - 100), value_of(id - 100));
            gt_idmap_remove(&f.map, id - 100);
            assert_null(gt_idmap_get(&f.map, id - 100));
        }
        if (id == 1000)
            calls = f.probe.calls;
    }
    assert_int_equal(f.probe.calls, calls);
    end(&f);
}

static void test_memory_is_compact(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    for (uint64_t id = 1; id <= 100000; id++)
        assert_status(gt_idmap_put(&f.map, id, value_of(id)), GT_OK);
    /* A pointer for each id, and an index of at most 4 entries for each block. */
    assert_true(f.probe.live_bytes <=
                100000 * sizeof(void *) + 100000 / 8 * 4 * sizeof(struct gt_idmap_entry) + 65536);
    end(&f);
}

/* An id without neighbours needs no block, and is not confused with its neighbours. */
static void test_id_without_neighbours_needs_no_block(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    for (uint64_t low = 0; low < GT_IDMAP_BLOCK; low++) {
        uint64_t id = UINT64_MAX - low;
        assert_status(gt_idmap_put(&f.map, id, value_of(1)), GT_OK);
        assert_status(gt_idmap_put(&f.map, id, value_of(low)), GT_OK);
        for (uint64_t other = UINT64_MAX - GT_IDMAP_BLOCK + 1; other != 0; other++) {
            assert_ptr_equal(gt_idmap_get(&f.map, other), other == id ? value_of(low) : NULL);
            if (other != id)
                gt_idmap_remove(&f.map, other);
        }
        assert_int_equal(f.map.used, 1);
        gt_idmap_remove(&f.map, id);
        assert_int_equal(f.map.used, 0);
    }
    for (uint64_t low = 0; low < 100000; low++)
        assert_status(gt_idmap_put(&f.map, low << GT_IDMAP_BLOCK_BITS, value_of(low)), GT_OK);
    assert_int_equal(f.probe.live_bytes, 262144 * sizeof(struct gt_idmap_entry));
    end(&f);
}

static void test_destroyed_map_can_be_used_again(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    for (int round = 0; round < 3; round++) {
        for (uint64_t id = 0; id < 1000; id++)
            assert_null(gt_idmap_get(&f.map, id * 77));
        for (uint64_t id = 0; id < 1000; id++)
            assert_status(gt_idmap_put(&f.map, id * 77, value_of(id)), GT_OK);
        for (uint64_t id = 0; id < 1000; id++)
            assert_ptr_equal(gt_idmap_get(&f.map, id * 77), value_of(id));
        gt_idmap_destroy(&f.map);
        assert_int_equal(f.mem.used, 0);
    }
    end(&f);
}

/* Returns the number of steps of a search for `id`, whether it is there or not. */
static size_t search_length(const struct gt_idmap *map, uint64_t id)
{
    uint64_t key = id >> GT_IDMAP_BLOCK_BITS;
    size_t i = gt_idmap_home(map, key), steps = 0;
    while (map->entries[i].block && gt_idmap_key(&map->entries[i]) != key) {
        i = (i + 1) & map->mask;
        steps++;
    }
    return steps;
}

/* Returns the x for which x * odd is 1: each round doubles the number of correct bits. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    assert_int_equal(x * odd, 1);
    return x;
}

#define HOSTILE  16384u
#define TOP_BITS 16

/*
 * Returns an id whose home in a new map, in a table of up to 2^TOP_BITS entries, has the highest
 * bits of `top`; `salt` distinguishes ids with equal ones.
 */
static uint64_t hostile_id(uint64_t inverse, uint64_t top, uint64_t salt)
{
    uint64_t low = salt * 1000003, key;
    /* One key in 2^GT_IDMAP_BLOCK_BITS is short enough to belong to an id. */
    do
        key = (top << (64 - TOP_BITS) | (low++ & ((UINT64_C(1) << (64 - TOP_BITS)) - 1))) * inverse;
    while (key > UINT64_MAX >> GT_IDMAP_BLOCK_BITS);
    return key << GT_IDMAP_BLOCK_BITS;
}

static uint64_t first_inverse(void)
{
    struct gt_idmap map;
    struct gt_mem mem;
    gt_mem_init(&mem, NULL, 0);
    gt_idmap_init(&map, &mem);
    return inverse_of(map.multiplier);
}

static uint64_t bits_reversed(uint64_t x, unsigned bits)
{
    uint64_t reversed = 0;
    for (unsigned i = 0; i < bits; i++)
        reversed |= (x >> i & 1) << (bits - 1 - i);
    return reversed;
}

/*
 * Puts ids with homes that `top` gives, and asserts that searches for them and for similar ones end
 * after a number of steps that does not grow, so that all together take linear time. The number
 * differs by chance from run to run, because the multiplier to which the map changes does.
 */
static void check_hostile(uint64_t (*top)(uint64_t i))
{
    struct fixture f;
    uint64_t inverse = first_inverse(), i, total = 0;
    begin(&f);
    for (i = 0; i < HOSTILE; i++) {
        uint64_t id = hostile_id(inverse, top(i), i);
        assert_null(gt_idmap_get(&f.map, id));
        assert_status(gt_idmap_put(&f.map, id, value_of(i)), GT_OK);
    }
    assert_int_equal(f.map.used, HOSTILE);
    for (i = 0; i < HOSTILE; i++) {
        uint64_t there = hostile_id(inverse, top(i), i);
        uint64_t absent = hostile_id(inverse, top(i), i + HOSTILE);
        assert_ptr_equal(gt_idmap_get(&f.map, there), value_of(i));
        assert_null(gt_idmap_get(&f.map, absent));
        total += search_length(&f.map, there) + search_length(&f.map, absent);
    }
    if (total > 256 * 2 * HOSTILE)
        fail_msg("searches take %lu steps", (unsigned long) (total / (2 * HOSTILE)));
    /* The index was not built again and again. */
    assert_true(f.probe.calls < 100);
    end(&f);
}

static uint64_t one_home(uint64_t i)
{
    (void) i;
    return 12345;
}

static uint64_t few_homes(uint64_t i)
{
    return (i % 500) << 4;
}

/*
 * Homes that are all different, but adjacent, in every size that the index has while it grows: a
 * row without a gap, followed by empty entries.
 */
static uint64_t neighbours(uint64_t i)
{
    return bits_reversed(i, 14) << 1;
}

/* The same in pieces, with gaps between them: rows of some length also occur by chance. */
static uint64_t short_rows(uint64_t i)
{
    uint64_t home = neighbours(i);
    return (home & ~UINT64_C(127)) << 1 | (home & 127);
}

static uint64_t longer_rows(uint64_t i)
{
    uint64_t home = neighbours(i);
    return (home & ~UINT64_C(1023)) << 1 | (home & 1023);
}

static void test_hostile_ids_do_not_slow_searches(void **state)
{
    (void) state;
    check_hostile(one_home);
    check_hostile(few_homes);
    check_hostile(neighbours);
    check_hostile(short_rows);
    check_hostile(longer_rows);
}

/* Ids that differ only in their highest bits. */
static void test_ids_that_differ_in_high_bits_do_not_collide(void **state)
{
    (void) state;
    for (unsigned shift = 16; shift <= 48; shift += 8) {
        struct fixture f;
        uint64_t total = 0;
        begin(&f);
        for (uint64_t i = 0; i < HOSTILE; i++)
            assert_status(gt_idmap_put(&f.map, i << shift, value_of(i)), GT_OK);
        for (uint64_t i = 0; i < HOSTILE; i++) {
            assert_ptr_equal(gt_idmap_get(&f.map, i << shift), value_of(i));
            total += search_length(&f.map, i << shift) + search_length(&f.map, ~i << shift);
        }
        assert_true(total <= 8 * HOSTILE);
        end(&f);
    }
}

static void add_objects(struct failing *failing)
{
    struct gt_idmap map;
    unsigned char *object;
    uint64_t count = 0;
    gt_idmap_init_objects(&map, &failing->mem, 20);
    while (count < 300 && TRY_POINTER(failing, object, gt_idmap_add(&map, count * 1000003))) {
        for (size_t i = 0; i < 20; i++) {
            assert_int_equal(object[i], 0);
            object[i] = 0xff;
        }
        assert_ptr_equal(gt_idmap_get(&map, count++ * 1000003), object);
        /* Memory that was used before is cleared as well. */
        if (count % 5 == 0) {
            gt_idmap_drop(&map, (count - 1) * 1000003, object);
            assert_null(gt_idmap_get(&map, (count - 1) * 1000003));
        }
    }
    if (count < 300)
        assert_null(gt_idmap_get(&map, count * 1000003));
    gt_idmap_destroy(&map);
}

static void test_added_object_is_zero_and_given_back_on_failure(void **state)
{
    (void) state;
    failing_each(add_objects, 8);
}

static void fill(struct failing *failing, const uint64_t *ids, uint64_t count)
{
    struct gt_idmap map;
    uint64_t i;
    gt_idmap_init(&map, &failing->mem);
    for (i = 0; i < count; i++) {
        if (!TRY(failing, gt_idmap_put(&map, ids[i], value_of(i))))
            break;
    }
    count = i;
    for (i = 0; i < count; i++)
        assert_ptr_equal(gt_idmap_get(&map, ids[i]), value_of(i));
    for (i = 0; i < count; i++)
        gt_idmap_remove(&map, ids[i]);
    /* At most the id whose put failed is left. */
    assert_in_range(map.used, 0, failing->reported);
    gt_idmap_destroy(&map);
}

/* Near ids share blocks, and scattered ones have none. */
static void test_all_values_are_visited_once(void **state)
{
    struct gt_idmap map;
    struct gt_mem mem;
    uint64_t ids[300], seed = 4, id;
    size_t place = 0, count = 0, sum = 0;
    void *value;
    (void) state;
    gt_mem_init(&mem, NULL, 0);
    gt_idmap_init(&map, &mem);
    assert_null(gt_idmap_next(&map, &place));
    for (size_t i = 0; i < 300; i++) {
        ids[i] = i < 200 ? UINT64_MAX - i : test_random(&seed);
        assert_status(gt_idmap_put(&map, ids[i], value_of(i)), GT_OK);
    }
    place = 0;
    while ((value = gt_idmap_next_id(&map, &place, &id))) {
        assert_ptr_equal(value, gt_idmap_get(&map, id));
        sum += (size_t) ((uintptr_t) value - (uintptr_t) value_of(0));
        count++;
    }
    assert_int_equal(count, 300);
    for (size_t i = 0; i < 300; i++)
        sum -= (size_t) ((uintptr_t) value_of(i) - (uintptr_t) value_of(0));
    assert_int_equal(sum, 0);
    gt_idmap_destroy(&map);
}

static void fill_scattered(struct failing *failing)
{
    uint64_t ids[600], seed = 3;
    for (size_t i = 0; i < 600; i++)
        ids[i] = test_random(&seed);
    fill(failing, ids, 600);
}

/* With blocks. */
static void fill_near(struct failing *failing)
{
    uint64_t ids[600];
    for (size_t i = 0; i < 600; i++)
        ids[i] = i;
    fill(failing, ids, 600);
}

/* The index is built again in between, which may fail as well. */
static void fill_colliding(struct failing *failing)
{
    uint64_t ids[600], inverse = first_inverse();
    for (size_t i = 0; i < 600; i++)
        ids[i] = hostile_id(inverse, 12345, i);
    fill(failing, ids, 600);
}

static void test_failing_allocation_changes_nothing(void **state)
{
    (void) state;
    failing_each(fill_scattered, 7);
    failing_each(fill_near, 6);
    failing_each(fill_colliding, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_object_is_zero_and_given_back_on_failure),
        cmocka_unit_test(test_map_equals_an_array_over_a_random_history),
        cmocka_unit_test(test_empty_map_has_nothing_and_takes_no_memory),
        cmocka_unit_test(test_largest_id_is_an_ordinary_id),
        cmocka_unit_test(test_blocks_are_freed),
        cmocka_unit_test(test_ids_that_come_and_go_take_no_more_memory),
        cmocka_unit_test(test_memory_is_compact),
        cmocka_unit_test(test_id_without_neighbours_needs_no_block),
        cmocka_unit_test(test_destroyed_map_can_be_used_again),
        cmocka_unit_test(test_hostile_ids_do_not_slow_searches),
        cmocka_unit_test(test_ids_that_differ_in_high_bits_do_not_collide),
        cmocka_unit_test(test_all_values_are_visited_once),
        cmocka_unit_test(test_failing_allocation_changes_nothing),
    };
    return cmocka_run_group_tests_name("idmap", tests, NULL, NULL);
}
