/* SPDX-License-Identifier: BSD-3-Clause */

/* What paths say of events that were made: states, intervals, selections and a past that is cut. */

#include <math.h>
#include <string.h>

#include "analysis/pathing.h"
#include "support/test.h"

enum {
    /* Fills the least history, of two chunks of 64 KiB, more than once. */
    LONG = 60000
};

static gt_path_info info_of(const gt_path *path)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    assert_status(gt_path_get_info(path, &info), GT_OK);
    return info;
}

static void expect_interval(const gt_path *path, size_t index, int64_t goroutine, int64_t start,
                            int64_t end, const char *name)
{
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    assert_status(gt_path_get_interval(path, index, &interval), GT_OK);
    assert_int_equal(interval.goroutine, goroutine);
    assert_int_equal(interval.start, start);
    assert_int_equal(interval.end, end);
    assert_text(interval.name, name);
}

/* Goroutine 1 creates goroutine `id`, which starts 10 later. */
static void create_and_start(gt_path *path, int64_t time, int64_t id)
{
    pathing_must_move(path, time, 1, id, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    pathing_must_move(path, time + 10, GT_NO_GOROUTINE, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
}

/* A proc that starts twice, or stops twice, is one proc. */
static void test_procs_are_busy_when_threads_hold_all_of_them(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    (void) state;
    assert_status(pathing_procs(path, 0, 2), GT_OK);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_proc(path, 1, 0, GT_PROC_IDLE, GT_PROC_RUNNING), GT_OK);
    assert_status(pathing_proc(path, 2, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING), GT_OK);
    create_and_start(path, 10, 2);
    assert_status(pathing_proc(path, 30, 1, GT_PROC_IDLE, GT_PROC_RUNNING), GT_OK);
    create_and_start(path, 40, 3);
    assert_status(pathing_proc(path, 60, 1, GT_PROC_RUNNING, GT_PROC_IDLE), GT_OK);
    assert_status(pathing_proc(path, 61, 1, GT_PROC_UNDETERMINED, GT_PROC_IDLE), GT_OK);
    create_and_start(path, 70, 4);
    /* For 4 of the 10 that it waits for a proc, there is none. */
    pathing_must_move(path, 90, 1, 5, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    assert_status(pathing_procs(path, 96, 1), GT_OK);
    pathing_must_move(path, 100, GT_NO_GOROUTINE, 5, GT_GO_RUNNABLE, GT_GO_RUNNING);
    assert_int_equal(pathing_follow(path, 2, 10, 20), 1);
    pathing_expect_part(path, 0, 10, 20, 2, GT_PATH_SCHED_IDLE);
    assert_int_equal(pathing_follow(path, 3, 40, 50), 1);
    pathing_expect_part(path, 0, 40, 50, 3, GT_PATH_SCHED_BUSY);
    assert_int_equal(pathing_follow(path, 4, 70, 80), 1);
    pathing_expect_part(path, 0, 70, 80, 4, GT_PATH_SCHED_IDLE);
    assert_int_equal(pathing_follow(path, 5, 90, 100), 1);
    pathing_expect_part(path, 0, 90, 100, 5, GT_PATH_SCHED_IDLE);
    gt_path_close(&path);
}

static void test_wait_is_not_followed_into_goroutines_that_do_not_exist(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_WAITING);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 2, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 5, 2, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    pathing_must_move(path, 10, 2, 1, GT_GO_WAITING, GT_GO_RUNNING);
    pathing_must_move(path, 20, 1, 1, GT_GO_RUNNING, GT_GO_WAITING);
    pathing_must_move(path, 30, 99, 1, GT_GO_WAITING, GT_GO_RUNNING);
    pathing_must_move(path, 40, 98, 98, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    assert_int_equal(pathing_follow(path, 1, 0, 40), 4);
    pathing_expect_part(path, 0, 0, 10, 1, GT_PATH_WAITING);
    pathing_expect_part(path, 1, 10, 20, 1, GT_PATH_RUNNING);
    pathing_expect_part(path, 2, 20, 30, 1, GT_PATH_WAITING);
    pathing_expect_part(path, 3, 30, 40, 1, GT_PATH_RUNNING);
    assert_status(gt_path_follow(path, 99, 0, 40), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_follow(path, 98, 0, 40), GT_ERR_NOT_AVAILABLE);
    gt_path_close(&path);
}

/* A sample of a goroutine that does not run, or is not known, says nothing. */
static void test_samples_divide_the_time_of_a_running_goroutine_by_stacks(void **state)
{
    gt_path *path = pathing_open(0, 0, 0);
    gt_frame frame;
    size_t count;
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    assert_status(pathing_sample(path, 10, 1, 100), GT_OK);
    assert_status(pathing_sample(path, 15, 2, 200), GT_OK);
    assert_status(pathing_sample(path, 15, 3, 300), GT_OK);
    assert_status(pathing_move_at(path, 20, 1, 1, GT_GO_RUNNING, GT_GO_SYSCALL, 400), GT_OK);
    assert_int_equal(pathing_follow(path, 1, 0, 20), 2);
    assert_status(gt_path_part_frames(path, 0, &frame, 1, &count), GT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(frame.line, 100);
    assert_status(gt_path_part_frames(path, 1, &frame, 1, &count), GT_OK);
    assert_int_equal(frame.line, 400);
    assert_status(gt_path_part_frames(path, 1, NULL, 0, &count), GT_OK);
    assert_int_equal(count, 1);
    assert_status(gt_path_part_frames(path, 2, &frame, 1, &count), GT_ERR_NOT_AVAILABLE);
    assert_int_equal(pathing_follow(path, 2, 0, 20), 1);
    pathing_expect_part(path, 0, 0, 20, 2, GT_PATH_WAITING);
    gt_path_close(&path);
}

/* The path of a task that ends outside of all known goroutines is not known. */
static void test_tasks_end_in_a_goroutine_or_in_none(void **state)
{
    gt_path *path = pathing_open(GT_PATH_TASKS, 0, 0);
    gt_path_row row = GT_PATH_ROW_INIT;
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_task(path, GT_EVENT_TASK_END, 5, 1, 9, "none"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 10, 1, 7, "early"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 15, 1, 7, "late"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 30, 1, 8, "empty"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_END, 30, GT_NO_GOROUTINE, 8, "empty"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 30, 1, 6, "other"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_END, 40, GT_NO_GOROUTINE, 7, "late"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_END, 42, 1, 6, "other"), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 3);
    expect_interval(path, 0, GT_NO_GOROUTINE, 30, 30, "empty");
    expect_interval(path, 1, GT_NO_GOROUTINE, 15, 40, "late");
    expect_interval(path, 2, 1, 30, 42, "other");
    assert_status(gt_path_select(path, 0, INT64_MAX), GT_OK);
    assert_int_equal(gt_path_row_count(path), 2);
    assert_status(gt_path_get_row(path, 0, &row), GT_OK);
    assert_int_equal(row.state, GT_PATH_UNKNOWN);
    assert_int_equal(row.time, 25);
    assert_status(gt_path_get_row(path, 1, &row), GT_OK);
    assert_int_equal(row.state, GT_PATH_RUNNING);
    assert_int_equal(row.time, 12);
    gt_path_close(&path);
}

static void test_regions_belong_to_goroutines_that_exist(void **state)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 0);
    (void) state;
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 0, 1, "before"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 1, 1, "before"), GT_OK);
    pathing_must_move(path, 2, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 3, 1, "none"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 4, 1, "outer"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 5, 1, "inner"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 6, 1, "inner"), GT_OK);
    /* The goroutine ends within the outer region, and is another one afterwards. */
    pathing_must_move(path, 7, 1, 1, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 8, 1, "outer"), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 1);
    expect_interval(path, 0, 1, 5, 6, "inner");
    gt_path_close(&path);
}

/* What was not asked for is no interval. */
static void test_only_intervals_that_were_asked_for_count(void **state)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    (void) state;
    options.flags = GT_PATH_REGIONS;
    options.name = (gt_string){"wanted", 6};
    assert_status(gt_path_open(&path, &options, NULL), GT_OK);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 1, 1, 7, "wanted"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 2, 1, "other"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 3, 1, "wanted"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 8, 1, "wanted"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 9, 1, "other"), GT_OK);
    assert_status(pathing_task(path, GT_EVENT_TASK_END, 10, 1, 7, "wanted"), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 1);
    expect_interval(path, 0, 1, 3, 8, "wanted");
    gt_path_close(&path);
    path = pathing_open(GT_PATH_TASKS, 0, 0);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 2, 1, "other"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 3, 1, "other"), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 0);
    gt_path_close(&path);
}

/* Lives of goroutines whose creation is not in the trace are no intervals, even if they end. */
static void expect_name(const gt_path *path, size_t index, const char *name, uint64_t count)
{
    gt_string found;
    uint64_t found_count;
    assert_status(gt_path_get_name(path, index, &found, &found_count), GT_OK);
    assert_text(found, name);
    assert_int_equal(found_count, count);
}

/* They are known although their intervals are not followed. */
static void test_names_are_those_of_all_intervals(void **state)
{
    static const char *const names[] = {"late", "often", "early", "often"};
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    gt_string name;
    uint64_t count;
    (void) state;
    options.flags = GT_PATH_TASKS;
    options.name = (gt_string){"none", 4};
    assert_status(gt_path_open(&path, &options, NULL), GT_OK);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (int64_t i = 0; i < 4; i++) {
        assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, i, 1, (uint64_t) i + 1, names[i]),
                      GT_OK);
        assert_status(pathing_task(path, GT_EVENT_TASK_END, i, 1, (uint64_t) i + 1, names[i]),
                      GT_OK);
    }
    assert_status(pathing_task(path, GT_EVENT_TASK_BEGIN, 9, 1, 9, "unfinished"), GT_OK);
    assert_status(gt_path_get_name(path, 0, &name, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_finish(path), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 0);
    expect_name(path, 0, "often", 2);
    expect_name(path, 1, "early", 1);
    expect_name(path, 2, "late", 1);
    assert_status(gt_path_get_name(path, 3, &name, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_get_name(NULL, 0, &name, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_name(path, 0, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_name(path, 0, &name, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_path_close(&path);
}

static void test_lives_of_goroutines_begin_with_their_creation(void **state)
{
    gt_path *path = pathing_open(GT_PATH_GOROUTINES, 0, 0);
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 5, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    create_and_start(path, 10, 2);
    create_and_start(path, 21, 3);
    pathing_must_move(path, 35, 2, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    pathing_must_move(path, 40, 5, 5, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    /* Named again after its end, it is no new goroutine. */
    pathing_must_move(path, 45, GT_NO_GOROUTINE, 2, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 50, 2, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    assert_int_equal(gt_path_interval_count(path), 1);
    expect_interval(path, 0, 2, 10, 35, "");
    assert_status(gt_path_finish(path), GT_OK);
    assert_int_equal(gt_path_interval_count(path), 2);
    expect_interval(path, 1, 3, 21, 50, "");
    gt_path_close(&path);
}

/* Regions of the given durations, the k-th of which spends its last unit in a system call. */
static gt_path *open_durations(const int64_t *durations, size_t count, size_t k)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 0);
    int64_t time = 0;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    for (size_t i = 0; i < count; i++) {
        assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, time, 1, "work"), GT_OK);
        time += durations[i];
        if (i == k) {
            pathing_must_move(path, time - 1, 1, 1, GT_GO_RUNNING, GT_GO_SYSCALL);
            pathing_must_move(path, time, 1, 1, GT_GO_SYSCALL, GT_GO_RUNNING);
        }
        assert_status(pathing_region(path, GT_EVENT_REGION_END, time, 1, "work"), GT_OK);
    }
    return path;
}

static void test_quantiles_are_durations_of_intervals(void **state)
{
    static const int64_t durations[] = {30, 10, 40, 20};

    static const struct {
        double part;
        int64_t duration;
    } quantiles[] = {{0, 10}, {0.25, 10}, {0.26, 20}, {0.5, 20}, {0.75, 30}, {0.99, 40}, {1, 40}};

    gt_path *path = open_durations(durations, 4, 9);
    int64_t duration;
    (void) state;
    for (size_t i = 0; i < sizeof(quantiles) / sizeof(*quantiles); i++) {
        assert_status(gt_path_quantile(path, quantiles[i].part, &duration), GT_OK);
        assert_int_equal(duration, quantiles[i].duration);
    }
    /* Intervals that come later count as well. */
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 200, 1, "work"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 205, 1, "work"), GT_OK);
    assert_status(gt_path_quantile(path, 0.2, &duration), GT_OK);
    assert_int_equal(duration, 5);
    assert_status(gt_path_quantile(path, (double) NAN, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_quantile(path, -0.1, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_quantile(path, 0.5, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_path_close(&path);
}

static void test_selection_has_the_rows_of_its_intervals_only(void **state)
{
    static const int64_t durations[] = {30, 10, 40, 20};
    gt_path *path = open_durations(durations, 4, 2);
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_frame frame;
    size_t count = 9;
    (void) state;
    assert_status(gt_path_select(path, 20, 30), GT_OK);
    assert_int_equal(gt_path_selected_count(path), 2);
    assert_int_equal(gt_path_row_count(path), 1);
    assert_status(gt_path_get_row(path, 0, &row), GT_OK);
    assert_int_equal(row.state, GT_PATH_RUNNING);
    assert_int_equal(row.count, 2);
    assert_int_equal(row.time, 50);
    assert_status(gt_path_row_frames(path, 0, &frame, 1, &count), GT_OK);
    assert_int_equal(count, 0);
    assert_status(gt_path_row_frames(path, 1, &frame, 1, &count), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_path_select(path, 31, INT64_MAX), GT_OK);
    assert_int_equal(gt_path_selected_count(path), 1);
    assert_int_equal(gt_path_row_count(path), 2);
    assert_status(gt_path_get_row(path, 1, &row), GT_OK);
    assert_int_equal(row.state, GT_PATH_SYSCALL);
    assert_int_equal(row.time, 1);
    assert_status(gt_path_select(path, 41, INT64_MAX), GT_OK);
    assert_int_equal(gt_path_row_count(path), 0);
    gt_path_close(&path);
}

/* Goroutine 3 calls the system and comes back, many times from `time` on. Returns the time then. */
static int64_t fill(gt_path *path, int64_t time)
{
    for (int i = 0; i < LONG; i++) {
        pathing_must_move(path, time++, 3, 3, GT_GO_RUNNING, GT_GO_SYSCALL);
        pathing_must_move(path, time++, 3, 3, GT_GO_SYSCALL, GT_GO_RUNNING);
    }
    return time;
}

/* Goroutines that exist remain known although all of their past is forgotten. */
static void test_past_of_goroutines_that_live_on_may_be_forgotten(void **state)
{
    gt_path *path = pathing_open(GT_PATH_GOROUTINES, 1, 0);
    (void) state;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    pathing_must_move(path, 1, 1, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    pathing_must_move(path, 1, 1, 4, GT_GO_NOT_EXIST, GT_GO_WAITING);
    pathing_must_move(path, 2, GT_NO_GOROUTINE, 3, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    int64_t time = fill(path, 3);
    assert_true(info_of(path).forgotten > 4);
    /* How long it was runnable is not known, and neither is what created it. */
    pathing_must_move(path, time, GT_NO_GOROUTINE, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    assert_int_equal(pathing_follow(path, 2, 0, time + 1), 2);
    pathing_expect_part(path, 0, 0, time, 2, GT_PATH_UNKNOWN);
    /* Its creator is known, but not what it did. */
    pathing_must_move(path, time + 2, 1, 5, GT_GO_NOT_EXIST, GT_GO_RUNNING);
    assert_int_equal(pathing_follow(path, 5, 0, time + 3), 2);
    pathing_expect_part(path, 0, 0, time + 2, 5, GT_PATH_UNKNOWN);
    /* It waited, since when is not known. */
    pathing_must_move(path, time + 5, 5, 4, GT_GO_WAITING, GT_GO_RUNNING);
    pathing_must_move(path, time + 6, 4, 4, GT_GO_RUNNING, GT_GO_SYSCALL);
    assert_int_equal(pathing_follow(path, 4, 0, time + 6), 2);
    pathing_expect_part(path, 0, 0, time + 5, 4, GT_PATH_UNKNOWN);
    pathing_expect_part(path, 1, time + 5, time + 6, 4, GT_PATH_RUNNING);
    /* Goroutine 1 has done nothing that is known. */
    assert_int_equal(pathing_follow(path, 1, 0, time), 1);
    pathing_expect_part(path, 0, 0, time, 1, GT_PATH_UNKNOWN);
    /* An interval from far before its end. */
    assert_true(pathing_follow(path, 3, 5, 7) == 1);
    pathing_expect_part(path, 0, 5, 7, 3, GT_PATH_UNKNOWN);
    gt_path_close(&path);
}

/* An id that is used again and again is that of the latest goroutine, also when others go. */
static void test_ids_are_used_again_while_their_past_is_forgotten(void **state)
{
    gt_path *path = pathing_open(0, 512 << 10, 0);
    gt_path_info info;
    int64_t time = 0;
    (void) state;
    for (int i = 0; i < LONG; i++) {
        int64_t id = 1 + i % 7;
        pathing_must_move(path, time++, GT_NO_GOROUTINE, id, GT_GO_NOT_EXIST, GT_GO_RUNNING);
        pathing_must_move(path, time++, id, id, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    }
    info = info_of(path);
    assert_int_equal(info.changes, 2 * LONG);
    /* Eight chunks are kept, of records of five bytes or more. */
    assert_true(info.changes - info.forgotten <= (512 << 10) / 5);
    assert_true(info.changes - info.forgotten > (512 << 10) / 42);
    assert_true(info.memory_peak < 4 << 20);
    for (int64_t id = 1; id <= 7; id++)
        pathing_follow(path, id, 0, time);
    gt_path_close(&path);
}

static void test_states_have_names(void **state)
{
    static const char *const names[] = {
        "bad",     "running", "syscall",     "scheduler, procs busy", "scheduler, proc idle",
        "waiting", "unknown", "not followed"};
    (void) state;
    for (uint32_t i = 0; i <= GT_PATH_CUT; i++)
        assert_string_equal(gt_path_state_name(i), names[i]);
    assert_string_equal(gt_path_state_name(GT_PATH_CUT + 1), "bad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_procs_are_busy_when_threads_hold_all_of_them),
        cmocka_unit_test(test_wait_is_not_followed_into_goroutines_that_do_not_exist),
        cmocka_unit_test(test_samples_divide_the_time_of_a_running_goroutine_by_stacks),
        cmocka_unit_test(test_tasks_end_in_a_goroutine_or_in_none),
        cmocka_unit_test(test_regions_belong_to_goroutines_that_exist),
        cmocka_unit_test(test_only_intervals_that_were_asked_for_count),
        cmocka_unit_test(test_names_are_those_of_all_intervals),
        cmocka_unit_test(test_lives_of_goroutines_begin_with_their_creation),
        cmocka_unit_test(test_quantiles_are_durations_of_intervals),
        cmocka_unit_test(test_selection_has_the_rows_of_its_intervals_only),
        cmocka_unit_test(test_past_of_goroutines_that_live_on_may_be_forgotten),
        cmocka_unit_test(test_states_have_names),
        cmocka_unit_test(test_ids_are_used_again_while_their_past_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
