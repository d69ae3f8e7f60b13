/* SPDX-License-Identifier: BSD-3-Clause */

/* The interner of texts that come and go. */

#include "base/shared_text.h"

#include <stdio.h>

#include "base/text.h"
#include "support/test.h"
#include "unit/failing.h"

#define TEXTS 500

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_shared_texts texts;
};

static void begin(struct fixture *f, size_t spare)
{
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_shared_texts_init(&f->texts, &f->mem, spare);
}

static void end(struct fixture *f)
{
    gt_shared_texts_destroy(&f->texts);
    probe_check(&f->probe);
    assert_int_equal(f->mem.used, 0);
}

static struct gt_shared_text *get(struct gt_shared_texts *texts, uint64_t number)
{
    char bytes[32];
    int size = snprintf(bytes, sizeof(bytes), "text %llu", (unsigned long long) number);
    gt_string string = {bytes, (size_t) size};
    struct gt_shared_text *text = gt_shared_text_get(texts, string);
    if (text)
        assert_true(gt_text_equal(text->string, string));
    return text;
}

static void test_equal_texts_are_one_object(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 0);
    struct gt_shared_text *text = get(&f.texts, 1), *other = get(&f.texts, 2);
    assert_non_null(text);
    assert_ptr_not_equal(text, other);
    assert_ptr_equal(get(&f.texts, 1), text);
    assert_int_equal(text->references, 2);
    assert_int_equal(text->mark, 0);
    assert_ptr_equal(gt_shared_text_hold(text), text);
    assert_int_equal(text->references, 3);
    assert_null(gt_shared_text_hold(NULL));
    gt_shared_text_drop(&f.texts, NULL);
    assert_int_equal(f.texts.unused, 0);
    end(&f);
}

/* Whatever the guess is; the references stay as they are. */
static void test_text_is_found_with_a_guess(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 0);
    struct gt_shared_text *text = get(&f.texts, 1), *other = get(&f.texts, 2);
    const struct gt_shared_text *const guesses[] = {NULL, text, other};
    for (size_t i = 0; i < sizeof(guesses) / sizeof(guesses[0]); i++) {
        assert_ptr_equal(gt_shared_text_find(&f.texts, other->string, guesses[i]), other);
        assert_null(gt_shared_text_find(&f.texts, (gt_string){"unknown", 7}, guesses[i]));
    }
    assert_int_equal(other->references, 1);
    gt_shared_text_drop(&f.texts, text);
    gt_shared_text_drop(&f.texts, other);
    end(&f);
}

static void test_the_empty_text_is_a_text(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 0);
    struct gt_shared_text *text = gt_shared_text_get(&f.texts, (gt_string){NULL, 0});
    assert_non_null(text);
    assert_text(text->string, "");
    assert_ptr_equal(gt_shared_text_get(&f.texts, (gt_string){"", 0}), text);
    end(&f);
}

/* Gets and drops at random: what has references must stay where it is. */
static void random_history(size_t spare)
{
    struct gt_shared_text *texts[TEXTS] = {NULL};
    uint64_t references[TEXTS] = {0}, seed = 1234;
    struct fixture f;
    begin(&f, spare);
    for (size_t step = 0; step < 50000; step++) {
        uint64_t pick = test_random(&seed);
        size_t i = pick % TEXTS;
        if ((pick >> 32) % 8 < (step / 5000 % 2 ? 2 : 5)) {
            struct gt_shared_text *text = get(&f.texts, i);
            if (references[i]++ > 0)
                assert_ptr_equal(text, texts[i]);
            texts[i] = text;
        } else if (references[i] > 0) {
            references[i]--;
            gt_shared_text_drop(&f.texts, texts[i]);
        }
    }
    for (size_t i = 0; i < TEXTS; i++) {
        if (references[i] > 0)
            assert_int_equal(texts[i]->references, references[i]);
    }
    end(&f);
}

static void test_texts_with_references_stay(void **state)
{
    (void) state;
    random_history(0);
    random_history(50);
}

static void test_a_text_without_references_is_found_again_until_there_are_many(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 10);
    struct gt_shared_text *text = get(&f.texts, 0);
    gt_shared_text_drop(&f.texts, text);
    assert_int_equal(f.texts.unused, 1);
    assert_ptr_equal(get(&f.texts, 0), text);
    assert_int_equal(f.texts.unused, 0);
    end(&f);
}

static void test_memory_is_bounded_by_the_texts_in_use(void **state)
{
    struct fixture f;
    uint64_t peak = 0;
    (void) state;
    begin(&f, 100);
    for (uint64_t number = 0; number < 100000; number++) {
        gt_shared_text_drop(&f.texts, get(&f.texts, number));
        if (number == 1000)
            peak = f.probe.peak_bytes;
    }
    assert_in_range(f.texts.list.count, 1, 102);
    assert_in_range(f.probe.peak_bytes, peak, peak + 1000);
    end(&f);
}

static void test_the_cache_finds_a_string_by_its_address_until_it_is_cleared(void **state)
{
    struct gt_recent_texts recent = {0};
    struct fixture f;
    char bytes[] = "one";
    gt_string string = {bytes, 3};
    (void) state;
    begin(&f, 0);
    struct gt_shared_text *text = gt_recent_text_get(&recent, &f.texts, string);
    assert_text(text->string, "one");
    assert_int_equal(text->references, 2);
    assert_ptr_equal(gt_recent_text_get(&recent, &f.texts, string), text);
    assert_int_equal(text->references, 3);
    gt_recent_texts_clear(&recent, &f.texts);
    assert_int_equal(text->references, 2);
    /* A new generation has another string there. */
    bytes[1] = 'w';
    assert_text(gt_recent_text_get(&recent, &f.texts, string)->string, "owe");
    gt_string empty = {NULL, 0};
    assert_text(gt_recent_text_get(&recent, &f.texts, empty)->string, "");
    gt_recent_texts_clear(&recent, &f.texts);
    gt_recent_texts_clear(&recent, &f.texts);
    assert_int_equal(text->references, 2);
    end(&f);
}

static void test_the_cache_gives_strings_that_share_a_place_their_own_texts(void **state)
{
    static const char bytes[] = "axbaybazb";
    struct gt_recent_texts recent = {0};
    struct fixture f;
    (void) state;
    begin(&f, 0);
    for (size_t round = 0; round < 6; round++) {
        gt_string string = {bytes + round % 3 * 3, 3};
        assert_true(gt_text_equal(gt_recent_text_get(&recent, &f.texts, string)->string, string));
    }
    assert_int_equal(f.texts.list.count, 3);
    gt_recent_texts_clear(&recent, &f.texts);
    end(&f);
}

static void fill(struct failing *failing)
{
    struct gt_shared_texts texts;
    gt_shared_texts_init(&texts, &failing->mem, 0);
    for (uint64_t number = 0; number < 100; number++) {
        struct gt_shared_text *text;
        size_t count = texts.list.count;
        if (!TRY_POINTER(failing, text, get(&texts, number))) {
            assert_in_range(texts.list.count, 0, count);
            break;
        }
        if (number % 3 != 0)
            gt_shared_text_drop(&texts, text);
    }
    gt_shared_texts_destroy(&texts);
}

static void test_each_failing_allocation_is_reported(void **state)
{
    (void) state;
    failing_each(fill, 105);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_texts_are_one_object),
        cmocka_unit_test(test_text_is_found_with_a_guess),
        cmocka_unit_test(test_the_empty_text_is_a_text),
        cmocka_unit_test(test_texts_with_references_stay),
        cmocka_unit_test(test_a_text_without_references_is_found_again_until_there_are_many),
        cmocka_unit_test(test_memory_is_bounded_by_the_texts_in_use),
        cmocka_unit_test(test_the_cache_finds_a_string_by_its_address_until_it_is_cleared),
        cmocka_unit_test(test_the_cache_gives_strings_that_share_a_place_their_own_texts),
        cmocka_unit_test(test_each_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("shared_text", tests, NULL, NULL);
}
