/* SPDX-License-Identifier: BSD-3-Clause */

/* Variable-length numbers, and the cursor that reads them up to an end. */

#include "base/varint.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* Decodes bytes in another way than the library does. */
struct verdict {
    enum gt_varint_fault fault;
    uint64_t value;
    size_t length;
};

static struct verdict judge(const uint8_t *bytes, size_t size)
{
    struct verdict verdict = {GT_VARINT_OK, 0, 0};
    size_t i = 0;
    while (i < size && i < GT_VARINT_MAX && bytes[i] >= 0x80)
        i++;
    if (i == GT_VARINT_MAX) {
        verdict.fault = GT_VARINT_OVERFLOW;
        return verdict;
    }
    if (i == size) {
        verdict.fault = GT_VARINT_CUT;
        return verdict;
    }
    verdict.length = i + 1;
    for (i = verdict.length; i > 0; i--) {
        if (verdict.value > UINT64_MAX / 128) {
            verdict.fault = GT_VARINT_OVERFLOW;
            return verdict;
        }
        verdict.value = verdict.value * 128 + bytes[i - 1] % 128;
    }
    return verdict;
}

/* Writes `value` in `width` bytes, padded. */
static void encode(uint8_t *bytes, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        bytes[i] = (uint8_t) (value % 128 + (i + 1 < width ? 128 : 0));
        value /= 128;
    }
}

static size_t shortest(uint64_t value)
{
    size_t width = 1;
    while (value >= 128) {
        value /= 128;
        width++;
    }
    return width;
}

/* No byte after the number is read, so the block may end there. */
static void check_trusted(const uint8_t *bytes, const struct verdict *expected)
{
    const uint8_t *p = bytes;
    assert_int_equal(gt_varint_trusted(&p), expected->value);
    assert_ptr_equal(p, bytes + expected->length);
}

/* A varint of more than four bytes has no end here; those after the fourth byte are not read. */
static void check_short(const uint8_t *bytes, const struct verdict *expected)
{
    struct gt_varint varint = gt_varint_short(bytes);
    bool is_short = expected->length > 0 && expected->length <= 4;
    assert_ptr_equal(varint.end, is_short ? bytes + expected->length : NULL);
    if (is_short)
        assert_int_equal(varint.value, expected->value);
}

/* Reads in every way, from a block of exactly the size that each may read. */
static void check(const uint8_t *bytes, size_t size)
{
    struct verdict expected = judge(bytes, size);
    uint8_t *copy = malloc(size ? size : 1);
    struct gt_cursor cursor;
    uint64_t value;
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    cursor = gt_cursor_make(copy, size);
    value = gt_cursor_varint(&cursor);
    assert_int_equal(cursor.fault, expected.fault);
    if (expected.fault == GT_VARINT_OK) {
        assert_int_equal(value, expected.value);
        assert_ptr_equal(cursor.p, copy + expected.length);
        assert_int_equal(gt_cursor_left(&cursor), size - expected.length);
        check_trusted(copy, &expected);
    } else {
        assert_int_equal(value, 0);
        assert_int_equal(gt_cursor_left(&cursor), 0);
    }
    if (size >= 4 || expected.fault == GT_VARINT_OK)
        check_short(copy, &expected);
    if (size == GT_VARINT_MAX) {
        const uint8_t *behind = gt_varint_read(copy, &value);
        assert_ptr_equal(behind, expected.fault == GT_VARINT_OK ? copy + expected.length : NULL);
        if (behind)
            assert_int_equal(value, expected.value);
    }
    free(copy);
}

/*
 * Writes the value in every width from the shortest on, whole, cut, and with more bytes after it.
 */
static void check_value(uint64_t value)
{
    uint8_t bytes[GT_VARINT_MAX + 2];
    for (size_t width = shortest(value); width <= GT_VARINT_MAX; width++) {
        struct verdict verdict;
        memset(bytes, 0xff, sizeof(bytes));
        encode(bytes, value, width);
        verdict = judge(bytes, sizeof(bytes));
        assert_int_equal(verdict.fault, GT_VARINT_OK);
        assert_int_equal(verdict.value, value);
        assert_int_equal(verdict.length, width);
        for (size_t size = 0; size <= sizeof(bytes); size++)
            check(bytes, size);
    }
}

static void test_values_of_every_length_are_read(void **state)
{
    (void) state;
    check_value(0);
    check_value(UINT64_MAX);
    for (unsigned bits = 0; bits < 64; bits++) {
        check_value(UINT64_C(1) << bits);
        check_value((UINT64_C(1) << bits) - 1);
    }
    assert_int_equal(shortest(UINT64_MAX), GT_VARINT_MAX);
}

static void test_random_values_are_read(void **state)
{
    uint64_t seed = 4711;
    (void) state;
    for (int i = 0; i < 2000; i++) {
        uint64_t value = test_random(&seed);
        check_value(value >> value % 64);
    }
}

/* Random bytes, most of them with a continuation bit. */
static void test_random_bytes_are_decoded_alike(void **state)
{
    uint64_t seed = 815;
    (void) state;
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[GT_VARINT_MAX + 2];
        uint64_t pick = test_random(&seed);
        size_t size = pick % (sizeof(bytes) + 1), k;
        for (k = 0; k < sizeof(bytes); k++)
            bytes[k] = (uint8_t) (test_random(&seed) >> 40);
        for (k = pick >> 32 & 15; k > 0 && k <= sizeof(bytes); k--)
            bytes[k - 1] |= 0x80;
        check(bytes, size);
        check(bytes, GT_VARINT_MAX);
    }
}

/* The last of ten bytes may add only one bit, whatever the others are. */
static void test_number_of_over_64_bits_overflows(void **state)
{
    uint8_t bytes[GT_VARINT_MAX];
    struct gt_cursor cursor;
    uint64_t value;
    (void) state;
    for (unsigned last = 0; last < 256; last++) {
        memset(bytes, 0x80, sizeof(bytes));
        bytes[GT_VARINT_MAX - 1] = (uint8_t) last;
        check(bytes, sizeof(bytes));
        cursor = gt_cursor_make(bytes, sizeof(bytes));
        value = gt_cursor_varint(&cursor);
        assert_int_equal(cursor.fault, last <= 1 ? GT_VARINT_OK : GT_VARINT_OVERFLOW);
        assert_int_equal(value, last == 1 ? UINT64_C(1) << 63 : 0);
        assert_int_equal(gt_varint_read(bytes, &value) != NULL, last <= 1);
    }
}

#define NUMBERS 1000

/* Numbers one after the other in a block of their size: each ends where the next one starts. */
static void test_trusted_numbers_end_where_the_next_starts(void **state)
{
    static uint8_t row[NUMBERS * GT_VARINT_MAX];
    uint64_t values[NUMBERS], seed = 90210, value;
    size_t widths[NUMBERS], size = 0;
    const uint8_t *p;
    uint8_t *block;
    (void) state;
    for (int i = 0; i < NUMBERS; i++) {
        uint64_t pick = test_random(&seed);
        values[i] = test_random(&seed) >> pick % 64;
        widths[i] = shortest(values[i]);
        widths[i] += (pick >> 32) % (GT_VARINT_MAX + 1 - widths[i]);
        encode(row + size, values[i], widths[i]);
        size += widths[i];
    }
    block = malloc(size);
    assert_non_null(block);
    memcpy(block, row, size);
    p = block;
    for (int i = 0; i < NUMBERS; i++) {
        const uint8_t *start = p;
        if ((size_t) (block + size - p) >= GT_VARINT_MAX) {
            assert_ptr_equal(gt_varint_read(p, &value), p + widths[i]);
            assert_int_equal(value, values[i]);
        }
        assert_int_equal(gt_varint_trusted(&p), values[i]);
        assert_ptr_equal(p, start + widths[i]);
    }
    assert_ptr_equal(p, block + size);
    free(block);
}

static void test_cursor_reads_bytes_up_to_the_end(void **state)
{
    const uint8_t bytes[] = {0x00, 0xff, 0x80};
    struct gt_cursor cursor = gt_cursor_make(bytes, sizeof(bytes));
    (void) state;
    assert_int_equal(gt_cursor_left(&cursor), 3);
    assert_int_equal(gt_cursor_byte(&cursor), 0x00);
    assert_int_equal(gt_cursor_byte(&cursor), 0xff);
    assert_int_equal(gt_cursor_byte(&cursor), 0x80);
    assert_int_equal(gt_cursor_left(&cursor), 0);
    assert_int_equal(cursor.fault, GT_VARINT_OK);
    assert_int_equal(gt_cursor_byte(&cursor), 0);
    assert_int_equal(cursor.fault, GT_VARINT_CUT);
}

static void assert_stuck(struct gt_cursor *cursor, enum gt_varint_fault fault)
{
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cursor->fault, fault);
        assert_int_equal(gt_cursor_left(cursor), 0);
        assert_int_equal(gt_cursor_varint(cursor), 0);
        assert_int_equal(gt_cursor_byte(cursor), 0);
    }
}

/* The first fault stays, and nothing after it is read. */
static void test_first_fault_stays(void **state)
{
    const uint8_t cut[] = {0x05, 0x81, 0x82};
    uint8_t overflow[GT_VARINT_MAX + 3];
    struct gt_cursor cursor = gt_cursor_make(cut, sizeof(cut));
    (void) state;
    assert_int_equal(gt_cursor_varint(&cursor), 5);
    assert_int_equal(gt_cursor_varint(&cursor), 0);
    assert_stuck(&cursor, GT_VARINT_CUT);
    memset(overflow, 0xff, GT_VARINT_MAX);
    memset(overflow + GT_VARINT_MAX, 0x07, 3);
    cursor = gt_cursor_make(overflow, sizeof(overflow));
    assert_int_equal(gt_cursor_varint(&cursor), 0);
    assert_stuck(&cursor, GT_VARINT_OVERFLOW);
    cursor = gt_cursor_make(cut, 0);
    assert_int_equal(gt_cursor_byte(&cursor), 0);
    assert_stuck(&cursor, GT_VARINT_CUT);
    gt_cursor_fail(&cursor, GT_VARINT_OVERFLOW);
    assert_stuck(&cursor, GT_VARINT_CUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_every_length_are_read),
        cmocka_unit_test(test_random_values_are_read),
        cmocka_unit_test(test_random_bytes_are_decoded_alike),
        cmocka_unit_test(test_number_of_over_64_bits_overflows),
        cmocka_unit_test(test_trusted_numbers_end_where_the_next_starts),
        cmocka_unit_test(test_cursor_reads_bytes_up_to_the_end),
        cmocka_unit_test(test_first_fault_stays),
    };
    return cmocka_run_group_tests_name("varint", tests, NULL, NULL);
}
