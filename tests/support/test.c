/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <string.h>
#include <time.h>

void test_fail_status(gt_status actual, gt_status expected, const char *file, int line)
{
    print_error("status %d (%s), expected %d (%s)\n", (int) actual, gt_status_text(actual),
                (int) expected, gt_status_text(expected));
    _fail(file, line);
}

void test_assert_text(gt_string actual, const char *expected, const char *file, int line)
{
    if (actual.data && actual.size == strlen(expected) &&
        memcmp(actual.data, expected, actual.size) == 0)
        return;
    print_error("\"%.*s\", expected \"%s\"\n", (int) actual.size, actual.data ? actual.data : "",
                expected);
    _fail(file, line);
}

double test_cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

uint64_t test_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
