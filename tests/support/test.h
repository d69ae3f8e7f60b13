/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

/* cmocka with the headers that it needs, and more assertions. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gotrace/gotrace.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/*
 * The step of a loop over many similar cases. Sanitizers make a test about twenty times as slow, so
 * that it runs only each nth case there.
 */
#define TEST_STRIDE(n) (TEST_SANITIZED ? (n) : 1)

/* Asserts a gt_status and names both in the failure. */
#define assert_status(actual, expected) test_assert_status((actual), (expected), __FILE__, __LINE__)

/* Asserts that a gt_string is the given literal. */
#define assert_text(string, expected) test_assert_text((string), (expected), __FILE__, __LINE__)

/* Fails, as the status is not the expected one. */
void test_fail_status(gt_status actual, gt_status expected, const char *file, int line);

static inline void test_assert_status(gt_status actual, gt_status expected, const char *file,
                                      int line)
{
    if (actual != expected)
        test_fail_status(actual, expected, file, line);
}

void test_assert_text(gt_string actual, const char *expected, const char *file, int line);

/* The CPU time that this process has used, in seconds. */
double test_cpu_seconds(void);

/*
 * A random number generator that gives the same numbers everywhere; `*state`
 * is its seed, which must not be 0.
 */
uint64_t test_random(uint64_t *state);

#endif
