/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A program that uses libuv, by its interface only: the loop waits for the network between its
 * prepare and check handles, and the threads of its pool are attached when they do their first
 * work. Their ends detach them.
 */

#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "recorder/recorded.h"
#include "support/test.h"

enum {
    WORKS = 12
};

static gt_recorder *recorder;
static gt_rec_text pool_name, work_name;
static gt_rec_thread *loop_thread;
static int works_done, ticks;

static void loop_waits(uv_prepare_t *handle)
{
    (void) handle;
    assert_status(gt_rec_go_block(loop_thread, GT_REC_NETWORK), GT_OK);
}

static void loop_goes_on(uv_check_t *handle)
{
    (void) handle;
    assert_status(gt_rec_go_resume(loop_thread), GT_OK);
}

static gt_rec_thread *thread_of_pool(void)
{
    gt_rec_thread *thread = gt_rec_thread_self(recorder);
    if (!thread && gt_rec_thread_attach_as(recorder, pool_name, &thread) != GT_OK)
        abort();
    return thread;
}

static void work_run(uv_work_t *work)
{
    gt_rec_thread *thread = thread_of_pool();
    (void) work;
    if (gt_rec_region_begin(thread, 0, work_name) != GT_OK)
        abort();
    uv_sleep(1);
    if (gt_rec_region_end(thread) != GT_OK)
        abort();
}

static void work_after(uv_work_t *work, int status)
{
    (void) work;
    assert_int_equal(status, 0);
    works_done++;
}

static void tick(uv_timer_t *timer)
{
    if (++ticks == 3)
        uv_timer_stop(timer);
}

static void expect_trace(const struct recorded *trace)
{
    unsigned waits = 0, regions = 0;
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        regions += event->kind == GT_EVENT_REGION_END;
        if (gt_event_transition(event, &change) == GT_OK &&
            change.resource.kind == GT_RESOURCE_GOROUTINE && change.to == GT_GO_WAITING &&
            change.from == GT_GO_RUNNING)
            waits += change.reason.size == 7 && memcmp(change.reason.data, "network", 7) == 0;
    }
    gt_reader_close(&reader);
    assert_int_equal(regions, WORKS);
    /* The timer alone lets the loop wait three times. */
    assert_true(waits >= 3);
}

static void a_loop_and_its_pool_are_recorded(void **state)
{
    (void) state;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct recorded trace = {0};
    uv_loop_t loop;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_timer_t timer;
    uv_work_t works[WORKS];
    options.flags = GT_RECORDER_IMPLICIT;
    options.period = 1000000;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    pool_name = recorded_text(recorder, "uv.worker");
    work_name = recorded_text(recorder, "work");
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    assert_status(
        gt_rec_thread_attach_as(recorder, recorded_text(recorder, "uv.loop"), &loop_thread), GT_OK);
    uv_loop_init(&loop);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, loop_waits);
    uv_check_init(&loop, &check);
    uv_check_start(&check, loop_goes_on);
    /* These two do not keep the loop from ending. */
    uv_unref((uv_handle_t *) &prepare);
    uv_unref((uv_handle_t *) &check);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, tick, 2, 2);
    for (int i = 0; i < WORKS; i++)
        assert_int_equal(uv_queue_work(&loop, &works[i], work_run, work_after), 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(works_done, WORKS);
    uv_close((uv_handle_t *) &prepare, NULL);
    uv_close((uv_handle_t *) &check, NULL);
    uv_close((uv_handle_t *) &timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    gt_rec_thread_detach(&loop_thread);
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    assert_true(recorded_check_by_peer(&trace) > 50);
    expect_trace(&trace);
    /* The threads of the pool must not be ending while the recorder is closed. */
    uv_library_shutdown();
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_and_its_pool_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
