/* SPDX-License-Identifier: BSD-3-Clause */

/* Comparing and hashing texts, and reading the numbers in them. */

#include "base/text.h"

#include "base/decimal.h"
#include "support/test.h"

#define TEXT(literal) ((gt_string){(literal), sizeof(literal) - 1})

static void test_texts_are_equal_if_their_bytes_are(void **state)
{
    (void) state;
    assert_true(gt_text_equal(TEXT("abc"), TEXT("abc")));
    assert_true(gt_text_equal(TEXT(""), (gt_string){NULL, 0}));
    assert_true(gt_text_equal(TEXT("a\0b"), TEXT("a\0b")));
    assert_false(gt_text_equal(TEXT("a\0b"), TEXT("a\0c")));
    assert_false(gt_text_equal(TEXT("abc"), TEXT("abcd")));
    assert_false(gt_text_equal(TEXT("abc"), (gt_string){NULL, 0}));
}

static void test_texts_are_compared_with_literals(void **state)
{
    (void) state;
    assert_true(gt_text_is(TEXT("abc"), "abc"));
    assert_true(gt_text_is((gt_string){NULL, 0}, ""));
    assert_false(gt_text_is(TEXT("abc"), "ab"));
    assert_false(gt_text_is((gt_string){NULL, 0}, "a"));
    assert_true(gt_text_starts_with(TEXT("abc"), "abc"));
    assert_true(gt_text_starts_with(TEXT("abc"), "a"));
    assert_true(gt_text_starts_with((gt_string){NULL, 0}, ""));
    assert_false(gt_text_starts_with(TEXT("abc"), "b"));
    assert_false(gt_text_starts_with(TEXT("abc"), "abcd"));
    assert_false(gt_text_starts_with((gt_string){NULL, 0}, "a"));
}

static void test_a_part_is_found_wherever_it_is(void **state)
{
    (void) state;
    assert_true(gt_text_contains(TEXT("GC"), "GC"));
    assert_true(gt_text_contains(TEXT("GC x"), "GC"));
    assert_true(gt_text_contains(TEXT("x\0GC"), "GC"));
    assert_true(gt_text_contains(TEXT("GGC"), "GC"));
    assert_true(gt_text_contains(TEXT("G GxGC"), "GC"));
    assert_false(gt_text_contains(TEXT("GGG"), "GC"));
    assert_false(gt_text_contains(TEXT("CG"), "GC"));
    assert_false(gt_text_contains(TEXT("G"), "GC"));
    assert_false(gt_text_contains((gt_string){"xGC", 2}, "GC"));
    assert_false(gt_text_contains((gt_string){NULL, 0}, "GC"));
}

static void test_texts_are_ordered_by_their_bytes(void **state)
{
    const gt_string sorted[] = {TEXT(""),   TEXT("\0"), TEXT("A"),    TEXT("a"),
                                TEXT("ab"), TEXT("b"),  TEXT("\x80"), TEXT("\xff\xff")};
    const size_t count = sizeof(sorted) / sizeof(sorted[0]);
    (void) state;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            int order = gt_text_compare(sorted[i], sorted[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
    assert_int_equal(gt_text_compare((gt_string){NULL, 0}, TEXT("")), 0);
    assert_true(gt_text_compare((gt_string){NULL, 0}, TEXT("a")) < 0);
}

static void test_hash_depends_on_each_byte_the_size_and_the_secret(void **state)
{
    char bytes[40] = {0};
    (void) state;
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        gt_string text = {bytes, size};
        uint64_t hash = gt_text_hash(text, 1);
        assert_true(hash == gt_text_hash(text, 1));
        assert_true(hash != gt_text_hash(text, 2));
        if (size > 0)
            assert_true(hash != gt_text_hash((gt_string){bytes, size - 1}, 1));
        for (size_t i = 0; i < size; i++) {
            bytes[i] = 1;
            assert_true(hash != gt_text_hash(text, 1));
            bytes[i] = 0;
        }
    }
    assert_true(gt_text_hash((gt_string){NULL, 0}, 1) == gt_text_hash(TEXT(""), 1));
}

static void test_capitals_of_a_text_count_as_small_letters(void **state)
{
    (void) state;
    assert_true(gt_text_contains_lower(TEXT("Main.Worker"), TEXT("main.w")));
    assert_true(gt_text_contains_lower(TEXT("aab"), TEXT("ab")));
    assert_true(gt_text_contains_lower(TEXT("a"), TEXT("")));
    assert_false(gt_text_contains_lower(TEXT("main"), TEXT("maine")));
    assert_false(gt_text_contains_lower(TEXT("[\\]"), TEXT("{")));
    assert_false(gt_text_contains_lower(TEXT(""), TEXT("a")));
}

static void test_number_is_read_up_to_its_limit(void **state)
{
    uint64_t value = 7;
    const char *text = "0042.5";
    (void) state;
    assert_ptr_equal(gt_decimal_read(text, 42, &value), text + 4);
    assert_true(value == 42);
    assert_null(gt_decimal_read(text, 41, &value));
    assert_null(gt_decimal_read("", 41, &value));
    assert_null(gt_decimal_read("-1", 41, &value));
    assert_null(gt_decimal_read("9", 8, &value));
    assert_non_null(gt_decimal_read("18446744073709551615", UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
    assert_null(gt_decimal_read("18446744073709551616", UINT64_MAX, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_equal_if_their_bytes_are),
        cmocka_unit_test(test_texts_are_compared_with_literals),
        cmocka_unit_test(test_a_part_is_found_wherever_it_is),
        cmocka_unit_test(test_capitals_of_a_text_count_as_small_letters),
        cmocka_unit_test(test_number_is_read_up_to_its_limit),
        cmocka_unit_test(test_texts_are_ordered_by_their_bytes),
        cmocka_unit_test(test_hash_depends_on_each_byte_the_size_and_the_secret),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
