/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PORTABLE_CMOCKA_H
#define TESTS_PORTABLE_CMOCKA_H

/*
 * The part of cmocka that tests/support needs to read a trace through every getter, for machines
 * without cmocka. A failed assertion ends the program.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define print_error(...) fprintf(stderr, __VA_ARGS__)

#define assert_true(condition)                                                                     \
    ((condition) ? (void) 0 : portable_fail(#condition, __FILE__, __LINE__))
#define assert_non_null(pointer)     assert_true((pointer) != NULL)
#define assert_null(pointer)         assert_true((pointer) == NULL)
#define assert_int_equal(a, b)       assert_true((uint64_t) (a) == (uint64_t) (b))
#define assert_string_equal(a, b)    assert_true(strcmp((a), (b)) == 0)
#define assert_memory_equal(a, b, n) assert_true(memcmp((a), (b), (n)) == 0)
#define assert_in_range(x, least, most)                                                            \
    assert_true((uint64_t) (x) >= (uint64_t) (least) && (uint64_t) (x) <= (uint64_t) (most))
#define fail_msg(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

static inline void portable_fail(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(3);
}

/* The name is that of cmocka. */
static inline void _fail(const char *file, int line)
{
    portable_fail("failed", file, line);
}

#endif
