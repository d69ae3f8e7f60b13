/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU samples: those that a signal handler takes are in the trace, or counted as lost. */

/* For setitimer. */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "recorder/scene.h"
#include "support/test.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define HAS_FRAMES true
#else
#define HAS_FRAMES false
#endif

static struct scene scene;

static void open_scene(uint64_t flags, gt_rec_name_fn name)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.flags = GT_RECORDER_NO_THREAD | flags;
    options.name = name;
    scene_open_with(&scene, &options);
    scene_start(&scene);
}

/* What a trace has of samples. */
struct samples {
    uint64_t count;
    uint64_t of_goroutine, of_proc; /* that had one */
    uint64_t with_burn;             /* in whose stack the function is */
    uint64_t with_burn_first;
};

static bool is_burn(const gt_frame *frame)
{
    return frame->function.size == 4 && memcmp(frame->function.data, "burn", 4) == 0;
}

static void count_sample(struct samples *samples, gt_reader *reader, const gt_event *event)
{
    const gt_frame *frames;
    size_t count;
    samples->count++;
    samples->of_goroutine += event->goroutine == 1;
    samples->of_proc += event->proc != GT_NO_PROC;
    assert_status(gt_event_frames(reader, event, gt_event_stack(event), &frames, &count), GT_OK);
    for (size_t i = 0; i < count; i++) {
        samples->with_burn += is_burn(&frames[i]);
        samples->with_burn_first += i == 0 && is_burn(&frames[i]);
    }
}

static struct samples read_samples(void)
{
    struct samples samples = {0, 0, 0, 0, 0};
    const gt_event *event;
    recorded_check_by_peer(&scene.trace);
    gt_reader *reader = recorded_open(&scene.trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (event->kind == GT_EVENT_STACK_SAMPLE)
            count_sample(&samples, reader, event);
    }
    gt_reader_close(&reader);
    return samples;
}

static struct samples stop_and_read(void)
{
    assert_status(gt_recorder_stop(scene.recorder, NULL), GT_OK);
    return read_samples();
}

static gt_rec_thread *volatile sampled;
static volatile sig_atomic_t handled;

static void take_sample(int signal, siginfo_t *info, void *context)
{
    (void) signal;
    (void) info;
    gt_rec_sample(sampled, context);
    handled++;
}

static volatile uint64_t burnt;

NOT_INLINED static void burn(void)
{
    for (unsigned i = 0; i < 100000; i++)
        burnt += i;
}

static void name_burn(void *user_data, uint64_t pc, gt_rec_name *name)
{
    (void) user_data;
    /* Such a small function is not larger. */
    if (pc - (uintptr_t) burn < 200)
        name->function = "burn";
}

static void set_timer(int microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = take_sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGPROF, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_PROF, &timer, NULL), 0);
}

/* The signal comes within calls of the recorder, too. */
static void every_sample_of_a_timer_is_there(void **state)
{
    (void) state;
    open_scene(GT_RECORDER_SAMPLES, name_burn);
    gt_rec_go *go = scene_run(&scene);
    sampled = scene.thread;
    handled = 0;
    set_timer(1000);
    for (unsigned i = 0; handled < 100; i++) {
        burn();
        for (unsigned j = 0; j < 500; j++) {
            assert_status(gt_rec_go_stop(scene.thread, GT_REC_YIELD), GT_OK);
            assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        }
        if (i % 8 == 7)
            assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    }
    set_timer(0);
    struct samples samples = stop_and_read();
    assert_int_equal(samples.count + recorded_lost_samples(scene.recorder), (uint64_t) handled);
    assert_true(samples.of_goroutine > 0 && samples.of_goroutine <= samples.count);
    assert_int_equal(samples.of_proc, samples.count);
    if (HAS_FRAMES)
        assert_true(samples.with_burn_first > 0 && samples.with_burn > 0);
    scene_close(&scene);
}

static void what_has_no_room_is_lost_and_counted(void **state)
{
    (void) state;
    open_scene(GT_RECORDER_SAMPLES, NULL);
    for (unsigned i = 0; i < 2000; i++)
        gt_rec_sample(scene.thread, NULL);
    uint64_t lost = recorded_lost_samples(scene.recorder);
    assert_true(lost > 0 && lost < 2000);
    assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    gt_rec_sample(scene.thread, NULL);
    assert_int_equal(recorded_lost_samples(scene.recorder), lost);
    struct samples samples = stop_and_read();
    assert_int_equal(samples.count, 2001 - lost);
    assert_int_equal(samples.of_goroutine, 0);
    scene_close(&scene);
}

static void samples_of_a_thread_that_has_left_are_there(void **state)
{
    (void) state;
    open_scene(GT_RECORDER_SAMPLES, NULL);
    for (unsigned i = 0; i < 5; i++)
        gt_rec_sample(scene.thread, NULL);
    gt_rec_thread_detach(&scene.thread);
    assert_int_equal(stop_and_read().count, 5);
    scene_close(&scene);
}

static void samples_of_another_recording_are_not_there(void **state)
{
    (void) state;
    open_scene(GT_RECORDER_SAMPLES, NULL);
    gt_rec_sample(scene.thread, NULL);
    assert_int_equal(stop_and_read().count, 1);
    gt_rec_sample(scene.thread, NULL);
    recorded_free(&scene.trace);
    scene_start(&scene);
    gt_rec_sample(scene.thread, NULL);
    assert_int_equal(stop_and_read().count, 1);
    scene_close(&scene);
}

static void a_window_has_samples(void **state)
{
    (void) state;
    open_scene(GT_RECORDER_SAMPLES, NULL);
    scene_window(&scene, 1 << 20);
    gt_rec_sample(scene.thread, NULL);
    assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    gt_rec_sample(scene.thread, NULL);
    assert_status(gt_recorder_stop(scene.recorder, NULL), GT_OK);
    scene_write_window(&scene);
    assert_int_equal(read_samples().count, 2);
    scene_close(&scene);
}

static void nothing_is_taken_that_was_not_asked_for(void **state)
{
    (void) state;
    open_scene(0, NULL);
    gt_rec_sample(scene.thread, NULL);
    gt_rec_sample(NULL, NULL);
    assert_int_equal(stop_and_read().count, 0);
    assert_int_equal(recorded_lost_samples(scene.recorder), 0);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_of_a_timer_is_there),
        cmocka_unit_test(what_has_no_room_is_lost_and_counted),
        cmocka_unit_test(samples_of_a_thread_that_has_left_are_there),
        cmocka_unit_test(samples_of_another_recording_are_not_there),
        cmocka_unit_test(a_window_has_samples),
        cmocka_unit_test(nothing_is_taken_that_was_not_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
