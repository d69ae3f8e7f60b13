/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Recorded traces, whole and in parts, drawn in every way. A caller may leave out events; then less
 * is drawn, but nothing fails, and nothing is drawn outside of the trace or without an end.
 */

#include <stdlib.h>
#include <string.h>

#include <gotrace/timeline.h>

#include "support/files.h"
#include "support/test.h"

#define KINDS (GT_EVENT_EXPERIMENTAL + 1)

/* The events that are passed on: from number `skip` on, and without one kind. */
struct part {
    uint64_t skip;
    uint32_t without;
};

static const struct way {
    uint32_t view;
    uint64_t flags;
    uint32_t selection;
} ways[] = {
    {GT_VIEW_PROC, 0, 0},
    {GT_VIEW_PROC, GT_TIMELINE_EXACT, 0},
    {GT_VIEW_THREAD, 0, 0},
    {GT_VIEW_THREAD, GT_TIMELINE_EXACT, 0},
    {GT_VIEW_GOROUTINE, 0, 0},
    {GT_VIEW_GOROUTINE, GT_TIMELINE_STATES, 0},
    {GT_VIEW_GOROUTINE, GT_TIMELINE_STATES | GT_TIMELINE_EXACT, 0},
    {GT_VIEW_GOROUTINE, 0, GT_SELECT_GOROUTINE},
    {GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT, GT_SELECT_TASK},
    {GT_VIEW_PROC, 0, GT_SELECT_FOCUS_TASK},
};

enum {
    WAYS = sizeof(ways) / sizeof(ways[0])
};

/* The result. */
struct drawn {
    uint64_t events;
    int64_t first_time;
    int64_t last_time;
    /* The number of arrows and asynchronous slices that lack an end. */
    int64_t open_arrows;
    int64_t open_slices;
    /* The first start and the last end of all slices. */
    int64_t end;
};

static int take(void *user_data, const gt_viewer_event *event, int required)
{
    struct drawn *drawn = user_data;
    (void) required;
    drawn->events++;
    assert_true(event->time >= 0);
    assert_true(event->duration >= 0);
    if (event->time + event->duration > drawn->end)
        drawn->end = event->time + event->duration;
    drawn->open_arrows += (event->phase == 's') - (event->phase == 't');
    drawn->open_slices += (event->phase == 'b') - (event->phase == 'e');
    return 0;
}

/* Passes some of the events to the selector or the timeline, whichever is there. */
static void feed(gt_reader *reader, struct part part, gt_selector *selector, gt_timeline *timeline,
                 struct drawn *drawn)
{
    uint64_t number = 0, given = 0;
    const gt_event *event;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (number++ < part.skip || event->kind == part.without)
            continue;
        if (given++ == 0)
            drawn->first_time = event->time;
        drawn->last_time = event->time;
        if (selector)
            assert_status(gt_selector_event(selector, event), GT_OK);
        else
            assert_status(gt_timeline_event(timeline, event), GT_OK);
    }
}

/* NULL if the trace has nothing to select. */
static gt_selector *select_one(const uint8_t *data, size_t size, struct part part,
                               uint32_t selection)
{
    struct drawn drawn = {0, 0, 0, 0, 0, 0};
    gt_selector *selector;
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_selector_open(&selector, selection, 1, NULL, NULL), GT_OK);
    feed(reader, part, selector, NULL, &drawn);
    gt_reader_close(&reader);
    status = gt_selector_finish(selector);
    if (status == GT_OK)
        return selector;
    assert_status(status, GT_ERR_NOT_AVAILABLE);
    gt_selector_close(&selector);
    return NULL;
}

static void draw(const uint8_t *data, size_t size, struct part part, const struct way *way,
                 gt_selector *selector, struct drawn *drawn)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    gt_emitter_options emitter_options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter *emitter;
    gt_timeline *timeline;
    gt_reader *reader;
    consumer.user_data = drawn;
    consumer.event = take;
    options.view = way->view;
    options.flags = way->flags;
    options.selector = selector;
    if (selector)
        assert_status(gt_selector_apply(selector, &emitter_options), GT_OK);
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_emitter_open(&emitter, &consumer, &emitter_options, NULL), GT_OK);
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL), GT_OK);
    feed(reader, part, NULL, timeline, drawn);
    assert_status(gt_timeline_finish(timeline), GT_OK);
    assert_status(gt_emitter_flush(emitter), GT_OK);
    gt_timeline_close(&timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
}

static uint64_t check_way(const uint8_t *data, size_t size, struct part part, const struct way *way)
{
    struct drawn drawn = {0, 0, 0, 0, 0, 0};
    gt_selector *selector = NULL;
    if (way->selection) {
        selector = select_one(data, size, part, way->selection);
        if (!selector)
            return 0;
    }
    draw(data, size, part, way, selector, &drawn);
    gt_selector_close(&selector);
    assert_int_equal(drawn.open_arrows, 0);
    assert_int_equal(drawn.open_slices, 0);
    assert_true(drawn.end <= drawn.last_time - drawn.first_time);
    return drawn.events;
}

static void check_kinds(const uint8_t *data, size_t size, const struct way *way)
{
    struct part part = {0, 0};
    for (part.without = 1; part.without < KINDS; part.without++)
        check_way(data, size, part, way);
}

static void check_starts(const uint8_t *data, size_t size, const struct way *way)
{
    struct part part = {1, 0};
    for (; part.skip < 400; part.skip += part.skip / 4 + 1)
        check_way(data, size, part, way);
}

static void for_file(const char *folder, const char *name,
                     void (*check)(const uint8_t *data, size_t size, const struct way *way))
{
    char *directory = files_join(files_testdata(), folder), *path = files_join(directory, name);
    size_t size;
    uint8_t *data = files_read(path, &size);
    for (size_t i = 0; i < WAYS; i++)
        check(data, size, &ways[i]);
    free(data);
    free(path);
    free(directory);
}

static void check_whole(const uint8_t *data, size_t size, const struct way *way)
{
    const struct part whole = {0, 0};
    uint64_t events = check_way(data, size, whole, way);
    assert_true(way->selection || events > 0);
}

static void test_recorded_traces_are_drawn_within_their_bounds(void **state)
{
    static const char *const folders[] = {"v1", "v2"};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct file_list list = {NULL, 0};
        char *folder = files_join(files_testdata(), folders[i]);
        files_list(&list, folder, "", ".trace");
        assert_true(list.count > 10);
        for (size_t j = 0; j < list.count; j++)
            if (!strstr(list.names[j], "-mix") && !strstr(list.names[j], "-cut"))
                for_file(folders[i], list.names[j], check_whole);
        files_list_free(&list);
        free(folder);
    }
}

static void test_missing_kind_of_events_does_no_harm(void **state)
{
    (void) state;
    for_file("v1", "go1.21-tasks.trace", check_kinds);
    for_file("v2", "go1.26-tasks.trace", check_kinds);
    for_file("v2", "go1.27-syscall.trace", check_kinds);
    for_file("v2", "go1.27-gc.trace", check_kinds);
}

static void test_missing_start_does_no_harm(void **state)
{
    (void) state;
    for_file("v1", "go1.21-tasks.trace", check_starts);
    for_file("v2", "go1.26-tasks.trace", check_starts);
    for_file("v2", "go1.27-syscall.trace", check_starts);
    for_file("v2", "go1.27-stw.trace", check_starts);
    for_file("v2", "go1.27-gc.trace", check_starts);
    for_file("v2", "go1.27-net.trace", check_starts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_traces_are_drawn_within_their_bounds),
        cmocka_unit_test(test_missing_kind_of_events_does_no_harm),
        cmocka_unit_test(test_missing_start_does_no_harm),
    };
    return cmocka_run_group_tests_name("timeline parts", tests, NULL, NULL);
}
