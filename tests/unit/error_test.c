/* SPDX-License-Identifier: BSD-3-Clause */

/* Errors and their messages. */

#include "base/error.h"

#include <stdbool.h>
#include <string.h>

#include "support/test.h"

/* An error, followed by bytes that must not change. */
struct guarded {
    gt_error error;
    char guard[16];
};

static void begin(struct guarded *g)
{
    memset(g, 0x5a, sizeof(*g));
}

static void end(const struct guarded *g)
{
    size_t size;
    for (size_t i = 0; i < sizeof(g->guard); i++)
        assert_int_equal(g->guard[i], 0x5a);
    /* The size belongs to the caller. */
    memset(&size, 0x5a, sizeof(size));
    assert_int_equal(g->error.size, size);
}

static void test_error_has_the_members_it_is_set_to(void **state)
{
    struct guarded g;
    (void) state;
    begin(&g);
    assert_status(gt_error_set(&g.error, GT_ERR_STUCK, 12345, 67, "plain"), GT_ERR_STUCK);
    assert_int_equal(g.error.status, GT_ERR_STUCK);
    assert_int_equal(g.error.offset, 12345);
    assert_int_equal(g.error.generation, 67);
    assert_int_equal(g.error.system_error, 0);
    assert_string_equal(g.error.message, "plain");
    end(&g);
    begin(&g);
    assert_status(gt_error_set(&g.error, GT_OK, GT_NO_OFFSET, UINT64_MAX, ""), GT_OK);
    assert_int_equal(g.error.offset, GT_NO_OFFSET);
    assert_int_equal(g.error.generation, UINT64_MAX);
    assert_string_equal(g.error.message, "");
    end(&g);
}

/* Formats one number in every way that its type allows. */
static void assert_unsigned(uint64_t number, const char *expected)
{
    struct guarded g;
    begin(&g);
    gt_error_set(&g.error, GT_ERR_EVENT, 0, 0, "%u", number);
    assert_string_equal(g.error.message, expected);
    end(&g);
}

static void assert_signed(int64_t number, const char *expected)
{
    struct guarded g;
    begin(&g);
    gt_error_set(&g.error, GT_ERR_EVENT, 0, 0, "%d", number);
    assert_string_equal(g.error.message, expected);
    end(&g);
}

static void test_numbers_are_formatted_in_decimal(void **state)
{
    (void) state;
    assert_unsigned(0, "0");
    assert_unsigned(9, "9");
    assert_unsigned(10, "10");
    assert_unsigned(1009, "1009");
    assert_unsigned(UINT64_C(10000000000000000000), "10000000000000000000");
    assert_unsigned(UINT64_MAX, "18446744073709551615");
    assert_signed(0, "0");
    assert_signed(7, "7");
    assert_signed(-1, "-1");
    assert_signed(-10, "-10");
    assert_signed(INT64_MAX, "9223372036854775807");
    assert_signed(INT64_MIN, "-9223372036854775808");
    assert_signed(INT64_MIN + 1, "-9223372036854775807");
}

static void test_message_mixes_texts_and_numbers(void **state)
{
    struct guarded g;
    (void) state;
    begin(&g);
    gt_error_set(&g.error, GT_ERR_ORDER, 0, 0, "%s %u%d: \"%s\", %s, %u", "goroutine", (uint64_t) 1,
                 (int64_t) -2, "", "not %u here", UINT64_MAX);
    assert_string_equal(g.error.message, "goroutine 1-2: \"\", not %u here, 18446744073709551615");
    end(&g);
}

/* Texts of every length, up to the end of the buffer and beyond. */
static void test_long_message_is_cut_off(void **state)
{
    char text[2 * GT_ERROR_MESSAGE_SIZE];
    size_t most = GT_ERROR_MESSAGE_SIZE - 1;
    (void) state;
    for (size_t size = 0; size < sizeof(text); size++) {
        struct guarded g;
        size_t expected = size < most ? size : most;
        memset(text, 'x', sizeof(text));
        text[size] = '\0';
        begin(&g);
        gt_error_set(&g.error, GT_ERR_EVENT, 0, 0, "%s", text);
        assert_int_equal(strlen(g.error.message), expected);
        assert_int_equal(strspn(g.error.message, "x"), expected);
        end(&g);
        begin(&g);
        gt_error_set(&g.error, GT_ERR_EVENT, 0, 0, text);
        assert_int_equal(strlen(g.error.message), expected);
        end(&g);
    }
}

/* A number is cut off like any text, and what follows it is not appended. */
static void test_number_is_cut_off_like_text(void **state)
{
    static const char number[] = "-9223372036854775808y";
    char text[GT_ERROR_MESSAGE_SIZE];
    (void) state;
    for (size_t left = 0; left < sizeof(number); left++) {
        size_t size = GT_ERROR_MESSAGE_SIZE - 1 - left;
        struct guarded g;
        memset(text, 'x', size);
        text[size] = '\0';
        begin(&g);
        gt_error_set(&g.error, GT_ERR_EVENT, 0, 0, "%s%dy", text, INT64_MIN);
        assert_int_equal(strspn(g.error.message, "x"), size);
        assert_int_equal(strlen(g.error.message + size), left);
        assert_memory_equal(g.error.message + size, number, left);
        end(&g);
    }
}

static gt_status set_list(gt_error *error, const char *format, ...)
{
    gt_status status;
    va_list arguments;
    va_start(arguments, format);
    status = gt_error_set_list(error, GT_ERR_TIME, 77, 88, format, arguments);
    va_end(arguments);
    return status;
}

/* A list of arguments gives the same message as the arguments themselves. */
static void test_argument_list_gives_the_same_message(void **state)
{
    char text[GT_ERROR_MESSAGE_SIZE];
    struct guarded g, other;
    (void) state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    begin(&g);
    assert_status(
        set_list(&g.error, "%s %u%d: \"%s\", %u", "proc", UINT64_C(10), INT64_MIN, "", UINT64_MAX),
        GT_ERR_TIME);
    assert_int_equal(g.error.status, GT_ERR_TIME);
    assert_int_equal(g.error.offset, 77);
    assert_int_equal(g.error.generation, 88);
    assert_int_equal(g.error.system_error, 0);
    assert_string_equal(g.error.message, "proc 10-9223372036854775808: \"\", 18446744073709551615");
    end(&g);
    begin(&g);
    begin(&other);
    assert_status(set_list(&g.error, "%u, %s, %d", UINT64_C(12345), text, INT64_C(-6)),
                  GT_ERR_TIME);
    gt_error_set(&other.error, GT_ERR_TIME, 77, 88, "%u, %s, %d", UINT64_C(12345), text,
                 INT64_C(-6));
    assert_int_equal(strlen(g.error.message), GT_ERROR_MESSAGE_SIZE - 1);
    assert_string_equal(g.error.message, other.error.message);
    end(&g);
}

/* Appends `more` bytes to a message of `size`; what does not fit is cut off. */
static void check_append(size_t size, size_t more)
{
    char text[2 * GT_ERROR_MESSAGE_SIZE], added[2 * GT_ERROR_MESSAGE_SIZE];
    const size_t most = GT_ERROR_MESSAGE_SIZE - 1;
    size_t expected = size + more < most ? size + more : most;
    struct guarded g;
    memset(text, 'x', size);
    text[size] = '\0';
    memset(added, 'y', more);
    added[more] = '\0';
    begin(&g);
    gt_error_set(&g.error, GT_ERR_ORDER, 123, 45, "%s", text);
    g.error.system_error = 6;
    gt_error_append(&g.error, added);
    assert_int_equal(strlen(g.error.message), expected);
    assert_int_equal(strspn(g.error.message, "x"), size);
    assert_int_equal(strspn(g.error.message + size, "y"), expected - size);
    assert_int_equal(g.error.status, GT_ERR_ORDER);
    assert_int_equal(g.error.offset, 123);
    assert_int_equal(g.error.generation, 45);
    assert_int_equal(g.error.system_error, 6);
    end(&g);
}

static void test_appended_text_is_cut_off(void **state)
{
    const size_t most = GT_ERROR_MESSAGE_SIZE - 1;
    (void) state;
    for (size_t size = 0; size <= most; size++) {
        check_append(size, 0);
        check_append(size, 1);
        check_append(size, GT_ERROR_MESSAGE_SIZE + 10);
        /* It fills the buffer to the last byte, one less, or one too many. */
        for (size_t left = most - size; left <= most - size + 2; left++)
            check_append(size, left > 0 ? left - 1 : 0);
    }
}

/* Appended text is not formatted. */
static void test_appended_text_is_not_formatted(void **state)
{
    struct guarded g;
    (void) state;
    begin(&g);
    gt_error_set(&g.error, GT_ERR_ORDER, 1, 2, "%s of %u", "GoStart", UINT64_C(3));
    gt_error_append(&g.error, "; 100 %u %s %d%");
    gt_error_append(&g.error, "");
    gt_error_append(&g.error, ", so there");
    assert_string_equal(g.error.message, "GoStart of 3; 100 %u %s %d%, so there");
    end(&g);
}

static const gt_status statuses[] = {
    GT_OK,
    GT_END,
    GT_AGAIN,
    GT_CANCELLED,
    GT_STALE,
    GT_ERR_INVALID_ARGUMENT,
    GT_ERR_NO_MEMORY,
    GT_ERR_LIMIT,
    GT_ERR_IO,
    GT_ERR_WRONG_KIND,
    GT_ERR_EXPIRED,
    GT_ERR_NOT_AVAILABLE,
    GT_ERR_CALLBACK,
    GT_ERR_STATE,
    GT_ERR_BUSY,
    GT_ERR_NOT_A_TRACE,
    GT_ERR_VERSION,
    GT_ERR_TRUNCATED,
    GT_ERR_BATCH,
    GT_ERR_GENERATION,
    GT_ERR_STRINGS,
    GT_ERR_STACKS,
    GT_ERR_SAMPLES,
    GT_ERR_SYNC,
    GT_ERR_EVENT,
    GT_ERR_ORDER,
    GT_ERR_STUCK,
    GT_ERR_REFERENCE,
    GT_ERR_TIME,
    GT_ERR_SYMBOLS,
};

#define STATUSES (sizeof(statuses) / sizeof(statuses[0]))

static bool is_status(int value)
{
    for (size_t i = 0; i < STATUSES; i++) {
        if ((int) statuses[i] == value)
            return true;
    }
    return false;
}

/* Each status has its own text, which is short and has no full stop. */
static void test_each_status_has_its_own_text(void **state)
{
    (void) state;
    for (size_t i = 0; i < STATUSES; i++) {
        const char *text = gt_status_text(statuses[i]);
        assert_in_range(strlen(text), 4, 60);
        assert_int_not_equal(text[strlen(text) - 1], '.');
        assert_string_not_equal(text, "unknown status");
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(text, gt_status_text(statuses[k]));
    }
    assert_string_equal(gt_status_text(GT_ERR_NO_MEMORY), "out of memory");
    for (int value = -200; value <= 200; value++) {
        if (!is_status(value))
            assert_string_equal(gt_status_text((gt_status) value), "unknown status");
    }
    assert_string_equal(gt_status_text((gt_status) INT32_MIN), "unknown status");
    assert_string_equal(gt_status_text((gt_status) INT32_MAX), "unknown status");
}

static void test_plain_error_has_the_text_of_its_status(void **state)
{
    (void) state;
    for (size_t i = 0; i < STATUSES; i++) {
        struct guarded g;
        begin(&g);
        assert_status(gt_error_plain(&g.error, statuses[i]), statuses[i]);
        assert_int_equal(g.error.status, statuses[i]);
        assert_int_equal(g.error.offset, GT_NO_OFFSET);
        assert_int_equal(g.error.generation, 0);
        assert_int_equal(g.error.system_error, 0);
        assert_string_equal(g.error.message, gt_status_text(statuses[i]));
        end(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_has_the_members_it_is_set_to),
        cmocka_unit_test(test_numbers_are_formatted_in_decimal),
        cmocka_unit_test(test_message_mixes_texts_and_numbers),
        cmocka_unit_test(test_long_message_is_cut_off),
        cmocka_unit_test(test_number_is_cut_off_like_text),
        cmocka_unit_test(test_argument_list_gives_the_same_message),
        cmocka_unit_test(test_appended_text_is_cut_off),
        cmocka_unit_test(test_appended_text_is_not_formatted),
        cmocka_unit_test(test_each_status_has_its_own_text),
        cmocka_unit_test(test_plain_error_has_the_text_of_its_status),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
