/* SPDX-License-Identifier: BSD-3-Clause */

/* Objects that come and go, in the order in which they came. */

#include "base/roster.h"

#include <stdlib.h>
#include <string.h>

#include "support/probe.h"
#include "support/test.h"

enum {
    OBJECTS = 500
};

static int objects[OBJECTS];

static void roster_open(struct gt_roster *roster, struct gt_mem *mem, struct probe *probe)
{
    probe_init(probe);
    gt_mem_init(mem, &probe->allocator, 0);
    memset(roster, 0, sizeof(*roster));
}

/* The numbers of those that are there, from the rule: each object is at its number. */
static void assert_members(const struct gt_roster *roster, const uint64_t numbers[OBJECTS])
{
    uint64_t at = 0;
    for (size_t i = 0; i < OBJECTS; i++) {
        if (numbers[i] == 0)
            continue;
        assert_ptr_equal(gt_roster_after(roster, at), &objects[i]);
        assert_ptr_equal(gt_roster_after(roster, numbers[i] - 1), &objects[i]);
        at = numbers[i];
    }
    assert_null(gt_roster_after(roster, at));
}

static void test_objects_are_met_in_the_order_of_their_numbers(void **state)
{
    struct gt_roster roster;
    struct gt_mem mem;
    struct probe probe;
    uint64_t numbers[OBJECTS] = {0}, seed = 1;
    (void) state;
    roster_open(&roster, &mem, &probe);
    assert_null(gt_roster_after(&roster, 0));
    for (size_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(gt_roster_add(&roster, &mem, &objects[i], &numbers[i]), GT_OK);
        assert_int_equal(numbers[i], i + 1);
        size_t gone = test_random(&seed) % (i + 1);
        if (numbers[gone] != 0 && test_random(&seed) % 4 != 0) {
            gt_roster_remove(&roster, numbers[gone]);
            numbers[gone] = 0;
        }
        if (i % 50 == 0)
            assert_members(&roster, numbers);
    }
    assert_members(&roster, numbers);
    gt_roster_free(&roster, &mem);
    probe_check(&probe);
}

/* What has gone takes no memory for long. */
static void test_memory_depends_on_what_is_there(void **state)
{
    struct gt_roster roster;
    struct gt_mem mem;
    struct probe probe;
    uint64_t number;
    (void) state;
    roster_open(&roster, &mem, &probe);
    for (size_t i = 0; i < 10000; i++) {
        assert_int_equal(gt_roster_add(&roster, &mem, &objects[0], &number), GT_OK);
        gt_roster_remove(&roster, number);
    }
    assert_in_range(probe.peak_bytes, 1, 256);
    gt_roster_free(&roster, &mem);
    probe_check(&probe);
}

static void test_without_memory_nothing_changes(void **state)
{
    struct gt_roster roster;
    struct gt_mem mem;
    struct probe probe;
    uint64_t number = 77;
    (void) state;
    roster_open(&roster, &mem, &probe);
    probe.fail_at = 1;
    assert_int_equal(gt_roster_add(&roster, &mem, &objects[0], &number), GT_ERR_NO_MEMORY);
    assert_int_equal(number, 77);
    assert_null(gt_roster_after(&roster, 0));
    assert_int_equal(gt_roster_add(&roster, &mem, &objects[0], &number), GT_OK);
    assert_int_equal(number, 1);
    gt_roster_free(&roster, &mem);
    probe_check(&probe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_are_met_in_the_order_of_their_numbers),
        cmocka_unit_test(test_memory_depends_on_what_is_there),
        cmocka_unit_test(test_without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
