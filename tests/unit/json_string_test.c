/* SPDX-License-Identifier: BSD-3-Clause */

/* The text of JSON strings, numbers in hexadecimal, and the fast path for text without escapes. */

#include "base/json_string.h"
#include "base/utf8.h"

#include <stdlib.h>

#include "base/hex.h"
#include "support/test.h"

struct sample {
    const char *data;
    size_t size;
    const char *escaped;
};

#define SAMPLE(data, escaped)                                                                      \
    {                                                                                              \
        data, sizeof(data) - 1, escaped                                                            \
    }

static const struct sample samples[] = {
    SAMPLE("", ""),
    SAMPLE("main.main", "main.main"),
    SAMPLE("'`!#%/~\177", "'`!#%/~\177"),
    SAMPLE("\"\\", "\\\"\\\\"),
    SAMPLE("\b\t\n\f\r", "\\b\\t\\n\\f\\r"),
    SAMPLE("\0\1\a\v\37", "\\u0000\\u0001\\u0007\\u000b\\u001f"),
    SAMPLE("<a href='&'>", "\\u003ca href='\\u0026'\\u003e"),
    SAMPLE("\302\200\303\251\342\202\254\360\237\230\200",
           "\302\200\303\251\342\202\254\360\237\230\200"),
    SAMPLE("\342\200\247\342\200\250\342\200\251\342\200\252",
           "\342\200\247\\u2028\\u2029\342\200\252"),
    SAMPLE("\357\277\275", "\357\277\275"),
    SAMPLE("\200a\303", "\357\277\275a\357\277\275"),
    SAMPLE("\355\240\200", "\357\277\275\357\277\275\357\277\275"),
};

enum {
    GUARD = 0x5a
};

static void test_text_is_escaped_as_go_does_in_any_room(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        for (size_t room = GT_JSON_ESCAPE_MAX; room < 40; room++) {
            gt_string rest = {samples[i].data, samples[i].size};
            char to[100];
            size_t size = 0;
            while (rest.size > 0) {
                to[size + room] = GUARD;
                size_t written = gt_json_string_put(&rest, to + size, room);
                assert_in_range(written, 1, room);
                assert_int_equal(to[size + room], GUARD);
                size += written;
            }
            assert_int_equal(size, strlen(samples[i].escaped));
            assert_memory_equal(to, samples[i].escaped, size);
        }
    }
}

static void test_without_room_nothing_is_written(void **state)
{
    gt_string rest = {"\n", 1};
    char to[GT_JSON_ESCAPE_MAX];
    (void) state;
    assert_int_equal(gt_json_string_put(&rest, to, 0), 0);
    assert_int_equal(gt_json_string_put(&rest, to, GT_JSON_ESCAPE_MAX - 1), 0);
    assert_int_equal(rest.size, 1);
    assert_int_equal(gt_json_string_put(&rest, to, GT_JSON_ESCAPE_MAX), 2);
    assert_int_equal(rest.size, 0);
}

static void test_each_invalid_byte_is_replaced(void **state)
{
    gt_string rest = {"a\377\340\200b", 5};
    char to[20];
    (void) state;
    assert_int_equal(gt_json_string_put(&rest, to, sizeof(to)), 11);
    assert_memory_equal(to, "a\357\277\275\357\277\275\357\277\275b", 11);
}

/* The same in plain UTF-8, as protobuf wants it: a NUL is a character like any other. */
static void test_mended_text_is_utf8(void **state)
{
    static const char data[] = "a\0\303\251\377\355\240\200\360\237\230\200\360\237";
    static const char mended[] =
        "a\0\303\251\357\277\275\357\277\275\357\277\275\357\277\275\360\237\230\200"
        "\357\277\275\357\277\275";
    gt_string rest = {data, sizeof(data) - 1};
    size_t size = 0;
    (void) state;
    assert_int_equal(gt_utf8_mended_size(rest), sizeof(mended) - 1);
    while (rest.size > 0) {
        gt_string piece = gt_utf8_take(&rest);
        assert_in_range(piece.size, 1, sizeof(mended) - 1 - size);
        assert_memory_equal(piece.data, mended + size, piece.size);
        size += piece.size;
    }
    assert_int_equal(size, sizeof(mended) - 1);
    assert_int_equal(gt_utf8_mended_size(rest), 0);
}

/* Text of each length with each byte at each place. */
static void test_copy_succeeds_only_where_escaping_changes_nothing(void **state)
{
    (void) state;
    for (size_t size = 1; size <= 20; size++) {
        for (size_t at = 0; at < size; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                char *data = malloc(size), to[20], escaped[20 + GT_JSON_ESCAPE_MAX];
                memset(data, 'a', size);
                data[at] = (char) byte;
                gt_string text = {data, size};
                bool plain = gt_json_string_put(&text, escaped, sizeof(escaped)) == size &&
                             memcmp(escaped, data, size) == 0;
                text = (gt_string){data, size};
                assert_int_equal(gt_json_string_copy(to, text), plain && byte < 0x80);
                if (plain && byte < 0x80)
                    assert_memory_equal(to, data, size);
                free(data);
            }
        }
    }
}

static void test_hex_has_no_leading_zeros(void **state)
{
    static const struct {
        uint64_t value;
        const char *text;
    } numbers[] = {
        {0, "0"},
        {9, "9"},
        {0xf, "f"},
        {0x10, "10"},
        {UINT64_MAX, "ffffffffffffffff"},
        {UINT64_C(0x123456789abcdef0), "123456789abcdef0"},
    };

    char to[GT_HEX_MAX];
    (void) state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const char *end = gt_hex_put(to, numbers[i].value);
        assert_int_equal(end - to, strlen(numbers[i].text));
        assert_memory_equal(to, numbers[i].text, (size_t) (end - to));
    }
    assert_ptr_equal(gt_hex_put_digits(to, 0xa5, 4), to + 4);
    assert_memory_equal(to, "00a5", 4);
    assert_ptr_equal(gt_hex_put_digits(to, 0xa5, 1), to + 1);
    assert_int_equal(to[0], '5');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_escaped_as_go_does_in_any_room),
        cmocka_unit_test(test_without_room_nothing_is_written),
        cmocka_unit_test(test_each_invalid_byte_is_replaced),
        cmocka_unit_test(test_mended_text_is_utf8),
        cmocka_unit_test(test_copy_succeeds_only_where_escaping_changes_nothing),
        cmocka_unit_test(test_hex_has_no_leading_zeros),
    };
    return cmocka_run_group_tests_name("json_string", tests, NULL, NULL);
}
