/* SPDX-License-Identifier: BSD-3-Clause */

/* GT_RECORDER_WAIT: events come faster than they are written, and none is lost. */

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "recorder/recorded.h"
#include "support/test.h"

enum {
    TURNS = 60000,
    THREADS = 3
};

static gt_recorder *open_recorder(uint64_t flags, uint64_t memory_limit)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    options.flags = GT_RECORDER_IMPLICIT | flags;
    options.memory_limit = memory_limit;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    return recorder;
}

/* Writes slowly, as to a busy disk. */
static int write_slowly(void *user_data, const void *data, size_t size)
{
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    return recorded_write(user_data, data, size);
}

/* A thread that waits and goes on, again and again. */
static void *flood(void *argument)
{
    gt_recorder *recorder = argument;
    gt_rec_thread *thread;
    if (gt_rec_thread_attach(recorder, &thread) != GT_OK)
        abort();
    for (unsigned i = 0; i < TURNS; i++) {
        if (gt_rec_go_block(thread, GT_REC_SYNC) != GT_OK || gt_rec_go_resume(thread) != GT_OK)
            abort();
    }
    gt_rec_thread_detach(&thread);
    return NULL;
}

static void flood_by_threads(gt_recorder *recorder)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, flood, recorder), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* Asserts that the recording of such threads ends with this status. */
static void record_flood(gt_recorder *recorder, gt_write_fn write, void *user_data,
                         gt_status expected)
{
    assert_status(gt_recorder_start(recorder, write, user_data, NULL), GT_OK);
    flood_by_threads(recorder);
    assert_status(gt_recorder_stop(recorder, NULL), expected);
}

/* How often a goroutine has begun to wait. */
static uint64_t count_waits(const struct recorded *trace)
{
    const gt_event *event;
    uint64_t count = 0;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        count += gt_event_transition(event, &change) == GT_OK && change.from == GT_GO_RUNNING &&
                 change.to == GT_GO_WAITING;
    }
    gt_reader_close(&reader);
    return count;
}

static void no_event_is_lost_by_a_slow_output(void **state)
{
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        struct recorded trace = {0};
        gt_recorder *recorder =
            open_recorder(GT_RECORDER_WAIT | (i == 0 ? 0 : GT_RECORDER_NO_THREAD), 4 << 20);
        record_flood(recorder, write_slowly, &trace, GT_OK);
        recorded_check_by_peer(&trace);
        assert_int_equal(count_waits(&trace), THREADS * TURNS);
        assert_true(recorded_generations(&trace) > 1);
        gt_recorder_close(&recorder);
        recorded_free(&trace);
    }
}

static void without_waiting_the_recording_ends(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_recorder *recorder = open_recorder(GT_RECORDER_NO_THREAD, 4 << 20);
    record_flood(recorder, write_slowly, &trace, GT_ERR_LIMIT);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* Another stack each time, of few functions. */
static size_t deep_unwind(void *user_data, uint64_t *pcs, size_t room)
{
    uint64_t *next = user_data;
    *next += 1;
    for (size_t i = 0; i < room; i++)
        pcs[i] = 1000000 + (*next >> i % 16) % 1000 + i;
    return room;
}

/* Each event has another stack, so that the tables of stacks take the memory. */
static void no_event_is_lost_by_many_stacks(void **state)
{
    (void) state;
    struct recorded trace = {0};
    uint64_t next = 0;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    gt_rec_thread *thread;
    options.flags = GT_RECORDER_IMPLICIT | GT_RECORDER_NO_THREAD | GT_RECORDER_WAIT;
    options.memory_limit = 16 << 20;
    options.stack_depth = 100;
    options.unwind = deep_unwind;
    options.user_data = &next;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, recorded_write, &trace, NULL), GT_OK);
    for (unsigned i = 0; i < 20000; i++) {
        assert_status(gt_rec_go_block(thread, GT_REC_SYNC), GT_OK);
        assert_status(gt_rec_go_resume(thread), GT_OK);
    }
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    recorded_check(&trace);
    assert_int_equal(count_waits(&trace), 20000);
    assert_true(recorded_generations(&trace) > 1);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

/* An output that records its own work. */
struct recording_output {
    struct recorded trace;
    gt_recorder *recorder;
};

static int write_and_record(void *user_data, const void *data, size_t size)
{
    struct recording_output *output = user_data;
    gt_rec_thread *self = gt_rec_thread_self(output->recorder);
    /* The goroutine of the thread may be one that waits. */
    if (self && gt_rec_gc_begin(self) == GT_OK && gt_rec_gc_end(self) != GT_OK)
        abort();
    return recorded_write(&output->trace, data, size);
}

static void an_output_may_record(void **state)
{
    (void) state;
    struct recording_output output = {{0}, open_recorder(GT_RECORDER_WAIT, 4 << 20)};
    record_flood(output.recorder, write_and_record, &output, GT_OK);
    recorded_check(&output.trace);
    assert_int_equal(count_waits(&output.trace), THREADS * TURNS);
    gt_recorder_close(&output.recorder);
    recorded_free(&output.trace);
}

/* Cycles of the collector begin and end while other threads wait for memory. */
static void a_collector_works_meanwhile(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_rec_thread *thread;
    pthread_t other;
    gt_recorder *recorder = open_recorder(GT_RECORDER_WAIT | GT_RECORDER_NO_THREAD, 4 << 20);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_status(gt_recorder_start(recorder, write_slowly, &trace, NULL), GT_OK);
    assert_int_equal(pthread_create(&other, NULL, flood, recorder), 0);
    for (unsigned i = 0; i < TURNS; i++) {
        assert_status(gt_rec_gc_begin(thread), GT_OK);
        assert_status(gt_rec_gc_end(thread), GT_OK);
    }
    pthread_join(other, NULL);
    assert_status(gt_recorder_stop(recorder, NULL), GT_OK);
    recorded_check(&trace);
    assert_int_equal(count_waits(&trace), TURNS);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

static void nobody_waits_for_an_output_that_has_failed(void **state)
{
    (void) state;
    struct recorded trace = {.fail_at = 5};
    gt_recorder *recorder = open_recorder(GT_RECORDER_WAIT, 4 << 20);
    record_flood(recorder, recorded_write, &trace, GT_ERR_IO);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

static void a_window_goes_on(void **state)
{
    (void) state;
    struct recorded trace = {0};
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    gt_recorder *recorder = open_recorder(GT_RECORDER_WAIT | GT_RECORDER_NO_THREAD, 4 << 20);
    options.max_bytes = 1 << 20;
    assert_status(gt_recorder_window_start(recorder, &options, NULL), GT_OK);
    flood_by_threads(recorder);
    assert_status(gt_recorder_window_write(recorder, recorded_write, &trace, NULL), GT_OK);
    recorded_check(&trace);
    assert_true(count_waits(&trace) > 1000);
    gt_recorder_close(&recorder);
    recorded_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_event_is_lost_by_a_slow_output),
        cmocka_unit_test(without_waiting_the_recording_ends),
        cmocka_unit_test(no_event_is_lost_by_many_stacks),
        cmocka_unit_test(an_output_may_record),
        cmocka_unit_test(a_collector_works_meanwhile),
        cmocka_unit_test(nobody_waits_for_an_output_that_has_failed),
        cmocka_unit_test(a_window_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
