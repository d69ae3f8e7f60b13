/* SPDX-License-Identifier: BSD-3-Clause */

/* Windows: what they keep, and how they are written while recording goes on. */

#include <errno.h>
#include <fcntl.h>
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

static void a_window_is_written_again_and_again(void **state)
{
    (void) state;
    struct scene s;
    uint64_t events = 0;
    scene_open_window(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 5; i++) {
        scene_run_and_stop(&s, go, 10);
        scene_write_window(&s);
        uint64_t more = recorded_check_by_peer(&s.trace);
        assert_true(more >= events + 20);
        assert_int_equal(recorded_generations(&s.trace), i + 1);
        events = more;
    }
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    assert_int_equal(scene_window_bytes(&s), 0);
    scene_close(&s);
}

static void the_generation_that_crosses_the_size_stays(void **state)
{
    (void) state;
    struct scene s;
    scene_open_window(&s, 20000);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 20; i++) {
        scene_run_and_stop(&s, go, 1000);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    assert_true(scene_window_bytes(&s) > 20000 && scene_window_bytes(&s) < 40000);
    scene_write_window(&s);
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
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 1);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    /* The defaults keep all of this. */
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    for (unsigned i = 0; i < 5; i++)
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 6);
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
    scene_open_window(&s, 700);
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
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 1);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    recorded_check_by_peer(&stream);
    recorded_free(&stream);
    /* A window that has its begin has its end, too: it keeps a generation more for that. */
    scene_window(&s, 1);
    assert_status(gt_rec_stw_begin(s.thread, s.name), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_stw_end(s.thread), GT_OK);
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 2);
    recorded_check_by_peer(&s.trace);
    scene_close(&s);
}

static void a_stream_and_a_window_are_independent(void **state)
{
    (void) state;
    struct scene s;
    struct recorded stream = {0};
    scene_open_window(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 3; i++) {
        scene_run_and_stop(&s, go, 10);
        assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
        assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_ERR_STATE);
        scene_run_and_stop(&s, go, 10);
        scene_write_window(&s);
        assert_true(recorded_check_by_peer(&s.trace) > 40);
        scene_run_and_stop(&s, go, 10);
        assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
        recorded_check_by_peer(&stream);
        assert_int_equal(recorded_generations(&stream), 2);
        recorded_free(&stream);
    }
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 10);
    recorded_check_by_peer(&s.trace);
    /* And the other way round. */
    assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    scene_run_and_stop(&s, go, 10);
    assert_status(gt_recorder_window_start(s.recorder, NULL, NULL), GT_OK);
    scene_run_and_stop(&s, go, 10);
    assert_status(gt_recorder_window_stop(s.recorder), GT_OK);
    scene_run_and_stop(&s, go, 10);
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
    scene_open_window(&s, 1 << 20);
    gt_rec_go *go = scene_go(&s);
    assert_status(gt_recorder_start(s.recorder, recorded_write, &stream, NULL), GT_OK);
    for (unsigned i = 0; i < 5; i++) {
        scene_run_and_stop(&s, go, 10);
        assert_status(gt_recorder_advance(s.recorder), i == 0 ? GT_OK : GT_ERR_IO);
    }
    scene_write_window(&s);
    assert_true(recorded_check_by_peer(&s.trace) > 100);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_ERR_IO);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    scene_write_window(&s);
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
        scene_run_and_stop(&s, go, 10);
        scene_window(&s, 1 << 20);
        scene_run_and_stop(&s, go, 10);
        scene_write_window(&s);
        assert_true(recorded_check_by_peer(&s.trace) > 20);
        assert_int_equal(recorded_generations(&s.trace), 1);
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
    scene_open_window(&s, 3000);
    gt_rec_go *go = scene_go(&s);
    for (unsigned i = 0; i < 10; i++) {
        scene_run_and_stop(&s, go, 100);
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
    scene_open_window(&s, 1 << 20);
    scene_run_and_stop(&s, scene_go(&s), 100);
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
    scene_open_window(&s, 1 << 20);
    scene_run_and_stop(&s, scene_go(&s), 100);
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
    scene_write_window(&s);
    assert_true(recorded_check_by_peer(&s.trace) > 200);
    scene_close(&s);
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
        cmocka_unit_test(what_contradicts_the_state_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
