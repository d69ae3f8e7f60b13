/* SPDX-License-Identifier: BSD-3-Clause */

/* Allocators that use the object for which they allocate: it refuses that, and goes on. */

#include <gotrace/latency.h>
#include <gotrace/timeline.h>

#include "support/calling.h"
#include "support/gen_events.h"
#include "support/test.h"

/* What is open while a trace is read, as far as it is. */
struct objects {
    gt_reader *reader;
    const gt_event *event;
    gt_selector *selector;
    gt_emitter *emitter;
    gt_timeline *timeline;
    gt_latency *latency;
};

static void use_selector(void *user_data)
{
    struct objects *objects = user_data;
    gt_selector *selector = objects->selector;
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    assert_status(gt_selector_event(selector, objects->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_finish(selector), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_selector_apply(selector, &options), GT_ERR_INVALID_ARGUMENT);
    gt_selector_close(&selector);
    assert_ptr_equal(selector, objects->selector);
    if (objects->emitter && objects->reader) {
        gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
        gt_timeline *opened;
        gt_error error = GT_ERROR_INIT;
        timeline.selector = selector;
        assert_status(
            gt_timeline_open(&opened, objects->reader, objects->emitter, &timeline, &error),
            GT_ERR_INVALID_ARGUMENT);
        assert_string_equal(error.message, "options.selector is not finished");
    }
}

static void use_timeline(void *user_data)
{
    struct objects *objects = user_data;
    gt_timeline *timeline = objects->timeline;
    gt_timeline_info info = GT_TIMELINE_INFO_INIT;
    assert_status(gt_timeline_event(timeline, objects->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_finish(timeline), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_timeline_get_info(timeline, &info), GT_ERR_INVALID_ARGUMENT);
    gt_timeline_close(&timeline);
    assert_ptr_equal(timeline, objects->timeline);
}

static void use_latency(void *user_data)
{
    struct objects *objects = user_data;
    gt_latency *latency = objects->latency;
    assert_status(gt_latency_event(latency, NULL, objects->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_snapshot(latency), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_latency_finish(latency), GT_ERR_INVALID_ARGUMENT);
    gt_latency_close(&latency);
    assert_ptr_equal(latency, objects->latency);
}

/* Opens a reader of a trace with a task, and goroutines that unblock each other. */
static void open_reader(struct objects *objects, struct gen *g)
{
    gen_begin(g, 26);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_task_begin(g, 1, 0, "task", 0);
    gen_region_begin(g, 1, "region", 0);
    gen_go_create_blocked(g, 2, 0, 0);
    gen_go_unblock(g, 2, 0);
    gen_log(g, 1, "key", "value", 0);
    gen_go_block(g, "chan receive", 0);
    gen_go_start(g, 2);
    gen_go_unblock(g, 1, 0);
    gen_go_destroy(g);
    gen_go_start(g, 1);
    gen_region_end(g, 1, "region", 0);
    gen_task_end(g, 1, 0);
    gen_end(g);
    assert_status(gt_reader_open_memory(&objects->reader, g->wire.data, g->wire.size, NULL, NULL),
                  GT_OK);
}

static int consume(void *user_data, const gt_viewer_event *event, int required)
{
    (void) user_data, (void) event, (void) required;
    return 0;
}

static void open_emitter(struct objects *objects)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    consumer.event = consume;
    assert_status(gt_emitter_open(&objects->emitter, &consumer, &options, NULL), GT_OK);
}

static void test_allocator_that_uses_its_selector_is_refused(void **state)
{
    static const uint32_t selections[] = {GT_SELECT_GOROUTINE, GT_SELECT_TASK};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct objects objects = {0};
        struct calling calling;
        struct gen g = {0};
        gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
        calling_init(&calling);
        options.allocator = &calling.allocator;
        open_reader(&objects, &g);
        open_emitter(&objects);
        assert_status(gt_selector_open(&objects.selector, selections[i], 1, &options, NULL), GT_OK);
        calling.call = use_selector;
        calling.user_data = &objects;
        while (gt_reader_next_event(objects.reader, &objects.event) == GT_OK)
            assert_status(gt_selector_event(objects.selector, objects.event), GT_OK);
        assert_status(gt_selector_finish(objects.selector), GT_OK);
        assert_true(calling.calls > 0);
        calling.call = NULL;
        gt_selector_close(&objects.selector);
        gt_emitter_close(&objects.emitter);
        gt_reader_close(&objects.reader);
        gen_free(&g);
    }
}

static void test_allocator_that_uses_its_timeline_is_refused(void **state)
{
    struct objects objects = {0};
    struct calling calling;
    struct gen g = {0};
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    (void) state;
    calling_init(&calling);
    options.allocator = &calling.allocator;
    open_reader(&objects, &g);
    open_emitter(&objects);
    assert_status(
        gt_timeline_open(&objects.timeline, objects.reader, objects.emitter, &options, NULL),
        GT_OK);
    calling.call = use_timeline;
    calling.user_data = &objects;
    while (gt_reader_next_event(objects.reader, &objects.event) == GT_OK)
        assert_status(gt_timeline_event(objects.timeline, objects.event), GT_OK);
    assert_true(calling.calls > 0);
    assert_status(gt_timeline_finish(objects.timeline), GT_OK);
    gt_timeline_close(&objects.timeline);
    gt_emitter_close(&objects.emitter);
    gt_reader_close(&objects.reader);
    gen_free(&g);
}

static void test_allocator_that_uses_its_latencies_is_refused(void **state)
{
    struct objects objects = {0};
    struct calling calling;
    struct gen g = {0};
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    (void) state;
    calling_init(&calling);
    options.allocator = &calling.allocator;
    open_reader(&objects, &g);
    assert_status(gt_latency_open(&objects.latency, &options, NULL), GT_OK);
    calling.call = use_latency;
    calling.user_data = &objects;
    while (gt_reader_next_event(objects.reader, &objects.event) == GT_OK)
        assert_status(gt_latency_event(objects.latency, objects.reader, objects.event), GT_OK);
    assert_true(calling.calls > 0);
    calling.call = NULL;
    assert_status(gt_latency_finish(objects.latency), GT_OK);
    gt_latency_close(&objects.latency);
    gt_reader_close(&objects.reader);
    gen_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocator_that_uses_its_selector_is_refused),
        cmocka_unit_test(test_allocator_that_uses_its_timeline_is_refused),
        cmocka_unit_test(test_allocator_that_uses_its_latencies_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
