/* SPDX-License-Identifier: BSD-3-Clause */

/* The checks of output that the fuzz targets use must refuse what is wrong. */

#include <string.h>

#include "fuzz/json.h"
#include "fuzz/protobuf.h"
#include "support/test.h"

static int judge(const char *text)
{
    return json_is_good(text, strlen(text));
}

static void test_valid_json_is_accepted(void **state)
{
    static const char *const good[] = {
        "{}",
        " [ ] ",
        "{\"a\":[1,-2,0.5,1e9,-0,true,false,null],\"b\":{\"c\":\"\"}}",
        "[[[]],{\"a\":{}}]",
        "\"\\u00e9\\n\\\\\\\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
    };

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(judge(good[i]));
}

static void test_invalid_json_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "{",
        "}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "[1}",
        "{\"a\":1]",
        "01",
        "1.",
        "-",
        "1e",
        "+1",
        "nul",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\n\"",
        "{}{}",
        "\"\xff\"",
        "\"\xc3\"",
        "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\x80\"",
        "[\"a\" 1]",
        "[1]]",
        "{\"a\":1 \"b\":2}",
    };

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (judge(bad[i]))
            fail_msg("%s is taken for JSON", bad[i]);
    }
}

#define PROTOBUF(bytes) protobuf_is_good((bytes), sizeof(bytes) - 1)

static void test_only_valid_profiles_are_accepted(void **state)
{
    (void) state;
    /* A sample type, the empty string and a duration. */
    assert_true(PROTOBUF("\x0a\x04\x08\x01\x10\x02\x32\x00\x50\x05"));
    /*
     * No string, a first string that is not empty, and lengths beyond the end of the input or of a
     * message.
     */
    assert_false(PROTOBUF("\x50\x05"));
    assert_false(PROTOBUF("\x32\x01\x61"));
    assert_false(PROTOBUF("\x32\x00\x0a\x04\x08\x01"));
    assert_false(PROTOBUF("\x32\x00\x0a\x02\x0a\x05"));
    /* An unknown field, field 0, an unknown type, a number instead of a message and the reverse. */
    assert_false(PROTOBUF("\x32\x00\x80\x01\x01"));
    assert_false(PROTOBUF("\x32\x00\x00\x01"));
    assert_false(PROTOBUF("\x32\x00\x55\x01"));
    assert_false(PROTOBUF("\x32\x00\x08\x01"));
    assert_false(PROTOBUF("\x32\x00\x52\x00"));
    /* A number without an end, and one of more than 64 bits. */
    assert_false(PROTOBUF("\x32\x00\x50\x80"));
    assert_false(PROTOBUF("\x32\x00\x50\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_json_is_accepted),
        cmocka_unit_test(test_invalid_json_is_refused),
        cmocka_unit_test(test_only_valid_profiles_are_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
