/* SPDX-License-Identifier: BSD-3-Clause */

/* Quoting as Go does, as a whole and piece by piece, and unquoting. */

#include <stdlib.h>
#include <string.h>

#include <gotrace/types.h>

#include "raw/text.h"
#include "support/test.h"

struct sample {
    const char *data;
    size_t size;
    const char *quoted;
};

#define SAMPLE(data, quoted)                                                                       \
    {                                                                                              \
        data, sizeof(data) - 1, quoted                                                             \
    }

static const struct sample samples[] = {
    SAMPLE("", ""),
    SAMPLE(" !#[]^~", " !#[]^~"),
    SAMPLE("'`\"\\", "'`\\\"\\\\"),
    SAMPLE("\a\b\t\n\v\f\r", "\\a\\b\\t\\n\\v\\f\\r"),
    SAMPLE("\0\1\6\16\37\177", "\\x00\\x01\\x06\\x0e\\x1f\\x7f"),
    SAMPLE("\302\241\303\277\342\202\254", "\302\241\303\277\342\202\254"),
    SAMPLE("\302\200\302\205\302\240\302\255", "\\u0080\\u0085\\u00a0\\u00ad"),
    SAMPLE("\342\200\250\343\200\200\357\273\277", "\\u2028\\u3000\\ufeff"),
    SAMPLE("\360\237\230\200\360\240\200\200", "\360\237\230\200\360\240\200\200"),
    SAMPLE("\363\240\200\201\364\217\277\277", "\\U000e0001\\U0010ffff"),
    SAMPLE("\357\277\275\355\237\277\356\200\200", "\357\277\275\\ud7ff\\ue000"),
    SAMPLE("\200\377\300\200", "\\x80\\xff\\xc0\\x80"),
    SAMPLE("\340\237\277\360\217\277\277", "\\xe0\\x9f\\xbf\\xf0\\x8f\\xbf\\xbf"),
    SAMPLE("\355\240\200\364\220\200\200", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"),
    SAMPLE("\370\210\200\200\200a", "\\xf8\\x88\\x80\\x80\\x80a"),
    SAMPLE("\303\303\251\303", "\\xc3\303\251\\xc3"),
    SAMPLE("\360\237\230", "\\xf0\\x9f\\x98"),
};

enum {
    GUARD = 0x5a
};

/* Quotes in pieces of up to `room` bytes; returns the total size. */
static size_t quote_in_pieces(gt_string rest, char *to, size_t room)
{
    size_t size = 0;
    while (rest.size > 0) {
        const char *before = rest.data;
        size_t written;
        to[size + room] = GUARD;
        written = gt_string_quote(&rest, to + size, room);
        assert_true(written > 0 && written <= room);
        assert_true(rest.data > before);
        assert_int_equal(to[size + room], GUARD);
        size += written;
    }
    return size;
}

static void test_text_is_quoted_as_go_does(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        for (size_t room = 16; room < 60; room++) {
            const gt_string string = {samples[i].data, samples[i].size};
            char to[200];
            size_t size = quote_in_pieces(string, to, room);
            assert_int_equal(size, strlen(samples[i].quoted));
            assert_memory_equal(to, samples[i].quoted, size);
        }
    }
}

/* If there is little room, only whole characters are written. */
static void test_only_whole_characters_are_written(void **state)
{
    static const char quoted[] = "a\\U000e0001b\\xffc";
    static const size_t ends[] = {0, 1, 11, 12, 16, 17};
    (void) state;
    for (size_t room = 0; room <= sizeof(quoted); room++) {
        gt_string rest = {"a\363\240\200\201b\377c", 8};
        char to[sizeof(quoted) + 1];
        size_t written, fits = 0;
        to[room] = GUARD;
        for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
            fits = ends[i] <= room ? ends[i] : fits;
        written = gt_string_quote(&rest, to, room);
        assert_int_equal(written, fits);
        assert_memory_equal(to, quoted, written);
        assert_int_equal(to[room], GUARD);
        assert_int_equal(rest.size, fits == 17   ? 0
                                    : fits == 16 ? 1
                                    : fits == 12 ? 2
                                    : fits == 11 ? 3
                                    : fits == 1  ? 7
                                                 : 8);
    }
}

static void test_without_text_or_room_nothing_is_written(void **state)
{
    gt_string rest = {"a", 1};
    char to[20];
    (void) state;
    assert_int_equal(gt_string_quote(NULL, to, sizeof(to)), 0);
    assert_int_equal(gt_string_quote(&rest, NULL, 0), 0);
    assert_int_equal(rest.size, 1);
    assert_int_equal(gt_string_quote(&rest, to, 0), 0);
    assert_int_equal(rest.size, 1);
}

/* Quoting and unquoting gives the same bytes, and the memory after them does not change. */
static void test_unquoting_restores_any_bytes(void **state)
{
    uint64_t random = 7;
    (void) state;
    for (unsigned round = 0; round < 3000; round++) {
        char data[64], text[4 * sizeof(data) + 20];
        size_t size = test_random(&random) % sizeof(data), i, quoted, room;
        uint8_t *literal;
        char *back;
        for (i = 0; i < size; i++) {
            uint64_t n = test_random(&random);
            data[i] = "\303\251\342\202\254\360\237a\"\\\n"[n % 11];
            if (round % 2)
                data[i] = (char) (n % 256);
        }
        text[0] = '"';
        quoted = quote_in_pieces((gt_string){data, size}, text + 1, 16) + 1;
        text[quoted++] = '"';
        /* The block has the exact size, so that a sanitizer reports accesses beyond it. */
        literal = malloc(quoted + 1);
        memcpy(literal, text, quoted);
        literal[quoted] = '\n';
        room = gt_raw_unquote_room(literal, literal + quoted);
        back = malloc(room);
        assert_ptr_equal(gt_raw_unquote(literal, literal + quoted, back, &i), literal + quoted);
        assert_int_equal(i, size);
        assert_memory_equal(back, data, size);
        /* Without the closing quote it is not a literal. */
        literal[quoted - 1] = '\n';
        assert_null(gt_raw_unquote(literal, literal + quoted - 1, back, &i));
        free(back);
        free(literal);
    }
}

/* Bytes between quotes: each one that is not UTF-8 becomes three. */
static void test_room_suffices_for_replaced_bytes(void **state)
{
    enum {
        SIZE = 100
    };

    uint8_t *literal = malloc(SIZE + 1);
    size_t room, size;
    char *to;
    (void) state;
    memset(literal, 0xff, SIZE);
    literal[0] = literal[SIZE - 1] = '"';
    literal[SIZE] = '\n';
    room = gt_raw_unquote_room(literal, literal + SIZE);
    to = malloc(room);
    assert_ptr_equal(gt_raw_unquote(literal, literal + SIZE, to, &size), literal + SIZE);
    assert_int_equal(size, 3 * (SIZE - 2));
    assert_memory_equal(to, "\357\277\275\357\277\275", 6);
    assert_in_range(room, size, size + 4);
    free(to);
    free(literal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_quoted_as_go_does),
        cmocka_unit_test(test_only_whole_characters_are_written),
        cmocka_unit_test(test_without_text_or_room_nothing_is_written),
        cmocka_unit_test(test_unquoting_restores_any_bytes),
        cmocka_unit_test(test_room_suffices_for_replaced_bytes),
    };
    return cmocka_run_group_tests_name("quote", tests, NULL, NULL);
}
