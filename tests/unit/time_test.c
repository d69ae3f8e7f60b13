/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "base/time.h"

static void test_sum_that_fits_is_exact(void **state)
{
    (void) state;
    assert_int_equal(gt_time_plus(2, 3), 5);
    assert_int_equal(gt_time_plus(INT64_MAX, INT64_MIN), -1);
    assert_int_equal(gt_time_plus(INT64_MAX - 1, 1), INT64_MAX);
    assert_int_equal(gt_time_plus(INT64_MIN + 1, -1), INT64_MIN);
    assert_int_equal(gt_time_plus(-7, 0), -7);
}

static void test_sum_that_overflows_saturates(void **state)
{
    (void) state;
    assert_int_equal(gt_time_plus(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(gt_time_plus(1, INT64_MAX), INT64_MAX);
    assert_int_equal(gt_time_plus(INT64_MAX, INT64_MAX), INT64_MAX);
    assert_int_equal(gt_time_plus(INT64_MIN, -1), INT64_MIN);
    assert_int_equal(gt_time_plus(INT64_MIN, INT64_MIN), INT64_MIN);
}

static void test_difference_that_fits_is_exact(void **state)
{
    (void) state;
    assert_int_equal(gt_time_minus(2, 3), -1);
    assert_int_equal(gt_time_minus(INT64_MAX, INT64_MAX), 0);
    assert_int_equal(gt_time_minus(INT64_MIN, INT64_MIN), 0);
    assert_int_equal(gt_time_minus(-1, INT64_MIN), INT64_MAX);
    assert_int_equal(gt_time_minus(-1, INT64_MAX), INT64_MIN);
}

static void test_difference_that_overflows_saturates(void **state)
{
    (void) state;
    assert_int_equal(gt_time_minus(0, INT64_MIN), INT64_MAX);
    assert_int_equal(gt_time_minus(INT64_MAX, INT64_MIN), INT64_MAX);
    assert_int_equal(gt_time_minus(-2, INT64_MAX), INT64_MIN);
    assert_int_equal(gt_time_minus(INT64_MIN, INT64_MAX), INT64_MIN);
}

static void test_adding_to_a_sum_saturates(void **state)
{
    (void) state;
    int64_t sum = 0;
    gt_time_add_to(&sum, INT64_MAX - 1);
    assert_int_equal(sum, INT64_MAX - 1);
    gt_time_add_to(&sum, 2);
    assert_int_equal(sum, INT64_MAX);
}

static void test_span_of_all_times_is_exact(void **state)
{
    (void) state;
    assert_true(gt_time_span(INT64_MIN, INT64_MAX) == UINT64_MAX);
    assert_true(gt_time_span(-5, 5) == 10);
}

static void test_ticks_wrap_around(void **state)
{
    (void) state;
    assert_int_equal(gt_ticks_plus(INT64_MAX, 1), INT64_MIN);
    assert_int_equal(gt_ticks_minus(INT64_MIN, 1), INT64_MAX);
    assert_int_equal(gt_ticks_minus(7, 3), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_that_fits_is_exact),
        cmocka_unit_test(test_sum_that_overflows_saturates),
        cmocka_unit_test(test_difference_that_fits_is_exact),
        cmocka_unit_test(test_difference_that_overflows_saturates),
        cmocka_unit_test(test_adding_to_a_sum_saturates),
        cmocka_unit_test(test_span_of_all_times_is_exact),
        cmocka_unit_test(test_ticks_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
