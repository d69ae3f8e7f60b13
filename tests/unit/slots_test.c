/* SPDX-License-Identifier: BSD-3-Clause */

/* Slots: ids are numbered in the order in which they are added. */

#include "model/slots.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_slots slots;
};

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_slots_init(&f->slots, &f->mem);
}

static void end(struct fixture *f)
{
    gt_slots_destroy(&f->slots);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

static void shuffle(uint64_t *ids, size_t count, uint64_t seed)
{
    while (count > 1) {
        size_t i = test_random(&seed) % count--;
        uint64_t swap = ids[i];
        ids[i] = ids[count];
        ids[count] = swap;
    }
}

/* Adds the ids. Each must be unknown before, and have its own slot from then on. */
static void add_all(struct gt_slots *slots, const uint64_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(gt_slots_find(slots, ids[i]), 0);
        assert_status(gt_slots_add(slots, ids[i]), GT_OK);
        assert_int_equal(slots->count, i + 1);
        assert_int_equal(gt_slots_find(slots, ids[i]), i + 1);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(gt_slots_find(slots, ids[i]), i + 1);
}

static uint64_t *make_ids(size_t count, uint64_t first, uint64_t step)
{
    uint64_t *ids = malloc(count * sizeof(*ids));
    assert_non_null(ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = first + i * step;
    return ids;
}

static void test_empty_table_finds_nothing(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_int_equal(gt_slots_find(&f.slots, 0), 0);
    assert_int_equal(gt_slots_find(&f.slots, 1), 0);
    assert_int_equal(gt_slots_find(&f.slots, UINT64_MAX), 0);
    gt_slots_clear(&f.slots);
    assert_int_equal(f.probe.calls, 0);
    end(&f);
}

/* Ids like the runtime's, in any order, need no map and little memory. */
static void test_dense_ids_need_no_map(void **state)
{
    static const uint64_t seeds[] = {0, 5, 6};
    (void) state;
    for (size_t i = 0; i < 3; i++) {
        struct fixture f;
        size_t count = 60000;
        uint64_t *ids = make_ids(count, 1, 1);
        begin(&f);
        if (seeds[i] != 0)
            shuffle(ids, count, seeds[i]);
        add_all(&f.slots, ids, count);
        assert_int_equal(f.slots.sparse_count, 0);
        assert_true(f.probe.live_bytes <= count * 2 * sizeof(uint32_t));
        assert_int_equal(gt_slots_find(&f.slots, 0), 0);
        assert_int_equal(gt_slots_find(&f.slots, count + 1), 0);
        free(ids);
        end(&f);
    }
}

/* Ids that are far apart take memory for their number, not for their values. */
static void test_sparse_ids_take_little_memory(void **state)
{
    static const uint64_t steps[] = {1 << 20, UINT64_C(1) << 40, UINT64_C(0x9e3779b97f4a7c15)};
    (void) state;
    for (size_t i = 0; i < 3; i++) {
        struct fixture f;
        size_t count = 10000;
        uint64_t *ids = make_ids(count, UINT64_MAX / 7, steps[i]);
        begin(&f);
        add_all(&f.slots, ids, count);
        assert_true(f.probe.live_bytes <= count * 256);
        free(ids);
        end(&f);
    }
}

/* A single id cannot make the array large. */
static void test_one_id_takes_little_memory(void **state)
{
    (void) state;
    for (unsigned bits = 0; bits < 64; bits++) {
        struct fixture f;
        uint64_t id = UINT64_C(1) << bits;
        begin(&f);
        add_all(&f.slots, &id, 1);
        assert_int_equal(gt_slots_find(&f.slots, id - 1), 0);
        assert_int_equal(gt_slots_find(&f.slots, id + 1), 0);
        assert_int_equal(gt_slots_find(&f.slots, ~id), 0);
        assert_true(f.probe.live_bytes <= 512 << 10);
        end(&f);
    }
}

/* Ids that are more and more apart, always the last that the array can take. */
static void test_ids_at_the_edge_are_found(void **state)
{
    struct fixture f;
    uint64_t ids[4000];
    (void) state;
    for (size_t i = 0; i < 4000; i++)
        ids[i] = 65534 + i * 5;
    begin(&f);
    add_all(&f.slots, ids, 4000);
    assert_in_range(f.slots.sparse_count, 1, 3999);
    for (size_t i = 0; i < 65534; i++)
        assert_int_equal(gt_slots_find(&f.slots, i), 0);
    end(&f);
}

/* An id that went to the map is still found when the array reaches beyond it. */
static void test_mixed_ids_are_found(void **state)
{
    struct fixture f;
    size_t count = 40000;
    uint64_t *ids = make_ids(count, 0, 1);
    (void) state;
    for (size_t i = 0; i < count; i++)
        ids[i] *= i % 3 == 0 ? 5 : i % 3 == 1 ? 7 : UINT64_C(0x123456789abc);
    /* 5 * 7 * k is there twice: make all ids different. */
    for (size_t i = 0; i < count; i++)
        ids[i] = ids[i] * 3 + i % 3;
    shuffle(ids, count, 77);
    begin(&f);
    add_all(&f.slots, ids, count);
    assert_true(f.slots.sparse_count > count / 4);
    assert_true(f.slots.sparse_count < f.slots.count);
    free(ids);
    end(&f);
}

static void test_early_id_of_the_map_stays_found(void **state)
{
    struct fixture f;
    uint64_t late = 100000;
    (void) state;
    begin(&f);
    assert_status(gt_slots_add(&f.slots, late), GT_OK);
    assert_int_equal(f.slots.sparse_count, 1);
    for (uint64_t id = 1; id < 3 * late; id++) {
        if (id == late)
            continue;
        assert_int_equal(gt_slots_find(&f.slots, id), 0);
        assert_status(gt_slots_add(&f.slots, id), GT_OK);
    }
    assert_true(f.slots.dense_size > late);
    assert_int_equal(f.slots.sparse_count, 1);
    /* A caller that looks before it adds, as it must, finds it. */
    assert_int_equal(gt_slots_find(&f.slots, late), 1);
    assert_int_equal(gt_slots_find(&f.slots, late - 1), late);
    assert_int_equal(gt_slots_find(&f.slots, late + 1), late + 1);
    end(&f);
}

/* After clearing no id is found, and the array takes no new memory. */
static void test_clear_keeps_memory(void **state)
{
    struct fixture f;
    size_t count = 5000;
    uint64_t *ids = make_ids(count, 1, 1), calls, used;
    (void) state;
    begin(&f);
    add_all(&f.slots, ids, count);
    calls = f.probe.calls;
    used = f.mem.used;
    gt_slots_clear(&f.slots);
    assert_int_equal(f.slots.count, 0);
    /* Only the last one is added: all below it must be unknown. */
    add_all(&f.slots, &ids[count - 1], 1);
    for (size_t i = 0; i + 1 < count; i++)
        assert_int_equal(gt_slots_find(&f.slots, ids[i]), 0);
    gt_slots_clear(&f.slots);
    add_all(&f.slots, ids, count);
    assert_int_equal(f.probe.calls, calls);
    assert_int_equal(f.mem.used, used);
    free(ids);
    end(&f);
}

static void test_clear_empties_the_map(void **state)
{
    struct fixture f;
    uint64_t ids[] = {1, UINT64_MAX, 70000, UINT64_C(1) << 50, 2};
    (void) state;
    begin(&f);
    for (int round = 0; round < 3; round++) {
        add_all(&f.slots, ids, 5);
        assert_int_equal(f.slots.sparse_count, 3);
        gt_slots_clear(&f.slots);
        assert_int_equal(f.slots.sparse_count, 0);
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(gt_slots_find(&f.slots, ids[i]), 0);
    }
    end(&f);
}

static void add(struct fixture *f, uint64_t id)
{
    uint32_t count = f->slots.count;
    assert_status(gt_slots_add(&f->slots, id), GT_OK);
    assert_int_equal(f->slots.count, count + 1);
    assert_int_equal(gt_slots_find(&f->slots, id), count + 1);
}

static void add_plain(struct fixture *f)
{
    uint32_t count = f->slots.count;
    assert_status(gt_slots_add_plain(&f->slots), GT_OK);
    assert_int_equal(f->slots.count, count + 1);
}

/* An id that is added again has its last slot; others keep theirs. */
static void test_added_again_has_its_last_slot(void **state)
{
    static const uint64_t ids[] = {1, 60000, 70000, UINT64_MAX, 2};
    struct fixture f;
    (void) state;
    begin(&f);
    add_all(&f.slots, ids, 5);
    for (size_t i = 0; i < 5; i++) {
        add(&f, ids[i]);
        add(&f, ids[i]);
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(gt_slots_find(&f.slots, ids[k]), k <= i ? 7 + 2 * k : k + 1);
    }
    gt_slots_clear(&f.slots);
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(gt_slots_find(&f.slots, ids[k]), 0);
    end(&f);
}

/* An id of the map is added again when the array reaches beyond it. */
static void test_id_moves_from_map_to_array(void **state)
{
    struct fixture f;
    uint64_t late = 100000;
    (void) state;
    begin(&f);
    add(&f, late);
    assert_int_equal(f.slots.sparse_count, 1);
    for (uint64_t id = 1; id < 20000; id++)
        add(&f, id);
    add(&f, late);
    assert_int_equal(f.slots.sparse_count, 1);
    assert_true(f.slots.dense_size > late);
    add(&f, late);
    assert_int_equal(gt_slots_find(&f.slots, late), 20002);
    assert_int_equal(gt_slots_find(&f.slots, late - 1), 0);
    assert_int_equal(gt_slots_find(&f.slots, 19999), 20000);
    end(&f);
}

/* A slot without an id is found by none, and takes no memory. */
static void test_plain_slot_has_no_id(void **state)
{
    struct fixture f;
    uint64_t calls;
    (void) state;
    begin(&f);
    add_plain(&f);
    add_plain(&f);
    assert_int_equal(f.probe.calls, 0);
    assert_int_equal(gt_slots_find(&f.slots, 0), 0);
    assert_int_equal(gt_slots_find(&f.slots, 1), 0);
    add(&f, 1);
    add(&f, UINT64_MAX);
    calls = f.probe.calls;
    for (uint32_t i = 0; i < 1000; i++)
        add_plain(&f);
    assert_int_equal(f.probe.calls, calls);
    assert_int_equal(gt_slots_find(&f.slots, 1), 3);
    assert_int_equal(gt_slots_find(&f.slots, UINT64_MAX), 4);
    add(&f, 5);
    assert_int_equal(gt_slots_find(&f.slots, 5), 1005);
    for (uint32_t i = 6; i < 1100; i++)
        assert_int_equal(gt_slots_find(&f.slots, i), 0);
    gt_slots_clear(&f.slots);
    assert_int_equal(f.slots.count, 0);
    add_plain(&f);
    add(&f, 9);
    assert_int_equal(gt_slots_find(&f.slots, 9), 2);
    end(&f);
}

/* Few ids are added again and again, between slots without an id. Each must have its last slot. */
static void test_random_ids_have_their_last_slots(void **state)
{
    uint32_t last[64] = {0};
    uint64_t ids[64], seed = 8675309;
    struct fixture f;
    (void) state;
    for (uint32_t k = 0; k < 64; k++)
        ids[k] = k % 3 == 2 ? ~(uint64_t) k << 8 : (k % 3 == 1 ? 65500 + 4 * k : 1 + k);
    begin(&f);
    for (uint32_t step = 1; step <= 5000; step++) {
        uint64_t pick = test_random(&seed);
        if (pick % 4 == 0) {
            add_plain(&f);
        } else {
            add(&f, ids[pick / 4 % 64]);
            last[pick / 4 % 64] = step;
        }
        for (uint32_t k = 0; k < 64; k++)
            assert_int_equal(gt_slots_find(&f.slots, ids[k]), last[k]);
    }
    assert_true(f.probe.live_bytes <= 512 << 10);
    end(&f);
}

/* Slots have 31 bits. */
static void test_slots_have_31_bits(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    add_all(&f.slots, &(uint64_t){9}, 1);
    f.slots.count = INT32_MAX - 1;
    assert_status(gt_slots_add(&f.slots, 10), GT_OK);
    assert_int_equal(gt_slots_find(&f.slots, 10), INT32_MAX);
    assert_status(gt_slots_add(&f.slots, 11), GT_ERR_LIMIT);
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    assert_status(gt_slots_add(&f.slots, UINT64_MAX), GT_ERR_LIMIT);
    assert_int_equal(gt_slots_find(&f.slots, 11), 0);
    /* There is none left for an id that has one already either, or without an id. */
    f.mem.failure = GT_OK;
    assert_status(gt_slots_add(&f.slots, 9), GT_ERR_LIMIT);
    assert_int_equal(gt_slots_find(&f.slots, 9), 1);
    f.mem.failure = GT_OK;
    assert_status(gt_slots_add_plain(&f.slots), GT_ERR_LIMIT);
    assert_status(f.mem.failure, GT_ERR_LIMIT);
    assert_int_equal(f.slots.count, INT32_MAX);
    end(&f);
}

static void run(struct failing *failing)
{
    struct gt_slots slots;
    uint32_t count;
    gt_slots_init(&slots, &failing->mem);
    for (count = 0; count < 300; count++) {
        uint64_t id = count % 2 ? count : ~(uint64_t) count << 20;
        if (!TRY(failing, gt_slots_add(&slots, id)))
            break;
    }
    assert_int_equal(slots.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(gt_slots_find(&slots, i % 2 ? i : ~(uint64_t) i << 20), i + 1);
    gt_slots_clear(&slots);
    assert_int_equal(gt_slots_find(&slots, 1), 0);
    gt_slots_destroy(&slots);
}

/* An id keeps its slot if there is no memory for another one. */
static void run_again(struct failing *failing)
{
    const uint64_t late = 66000;
    struct gt_slots slots;
    uint32_t id;
    gt_slots_init(&slots, &failing->mem);
    if (TRY(failing, gt_slots_add(&slots, late))) {
        for (id = 1; id < 200 && TRY(failing, gt_slots_add(&slots, id)); id++)
            assert_int_equal(gt_slots_find(&slots, late), 1);
        if (id == 200 && TRY(failing, gt_slots_add(&slots, late)))
            assert_int_equal(gt_slots_find(&slots, late), 201);
        else
            assert_int_equal(gt_slots_find(&slots, late), 1);
        assert_true(slots.sparse_count > 0);
    }
    gt_slots_destroy(&slots);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 10);
    failing_each(run_again, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_table_finds_nothing),
        cmocka_unit_test(test_dense_ids_need_no_map),
        cmocka_unit_test(test_sparse_ids_take_little_memory),
        cmocka_unit_test(test_one_id_takes_little_memory),
        cmocka_unit_test(test_ids_at_the_edge_are_found),
        cmocka_unit_test(test_mixed_ids_are_found),
        cmocka_unit_test(test_early_id_of_the_map_stays_found),
        cmocka_unit_test(test_clear_keeps_memory),
        cmocka_unit_test(test_clear_empties_the_map),
        cmocka_unit_test(test_added_again_has_its_last_slot),
        cmocka_unit_test(test_id_moves_from_map_to_array),
        cmocka_unit_test(test_plain_slot_has_no_id),
        cmocka_unit_test(test_random_ids_have_their_last_slots),
        cmocka_unit_test(test_slots_have_31_bits),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
