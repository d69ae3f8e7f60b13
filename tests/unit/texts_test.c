/* SPDX-License-Identifier: BSD-3-Clause */

/* The interner of texts that stay. */

#include "base/texts.h"

#include <stdio.h>

#include "base/text.h"
#include "support/test.h"
#include "unit/failing.h"

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_texts texts;
};

static void begin(struct fixture *f)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    assert_status(gt_texts_init(&f->texts, &f->mem), GT_OK);
}

static void end(struct fixture *f)
{
    gt_texts_destroy(&f->texts);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

static gt_string make_text(char *bytes, size_t room, uint32_t number)
{
    int size = snprintf(bytes, room, "%.*s%u", (int) (number % 20), "aaaaaaaaaaaaaaaaaaaa", number);
    return (gt_string){bytes, (size_t) size};
}

static void test_equal_texts_have_one_number_and_one_copy(void **state)
{
    struct fixture f;
    char bytes[64];
    uint32_t number = 9;
    (void) state;
    begin(&f);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 1; i <= 20000; i++) {
            assert_status(gt_texts_add(&f.texts, make_text(bytes, sizeof(bytes), i), &number),
                          GT_OK);
            assert_int_equal(number, i);
        }
        assert_int_equal(f.texts.list.count, 20001);
    }
    for (uint32_t i = 1; i <= 20000; i++) {
        gt_string text = make_text(bytes, sizeof(bytes), i);
        assert_true(gt_text_equal(f.texts.list.items[i], text));
        assert_ptr_not_equal(f.texts.list.items[i].data, bytes);
        assert_true(gt_texts_find(&f.texts, text, &number));
        assert_int_equal(number, i);
    }
    assert_int_equal(gt_texts_bytes(&f.texts), f.probe.live_bytes);
    end(&f);
}

static void test_number_0_is_the_empty_text(void **state)
{
    struct fixture f;
    uint32_t number = 9;
    (void) state;
    begin(&f);
    assert_int_equal(f.texts.list.count, 1);
    assert_text(f.texts.list.items[0], "");
    assert_status(gt_texts_add(&f.texts, (gt_string){NULL, 0}, &number), GT_OK);
    assert_int_equal(number, 0);
    end(&f);
}

static void test_an_unknown_text_is_not_found(void **state)
{
    struct fixture f;
    uint32_t number;
    (void) state;
    begin(&f);
    assert_false(gt_texts_find(&f.texts, (gt_string){"a", 1}, &number));
    assert_status(gt_texts_add(&f.texts, (gt_string){"ab", 2}, &number), GT_OK);
    assert_false(gt_texts_find(&f.texts, (gt_string){"a", 1}, &number));
    end(&f);
}

/* Whatever the guess is. */
static void test_number_is_found_with_a_guess(void **state)
{
    struct fixture f;
    uint32_t number;
    (void) state;
    begin(&f);
    assert_status(gt_texts_add(&f.texts, (gt_string){"ab", 2}, &number), GT_OK);
    assert_status(gt_texts_add(&f.texts, (gt_string){"ac", 2}, &number), GT_OK);
    const uint32_t guesses[] = {0, 1, 2, 3, INT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]); i++) {
        assert_int_equal(gt_texts_number(&f.texts, (gt_string){"ac", 2}, guesses[i]), 2);
        assert_int_equal(gt_texts_number(&f.texts, (gt_string){"ad", 2}, guesses[i]), UINT32_MAX);
    }
    end(&f);
}

static void test_borrowed_texts_are_not_copied(void **state)
{
    static const char bytes[] = "borrowed";
    struct fixture f;
    uint32_t number, again;
    (void) state;
    begin(&f);
    assert_status(gt_texts_add_borrowed(&f.texts, (gt_string){bytes, 8}, &number), GT_OK);
    assert_status(gt_texts_add(&f.texts, (gt_string){"borrowed", 8}, &again), GT_OK);
    assert_int_equal(number, again);
    assert_ptr_equal(f.texts.list.items[number].data, bytes);
    assert_int_equal(f.texts.arena.bytes, 0);
    end(&f);
}

static void fill(struct failing *failing)
{
    struct gt_texts texts;
    char bytes[64];
    uint32_t number;
    if (!TRY(failing, gt_texts_init(&texts, &failing->mem))) {
        gt_texts_destroy(&texts);
        return;
    }
    for (uint32_t i = 1; i <= 300; i++) {
        gt_string text = make_text(bytes, sizeof(bytes), i);
        if (!TRY(failing, gt_texts_add(&texts, text, &number))) {
            assert_false(gt_texts_find(&texts, text, &number));
            assert_int_equal(texts.list.count, i);
            break;
        }
        assert_int_equal(number, i);
    }
    gt_texts_destroy(&texts);
}

static void test_each_failing_allocation_is_reported_and_changes_nothing(void **state)
{
    (void) state;
    failing_each(fill, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_texts_have_one_number_and_one_copy),
        cmocka_unit_test(test_number_0_is_the_empty_text),
        cmocka_unit_test(test_an_unknown_text_is_not_found),
        cmocka_unit_test(test_number_is_found_with_a_guess),
        cmocka_unit_test(test_borrowed_texts_are_not_copied),
        cmocka_unit_test(test_each_failing_allocation_is_reported_and_changes_nothing),
    };
    return cmocka_run_group_tests_name("texts", tests, NULL, NULL);
}
