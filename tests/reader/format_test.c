/* SPDX-License-Identifier: BSD-3-Clause */

/* Errors, durations, wall-clock times and JSON strings as text. */

#include <string.h>

#include "support/test.h"

enum {
    ROOM = 80
};

static void test_durations_are_printed_as_go_does(void **state)
{
    static const struct {
        int64_t nanoseconds;
        const char *text;
    } samples[] = {
        {0, "0s"},
        {1, "1ns"},
        {-1, "-1ns"},
        {999, "999ns"},
        {1000, "1\302\265s"},
        {1001, "1.001\302\265s"},
        {1100000, "1.1ms"},
        {2200000000, "2.2s"},
        {59999999999, "59.999999999s"},
        {60000000000, "1m0s"},
        {303300000000, "5m3.3s"},
        {18725000000000, "5h12m5s"},
        {INT64_MAX, "2562047h47m16.854775807s"},
        {INT64_MIN, "-2562047h47m16.854775808s"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        char text[GT_DURATION_TEXT_SIZE];
        size_t size = gt_duration_format(samples[i].nanoseconds, text, sizeof(text));
        assert_string_equal(text, samples[i].text);
        assert_int_equal(size, strlen(text));
    }
}

static void test_written_durations_are_parsed(void **state)
{
    static const struct {
        const char *text;
        int64_t nanoseconds;
    } samples[] = {
        {"0", 0},
        {"100", 100},
        {"7ns", 7},
        {"250us", 250000},
        {"250\302\265s", 250000},
        {"1.5ms", 1500000},
        {"2s", 2000000000},
        {"3m", 180000000000},
        {"0.5h", 1800000000000},
        {"999999999999999999", 999999999999999999},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        int64_t nanoseconds = -1;
        assert_status(gt_duration_parse(samples[i].text, &nanoseconds), GT_OK);
        assert_int_equal(nanoseconds, samples[i].nanoseconds);
    }
}

static void test_what_is_no_duration_is_refused(void **state)
{
    static const char *const samples[] = {
        "",    "ms",  "-1ms", "+1s",  "1.ms",   ".5s",       "1 s",
        "1S",  "1e3", "1sx",  "0x1s", "1.5.5s", "99999999h", "1000000000000000000",
        "1.h",
    };
    int64_t nanoseconds = 42;

    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
        assert_status(gt_duration_parse(samples[i], &nanoseconds), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_duration_parse(NULL, &nanoseconds), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(nanoseconds, 42);
    assert_status(gt_duration_parse("1s", NULL), GT_ERR_INVALID_ARGUMENT);
}

static void test_wall_clocks_are_printed_as_go_does(void **state)
{
    static const struct {
        int64_t seconds;
        uint32_t nanoseconds;
        int32_t zone;
        const char *text;
    } samples[] = {
        {0, 0, 0, "1970-01-01T00:00:00Z"},
        {1795222113, 794275359, 0, "2026-11-21T00:48:33.794275359Z"},
        {1795222113, 794000000, 3600, "2026-11-21T01:48:33.794+01:00"},
        {1795222113, 1, -12600, "2026-11-20T21:18:33.000000001-03:30"},
        {-1, 500000000, 0, "1969-12-31T23:59:59.5Z"},
        {951782400, 0, 0, "2000-02-29T00:00:00Z"},
        {-62167219201, 0, 0, "-0001-12-31T23:59:59Z"},
        {253402300800, 0, 0, "10000-01-01T00:00:00Z"},
        {253402300799, 0, 60, "10000-01-01T00:00:59+00:01"},
        {INT64_MAX, 999999999, 0, "292277026596-12-04T15:30:07.999999999Z"},
        {INT64_MAX, 0, 86400, "292277026596-12-05T15:30:07+24:00"},
        {INT64_MIN, 0, -86400, "-292277022657-01-26T08:29:52-24:00"},
        {0, 0, 86401, "1970-01-01T00:00:00Z"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        char text[GT_WALL_CLOCK_TEXT_SIZE];
        size_t size = gt_wall_clock_format(samples[i].seconds, samples[i].nanoseconds,
                                           samples[i].zone, text, sizeof(text));
        assert_string_equal(text, samples[i].text);
        assert_int_equal(size, strlen(text));
    }
}

static void test_error_is_printed_with_its_place(void **state)
{
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];

    (void) state;
    strcpy(error.message, "malformed batch");
    assert_int_equal(gt_error_format(&error, text, sizeof(text)), 15);
    assert_string_equal(text, "malformed batch");
    error.generation = 3;
    gt_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "malformed batch (generation 3)");
    error.offset = 12;
    assert_int_equal(gt_error_format(&error, text, sizeof(text)), 41);
    assert_string_equal(text, "malformed batch (offset 12, generation 3)");
    error.generation = 0;
    gt_error_format(&error, text, sizeof(text));
    assert_string_equal(text, "malformed batch (offset 12)");
}

static void test_longest_error_fits(void **state)
{
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];

    (void) state;
    memset(error.message, 'x', sizeof(error.message) - 1);
    error.offset = UINT64_MAX - 1;
    error.generation = UINT64_MAX;
    size_t size = gt_error_format(&error, text, sizeof(text));
    assert_int_equal(size, strlen(text));
    assert_non_null(
        strstr(text, "x (offset 18446744073709551614, generation 18446744073709551615)"));
}

static void test_error_of_a_wrong_size_is_no_text(void **state)
{
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE] = "x";

    (void) state;
    assert_int_equal(gt_error_format(NULL, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    strcpy(error.message, "malformed batch");
    error.size = 8;
    strcpy(text, "x");
    assert_int_equal(gt_error_format(&error, text, sizeof(text)), 0);
    assert_string_equal(text, "");
}

/* Formats one text of each kind, and returns the size that this returned. */
static size_t format_sample(int kind, char *text, size_t room)
{
    gt_error error = GT_ERROR_INIT;
    strcpy(error.message, "malformed batch");
    error.offset = 12;
    if (kind == 0)
        return gt_error_format(&error, text, room);
    return kind == 1 ? gt_duration_format(123456789, text, room)
                     : gt_wall_clock_format(1795222113, 794275359, 3600, text, room);
}

static void test_text_is_cut_off_where_the_room_ends(void **state)
{
    (void) state;
    for (int kind = 0; kind < 3; kind++) {
        char whole[ROOM];
        size_t size = format_sample(kind, whole, sizeof(whole));
        for (size_t room = 0; room <= size + 1; room++) {
            char text[ROOM];
            memset(text, 'z', sizeof(text));
            size_t expected = room == 0 ? 0 : room - 1;
            assert_int_equal(format_sample(kind, text, room), expected);
            assert_memory_equal(text, whole, expected);
            assert_int_equal(text[expected], room == 0 ? 'z' : '\0');
            assert_int_equal(text[expected + 1], 'z');
        }
        assert_int_equal(format_sample(kind, NULL, sizeof(whole)), 0);
    }
}

static void test_json_is_escaped_as_go_does_in_any_room(void **state)
{
    static const char data[] = "a\"\\\n\001<b>&\342\200\250\303\251\377";
    static const char escaped[] =
        "a\\\"\\\\\\n\\u0001\\u003cb\\u003e\\u0026\\u2028\303\251\357\277\275";

    (void) state;
    for (size_t room = 6; room < ROOM; room++) {
        gt_string rest = {data, sizeof(data) - 1};
        char text[ROOM + ROOM];
        size_t size = 0;
        while (rest.size > 0) {
            size_t written = gt_string_escape_json(&rest, text + size, room);
            assert_in_range(written, 1, room);
            size += written;
        }
        assert_int_equal(size, sizeof(escaped) - 1);
        assert_memory_equal(text, escaped, size);
    }
    assert_int_equal(gt_string_escape_json(NULL, NULL, ROOM), 0);
}

static void test_flags_of_utilisation_have_names(void **state)
{
    static const char *const names[] = {"stw", "background", "assist", "sweep", "perproc", "exact"};

    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        gt_string name = {names[i], strlen(names[i])};
        assert_string_equal(gt_mmu_flag_name(UINT64_C(1) << i), names[i]);
        assert_int_equal(gt_mmu_flag_find(name), UINT64_C(1) << i);
        name.size--;
        assert_int_equal(gt_mmu_flag_find(name), 0);
    }
    assert_null(gt_mmu_flag_name(0));
    assert_null(gt_mmu_flag_name(GT_MMU_STW | GT_MMU_SWEEP));
    assert_null(gt_mmu_flag_name(UINT64_C(1) << 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations_are_printed_as_go_does),
        cmocka_unit_test(test_written_durations_are_parsed),
        cmocka_unit_test(test_what_is_no_duration_is_refused),
        cmocka_unit_test(test_wall_clocks_are_printed_as_go_does),
        cmocka_unit_test(test_error_is_printed_with_its_place),
        cmocka_unit_test(test_longest_error_fits),
        cmocka_unit_test(test_error_of_a_wrong_size_is_no_text),
        cmocka_unit_test(test_text_is_cut_off_where_the_room_ends),
        cmocka_unit_test(test_json_is_escaped_as_go_does_in_any_room),
        cmocka_unit_test(test_flags_of_utilisation_have_names),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
