/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Critical paths of all traces of the test data: their parts are disjoint and add up to the
 * interval, for all tasks and regions and for random intervals of goroutines.
 */

#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/suite.h"

enum {
    RANDOM_INTERVALS = 10000,
    MOST_GOROUTINES = 10000,
    STATES = GT_PATH_CUT + 1
};

struct traced {
    gt_path *path;
    int64_t goroutines[MOST_GOROUTINES];
    size_t goroutine_count;
    uint64_t random;
};

static uint64_t next_random(struct traced *traced)
{
    traced->random = traced->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return traced->random >> 16;
}

static void note_goroutine(struct traced *traced, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_goroutine_transition(event, &change) == GT_OK &&
        traced->goroutine_count < MOST_GOROUTINES)
        traced->goroutines[traced->goroutine_count++] = change.resource.id;
}

static void open_paths(struct traced *traced, const char *name)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    gt_reader_options lenient = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *event;
    memset(traced, 0, sizeof(*traced));
    options.flags = GT_PATH_TASKS | GT_PATH_REGIONS | GT_PATH_GOROUTINES;
    lenient.flags = GT_READER_LENIENT;
    assert_status(gt_reader_open_file(&reader, name, &lenient, NULL), GT_OK);
    assert_status(gt_path_open(&traced->path, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_path_event(traced->path, reader, event), GT_OK);
        note_goroutine(traced, event);
    }
    assert_status(gt_path_finish(traced->path), GT_OK);
    gt_reader_close(&reader);
}

/* The parts follow each other without a gap from `start` to `end`. Adds their times by state. */
static void check_parts(const gt_path *path, int64_t start, int64_t end, uint64_t *sums)
{
    size_t count = gt_path_part_count(path);
    int64_t time = start;
    for (size_t i = 0; i < count; i++) {
        gt_path_part part = GT_PATH_PART_INIT;
        assert_status(gt_path_get_part(path, i, &part), GT_OK);
        assert_int_equal(part.start, time);
        assert_true(part.end > part.start);
        assert_in_range(part.state, GT_PATH_RUNNING, GT_PATH_UNKNOWN);
        sums[part.state] += (uint64_t) (part.end - part.start);
        time = part.end;
    }
    assert_int_equal(time, end);
}

/* The rows have the times that the paths of the single intervals have. */
static void check_rows(const gt_path *path, const uint64_t *expected)
{
    uint64_t sums[STATES] = {0};
    for (size_t i = 0; i < gt_path_row_count(path); i++) {
        gt_path_row row = GT_PATH_ROW_INIT;
        assert_status(gt_path_get_row(path, i, &row), GT_OK);
        assert_true(row.time > 0);
        assert_in_range(row.count, 1, gt_path_selected_count(path));
        sums[row.state] += (uint64_t) row.time;
    }
    for (size_t i = 0; i < STATES; i++)
        assert_int_equal(sums[i], expected[i]);
}

static void check_intervals(struct traced *traced)
{
    uint64_t sums[STATES] = {0}, all = 0, expected = 0;
    size_t count = gt_path_interval_count(traced->path);
    for (size_t i = 0; i < count; i++) {
        gt_path_interval interval = GT_PATH_INTERVAL_INIT;
        assert_status(gt_path_get_interval(traced->path, i, &interval), GT_OK);
        expected += (uint64_t) (interval.end - interval.start);
        assert_status(
            gt_path_follow(traced->path, interval.goroutine, interval.start, interval.end), GT_OK);
        check_parts(traced->path, interval.start, interval.end, sums);
    }
    assert_status(gt_path_select(traced->path, INT64_MIN, INT64_MAX), GT_OK);
    assert_int_equal(gt_path_selected_count(traced->path), count);
    check_rows(traced->path, sums);
    for (size_t i = 0; i < STATES; i++)
        all += sums[i];
    assert_int_equal(all, expected);
}

static void check_random_intervals(struct traced *traced)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    uint64_t sums[STATES] = {0};
    assert_status(gt_path_get_info(traced->path, &info), GT_OK);
    uint64_t span = (uint64_t) (info.end - info.start) + 200;
    for (int i = 0; i < RANDOM_INTERVALS && traced->goroutine_count > 0; i++) {
        int64_t goroutine = traced->goroutines[next_random(traced) % traced->goroutine_count];
        int64_t start = info.start - 100 + (int64_t) (next_random(traced) % span);
        int64_t end = info.start - 100 + (int64_t) (next_random(traced) % span);
        if (end < start)
            assert_status(gt_path_follow(traced->path, goroutine, start, end),
                          GT_ERR_INVALID_ARGUMENT);
        else
            assert_status(gt_path_follow(traced->path, goroutine, start, end), GT_OK);
        if (end >= start)
            check_parts(traced->path, start, end, sums);
    }
}

static void test_parts_add_up_to_each_interval(void **state)
{
    struct traced *traced = calloc(1, sizeof(*traced));
    assert_non_null(traced);
    open_paths(traced, *state);
    check_intervals(traced);
    check_random_intervals(traced);
    gt_path_close(&traced->path);
    free(traced);
}

static void add_traces(struct suite *suite, const char *directory, const char *folder)
{
    struct file_list list = {NULL, 0};
    char *in = files_join(directory, folder);
    files_list(&list, in, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(in, list.names[i]);
        suite_add(suite, path, test_parts_add_up_to_each_interval, path);
    }
    files_list_free(&list);
    free(in);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    add_traces(&suite, files_testdata(), "v1");
    add_traces(&suite, files_testdata(), "v2");
    if (files_corpus())
        add_traces(&suite, files_corpus(), ".");
    else
        suite_add_skipped(&suite, "traces in $GT_CORPUS");
    int failures = suite_run(&suite, "path");
    suite_free(&suite, free);
    return failures;
}
