/* SPDX-License-Identifier: BSD-3-Clause */

/* Requests for a window, by signal handlers, too, and their answers. */

/* For the signals. */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "recorder/scene.h"
#include "support/test.h"

static void nap(unsigned milliseconds)
{
    struct timespec time = {0, (long) milliseconds * 1000000};
    nanosleep(&time, NULL);
}

/* What is asked for in a signal handler. */
static gt_recorder *asked;

static void ask(int signal)
{
    (void) signal;
    errno = 5;
    gt_recorder_window_request(asked);
    assert_int_equal(errno, 5);
}

struct answer {
    gt_recorder *recorder;
    struct recorded trace, stream;
    _Atomic gt_status start;
    gt_status status, stop;
    atomic_uint count;
};

static void answer(void *user_data)
{
    struct answer *a = user_data;
    a->stop = gt_recorder_window_stop(a->recorder);
    a->start = gt_recorder_start(a->recorder, recorded_write, &a->stream, NULL);
    recorded_free(&a->trace);
    a->status = gt_recorder_window_write(a->recorder, recorded_write, &a->trace, NULL);
    a->count++;
}

static void answer_expect(struct answer *a, unsigned count)
{
    for (unsigned i = 0; i < 3000 && a->count < count; i++)
        nap(1);
    assert_int_equal(a->count, count);
    assert_status(a->status, GT_OK);
    recorded_check_by_peer(&a->trace);
}

/* Takes its time, and tries to close the recorder. */
static void answer_slowly(void *user_data)
{
    struct answer *a = user_data;
    gt_recorder *recorder = a->recorder;
    a->start = GT_OK;
    nap(50);
    gt_recorder_close(&recorder);
    assert_non_null(recorder);
    a->count++;
}

static void a_window_stops_after_the_answer_to_a_request(void **state)
{
    (void) state;
    struct answer a = {.start = GT_END};
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.on_request = answer_slowly;
    options.user_data = &a;
    assert_status(gt_recorder_open(&a.recorder, NULL, NULL), GT_OK);
    /* The stream lets the library's thread go on when the window stops. */
    assert_status(gt_recorder_start(a.recorder, recorded_write, &a.stream, NULL), GT_OK);
    assert_status(gt_recorder_window_start(a.recorder, &options, NULL), GT_OK);
    gt_recorder_window_request(a.recorder);
    nap(20);
    assert_status(gt_recorder_window_stop(a.recorder), GT_OK);
    /* Either it was called and has returned, or it will not be called any more. */
    assert_true(a.start == GT_END || a.count == 1);
    unsigned count = a.count;
    nap(60);
    assert_int_equal(a.count, count);
    assert_status(gt_recorder_stop(a.recorder, NULL), GT_OK);
    gt_recorder_close(&a.recorder);
    recorded_free(&a.stream);
}

static void a_signal_handler_asks_for_the_window(void **state)
{
    (void) state;
    struct answer a = {0};
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    struct sigaction action, old;
    options.on_request = answer;
    options.user_data = &a;
    options.min_age = 20000000;
    assert_status(gt_recorder_open(&a.recorder, NULL, NULL), GT_OK);
    assert_status(gt_recorder_window_start(a.recorder, &options, NULL), GT_OK);
    asked = a.recorder;
    memset(&action, 0, sizeof(action));
    action.sa_handler = ask;
    sigaction(SIGUSR1, &action, &old);
    for (unsigned i = 1; i < 4; i++) {
        raise(SIGUSR1);
        answer_expect(&a, i);
        /* It is called by the library's thread, which cannot wait for itself. */
        assert_status(a.stop, GT_ERR_BUSY);
        assert_status(a.start, GT_ERR_BUSY);
    }
    /* The thread goes on. */
    nap(30);
    assert_status(gt_recorder_window_stop(a.recorder), GT_OK);
    raise(SIGUSR1);
    nap(5);
    assert_int_equal(a.count, 3);
    /* A request from before does not count. */
    assert_status(gt_recorder_window_start(a.recorder, &options, NULL), GT_OK);
    nap(5);
    assert_int_equal(a.count, 3);
    sigaction(SIGUSR1, &old, NULL);
    gt_recorder_close(&a.recorder);
    recorded_free(&a.trace);
}

static void without_a_thread_a_request_waits_for_an_advance(void **state)
{
    (void) state;
    struct answer a = {0};
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.on_request = answer;
    options.user_data = &a;
    a.recorder = recorded_recorder();
    assert_status(gt_recorder_window_start(a.recorder, &options, NULL), GT_OK);
    gt_recorder_window_request(a.recorder);
    gt_recorder_window_request(a.recorder);
    assert_int_equal(a.count, 0);
    assert_status(gt_recorder_advance(a.recorder), GT_OK);
    /* The answer stopped the window before it could write it. */
    assert_int_equal(a.count, 1);
    assert_status(a.stop, GT_OK);
    assert_status(a.start, GT_OK);
    assert_status(a.status, GT_ERR_STATE);
    gt_recorder_close(&a.recorder);
    recorded_check(&a.stream);
    recorded_free(&a.stream);
    recorded_free(&a.trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_stops_after_the_answer_to_a_request),
        cmocka_unit_test(a_signal_handler_asks_for_the_window),
        cmocka_unit_test(without_a_thread_a_request_waits_for_an_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
