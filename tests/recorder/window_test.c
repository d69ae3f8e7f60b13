/* SPDX-License-Identifier: BSD-3-Clause */

/* Windows: what they keep, and how they are written while recording goes on. */

/* For the signals. */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/scene.h"
#include "support/test.h"

static void nap(unsigned milliseconds)
{
    struct timespec time = {0, (long) milliseconds * 1000000};
    nanosleep(&time, NULL);
}

/* Starts a window of at most so many bytes, and of any age. */
static void window_open_again(const struct scene *s, uint64_t max_bytes)
{
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.max_bytes = max_bytes;
    options.min_age = UINT64_MAX;
    assert_status(gt_recorder_window_start(s->recorder, &options, NULL), GT_OK);
}

static void window_open(struct scene *s, uint64_t max_bytes)
{
    scene_open(s);
    window_open_again(s, max_bytes);
}

/* Writes the window anew. */
static void window_write(struct scene *s)
{
    recorded_free(&s->trace);
    assert_status(gt_recorder_window_write(s->recorder, recorded_write, &s->trace, NULL), GT_OK);
}

/* How many generations the trace has. */
static unsigned generations(const struct recorded *trace)
{
    gt_reader *reader = recorded_open(trace);
    const gt_event *event;
    unsigned count = 0;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        count += event->kind == GT_EVENT_SYNC;
    gt_reader_close(&reader);
    return count - 1;
}

static uint64_t window_bytes(const struct scene *s)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s->recorder, &info), GT_OK);
    return info.window_bytes;
}

static void run_and_stop(const struct scene *s, gt_rec_go *go, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        assert_status(gt_rec_go_start(s->thread, go), GT_OK);
        assert_status(gt_rec_go_stop(s->thread, GT_REC_YIELD), GT_OK);
    }
}

static void a_window_is_written_again_and_again(void **state)
{
    (void) state;
    struct scene s;
    uint64_t events = 0;
    window_open(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 5; i++) {
        run_and_stop(&s, go, 10);
        window_write(&s);
        uint64_t more = recorded_check_by_peer(&s.trace);
        assert_true(more >= events + 20);
        assert_int_equal(generations(&s.trace), i + 1);
        events = more;
    }
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    assert_int_equal(window_bytes(&s), 0);
    scene_close(&s);
}

static void the_generation_that_crosses_the_size_stays(void **state)
{
    (void) state;
    struct scene s;
    window_open(&s, 20000);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 20; i++) {
        run_and_stop(&s, go, 1000);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    assert_true(window_bytes(&s) > 20000 && window_bytes(&s) < 40000);
    window_write(&s);
    recorded_check_by_peer(&s.trace);
    assert_true(s.trace.size > 20000 && s.trace.size < 40000);
    scene_close(&s);
}

static void the_generation_that_crosses_the_age_stays(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    scene_open(&s);
    options.min_age = 1;
    assert_status(gt_recorder_window_start(s.recorder, &options, NULL), GT_OK);
    for (unsigned i = 0; i < 5; i++) {
        nap(1);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    window_write(&s);
    assert_int_equal(generations(&s.trace), 1);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    /* The defaults keep all of this. */
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    for (unsigned i = 0; i < 5; i++)
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    window_write(&s);
    assert_int_equal(generations(&s.trace), 6);
    scene_close(&s);
}

/* Changes one of the ranges, by the bits of a number: its begin or its end. */
static void change_range(const struct scene *s, uint64_t random)
{
    switch (random % 4) {
    case 0:
        if (gt_rec_gc_begin(s->thread) != GT_OK)
            assert_status(gt_rec_gc_end(s->thread), GT_OK);
        break;
    case 1:
        if (gt_rec_assist_begin(s->thread) != GT_OK)
            assert_status(gt_rec_assist_end(s->thread), GT_OK);
        break;
    case 2:
        if (gt_rec_sweep_begin(s->thread) != GT_OK)
            assert_status(gt_rec_sweep_end(s->thread, 1, 1), GT_OK);
        break;
    default:
        if (gt_rec_stw_begin(s->thread, s->name) != GT_OK)
            assert_status(gt_rec_stw_end(s->thread), GT_OK);
    }
}

/* Ranges begin and end in any generations, which can be the first ones of windows and streams. */
static void ranges_go_on_into_windows(void **state)
{
    (void) state;
    struct scene s;
    struct recorded stream = {0};
    uint64_t random = 7;
    bool streams = false;
    unsigned written = 0;
    window_open(&s, 700);
    scene_run(&s);
    for (unsigned i = 0; i < 400; i++) {
        if (test_random(&random) % 3 > 0)
            change_range(&s, test_random(&random));
        if (test_random(&random) % 2 == 0)
            assert_status(gt_recorder_advance(s.recorder), GT_OK);
        if (test_random(&random) % 12 == 0 && streams) {
            assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
            recorded_check_by_peer(&stream);
            recorded_free(&stream);
            streams = false;
        } else if (test_random(&random) % 12 == 0 && !streams) {
            assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
            streams = true;
        }
        if (test_random(&random) % 3 == 0) {
            recorded_free(&s.trace);
            gt_status status = gt_recorder_window_write(s.recorder, recorded_write, &s.trace, NULL);
            assert_true(status == GT_OK || status == GT_STALE);
            if (status == GT_OK)
                recorded_check_by_peer(&s.trace);
            else
                assert_int_equal(s.trace.size, 0);
            written += status == GT_OK;
        }
    }
    assert_true(written > 30);
    gt_recorder_close(&s.recorder);
    recorded_free(&stream);
    recorded_free(&s.trace);
}

static void a_window_does_not_begin_within_a_stop_of_the_world(void **state)
{
    (void) state;
    struct scene s;
    struct recorded stream = {0};
    scene_open(&s);
    scene_run(&s);
    assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
    assert_status(gt_rec_stw_begin(s.thread, s.name), GT_OK);
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    assert_status(gt_rec_stw_end(s.thread), GT_OK);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, NULL), GT_STALE);
    assert_int_equal(s.trace.size, 0);
    window_write(&s);
    assert_int_equal(generations(&s.trace), 1);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    recorded_check_by_peer(&stream);
    recorded_free(&stream);
    /* A window that has its begin has its end, too: it keeps a generation more for that. */
    window_open_again(&s, 1);
    assert_status(gt_rec_stw_begin(s.thread, s.name), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_stw_end(s.thread), GT_OK);
    window_write(&s);
    assert_int_equal(generations(&s.trace), 2);
    recorded_check_by_peer(&s.trace);
    scene_close(&s);
}

static void a_stream_and_a_window_are_independent(void **state)
{
    (void) state;
    struct scene s;
    struct recorded stream = {0};
    window_open(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 3; i++) {
        run_and_stop(&s, go, 10);
        assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
        assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_ERR_STATE);
        run_and_stop(&s, go, 10);
        window_write(&s);
        assert_true(recorded_check_by_peer(&s.trace) > 40);
        run_and_stop(&s, go, 10);
        assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
        recorded_check_by_peer(&stream);
        assert_int_equal(generations(&stream), 2);
        recorded_free(&stream);
    }
    window_write(&s);
    assert_int_equal(generations(&s.trace), 10);
    recorded_check_by_peer(&s.trace);
    /* And the other way round. */
    assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    run_and_stop(&s, go, 10);
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    run_and_stop(&s, go, 10);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    run_and_stop(&s, go, 10);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    assert_true(recorded_check_by_peer(&stream) > 60);
    recorded_free(&stream);
    scene_close(&s);
}

static void a_stream_that_fails_leaves_the_window(void **state)
{
    (void) state;
    struct scene s;
    struct recorded stream = {.fail_at = 4};
    window_open(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
    for (unsigned i = 0; i < 5; i++) {
        run_and_stop(&s, go, 10);
        assert_status(gt_recorder_advance(s.recorder), i == 0 ? GT_OK : GT_ERR_IO);
    }
    window_write(&s);
    assert_true(recorded_check_by_peer(&s.trace) > 100);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_ERR_IO);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    window_write(&s);
    recorded_check_by_peer(&s.trace);
    recorded_free(&stream);
    scene_close(&s);
}

static void a_window_starts_while_a_stream_fails(void **state)
{
    (void) state;
    for (uint64_t fail_at = 2; fail_at < 5; fail_at++) {
        struct scene s;
        struct recorded stream = {.fail_at = fail_at};
        scene_open(&s);
        gt_rec_go *go = scene_go(&s);
        assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
        run_and_stop(&s, go, 10);
        window_open_again(&s, 1 << 20);
        run_and_stop(&s, go, 10);
        window_write(&s);
        assert_true(recorded_check_by_peer(&s.trace) > 20);
        assert_int_equal(generations(&s.trace), 1);
        assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
        gt_status status = gt_recorder_stop(s.recorder, NULL);
        assert_true(status == GT_ERR_IO || stream.calls < fail_at);
        recorded_free(&stream);
        scene_close(&s);
    }
}

/* Tries to write the window within its own callback, and makes more generations meanwhile. */
static int write_slowly(void *user_data, const void *data, size_t size)
{
    struct scene *s = user_data;
    struct recorded other = {0};
    assert_status(gt_recorder_window_write(s->recorder, recorded_write, &other, NULL), GT_ERR_BUSY);
    assert_null(other.data);
    for (unsigned i = 0; i < 3; i++)
        assert_status(gt_recorder_advance(s->recorder), GT_OK);
    return recorded_write(&s->trace, data, size);
}

static void recording_goes_on_while_a_window_is_written(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_info before = GT_RECORDER_INFO_INIT, after = GT_RECORDER_INFO_INIT;
    window_open(&s, 3000);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 10; i++) {
        run_and_stop(&s, go, 100);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    for (unsigned i = 0; i < 6; i++)
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_get_info(s.recorder, &before), GT_OK);
    for (unsigned i = 0; i < 5; i++) {
        recorded_free(&s.trace);
        assert_status(gt_recorder_window_write(s.recorder, write_slowly, &s, NULL), GT_OK);
        recorded_check_by_peer(&s.trace);
    }
    /* What left the window meanwhile was freed. */
    assert_status(gt_recorder_get_info(s.recorder, &after), GT_OK);
    assert_true(after.memory < before.memory + 2000);
    scene_close(&s);
}

static int write_and_stop(void *user_data, const void *data, size_t size)
{
    struct scene *s = user_data;
    gt_status status = gt_recorder_window_stop(s->recorder);
    assert_true(status == GT_OK || status == GT_ERR_STATE);
    return recorded_write(&s->trace, data, size);
}

static void a_window_that_stops_is_written_to_its_end(void **state)
{
    (void) state;
    struct scene s;
    window_open(&s, 1 << 20);
    run_and_stop(&s, scene_go(&s), 100);
    assert_status(gt_recorder_window_write(s.recorder, write_and_stop, &s, NULL), GT_OK);
    assert_true(recorded_check_by_peer(&s.trace) > 200);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, NULL),
                  GT_ERR_STATE);
    scene_close(&s);
}

static void a_sink_that_fails_leaves_the_window(void **state)
{
    (void) state;
    struct scene s;
    gt_error error = GT_ERROR_INIT;
    window_open(&s, 1 << 20);
    run_and_stop(&s, scene_go(&s), 100);
    for (uint64_t i = 1; i < 4; i++) {
        struct recorded sink = {.fail_at = i};
        assert_status(gt_recorder_window_write(s.recorder, recorded_write, &sink, &error),
                      GT_ERR_IO);
        assert_int_equal(error.status, GT_ERR_IO);
        assert_int_equal(sink.calls, i);
        recorded_free(&sink);
    }
    int full = open("/dev/full", O_WRONLY);
    if (full >= 0) {
        assert_status(gt_recorder_window_write_fd(s.recorder, full, &error), GT_ERR_IO);
        assert_int_equal(error.system_error, ENOSPC);
        close(full);
    }
    window_write(&s);
    assert_true(recorded_check_by_peer(&s.trace) > 200);
    scene_close(&s);
}

static void the_oldest_generations_make_room_for_new_events(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder_window_options window = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.memory_limit = 1 << 20;
    window.max_bytes = 1 << 30;
    window.min_age = UINT64_MAX;
    scene_open_with(&s, &options);
    assert_status(gt_recorder_window_start(s.recorder, &window, NULL), GT_OK);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 100; i++) {
        run_and_stop(&s, go, 5000);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s.recorder, &info), GT_OK);
    assert_true(info.memory_peak <= 1 << 20);
    assert_true(info.window_bytes > 1 << 17);
    window_write(&s);
    assert_true(generations(&s.trace) > 3);
    recorded_check_by_peer(&s.trace);
    /* One that is too large for the limit is lost, and then there is none. */
    run_and_stop(&s, go, 500000);
    recorded_free(&s.trace);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, NULL), GT_STALE);
    assert_int_equal(s.trace.size, 0);
    run_and_stop(&s, go, 10);
    window_write(&s);
    assert_int_equal(generations(&s.trace), 1);
    recorded_check_by_peer(&s.trace);
    scene_close(&s);
}

/* The allocation after so many others fails; bytes that are in use. */
static struct {
    uint64_t left, used;
} memory;

static void *memory_allocate(void *context, size_t bytes)
{
    (void) context;
    if (memory.left > 0 && --memory.left == 0)
        return NULL;
    memory.used += bytes;
    return malloc(bytes);
}

static void *memory_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    if (memory.left > 0 && --memory.left == 0)
        return NULL;
    memory.used += bytes - old_bytes;
    return realloc(block, bytes);
}

static void memory_release(void *context, void *block, size_t bytes)
{
    (void) context;
    memory.used -= bytes;
    free(block);
}

static void any_allocation_may_fail(void **state)
{
    (void) state;
    unsigned good = 0;
    for (uint64_t fail_at = 1; fail_at < 120; fail_at++) {
        gt_allocator allocator = {sizeof(allocator), NULL, memory_allocate, memory_reallocate,
                                  memory_release};
        struct recorded trace = {0};
        gt_recorder *recorder;
        gt_rec_thread *thread;
        gt_rec_proc *proc;
        gt_rec_go *go;
        gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
        options.flags = GT_RECORDER_NO_THREAD;
        options.allocator = &allocator;
        assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
        assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
        assert_status(gt_rec_proc_create(recorder, 0, &proc), GT_OK);
        assert_status(gt_rec_proc_start(thread, proc), GT_OK);
        assert_status(gt_rec_go_create(thread, 0, 0, &go), GT_OK);
        assert_status(gt_recorder_window_start(recorder, NULL, NULL), GT_OK);
        memory.left = fail_at;
        for (unsigned i = 0; i < 30; i++) {
            assert_status(gt_rec_go_start(thread, go), GT_OK);
            assert_status(gt_rec_go_stop(thread, GT_REC_YIELD), GT_OK);
            assert_status(gt_recorder_advance(recorder), GT_OK);
        }
        memory.left = 0;
        gt_status status = gt_recorder_window_write(recorder, recorded_write, &trace, NULL);
        assert_true(status == GT_OK || status == GT_STALE);
        if (status == GT_OK)
            recorded_check(&trace);
        good += status == GT_OK;
        recorded_free(&trace);
        gt_recorder_close(&recorder);
        assert_int_equal(memory.used, 0);
    }
    assert_true(good > 100);
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

static int write_and_try(void *user_data, const void *data, size_t size)
{
    struct scene *s = user_data;
    assert_status(gt_recorder_window_start(s->recorder, NULL, NULL), GT_ERR_BUSY);
    assert_status(gt_recorder_window_stop(s->recorder), GT_ERR_BUSY);
    assert_status(gt_recorder_window_write(s->recorder, recorded_write, &s->trace, NULL),
                  GT_ERR_BUSY);
    return recorded_write(&s->trace, data, size);
}

static void what_contradicts_the_state_is_refused(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT, small = {.size = 1};
    char message[64];
    scene_open(&s);
    assert_status(gt_recorder_window_stop(s.recorder), GT_ERR_STATE);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, &error),
                  GT_ERR_STATE);
    assert_int_equal(error.status, GT_ERR_STATE);
    assert_status(gt_recorder_window_write_fd(s.recorder, 1, NULL), GT_ERR_STATE);
    gt_recorder_window_request(s.recorder);
    options.size = 3;
    assert_status(gt_recorder_window_start(s.recorder, &options, &error), GT_ERR_INVALID_ARGUMENT);
    snprintf(message, sizeof(message), "options.size is 3, less than %zu", sizeof(options));
    assert_string_equal(error.message, message);
    options.size = sizeof(options);
    options.flags = 2;
    assert_status(gt_recorder_window_start(s.recorder, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "options.flags has unknown bits 0x2");
    assert_status(gt_recorder_window_start(s.recorder, NULL, &small), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_ERR_STATE);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_ERR_STATE);
    assert_status(gt_recorder_start(s.recorder, write_and_try, &s, NULL), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    recorded_check_by_peer(&s.trace);
    assert_status(gt_recorder_window_start(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_stop(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write(NULL, recorded_write, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write(s.recorder, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, &small),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write_fd(s.recorder, -1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write_fd(NULL, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_window_write_fd(s.recorder, 1, &small), GT_ERR_INVALID_ARGUMENT);
    gt_recorder_window_request(NULL);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_is_written_again_and_again),
        cmocka_unit_test(the_generation_that_crosses_the_size_stays),
        cmocka_unit_test(the_generation_that_crosses_the_age_stays),
        cmocka_unit_test(ranges_go_on_into_windows),
        cmocka_unit_test(a_window_does_not_begin_within_a_stop_of_the_world),
        cmocka_unit_test(a_stream_and_a_window_are_independent),
        cmocka_unit_test(a_stream_that_fails_leaves_the_window),
        cmocka_unit_test(a_window_starts_while_a_stream_fails),
        cmocka_unit_test(recording_goes_on_while_a_window_is_written),
        cmocka_unit_test(a_window_that_stops_is_written_to_its_end),
        cmocka_unit_test(a_sink_that_fails_leaves_the_window),
        cmocka_unit_test(the_oldest_generations_make_room_for_new_events),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_window_stops_after_the_answer_to_a_request),
        cmocka_unit_test(a_signal_handler_asks_for_the_window),
        cmocka_unit_test(without_a_thread_a_request_waits_for_an_advance),
        cmocka_unit_test(what_contradicts_the_state_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
