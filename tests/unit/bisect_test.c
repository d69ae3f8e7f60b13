/* SPDX-License-Identifier: BSD-3-Clause */

/* Binary search. */

#include "base/bisect.h"

#include <stdbool.h>

#include "support/test.h"

/* The numbers from `from` up to `to`, of which those below `first` are before. */
static void check(size_t from, size_t to, size_t first)
{
    size_t at, looks = 0;
    GT_BISECT(at, from, to, (looks++, assert_true(at >= from && at < to), at < first));
    assert_int_equal(at, first < from ? from : first > to ? to : first);
    assert_true(looks <= 5);
}

static void test_finds_the_first_that_is_not_before(void **state)
{
    (void) state;
    for (size_t from = 0; from < 5; from++) {
        for (size_t to = from; to < from + 20; to++) {
            for (size_t first = 0; first < 30; first++)
                check(from, to, first);
        }
    }
}

static void test_an_empty_interval_is_not_looked_at(void **state)
{
    size_t at;
    (void) state;
    GT_BISECT(at, 3, 3, (fail(), true));
    assert_int_equal(at, 3);
    GT_BISECT(at, 1, 0, (fail(), true));
    assert_int_equal(at, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_first_that_is_not_before),
        cmocka_unit_test(test_an_empty_interval_is_not_looked_at),
    };
    return cmocka_run_group_tests_name("bisect", tests, NULL, NULL);
}
