/* SPDX-License-Identifier: BSD-3-Clause */

/* How drawing can end: wrong calls, callbacks that refuse, no memory. */

#include <string.h>

#include "support/crowd.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"
#include "timeline/drawing.h"

/* The first task of the sample's thread 5. */
#define SAMPLE_TASK ((UINT64_C(5) << 48) + (UINT64_C(1) << 24) + 1)

static void make_sample(struct drawing *d, unsigned generations)
{
    memset(d, 0, sizeof(*d));
    d->options = (gt_timeline_options) GT_TIMELINE_OPTIONS_INIT;
    sample_trace(&d->wire, 26, generations, 100);
}

static void test_bad_options_are_refused(void **state)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    gt_selector_options selector_options = GT_SELECTOR_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    struct drawing d;
    gt_reader *reader;
    gt_emitter *emitter;
    gt_selector *selector;
    gt_timeline *timeline = NULL;
    (void) state;
    make_sample(&d, 1);
    assert_status(gt_reader_open_memory(&reader, d.wire.data, d.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_emitter_open(&emitter, &consumer, NULL, NULL), GT_OK);
    assert_status(gt_timeline_open(NULL, reader, emitter, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_open(&timeline, NULL, emitter, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_open(&timeline, reader, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = GT_TIMELINE_STATES << 1;
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.flags = 0;
    options.view = GT_VIEW_GOROUTINE + 1;
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.view = GT_VIEW_PROC;
    options.size--;
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.size++;
    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, 1, NULL, NULL), GT_OK);
    /* The selector is not finished. */
    options.selector = selector;
    assert_status(gt_timeline_open(&timeline, reader, emitter, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(timeline);
    gt_selector_close(&selector);
    selector_options.flags = 1;
    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, 1, &selector_options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_open(&selector, 0, 1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_open(&selector, GT_SELECT_FOCUS_TASK + 1, 1, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_open(NULL, GT_SELECT_TASK, 1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(selector);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
    drawing_free(&d);
}

static void test_calls_in_a_wrong_order_are_refused(void **state)
{
    gt_timeline_info info = GT_TIMELINE_INFO_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    struct drawing d;
    gt_reader *reader;
    gt_emitter *emitter;
    gt_timeline *timeline;
    const gt_event *event;
    (void) state;
    make_sample(&d, 1);
    assert_status(gt_reader_open_memory(&reader, d.wire.data, d.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_emitter_open(&emitter, &consumer, NULL, NULL), GT_OK);
    assert_status(gt_timeline_open(&timeline, reader, emitter, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_timeline_event(NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_event(timeline, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_event(timeline, event), GT_OK);
    assert_status(gt_timeline_get_info(timeline, &info), GT_OK);
    assert_int_equal(info.events, 1);
    assert_true(info.memory > 0 && info.memory_peak >= info.memory);
    info.size--;
    assert_status(gt_timeline_get_info(timeline, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_finish(timeline), GT_OK);
    assert_status(gt_timeline_finish(timeline), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_event(timeline, event), GT_ERR_INVALID_ARGUMENT);
    gt_timeline_close(&timeline);
    assert_null(timeline);
    gt_timeline_close(&timeline);
    gt_timeline_close(NULL);
    gt_selector_close(NULL);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
    drawing_free(&d);
}

/* A selector takes events until it is finished, and can be applied only if that succeeded. */
static void test_selector_refuses_calls_in_a_wrong_order(void **state)
{
    gt_emitter_options emitter_options = GT_EMITTER_OPTIONS_INIT;
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    gt_selector *selector;
    const gt_event event = {0};
    (void) state;
    assert_status(gt_selector_event(NULL, &event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_apply(NULL, &emitter_options), GT_ERR_INVALID_ARGUMENT);
    options.size--;
    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, 1, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(selector);
    assert_status(gt_selector_open(&selector, GT_SELECT_GOROUTINE, 0, NULL, NULL), GT_OK);
    assert_status(gt_selector_event(selector, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_finish(selector), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_selector_event(selector, &event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_finish(selector), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_apply(selector, &emitter_options), GT_ERR_INVALID_ARGUMENT);
    gt_selector_close(&selector);
    gt_selector_close(&selector);
    assert_null(selector);
}

/* After a failure, each call returns it again. */
static void test_selector_keeps_returning_its_failure(void **state)
{
    gt_emitter_options emitter_options = GT_EMITTER_OPTIONS_INIT;
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    gt_status status = GT_OK;
    gt_selector *selector;
    const gt_event *event;
    gt_reader *reader;
    struct drawing d;
    (void) state;
    make_sample(&d, 1);
    options.memory_limit = 2048;
    assert_status(gt_reader_open_memory(&reader, d.wire.data, d.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_selector_open(&selector, GT_SELECT_TASK, SAMPLE_TASK, &options, NULL), GT_OK);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_selector_event(selector, event);
    assert_status(status, GT_ERR_LIMIT);
    assert_status(gt_selector_event(selector, event), GT_ERR_LIMIT);
    assert_status(gt_selector_finish(selector), GT_ERR_LIMIT);
    assert_status(gt_selector_apply(selector, &emitter_options), GT_ERR_INVALID_ARGUMENT);
    gt_selector_close(&selector);
    gt_reader_close(&reader);
    drawing_free(&d);
}

/* Calls the timeline from a callback. */
struct meddler {
    gt_timeline *timeline;
    const gt_event *event;
    unsigned calls;
};

static int meddle(void *user_data, const gt_viewer_event *event, int required)
{
    struct meddler *meddler = user_data;
    gt_timeline *timeline = meddler->timeline;
    (void) event;
    (void) required;
    meddler->calls++;
    assert_status(gt_timeline_event(timeline, meddler->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_finish(timeline), GT_ERR_INVALID_ARGUMENT);
    gt_timeline_close(&timeline);
    assert_non_null(timeline);
    return 0;
}

static void test_calls_from_callbacks_are_refused(void **state)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    struct meddler meddler = {NULL, NULL, 0};
    struct drawing d;
    gt_reader *reader;
    gt_emitter *emitter;
    (void) state;
    make_sample(&d, 1);
    consumer.user_data = &meddler;
    consumer.event = meddle;
    assert_status(gt_reader_open_memory(&reader, d.wire.data, d.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_emitter_open(&emitter, &consumer, NULL, NULL), GT_OK);
    assert_status(gt_timeline_open(&meddler.timeline, reader, emitter, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &meddler.event) == GT_OK)
        assert_status(gt_timeline_event(meddler.timeline, meddler.event), GT_OK);
    assert_true(meddler.calls > 100);
    gt_timeline_close(&meddler.timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
    drawing_free(&d);
}

/* No call follows the one that asks to end. */
static void test_callback_that_asks_to_end_is_the_last(void **state)
{
    struct drawing d;
    size_t calls;
    (void) state;
    make_sample(&d, 1);
    drawing_draw(&d, GT_VIEW_PROC, GT_TIMELINE_EXACT);
    calls = d.calls;
    for (size_t i = 1; i <= calls; i++) {
        d.end_at = i;
        drawing_run(&d);
        assert_status(d.status, GT_ERR_CALLBACK);
        assert_int_equal(d.calls, i);
    }
    drawing_free(&d);
}

/* Whichever allocation fails, all memory is freed and nothing is drawn after it. */
static void check_way(struct drawing *d, uint32_t view, uint64_t flags)
{
    struct probe probe;
    uint64_t calls;
    probe_init(&probe);
    d->allocator = &probe.allocator;
    drawing_draw(d, view, flags);
    probe_check(&probe);
    calls = probe.calls;
    assert_true(calls > 10);
    for (uint64_t i = 1; i <= calls; i++) {
        probe_init(&probe);
        d->allocator = &probe.allocator;
        probe.fail_at = i;
        drawing_run(d);
        assert_status(d->status, GT_ERR_NO_MEMORY);
        probe_check(&probe);
    }
}

static void check_allocations(struct drawing *d, uint32_t view, uint32_t selection, uint64_t id)
{
    d->selection = selection;
    d->id = id;
    check_way(d, view, GT_TIMELINE_EXACT);
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    struct drawing d;
    (void) state;
    make_sample(&d, 2);
    check_allocations(&d, GT_VIEW_PROC, 0, 0);
    check_allocations(&d, GT_VIEW_THREAD, 0, 0);
    check_allocations(&d, GT_VIEW_GOROUTINE, 0, 0);
    check_allocations(&d, GT_VIEW_GOROUTINE, GT_SELECT_GOROUTINE, 1);
    check_allocations(&d, GT_VIEW_GOROUTINE, GT_SELECT_TASK, SAMPLE_TASK);
    drawing_free(&d);
}

/* There are so many objects that each table grows, and none of them is lost. */
static void test_growing_tables_lose_nothing(void **state)
{
    enum {
        COUNT = 100
    };
    struct gen g = {0};
    struct drawing d;
    (void) state;
    memset(&d, 0, sizeof(d));
    d.options = (gt_timeline_options) GT_TIMELINE_OPTIONS_INIT;
    crowd_write(&g, COUNT);
    d.wire = g.wire;
    memset(&g.wire, 0, sizeof(g.wire));
    gen_free(&g);
    check_way(&d, GT_VIEW_PROC, 0);
    check_way(&d, GT_VIEW_THREAD, GT_TIMELINE_EXACT);
    check_way(&d, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES);
    assert_drawn(&d, "I 0/100 @100 main.main cat=goroutine sf=main.wait0 {by=1}", 1);
    assert_drawn(&d, "I 0/199 @15450 main.main cat=goroutine sf=main.wait99 {by=1}", 1);
    d.selection = GT_SELECT_GOROUTINE;
    d.id = 1;
    check_way(&d, GT_VIEW_GOROUTINE, 0);
    d.selection = GT_SELECT_TASK;
    check_way(&d, GT_VIEW_GOROUTINE, 0);
    d.selection = GT_SELECT_FOCUS_TASK;
    check_way(&d, GT_VIEW_GOROUTINE, 0);
    drawing_free(&d);
}

static void test_memory_limit_is_kept(void **state)
{
    struct drawing d;
    uint64_t peak;
    (void) state;
    make_sample(&d, 2);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    peak = d.info.memory_peak;
    d.options.memory_limit = peak;
    drawing_run(&d);
    assert_status(d.status, GT_OK);
    d.options.memory_limit = peak - 1;
    drawing_run(&d);
    assert_status(d.status, GT_ERR_LIMIT);
    drawing_free(&d);
}

/* Ten times as many generations need no more memory. */
static void test_memory_does_not_grow_with_generations(void **state)
{
    struct drawing d;
    uint64_t peak;
    (void) state;
    make_sample(&d, 3);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    peak = d.info.memory_peak;
    drawing_free(&d);
    make_sample(&d, 30);
    drawing_draw(&d, GT_VIEW_PROC, 0);
    /* Names may have more digits. */
    assert_in_range(d.info.memory_peak, peak, peak + 64);
    drawing_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_calls_in_a_wrong_order_are_refused),
        cmocka_unit_test(test_selector_refuses_calls_in_a_wrong_order),
        cmocka_unit_test(test_selector_keeps_returning_its_failure),
        cmocka_unit_test(test_calls_from_callbacks_are_refused),
        cmocka_unit_test(test_callback_that_asks_to_end_is_the_last),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_growing_tables_lose_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_memory_does_not_grow_with_generations),
    };
    return cmocka_run_group_tests_name("timeline ending", tests, NULL, NULL);
}
