/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A snapshot gives what the end would give if the trace ended there, and the end is the same with
 * and without snapshots: for every trace of the test data.
 */

#include <stdlib.h>
#include <string.h>

#include "shown.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/suite.h"

enum {
    /* The snapshots of a trace; one of them is before the first event. */
    MOMENTS = 6
};

static gt_reader *open_trace(const char *path)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;

    options.flags = GT_READER_LENIENT;
    assert_status(gt_reader_open_file(&reader, path, &options, NULL), GT_OK);
    return reader;
}

static uint64_t count_events(const char *path)
{
    gt_reader *reader = open_trace(path);
    const gt_event *event;
    uint64_t count = 0;

    while (gt_reader_next_event(reader, &event) == GT_OK)
        count++;
    gt_reader_close(&reader);
    return count;
}

/* The moments of snapshots, which differ from trace to trace, in the order of the events. */
static void choose_moments(uint64_t moments[MOMENTS], uint64_t events)
{
    for (uint64_t i = 0; i < MOMENTS; i++)
        moments[i] = i * (events + i) / MOMENTS;
}

/* Feeds the next events until `count` were fed. */
static void feed_until(struct shown *shown, gt_reader *reader, uint64_t *fed, uint64_t count)
{
    const gt_event *event;

    for (; *fed < count && gt_reader_next_event(reader, &event) == GT_OK; ++*fed)
        shown_event(shown, reader, event);
}

/* What the analyses give if the trace ends after `count` events. */
static char *text_of_end(const char *path, uint64_t count)
{
    struct shown shown;
    gt_reader *reader = open_trace(path);
    uint64_t fed = 0;

    shown_open(&shown, NULL);
    feed_until(&shown, reader, &fed, count);
    gt_reader_close(&reader);
    shown_finish(&shown);
    char *text = shown_text(&shown);
    shown_close(&shown);
    return text;
}

static void assert_same(char *left, char *right)
{
    assert_non_null(left);
    assert_non_null(right);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

static void test_snapshots_equal_ends(void **state)
{
    const char *path = *state;
    uint64_t events = count_events(path), moments[MOMENTS], fed = 0;
    gt_reader *reader = open_trace(path);
    struct shown shown;

    choose_moments(moments, events);
    shown_open(&shown, NULL);
    for (size_t i = 0; i < MOMENTS; i++) {
        feed_until(&shown, reader, &fed, moments[i]);
        assert_status(shown_snapshot(&shown), GT_OK);
        assert_same(shown_text(&shown), text_of_end(path, moments[i]));
        assert_same(shown_rest(shown.dropping), shown_rest(shown.summary));
        assert_status(shown_snapshot(&shown), GT_OK);
    }
    feed_until(&shown, reader, &fed, UINT64_MAX);
    assert_int_equal(fed, events);
    gt_reader_close(&reader);
    shown_finish(&shown);
    assert_status(shown_snapshot(&shown), GT_OK);
    assert_same(shown_text(&shown), text_of_end(path, UINT64_MAX));
    shown_close(&shown);
}

/* Fails each allocation of a snapshot in turn, until there are no more. */
static void fail_snapshots(struct shown *shown, struct probe *probe)
{
    gt_status status = GT_ERR_NO_MEMORY;

    for (uint64_t next = 1; status != GT_OK; next++) {
        probe->fail_at = probe->calls + next;
        status = shown_snapshot(shown);
        assert_true(status == GT_OK || status == GT_ERR_NO_MEMORY);
    }
    probe->fail_at = 0;
}

/* The trace has tasks, regions and many goroutines. */
static void test_snapshots_without_memory_change_nothing(void **state)
{
    char *path = files_join(files_testdata(), "v2/go1.23-gcgens.trace");
    uint64_t events = count_events(path), moments[MOMENTS], fed = 0;
    gt_reader *reader = open_trace(path);
    struct probe probe;
    struct shown shown;

    (void) state;
    choose_moments(moments, events);
    probe_init(&probe);
    shown_open(&shown, &probe.allocator);
    for (size_t i = 0; i < MOMENTS; i++) {
        feed_until(&shown, reader, &fed, moments[i]);
        fail_snapshots(&shown, &probe);
        assert_same(shown_text(&shown), text_of_end(path, moments[i]));
    }
    feed_until(&shown, reader, &fed, UINT64_MAX);
    assert_true(probe.failed > 0);
    gt_reader_close(&reader);
    shown_finish(&shown);
    assert_same(shown_text(&shown), text_of_end(path, UINT64_MAX));
    shown_close(&shown);
    probe_check(&probe);
    free(path);
}

/* The memory of analyses that have taken 2000 events, with a snapshot after every `step` events. */
static uint64_t bytes_after_snapshots(uint64_t step)
{
    char *path = files_join(files_testdata(), "v2/go1.27-mix.trace");
    gt_reader *reader = open_trace(path);
    uint64_t fed = 0, live;
    struct probe probe;
    struct shown shown;

    probe_init(&probe);
    shown_open(&shown, &probe.allocator);
    while (fed < 2000) {
        feed_until(&shown, reader, &fed, fed + step);
        assert_status(shown_snapshot(&shown), GT_OK);
    }
    live = probe.live_bytes;
    gt_reader_close(&reader);
    shown_close(&shown);
    probe_check(&probe);
    free(path);
    return live;
}

/* Snapshots use the memory of earlier ones. */
static void test_repeated_snapshots_take_no_more_memory(void **state)
{
    (void) state;
    assert_in_range(bytes_after_snapshots(1), 1, bytes_after_snapshots(2000) * 11 / 10);
}

static void assert_hidden(const struct shown *shown)
{
    size_t count;

    assert_null(gt_summary_goroutines(shown->summary, &count));
    assert_int_equal(count, 0);
    assert_null(gt_summary_tasks(shown->summary, &count));
    assert_null(gt_summary_find_goroutine(shown->summary, 1));
    assert_null(gt_summary_goroutines(shown->dropping, &count));
    assert_int_equal(gt_latency_series_count(shown->latency), 0);
    assert_int_equal(gt_latency_pair_count(shown->latency), 0);
    assert_int_equal(gt_profile_count(shown->profiles[0], GT_PROFILE_SCHED), 0);
}

static void test_a_snapshot_ends_with_the_next_event(void **state)
{
    char *path = files_join(files_testdata(), "v2/go1.27-mix.trace");
    gt_reader *reader = open_trace(path);
    uint64_t fed = 0;
    struct shown shown;

    (void) state;
    shown_open(&shown, NULL);
    feed_until(&shown, reader, &fed, 1000);
    assert_hidden(&shown);
    assert_status(shown_snapshot(&shown), GT_OK);
    assert_true(gt_latency_series_count(shown.latency) > 0);
    assert_true(gt_profile_count(shown.profiles[1], GT_PROFILE_WALL) > 0);
    feed_until(&shown, reader, &fed, 1001);
    assert_hidden(&shown);
    gt_reader_close(&reader);
    shown_close(&shown);
    free(path);
}

/* Neither the events of another reader are taken nor earlier ones; the right ones still are. */
static void test_events_of_other_readers_are_refused(void **state)
{
    char *path = files_join(files_testdata(), "v2/go1.27-mix.trace");
    gt_reader *reader = open_trace(path), *other = open_trace(path);
    gt_validator *validator;
    const gt_event *event, *strange, *next;
    struct shown shown;

    (void) state;
    shown_open(&shown, NULL);
    assert_status(gt_validator_open(&validator, NULL, NULL), GT_OK);
    assert_int_equal(gt_reader_has_event(reader, NULL), 0);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_reader_next_event(other, &strange), GT_OK);
    assert_int_equal(gt_reader_has_event(reader, event), 1);
    assert_int_equal(gt_reader_has_event(NULL, event), 0);
    assert_int_equal(gt_reader_has_event(reader, strange), 0);
    assert_status(gt_summary_event(shown.summary, reader, strange), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_event(shown.latency, reader, strange), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(shown.profiles[0], reader, strange), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_validator_event(validator, reader, strange), GT_ERR_INVALID_ARGUMENT);
    shown_event(&shown, reader, event);
    assert_status(gt_validator_event(validator, reader, event), GT_OK);
    /* The Sync comes alone, so that its memory may be that of the next event. */
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    shown_event(&shown, reader, event);
    assert_status(gt_reader_next_event(reader, &next), GT_OK);
    assert_int_equal(gt_reader_has_event(reader, event), 0);
    assert_status(gt_summary_event(shown.summary, reader, event), GT_ERR_INVALID_ARGUMENT);
    shown_event(&shown, reader, next);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        next = event;
    assert_int_equal(gt_reader_has_event(reader, next), 0);
    gt_reader_close(&reader);
    gt_reader_close(&other);
    gt_validator_close(&validator);
    shown_close(&shown);
    free(path);
}

static void test_null_is_refused(void **state)
{
    (void) state;
    assert_status(gt_summary_snapshot(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_snapshot(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_snapshot(NULL), GT_ERR_INVALID_ARGUMENT);
}

static void add_traces(struct suite *suite, const char *folder)
{
    char *directory = files_join(files_testdata(), folder);
    struct file_list list = {0};

    files_list(&list, directory, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        suite_add(suite, path, test_snapshots_equal_ends, path);
    }
    files_list_free(&list);
    free(directory);
}

int main(void)
{
    struct suite suite = {0};

    add_traces(&suite, "v1");
    add_traces(&suite, "v2");
    suite_add(&suite, "memory", test_snapshots_without_memory_change_nothing, NULL);
    suite_add(&suite, "repeated", test_repeated_snapshots_take_no_more_memory, NULL);
    suite_add(&suite, "hidden", test_a_snapshot_ends_with_the_next_event, NULL);
    suite_add(&suite, "readers", test_events_of_other_readers_are_refused, NULL);
    suite_add(&suite, "null", test_null_is_refused, NULL);
    int failed = suite_run(&suite, "snapshot");
    suite_free(&suite, free);
    return failed;
}
