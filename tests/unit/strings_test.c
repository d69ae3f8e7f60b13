/* SPDX-License-Identifier: BSD-3-Clause */

/* The string table of a generation, and names made of its strings. */

#include "model/strings.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "unit/failing.h"

#define STRINGS 500

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_names names;
    struct gt_strings strings;
};

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_names_init(&f->names, &f->mem);
    gt_strings_init(&f->strings, &f->mem);
}

static void end(struct fixture *f)
{
    gt_strings_destroy(&f->strings, &f->names);
    gt_names_sweep(&f->names);
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
}

static char texts[STRINGS][16];

/* Small and large ids. */
static uint64_t id_of(size_t i)
{
    return i % 5 == 4 ? UINT64_MAX - i : i + 1;
}

static gt_status add_numbered(struct gt_strings *strings, size_t i)
{
    int size = snprintf(texts[i], sizeof(texts[i]), "string %d", (int) i);
    return gt_strings_add(strings, id_of(i), (const uint8_t *) texts[i], (uint32_t) size);
}

static void add_all(struct gt_strings *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_status(add_numbered(strings, i), GT_OK);
}

/* Checks that string i is found, and was not copied. */
static void assert_found(const struct gt_strings *strings, size_t i)
{
    gt_string string;
    uint32_t slot;
    assert_true(gt_strings_find(strings, id_of(i), &slot));
    assert_int_equal(slot, i + 1);
    string = gt_strings_get(strings, slot);
    assert_ptr_equal(string.data, texts[i]);
    assert_int_equal(string.size, strlen(texts[i]));
}

static void assert_name(const struct gt_name *name, const char *text, uint32_t references)
{
    assert_non_null(name);
    assert_int_equal(name->size, strlen(text));
    assert_memory_equal(name->text, text, name->size);
    assert_int_equal(name->references, references);
}

static void test_added_strings_are_found(void **state)
{
    struct fixture f;
    uint32_t slot = 99;
    (void) state;
    begin(&f);
    assert_false(gt_strings_find(&f.strings, 1, &slot));
    assert_int_equal(slot, 0);
    add_all(&f.strings, STRINGS);
    for (size_t i = 0; i < STRINGS; i++)
        assert_found(&f.strings, i);
    assert_false(gt_strings_find(&f.strings, 5, &slot));
    assert_false(gt_strings_find(&f.strings, UINT64_MAX, &slot));
    end(&f);
}

/* Id 0 is the empty string, without being added. */
static void test_id_0_is_the_empty_string(void **state)
{
    struct fixture f;
    uint32_t slot = 99;
    (void) state;
    begin(&f);
    assert_true(gt_strings_find(&f.strings, 0, &slot));
    assert_int_equal(slot, 0);
    assert_text(gt_strings_get(&f.strings, slot), "");
    assert_status(gt_strings_add(&f.strings, 3, (const uint8_t *) "x", 0), GT_OK);
    assert_true(gt_strings_find(&f.strings, 3, &slot));
    assert_int_equal(slot, 1);
    assert_text(gt_strings_get(&f.strings, slot), "");
    end(&f);
}

/* All callers get the same copy, and a reference each; the table has one, too. */
static void test_names_are_shared(void **state)
{
    struct gt_name *name, *other;
    struct fixture f;
    uint64_t calls;
    (void) state;
    begin(&f);
    add_all(&f.strings, 2);
    name = gt_strings_name(&f.strings, &f.names, 1);
    assert_name(name, "string 0", 2);
    calls = f.probe.calls;
    assert_ptr_equal(gt_strings_name(&f.strings, &f.names, 1), name);
    assert_name(name, "string 0", 3);
    assert_int_equal(f.probe.calls, calls);
    other = gt_strings_name(&f.strings, &f.names, 2);
    assert_name(other, "string 1", 2);
    gt_names_drop(&f.names, name);
    gt_names_drop(&f.names, name);
    gt_names_drop(&f.names, other);
    /* Only the table has a reference left, and it is still the same name. */
    gt_names_sweep(&f.names);
    assert_ptr_equal(gt_strings_name(&f.strings, &f.names, 1), name);
    assert_name(name, "string 0", 2);
    gt_names_drop(&f.names, name);
    end(&f);
}

static void test_empty_string_has_a_name(void **state)
{
    struct gt_name *name;
    struct fixture f;
    (void) state;
    begin(&f);
    name = gt_strings_name(&f.strings, &f.names, 0);
    assert_name(name, "", 2);
    assert_ptr_equal(gt_strings_name(&f.strings, &f.names, 0), name);
    assert_name(name, "", 3);
    gt_strings_clear(&f.strings, &f.names);
    assert_name(name, "", 2);
    gt_names_drop(&f.names, name);
    gt_names_drop(&f.names, name);
    gt_names_sweep(&f.names);
    assert_int_equal(f.probe.live_blocks, 0);
    /* In the next generation it is another copy. */
    name = gt_strings_name(&f.strings, &f.names, 0);
    assert_name(name, "", 2);
    gt_names_drop(&f.names, name);
    end(&f);
}

/* A name outlives its table as long as it has references. */
static void test_names_outlive_the_table(void **state)
{
    struct gt_name *first, *last;
    struct fixture f;
    uint64_t used;
    (void) state;
    begin(&f);
    add_all(&f.strings, STRINGS);
    used = f.mem.used;
    first = gt_strings_name(&f.strings, &f.names, 1);
    last = gt_strings_name(&f.strings, &f.names, STRINGS);
    gt_names_drop(&f.names, gt_strings_name(&f.strings, &f.names, 7));
    assert_int_equal(f.strings.named, 3);
    gt_strings_clear(&f.strings, &f.names);
    assert_int_equal(f.strings.named, 0);
    gt_names_sweep(&f.names);
    memset(texts, 'x', sizeof(texts));
    assert_name(first, "string 0", 1);
    assert_name(last, "string 499", 1);
    /* The table keeps its memory for the next generation, except for the map. */
    add_all(&f.strings, STRINGS);
    assert_name(gt_strings_name(&f.strings, &f.names, 1), "string 0", 2);
    assert_ptr_not_equal(f.strings.entries[0].name, first);
    gt_names_drop(&f.names, f.strings.entries[0].name);
    gt_names_drop(&f.names, first);
    gt_names_drop(&f.names, last);
    gt_strings_clear(&f.strings, &f.names);
    gt_names_sweep(&f.names);
    assert_true(f.mem.used <= used);
    end(&f);
}

/* A text of the library is not copied, gets the next slot, and has no id. */
static void test_added_text_has_no_id(void **state)
{
    static const char own[] = "chan receive";
    struct gt_name *name;
    struct fixture f;
    uint32_t slot = 99;
    (void) state;
    begin(&f);
    assert_status(gt_strings_add_text(&f.strings, own, &slot), GT_OK);
    assert_int_equal(slot, 1);
    assert_status(gt_strings_add_text(&f.strings, "", &slot), GT_OK);
    assert_int_equal(slot, 2);
    assert_status(gt_strings_add(&f.strings, 1, (const uint8_t *) "id 1", 4), GT_OK);
    assert_status(gt_strings_add_text(&f.strings, own, &slot), GT_OK);
    assert_int_equal(slot, 4);
    assert_ptr_equal(gt_strings_get(&f.strings, 1).data, own);
    assert_text(gt_strings_get(&f.strings, 1), "chan receive");
    assert_text(gt_strings_get(&f.strings, 2), "");
    assert_text(gt_strings_get(&f.strings, 3), "id 1");
    assert_text(gt_strings_get(&f.strings, 4), "chan receive");
    assert_true(gt_strings_find(&f.strings, 1, &slot));
    assert_int_equal(slot, 3);
    for (uint64_t id = 2; id < 10; id++)
        assert_false(gt_strings_find(&f.strings, id, &slot));
    assert_true(gt_strings_find(&f.strings, 0, &slot));
    assert_int_equal(slot, 0);
    name = gt_strings_name(&f.strings, &f.names, 1);
    assert_name(name, own, 2);
    gt_names_drop(&f.names, name);
    gt_strings_clear(&f.strings, &f.names);
    assert_status(gt_strings_add_text(&f.strings, "forever", &slot), GT_OK);
    assert_int_equal(slot, 1);
    assert_text(gt_strings_get(&f.strings, 1), "forever");
    end(&f);
}

static void test_clear_keeps_memory(void **state)
{
    struct fixture f;
    uint32_t slot;
    (void) state;
    begin(&f);
    add_all(&f.strings, 100);
    gt_strings_clear(&f.strings, &f.names);
    for (size_t i = 0; i < 100; i++)
        assert_false(gt_strings_find(&f.strings, id_of(i), &slot));
    assert_status(add_numbered(&f.strings, 0), GT_OK);
    assert_found(&f.strings, 0);
    assert_false(gt_strings_find(&f.strings, id_of(1), &slot));
    end(&f);
}

static void use_names(struct failing *failing, struct gt_strings *strings, struct gt_names *names)
{
    for (uint32_t slot = 0; slot < 20; slot++) {
        struct gt_name *name;
        if (!TRY_POINTER(failing, name, gt_strings_name(strings, names, slot)))
            return;
        assert_int_equal(name->references, 2);
        gt_names_drop(names, name);
    }
    assert_int_equal(strings->named, 19);
}

static void run(struct failing *failing)
{
    struct gt_names names;
    struct gt_strings strings;
    size_t count = 0;
    gt_names_init(&names, &failing->mem);
    gt_strings_init(&strings, &failing->mem);
    while (count < 100 && TRY(failing, add_numbered(&strings, count)))
        count++;
    for (size_t i = 0; i < count; i++)
        assert_found(&strings, i);
    if (count == 100)
        use_names(failing, &strings, &names);
    gt_strings_destroy(&strings, &names);
    gt_names_sweep(&names);
}

/* Texts without ids between strings that have ids. */
static void run_texts(struct failing *failing)
{
    struct gt_names names;
    struct gt_strings strings;
    uint32_t count = 0, slot;
    gt_names_init(&names, &failing->mem);
    gt_strings_init(&strings, &failing->mem);
    while (count < 100) {
        if (!TRY(failing, gt_strings_add_text(&strings, count % 2 ? "odd" : "even", &slot)))
            break;
        assert_int_equal(slot, ++count);
        if (count % 10 == 0 && !TRY(failing, add_numbered(&strings, count)))
            break;
        count = strings.slots.count;
    }
    assert_int_equal(strings.slots.count, count);
    for (uint32_t i = 1; i <= count; i++) {
        gt_string text = gt_strings_get(&strings, i);
        assert_true(text.size > 0 && text.size == strlen(text.data));
    }
    gt_strings_destroy(&strings, &names);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run, 30);
    failing_each(run_texts, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_strings_are_found),
        cmocka_unit_test(test_id_0_is_the_empty_string),
        cmocka_unit_test(test_names_are_shared),
        cmocka_unit_test(test_empty_string_has_a_name),
        cmocka_unit_test(test_names_outlive_the_table),
        cmocka_unit_test(test_added_text_has_no_id),
        cmocka_unit_test(test_clear_keeps_memory),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
