/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A program that uses coroutines of libpcl, by its interface only: each is a goroutine of the
 * thread that calls it, which waits meanwhile.
 */

#include <pcl.h>

#include "recorder/recorded.h"
#include "support/test.h"

enum {
    COROUTINES = 5,
    ROUNDS = 40
};

struct routine {
    coroutine_t coroutine;
    gt_rec_go *go;
};

static gt_rec_thread *thread;
static unsigned resumed;

/* Passes control back, in the trace first. */
static void routine_run(void *argument)
{
    (void) argument;
    for (;;) {
        resumed++;
        assert_status(gt_rec_go_switch(thread, gt_rec_thread_go(thread)), GT_OK);
        co_resume();
    }
}

static void routine_call(struct routine *routine)
{
    assert_status(gt_rec_go_switch(thread, routine->go), GT_OK);
    co_call(routine->coroutine);
}

static unsigned count_starts(const struct recorded *trace)
{
    unsigned starts = 0;
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        starts += gt_event_transition(event, &change) == GT_OK &&
                  change.resource.kind == GT_RESOURCE_GOROUTINE && change.resource.id != 1 &&
                  change.from == GT_GO_RUNNABLE && change.to == GT_GO_RUNNING;
    }
    gt_reader_close(&reader);
    return starts;
}

static void coroutines_are_recorded(void **state)
{
    (void) state;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    struct routine routines[COROUTINES];
    struct recorded trace = {0};
    options.flags = GT_RECORDER_IMPLICIT;
    options.period = 1000000;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    assert_status(gt_rec_thread_attach_as(recorder, recorded_text(recorder, "main"), &thread),
                  GT_OK);
    assert_int_equal(co_thread_init(), 0);
    gt_rec_text name = recorded_text(recorder, "coroutine");
    for (unsigned i = 0; i < COROUTINES; i++) {
        routines[i].coroutine = co_create(routine_run, NULL, NULL, 64 << 10);
        assert_non_null(routines[i].coroutine);
        assert_status(gt_rec_go_create(thread, name, GT_REC_BLOCKED, &routines[i].go), GT_OK);
    }
    for (unsigned i = 0; i < ROUNDS * COROUTINES; i++)
        routine_call(&routines[i % COROUTINES]);
    assert_int_equal(resumed, ROUNDS * COROUTINES);
    for (unsigned i = 0; i < COROUTINES; i++)
        co_delete(routines[i].coroutine);
    co_thread_cleanup();
    gt_rec_thread_detach(&thread);
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    recorded_check_by_peer(&trace);
    assert_int_equal(count_starts(&trace), ROUNDS * COROUTINES);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coroutines_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
