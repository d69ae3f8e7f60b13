/* SPDX-License-Identifier: BSD-3-Clause */

/* Critical paths of events that were made, also such as no program makes, and calls that fail. */

#include <string.h>

#include "analysis/pathing.h"
#include "support/test.h"

enum {
    MANY = 200000
};

/* Goroutine 1 waits from 20 to 60 for goroutine 2, which was itself waiting from 10 to 40. */
static void begin_chain(gt_path *path)
{
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 5, 1, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    pathing_must_move(path, 8, GT_NO_GOROUTINE, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    pathing_must_move(path, 10, 2, 2, GT_GO_RUNNING, GT_GO_WAITING);
    pathing_must_move(path, 20, 1, 1, GT_GO_RUNNING, GT_GO_WAITING);
    pathing_must_move(path, 40, GT_NO_GOROUTINE, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    pathing_must_move(path, 50, GT_NO_GOROUTINE, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    pathing_must_move(path, 60, 2, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    pathing_must_move(path, 70, GT_NO_GOROUTINE, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    pathing_must_move(path, 80, 1, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
    pathing_must_move(path, 90, 1, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
}

static void test_a_wait_is_what_the_other_goroutine_did(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    (void) state;
    begin_chain(path);
    assert_int_equal(pathing_follow(path, 1, 0, 90), 7);
    pathing_expect_part(path, 0, 0, 20, 1, GT_PATH_RUNNING);
    pathing_expect_part(path, 1, 20, 40, 2, GT_PATH_WAITING);
    pathing_expect_part(path, 2, 40, 50, 2, GT_PATH_SCHED_IDLE);
    pathing_expect_part(path, 3, 50, 60, 2, GT_PATH_RUNNING);
    pathing_expect_part(path, 4, 60, 70, 1, GT_PATH_SCHED_IDLE);
    pathing_expect_part(path, 5, 70, 80, 1, GT_PATH_RUNNING);
    pathing_expect_part(path, 6, 80, 90, 1, GT_PATH_SYSCALL);
    /* Within the wait, it is followed from its end, which is later. */
    assert_int_equal(pathing_follow(path, 1, 30, 55), 3);
    pathing_expect_part(path, 2, 50, 55, 2, GT_PATH_RUNNING);
    gt_path_close(&path);
}

static void test_the_past_of_a_goroutine_is_its_creator(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    (void) state;
    begin_chain(path);
    assert_int_equal(pathing_follow(path, 2, -5, 12), 5);
    pathing_expect_part(path, 0, -5, 0, 2, GT_PATH_UNKNOWN);
    pathing_expect_part(path, 1, 0, 5, 1, GT_PATH_RUNNING);
    pathing_expect_part(path, 2, 5, 8, 2, GT_PATH_SCHED_IDLE);
    pathing_expect_part(path, 3, 8, 10, 2, GT_PATH_RUNNING);
    pathing_expect_part(path, 4, 10, 12, 2, GT_PATH_WAITING);
    assert_int_equal(pathing_follow(path, 1, 85, 95), 2);
    pathing_expect_part(path, 1, 90, 95, 1, GT_PATH_UNKNOWN);
    assert_int_equal(pathing_follow(path, 1, 7, 7), 0);
    gt_path_close(&path);
}

static void feed_ping_pong(gt_path *path, int64_t step)
{
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    for (int64_t i = 1; i < MANY; i++) {
        int64_t runs = 2 - i % 2, waits = 3 - runs;
        pathing_must_move(path, i * step, runs, waits, GT_GO_WAITING, GT_GO_RUNNING);
        pathing_must_move(path, i * step, runs, runs, GT_GO_RUNNING, GT_GO_WAITING);
    }
}

static void test_goroutines_that_wake_each_other_take_linear_time(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    gt_path_info before = GT_PATH_INFO_INIT, after = GT_PATH_INFO_INIT;
    (void) state;
    feed_ping_pong(path, 10);
    assert_status(gt_path_get_info(path, &before), GT_OK);
    assert_int_equal(before.changes, 2 * MANY);
    assert_true(pathing_follow(path, 1, 0, MANY * 10) > MANY / 2);
    assert_status(gt_path_get_info(path, &after), GT_OK);
    /* The parts and their room to grow; the waits take none. */
    assert_true(after.memory - before.memory < UINT64_C(100) * MANY);
    gt_path_close(&path);
}

static void test_times_that_stand_still_end_the_path(void **state)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 0);
    (void) state;
    feed_ping_pong(path, 0);
    assert_int_equal(pathing_follow(path, 1, 0, 0), 0);
    assert_int_equal(pathing_follow(path, 1, -7, 3), 2);
    assert_int_equal(pathing_follow(path, 2, -7, 0), 1);
    /* Times that fall count as equal. */
    pathing_must_move(path, 100, 1, 2, GT_GO_WAITING, GT_GO_RUNNING);
    pathing_must_move(path, 50, 2, 2, GT_GO_RUNNING, GT_GO_SYSCALL);
    pathing_follow(path, 2, 0, 100);
    gt_path_close(&path);
}

/* A goroutine that waits ends the wait of another one, which ended its own, and so on. */
static void test_waits_that_end_each_other_in_a_circle_are_left(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    (void) state;
    for (int64_t id = 1; id <= 3; id++)
        pathing_must_move(path, id, GT_NO_GOROUTINE, id, GT_GO_UNDETERMINED, GT_GO_WAITING);
    for (int64_t i = 10; i < 1000; i++) {
        int64_t id = 1 + i % 3, by = 1 + (i + 1) % 3;
        pathing_must_move(path, i, by, id, GT_GO_WAITING, GT_GO_RUNNABLE);
        pathing_must_move(path, i, by, id, GT_GO_RUNNABLE, GT_GO_WAITING);
    }
    for (int64_t id = 1; id <= 3; id++) {
        pathing_follow(path, id, 0, 2000);
        pathing_follow(path, id, 500, 501);
    }
    gt_path_close(&path);
}

static void test_an_id_that_comes_back_is_another_goroutine(void **state)
{
    gt_path *path = pathing_open(GT_PATH_GOROUTINES, 0, 0);
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int64_t i = 0; i < 3; i++) {
        pathing_must_move(path, 10 + 10 * i, 1, 2, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        if (i != 1)
            pathing_must_move(path, 15 + 10 * i, 2, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    }
    assert_int_equal(gt_path_interval_count(path), 3);
    assert_status(gt_path_get_interval(path, 1, &interval), GT_OK);
    assert_int_equal(interval.start, 20);
    assert_int_equal(interval.end, 30);
    assert_int_equal(pathing_follow(path, 2, 5, 35), 2);
    pathing_expect_part(path, 0, 5, 30, 1, GT_PATH_RUNNING);
    pathing_expect_part(path, 1, 30, 35, 2, GT_PATH_RUNNING);
    gt_path_close(&path);
}

static void test_what_the_history_has_no_room_for_is_unknown(void **state)
{
    gt_path *path = pathing_open(0, 1, 0);
    gt_path_info info = GT_PATH_INFO_INIT;
    (void) state;
    for (int64_t i = 1; i < MANY; i++) {
        pathing_must_move(path, 3 * i, GT_NO_GOROUTINE, i, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        pathing_must_move(path, 3 * i + 1, i, i, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    }
    assert_status(gt_path_get_info(path, &info), GT_OK);
    /* Two chunks of 64 KiB, and a record has six bytes or more here. */
    assert_true(info.changes - info.forgotten <= (128 << 10) / 6);
    assert_true(info.changes - info.forgotten > (64 << 10) / 42);
    assert_true(info.memory_peak < 2 << 20);
    assert_status(gt_path_follow(path, 1, 0, 10), GT_ERR_NOT_AVAILABLE);
    assert_int_equal(pathing_follow(path, MANY - 1, 0, 3 * (MANY - 1) + 1), 2);
    pathing_expect_part(path, 0, 0, 3 * (MANY - 1), MANY - 1, GT_PATH_UNKNOWN);
    gt_path_close(&path);
}

/* Many regions over the same long past would take quadratic time. */
static void test_paths_that_are_too_long_are_cut(void **state)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 2);
    gt_path_info info = GT_PATH_INFO_INIT;
    gt_path_row row = GT_PATH_ROW_INIT;
    int64_t all = 0;
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int i = 0; i < 3000; i++)
        assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 1, 1, "work"), GT_OK);
    for (int64_t i = 1; i < 3000; i++) {
        pathing_must_move(path, 10 * i, 1, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
        pathing_must_move(path, 10 * i + 5, 1, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
    }
    for (int i = 0; i < 3000; i++)
        assert_status(pathing_region(path, GT_EVENT_REGION_END, 40001, 1, "work"), GT_OK);
    assert_status(gt_path_get_info(path, &info), GT_OK);
    assert_in_range(info.cut, 2000, 3000);
    assert_status(gt_path_select(path, 0, INT64_MAX), GT_OK);
    for (size_t i = 0; i < gt_path_row_count(path); i++) {
        assert_status(gt_path_get_row(path, i, &row), GT_OK);
        all += row.time;
    }
    assert_int_equal(all, INT64_C(3000) * 40000);
    gt_path_close(&path);
}

static void test_times_at_the_ends_of_the_range_saturate(void **state)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 64);
    gt_path_row row = GT_PATH_ROW_INIT;
    (void) state;
    pathing_must_move(path, INT64_MIN, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, INT64_MIN, 1, "work"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, INT64_MAX, 1, "work"), GT_OK);
    assert_status(gt_path_select(path, INT64_MIN, INT64_MAX), GT_OK);
    assert_status(gt_path_get_row(path, 0, &row), GT_OK);
    assert_int_equal(row.time, INT64_MAX);
    assert_int_equal(pathing_follow(path, 1, INT64_MIN, INT64_MAX), 1);
    gt_path_close(&path);
}

static void test_calls_that_are_wrong_are_refused(void **state)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path_part part = GT_PATH_PART_INIT;
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_path *path;
    int64_t duration;
    size_t count;
    (void) state;
    options.flags = 8;
    assert_status(gt_path_open(&path, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "flags"));
    options.flags = 0;
    options.name.size = 3;
    assert_status(gt_path_open(&path, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "name"));
    path = pathing_open(GT_PATH_TASKS, 0, 0);
    assert_status(gt_path_event(path, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_follow(path, 1, 0, 1), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_quantile(path, 0.5, &duration), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_quantile(path, 1.5, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_part(path, 0, &part), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_get_row(path, 0, &row), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_get_interval(path, 0, &interval), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_row_frames(path, 0, NULL, 0, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_part_frames(path, 0, NULL, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_finish(path), GT_OK);
    assert_status(gt_path_finish(path), GT_OK);
    assert_status(pathing_move(path, 0, 1, 1, GT_GO_RUNNING, GT_GO_WAITING),
                  GT_ERR_INVALID_ARGUMENT);
    gt_path_close(&path);
    gt_path_close(&path);
    assert_int_equal(gt_path_interval_count(NULL) + gt_path_row_count(NULL), 0);
    assert_string_equal(gt_path_state_name(99), "bad");
}

static void test_the_memory_limit_is_a_status_that_remains(void **state)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    gt_status status = GT_OK;
    (void) state;
    options.memory_limit = 1 << 20;
    assert_status(gt_path_open(&path, &options, NULL), GT_OK);
    for (int64_t i = 1; i < MANY && status == GT_OK; i++)
        status = pathing_move(path, i, GT_NO_GOROUTINE, i, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    assert_status(status, GT_ERR_LIMIT);
    assert_status(gt_path_follow(path, 1, 0, 1), GT_ERR_LIMIT);
    assert_status(gt_path_finish(path), GT_ERR_LIMIT);
    gt_path_close(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_is_what_the_other_goroutine_did),
        cmocka_unit_test(test_the_past_of_a_goroutine_is_its_creator),
        cmocka_unit_test(test_goroutines_that_wake_each_other_take_linear_time),
        cmocka_unit_test(test_times_that_stand_still_end_the_path),
        cmocka_unit_test(test_waits_that_end_each_other_in_a_circle_are_left),
        cmocka_unit_test(test_an_id_that_comes_back_is_another_goroutine),
        cmocka_unit_test(test_what_the_history_has_no_room_for_is_unknown),
        cmocka_unit_test(test_paths_that_are_too_long_are_cut),
        cmocka_unit_test(test_times_at_the_ends_of_the_range_saturate),
        cmocka_unit_test(test_calls_that_are_wrong_are_refused),
        cmocka_unit_test(test_the_memory_limit_is_a_status_that_remains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
