/* SPDX-License-Identifier: BSD-3-Clause */

/* Critical paths without memory, with calls that are wrong, and with an allocator that calls. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pathing.h"
#include "support/calling.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    ROUNDS = 400,
    SHORT_LIVES = 12000
};

#define ALL (GT_PATH_TASKS | GT_PATH_REGIONS | GT_PATH_GOROUTINES)

/* A path whose first failure remains: every later call has to return it as well. */
struct failing {
    gt_path *path;
    gt_status status;
    bool was_short; /* the memory for a path was not there, which is no failure that remains */
};

static void note(struct failing *failing, gt_status status)
{
    if (failing->status != GT_OK)
        assert_status(status, failing->status);
    failing->status = status;
}

/* A goroutine that waits for another one, in a region of a task, with stacks of its own. */
static void feed_round(struct failing *failing, int64_t i)
{
    gt_path *path = failing->path;
    int64_t time = 100 * i, id = 10 + i;
    uint64_t line = 1 + 10 * (uint64_t) i;
    note(failing, pathing_move_at(path, time, 1, id, GT_GO_NOT_EXIST, GT_GO_RUNNABLE, line));
    note(failing, pathing_move_at(path, time + 5, id, id, GT_GO_RUNNABLE, GT_GO_RUNNING, 0));
    note(failing, pathing_task(path, GT_EVENT_TASK_BEGIN, time + 6, id, (uint64_t) id, "task"));
    note(failing, pathing_region(path, GT_EVENT_REGION_BEGIN, time + 7, id, "region"));
    note(failing, pathing_move_at(path, time + 9, 1, 1, GT_GO_RUNNING, GT_GO_WAITING, line + 1));
    note(failing, pathing_sample(path, time + 10, id, line + 2));
    note(failing, pathing_move_at(path, time + 20, id, id, GT_GO_RUNNING, GT_GO_SYSCALL, line + 3));
    note(failing, pathing_move_at(path, time + 30, id, id, GT_GO_SYSCALL, GT_GO_RUNNING, 0));
    note(failing, pathing_move_at(path, time + 40, id, 1, GT_GO_WAITING, GT_GO_RUNNING, line + 4));
    note(failing, pathing_region(path, GT_EVENT_REGION_END, time + 50, id, "region"));
    if (i % 2 == 0)
        note(failing, pathing_task(path, GT_EVENT_TASK_END, time + 51,
                                   i % 4 == 0 ? GT_NO_GOROUTINE : id, (uint64_t) id, "task"));
    if (i % 3 == 0)
        note(failing,
             pathing_move_at(path, time + 60, id, id, GT_GO_RUNNING, GT_GO_NOT_EXIST, line + 5));
    note(failing, pathing_proc(path, time + 70, i, GT_PROC_IDLE, GT_PROC_RUNNING));
}

/* Too little memory for a path leaves the object as it was, so that the next call succeeds. */
static void follow(struct failing *failing)
{
    gt_status status = gt_path_follow(failing->path, 1, 0, 100 * ROUNDS);
    assert_true((gt_path_part_count(failing->path) > 0) == (status == GT_OK));
    if (failing->status != GT_OK) {
        assert_status(status, failing->status);
        return;
    }
    failing->was_short = status != GT_OK;
    if (failing->was_short)
        assert_status(status, GT_ERR_NO_MEMORY);
    assert_status(gt_path_follow(failing->path, 1, 0, 100 * ROUNDS), GT_OK);
    assert_true(gt_path_part_count(failing->path) > 0);
}

static void ask(struct failing *failing)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    int64_t duration;
    note(failing, gt_path_finish(failing->path));
    note(failing, gt_path_quantile(failing->path, 0.5, &duration));
    note(failing, gt_path_select(failing->path, 0, INT64_MAX));
    assert_true((gt_path_row_count(failing->path) > 0) == (failing->status == GT_OK));
    follow(failing);
    note(failing, gt_path_quantile(failing->path, 0.5, &duration));
    note(failing, gt_path_select(failing->path, 0, INT64_MAX));
    note(failing, gt_path_finish(failing->path));
    assert_status(gt_path_get_info(failing->path, &info), GT_OK);
}

/* Goroutine 1 waits for the others in turn, so that its path goes through all of them. */
static gt_status find_made(struct probe *probe, const char *name)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    struct failing failing = {NULL, GT_OK, false};
    options.flags = ALL;
    options.allocator = &probe->allocator;
    options.steps = 0;
    options.history = 1;
    if (name)
        options.name = (gt_string){name, strlen(name)};
    failing.status = gt_path_open(&failing.path, &options, NULL);
    if (failing.status != GT_OK) {
        assert_null(failing.path);
        return failing.status;
    }
    note(&failing,
         pathing_move(failing.path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING));
    for (int64_t i = 0; i < ROUNDS; i++)
        feed_round(&failing, i);
    ask(&failing);
    gt_path_close(&failing.path);
    return failing.was_short ? GT_ERR_NO_MEMORY : failing.status;
}

static void test_failing_allocation_is_reported_and_remains(void **state)
{
    static const char *const names[] = {NULL, "region"};
    struct probe probe;
    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        probe_init(&probe);
        assert_status(find_made(&probe, names[i]), GT_OK);
        probe_check(&probe);
        uint64_t calls = probe.calls;
        assert_true(calls > 50);
        for (uint64_t at = 1; at <= calls; at++) {
            probe_init(&probe);
            probe.fail_at = at;
            assert_status(find_made(&probe, names[i]), GT_ERR_NO_MEMORY);
            probe_check(&probe);
        }
    }
}

/* More goroutines than the least history has room for. */
static gt_status find_forgotten(struct probe *probe)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path_info info = GT_PATH_INFO_INIT;
    struct failing failing = {NULL, GT_OK, false};
    options.allocator = &probe->allocator;
    options.history = 1;
    failing.status = gt_path_open(&failing.path, &options, NULL);
    if (failing.status != GT_OK)
        return failing.status;
    for (int64_t i = 1; i < SHORT_LIVES; i++) {
        note(&failing, pathing_move(failing.path, i, 0, i, GT_GO_NOT_EXIST, GT_GO_RUNNING));
        note(&failing, pathing_move(failing.path, i, i, i, GT_GO_RUNNING, GT_GO_NOT_EXIST));
    }
    assert_status(gt_path_get_info(failing.path, &info), GT_OK);
    assert_true(info.forgotten > 0 || failing.status != GT_OK);
    gt_path_close(&failing.path);
    return failing.was_short ? GT_ERR_NO_MEMORY : failing.status;
}

static void test_failing_allocation_is_reported_while_the_past_is_forgotten(void **state)
{
    struct probe probe;
    (void) state;
    probe_init(&probe);
    assert_status(find_forgotten(&probe), GT_OK);
    uint64_t calls = probe.calls;
    for (uint64_t at = 1; at <= calls; at++) {
        probe_init(&probe);
        probe.fail_at = at;
        assert_status(find_forgotten(&probe), GT_ERR_NO_MEMORY);
        probe_check(&probe);
    }
}

/* Finds the paths of a trace, of which the reader has memory. */
static gt_status find_recorded(struct probe *probe, const uint8_t *data, size_t size)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    gt_reader *reader;
    const gt_event *event;
    options.flags = ALL;
    options.allocator = &probe->allocator;
    gt_status status = gt_path_open(&path, &options, NULL);
    if (status != GT_OK)
        return status;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_path_event(path, reader, event);
    gt_reader_close(&reader);
    status = status == GT_OK ? gt_path_finish(path) : status;
    assert_status(gt_path_finish(path), status);
    gt_path_close(&path);
    return status;
}

static void test_failing_allocation_is_reported_in_recorded_traces(void **state)
{
    static const char *const names[] = {"v2/go1.26-tasks.trace", "v2/go1.26-coro.trace"};
    struct probe probe;
    (void) state;
    for (size_t i = 0; i < (TEST_SANITIZED ? 1 : sizeof(names) / sizeof(*names)); i++) {
        char *path = files_join(files_testdata(), names[i]);
        size_t size;
        uint8_t *data = files_read(path, &size);
        probe_init(&probe);
        assert_status(find_recorded(&probe, data, size), GT_OK);
        uint64_t calls = probe.calls;
        for (uint64_t at = 1; at <= calls; at++) {
            probe_init(&probe);
            probe.fail_at = at;
            assert_status(find_recorded(&probe, data, size), GT_ERR_NO_MEMORY);
            probe_check(&probe);
        }
        free(data);
        free(path);
    }
}

static void use_path(void *user_data)
{
    gt_path **used = user_data, *path = *used;
    int64_t duration;
    assert_status(pathing_procs(path, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_finish(path), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_follow(path, 1, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_select(path, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_quantile(path, 0.5, &duration), GT_ERR_INVALID_ARGUMENT);
    gt_path_close(&path);
    assert_ptr_equal(path, *used);
}

static void test_allocator_that_uses_its_path_is_refused(void **state)
{
    struct calling calling;
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_path *path;
    (void) state;
    calling_init(&calling);
    options.allocator = &calling.allocator;
    assert_status(gt_path_open(&path, &options, NULL), GT_OK);
    calling.call = use_path;
    calling.user_data = &path;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(gt_path_follow(path, 1, 0, 1), GT_OK);
    assert_true(calling.calls > 2);
    calling.call = NULL;
    gt_path_close(&path);
    assert_null(path);
}

static void test_results_of_no_path_are_refused(void **state)
{
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_path_part part = GT_PATH_PART_INIT;
    gt_path_info info = GT_PATH_INFO_INIT;
    int64_t duration;
    gt_frame frame;
    size_t count;
    (void) state;
    assert_status(gt_path_get_interval(NULL, 0, &interval), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_row(NULL, 0, &row), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_part(NULL, 0, &part), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_row_frames(NULL, 0, &frame, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_part_frames(NULL, 0, &frame, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(pathing_procs(NULL, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_follow(NULL, 1, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_select(NULL, 0, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_quantile(NULL, 0.5, &duration), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(gt_path_part_count(NULL) + gt_path_selected_count(NULL), 0);
    gt_path_close(NULL);
}

static void test_results_need_room_of_the_right_size(void **state)
{
    gt_path *path = pathing_open(GT_PATH_REGIONS, 0, 0);
    gt_path_interval interval = GT_PATH_INTERVAL_INIT;
    gt_path_row row = GT_PATH_ROW_INIT;
    gt_path_part part = GT_PATH_PART_INIT;
    gt_path_info info = GT_PATH_INFO_INIT;
    gt_frame frame;
    size_t count;
    (void) state;
    interval.size = row.size = part.size = info.size = 4;
    pathing_must_move(path, 0, GT_NO_GOROUTINE, 1, GT_GO_UNDETERMINED, GT_GO_RUNNING);
    assert_status(pathing_region(path, GT_EVENT_REGION_BEGIN, 0, 1, "work"), GT_OK);
    assert_status(pathing_region(path, GT_EVENT_REGION_END, 9, 1, "work"), GT_OK);
    assert_status(gt_path_select(path, 0, 9), GT_OK);
    assert_status(gt_path_follow(path, 1, 0, 9), GT_OK);
    assert_status(gt_path_get_interval(path, 0, &interval), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_row(path, 0, &row), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_part(path, 0, &part), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_info(path, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_row_frames(path, 0, NULL, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_row_frames(path, 0, &frame, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_part_frames(path, 0, &frame, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_follow(path, 1, 2, 1), GT_ERR_INVALID_ARGUMENT);
    gt_path_close(&path);
}

/* An event that its reader has delivered before, but not last, is not taken. */
static void test_event_of_the_past_is_refused(void **state)
{
    char *name = files_join(files_testdata(), "v2/go1.26-tasks.trace");
    gt_reader *readers[2];
    const gt_event *events[2];
    gt_path *path = pathing_open(0, 0, 0);
    gt_path_info info = GT_PATH_INFO_INIT;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        assert_status(gt_reader_open_file(&readers[i], name, NULL, NULL), GT_OK);
        assert_status(gt_reader_next_event(readers[i], &events[i]), GT_OK);
    }
    assert_status(gt_path_event(path, readers[0], events[1]), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_path_get_info(path, &info), GT_OK);
    assert_int_equal(info.events, 0);
    for (size_t i = 0; i < 2; i++)
        gt_reader_close(&readers[i]);
    gt_path_close(&path);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_remains),
        cmocka_unit_test(test_failing_allocation_is_reported_while_the_past_is_forgotten),
        cmocka_unit_test(test_failing_allocation_is_reported_in_recorded_traces),
        cmocka_unit_test(test_allocator_that_uses_its_path_is_refused),
        cmocka_unit_test(test_results_of_no_path_are_refused),
        cmocka_unit_test(test_results_need_room_of_the_right_size),
        cmocka_unit_test(test_event_of_the_past_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
