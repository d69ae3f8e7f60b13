/* SPDX-License-Identifier: BSD-3-Clause */

/* Structures of programs that were built with older or newer headers. */

#include "base/sized.h"
#include "reader/options.h"

#include <stdlib.h>
#include <string.h>

#include "support/probe.h"
#include "support/test.h"

/* The structure as this library knows it, and as the first release did. */
struct known {
    size_t size;
    uint64_t a;
    uint64_t b;
    uint64_t c;
};

#define LEAST offsetof(struct known, c)

/* Makes a caller's structure of `size` bytes, all of which but the size are `fill`. */
static void *given(size_t size, int fill)
{
    void *block = malloc(size < sizeof(size) ? sizeof(size) : size);
    assert_non_null(block);
    memset(block, fill, size < sizeof(size) ? sizeof(size) : size);
    memcpy(block, &size, sizeof(size));
    return block;
}

static gt_status take(struct known *out, const void *in)
{
    memset(out, 0xee, sizeof(*out));
    return gt_struct_take(out, sizeof(*out), LEAST, in);
}

/* Members that the caller's structure has are taken, and all others are zero. */
static void test_missing_members_are_zero(void **state)
{
    (void) state;
    for (size_t size = 0; size <= sizeof(struct known); size++) {
        struct known out, expected;
        void *in = given(size, 0x11);
        if (size < LEAST) {
            assert_status(take(&out, in), GT_ERR_INVALID_ARGUMENT);
        } else {
            assert_status(take(&out, in), GT_OK);
            memset(&expected, 0, sizeof(expected));
            memset(&expected, 0x11, size);
            expected.size = size;
            assert_memory_equal(&out, &expected, sizeof(out));
        }
        free(in);
    }
}

/* Bytes that this library does not know must be zero. */
static void test_unknown_members_must_be_zero(void **state)
{
    static const size_t sizes[] = {sizeof(struct known) + 1, sizeof(struct known) + 8, 4095, 4096};
    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *in = given(sizes[i], 0);
        struct known out;
        ((struct known *) in)->c = 33;
        assert_status(take(&out, in), GT_OK);
        assert_int_equal(out.size, sizes[i]);
        assert_int_equal(out.a, 0);
        assert_int_equal(out.c, 33);
        for (size_t k = sizeof(struct known); k < sizes[i]; k++) {
            in[k] = 1;
            assert_status(take(&out, in), GT_ERR_INVALID_ARGUMENT);
            in[k] = 0;
        }
        free(in);
    }
}

/* Sizes that cannot be meant are refused, although all bytes are zero. */
static void test_absurd_size_is_refused(void **state)
{
    static const size_t sizes[] = {4097, 65536, SIZE_MAX / 2, SIZE_MAX};
    size_t *in = given(65536, 0);
    struct known out;
    (void) state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        in[0] = sizes[i];
        assert_status(take(&out, in), GT_ERR_INVALID_ARGUMENT);
    }
    free(in);
}

/* Fills what both have; neither the size nor unknown bytes change. */
static void test_known_members_are_filled(void **state)
{
    struct known in = {sizeof(in), 1, 2, 3};
    (void) state;
    for (size_t size = sizeof(size_t); size <= sizeof(in) + 16; size++) {
        size_t common = size < sizeof(in) ? size : sizeof(in), i;
        unsigned char *out = given(size, 0x77);
        gt_struct_give(out, &in, sizeof(in));
        assert_memory_equal(out, &size, sizeof(size));
        assert_memory_equal(out + sizeof(size), (char *) &in + sizeof(size), common - sizeof(size));
        for (i = common; i < size; i++)
            assert_int_equal(out[i], 0x77);
        free(out);
    }
}

static void test_structure_must_have_the_members_of_the_first_release(void **state)
{
    struct known out = {LEAST, 0, 0, 0};
    (void) state;
    assert_false(gt_struct_fits(NULL, LEAST));
    assert_true(gt_struct_fits(&out, LEAST));
    out.size = LEAST - 1;
    assert_false(gt_struct_fits(&out, LEAST));
    out.size = 0;
    assert_false(gt_struct_fits(&out, LEAST));
    out.size = SIZE_MAX;
    assert_true(gt_struct_fits(&out, LEAST));
}

static void test_no_options_are_the_defaults(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT, out;
    gt_allocator allocator;
    const gt_reader_options *both[] = {NULL, &options};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        memset(&out, 0xee, sizeof(out));
        assert_status(gt_reader_options_take(&out, &allocator, both[i], NULL), GT_OK);
        assert_int_equal(out.flags, 0);
        assert_int_equal(out.memory_limit, 0);
        assert_null(out.allocator);
    }
}

static void test_unknown_flags_are_refused(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT, out;
    uint64_t known = GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT |
                     GT_READER_AS_RECORDED | GT_READER_AHEAD | GT_READER_TRACK | GT_READER_UNFORCED;
    gt_allocator allocator;
    (void) state;
    for (unsigned bit = 0; bit < 64; bit++) {
        gt_status expected = known >> bit & 1 ? GT_OK : GT_ERR_INVALID_ARGUMENT;
        options.flags = UINT64_C(1) << bit;
        assert_status(gt_reader_options_take(&out, &allocator, &options, NULL), expected);
        options.flags |= known;
        assert_status(gt_reader_options_take(&out, &allocator, &options, NULL), expected);
        if (expected == GT_OK)
            assert_int_equal(out.flags, known);
    }
    options.flags = 0;
    options.memory_limit = UINT64_MAX;
    assert_status(gt_reader_options_take(&out, &allocator, &options, NULL), GT_OK);
    assert_int_equal(out.memory_limit, UINT64_MAX);
    options.size--;
    assert_status(gt_reader_options_take(&out, &allocator, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
}

/* The allocator is copied, and must have all functions. */
static void test_incomplete_allocator_is_refused(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT, out;
    gt_allocator copy, broken;
    struct probe probe;
    (void) state;
    probe_init(&probe);
    options.allocator = &probe.allocator;
    assert_status(gt_reader_options_take(&out, &copy, &options, NULL), GT_OK);
    assert_memory_equal(&copy, &probe.allocator, sizeof(copy));
    options.allocator = &broken;
    for (int i = 0; i < 5; i++) {
        broken = probe.allocator;
        if (i == 0)
            broken.allocate = NULL;
        else if (i == 1)
            broken.reallocate = NULL;
        else if (i == 2)
            broken.release = NULL;
        else
            broken.size = i == 3 ? 0 : sizeof(broken) - 1;
        assert_status(gt_reader_options_take(&out, &copy, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    }
    broken = probe.allocator;
    broken.context = NULL;
    assert_status(gt_reader_options_take(&out, &copy, &options, NULL), GT_OK);
    assert_null(copy.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_members_are_zero),
        cmocka_unit_test(test_unknown_members_must_be_zero),
        cmocka_unit_test(test_absurd_size_is_refused),
        cmocka_unit_test(test_known_members_are_filled),
        cmocka_unit_test(test_structure_must_have_the_members_of_the_first_release),
        cmocka_unit_test(test_no_options_are_the_defaults),
        cmocka_unit_test(test_unknown_flags_are_refused),
        cmocka_unit_test(test_incomplete_allocator_is_refused),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
