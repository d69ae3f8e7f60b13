/* SPDX-License-Identifier: BSD-3-Clause */

/* Texts that live as long as they have references. */

#include "model/names.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_names names;
};

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_names_init(&f->names, &f->mem);
}

static void end(struct fixture *f)
{
    gt_names_destroy(&f->names);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

static void make_text(char *text, size_t i)
{
    snprintf(text, 32, "name %lu", (unsigned long) i);
}

static struct gt_name *add_numbered(struct gt_names *names, size_t i)
{
    char text[32];
    make_text(text, i);
    return gt_names_add(names, text, (uint32_t) strlen(text));
}

static void assert_numbered(const struct gt_name *name, size_t i)
{
    char text[32];
    make_text(text, i);
    assert_int_equal(name->size, strlen(text));
    assert_memory_equal(name->text, text, name->size);
}

/* How many names are in the list, whose links must match in both directions. */
static size_t linked(const struct gt_names *names)
{
    const struct gt_name *name, *previous = NULL;
    size_t count = 0;
    for (name = names->all; name; name = name->next) {
        assert_ptr_equal(name->previous, previous);
        previous = name;
        count++;
    }
    return count;
}

/* A name is a copy, has one reference, and may be empty or hold any byte. */
static void test_added_name_is_a_copy(void **state)
{
    char text[] = "a\0b";
    struct gt_name *name, *empty;
    struct fixture f;
    (void) state;
    begin(&f);
    assert_non_null(name = gt_names_add(&f.names, text, 3));
    memset(text, 'x', sizeof(text));
    assert_int_equal(name->references, 1);
    assert_int_equal(name->size, 3);
    assert_memory_equal(name->text, "a\0b", 3);
    assert_non_null(empty = gt_names_add(&f.names, text, 0));
    assert_int_equal(empty->size, 0);
    assert_int_equal(linked(&f.names), 2);
    end(&f);
}

/* A name without references is still there until the next sweep. */
static void test_dropped_name_stays_until_sweep(void **state)
{
    struct gt_name *name;
    struct fixture f;
    uint64_t used;
    (void) state;
    begin(&f);
    assert_non_null(name = add_numbered(&f.names, 1));
    used = f.mem.used;
    assert_ptr_equal(gt_name_hold(name), name);
    assert_int_equal(name->references, 2);
    gt_names_drop(&f.names, name);
    gt_names_sweep(&f.names);
    assert_int_equal(f.mem.used, used);
    assert_numbered(name, 1);
    gt_names_drop(&f.names, name);
    assert_int_equal(f.mem.used, used);
    assert_numbered(name, 1);
    gt_names_sweep(&f.names);
    assert_int_equal(f.mem.used, 0);
    assert_int_equal(linked(&f.names), 0);
    gt_names_sweep(&f.names);
    end(&f);
}

/* Names are dropped in any order, at any place of the list. */
static void test_names_go_in_any_order(void **state)
{
    static struct gt_name *held[200];
    static uint32_t references[200];
    size_t live = 0, dropped = 0;
    uint64_t seed = 1234567;
    struct fixture f;
    (void) state;
    begin(&f);
    for (size_t step = 0; step < 40000; step++) {
        uint64_t pick = test_random(&seed);
        size_t i = pick % 200;
        if (!held[i]) {
            assert_non_null(held[i] = add_numbered(&f.names, i));
            references[i] = 1;
            live++;
        } else if ((pick >> 32) % 3 == 0) {
            gt_name_hold(held[i]);
            references[i]++;
        } else {
            assert_numbered(held[i], i);
            assert_int_equal(held[i]->references, references[i]);
            gt_names_drop(&f.names, held[i]);
            if (--references[i] == 0) {
                held[i] = NULL;
                live--;
                dropped++;
            }
        }
        assert_int_equal(f.probe.live_blocks, live + dropped);
        if ((pick >> 40) % 32 == 0) {
            gt_names_sweep(&f.names);
            dropped = 0;
            assert_int_equal(linked(&f.names), live);
            assert_int_equal(f.probe.live_blocks, live);
        }
    }
    assert_true(live > 0);
    end(&f);
}

/* Names with and without references are freed in the end, wherever they are in the lists. */
static void test_destroy_frees_all_names(void **state)
{
    struct gt_name *names[30];
    struct fixture f;
    (void) state;
    begin(&f);
    for (size_t i = 0; i < 30; i++)
        assert_non_null(names[i] = add_numbered(&f.names, i));
    for (size_t i = 0; i < 30; i += 3)
        gt_names_drop(&f.names, names[i]);
    gt_name_hold(names[1]);
    gt_names_destroy(&f.names);
    assert_int_equal(f.mem.used, 0);
    assert_non_null(names[0] = add_numbered(&f.names, 0));
    gt_names_drop(&f.names, names[0]);
    gt_names_sweep(&f.names);
    assert_int_equal(f.mem.used, 0);
    end(&f);
}

/* The names of both lists live on in one, and die as those of the other do. */
static void test_joined_names_belong_to_one_list(void **state)
{
    struct fixture f;
    struct gt_names other;
    struct gt_name *list[6];
    (void) state;
    for (size_t first = 0; first < 3; first++) {
        begin(&f);
        gt_names_init(&other, &f.mem);
        for (size_t i = 0; i < 6; i++)
            list[i] = add_numbered(i < first * 3 ? &f.names : &other, i);
        for (size_t i = 0; i < 6; i += 2)
            gt_names_drop(i < first * 3 ? &f.names : &other, list[i]);
        gt_names_join(&f.names, &other);
        assert_int_equal(linked(&f.names), 6);
        assert_int_equal(linked(&other), 0);
        gt_names_sweep(&other);
        gt_names_sweep(&f.names);
        assert_int_equal(linked(&f.names), 3);
        for (size_t i = 1; i < 6; i += 2) {
            assert_numbered(list[i], i);
            assert_int_equal(list[i]->hash, gt_names_hash(&f.names, list[i]->text, list[i]->size));
        }
        gt_names_destroy(&other);
        end(&f);
    }
}

static void run(struct failing *failing)
{
    struct gt_name *list[20];
    struct gt_names names;
    size_t count = 0;
    gt_names_init(&names, &failing->mem);
    while (count < 20 && TRY_POINTER(failing, list[count], add_numbered(&names, count)))
        count++;
    assert_int_equal(linked(&names), count);
    for (size_t i = 0; i < count; i++)
        assert_numbered(list[i], i);
    for (size_t i = 0; i < count; i++)
        gt_names_drop(&names, list[i]);
    gt_names_sweep(&names);
    assert_int_equal(failing->mem.used, 0);
    gt_names_destroy(&names);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_name_is_a_copy),
        cmocka_unit_test(test_dropped_name_stays_until_sweep),
        cmocka_unit_test(test_names_go_in_any_order),
        cmocka_unit_test(test_destroy_frees_all_names),
        cmocka_unit_test(test_joined_names_belong_to_one_list),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
