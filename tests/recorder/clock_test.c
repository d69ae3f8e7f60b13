/* SPDX-License-Identifier: BSD-3-Clause */

/* The clocks of a recorder: times of events beside those of the program. */

#include <time.h>

#include "recorder/scene.h"
#include "support/test.h"

enum {
    METRICS_MOST = 64,
    UNIT = 64 /* ns */
};

/* A clock of the program that stands where it is set. */
static uint64_t program_ticks(void *user_data)
{
    return *(const uint64_t *) user_data;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
}

/* Stops, and sets `times` to those of the metrics in the trace. Returns how many there are. */
static size_t stop_and_read(struct scene *s, int64_t *times)
{
    const gt_event *event;
    size_t count = 0;
    assert_status(gt_recorder_stop(s->recorder, NULL), GT_OK);
    recorded_check_by_peer(&s->trace);
    gt_reader *reader = recorded_open(&s->trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (event->kind != GT_EVENT_METRIC)
            continue;
        assert_true(count < METRICS_MOST);
        times[count++] = event->time;
    }
    gt_reader_close(&reader);
    return count;
}

static void times_of_the_program(uint64_t hz)
{
    uint64_t ticks = hz, passed[METRICS_MOST];
    int64_t times[METRICS_MOST];
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.flags = GT_RECORDER_NO_THREAD;
    options.clock = program_ticks;
    options.clock_hz = hz;
    options.user_data = &ticks;
    scene_open_with(&s, &options);
    scene_start(&s);
    for (size_t i = 0; i < METRICS_MOST; i++) {
        passed[i] = ticks;
        assert_status(gt_rec_heap(s.thread, i), GT_OK);
        if (i % 8 == 7)
            assert_status(gt_recorder_advance(s.recorder), GT_OK);
        ticks += hz / 100 * (i + 1) + i;
    }
    assert_int_equal(stop_and_read(&s, times), METRICS_MOST);
    for (size_t i = 0; i < METRICS_MOST; i++) {
        double ns = (double) passed[i] / (double) hz * 1e9;
        /* A trace counts units, of which the first event of a generation may take another. */
        assert_true((double) times[i] <= ns + 4 * UNIT);
        assert_true((double) times[i] >= ns - ns * 1e-6 - 4 * UNIT);
    }
    scene_close(&s);
}

static void a_clock_of_the_program_may_have_any_rate(void **state)
{
    (void) state;
    times_of_the_program(GT_REC_CLOCK_HZ_MIN);
    times_of_the_program(1000000);
    times_of_the_program(15625000);
    times_of_the_program(1000000000);
    times_of_the_program(UINT64_C(2999999987));
    times_of_the_program(GT_REC_CLOCK_HZ_MAX);
}

/* Such a clock breaks its promises, but not the trace. */
static void a_clock_that_jumps_makes_traces_that_are_read(void **state)
{
    static const uint64_t jumps[] = {5, 0, UINT64_MAX, 3, UINT64_MAX / 2, 0, UINT64_MAX, 1};
    uint64_t ticks = 1000;
    int64_t times[METRICS_MOST];
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    (void) state;
    options.flags = GT_RECORDER_NO_THREAD;
    options.clock = program_ticks;
    options.clock_hz = 1000;
    options.user_data = &ticks;
    scene_open_with(&s, &options);
    scene_start(&s);
    for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
        ticks = jumps[i];
        assert_status(gt_rec_heap(s.thread, i), GT_OK);
        if (i % 2 == 1)
            assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    assert_int_equal(stop_and_read(&s, times), sizeof(jumps) / sizeof(jumps[0]));
    scene_close(&s);
}

/* Each event has a time between those that the program asked for before and after it. */
static void times_of_the_system(uint64_t flags, uint64_t tolerance)
{
    uint64_t before[METRICS_MOST], after[METRICS_MOST];
    int64_t times[METRICS_MOST];
    static const struct timespec pause = {0, 1000000};
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.flags = GT_RECORDER_NO_THREAD | flags;
    scene_open_with(&s, &options);
    scene_start(&s);
    for (size_t i = 0; i < METRICS_MOST; i++) {
        before[i] = now();
        assert_status(gt_rec_heap(s.thread, i), GT_OK);
        after[i] = now();
        nanosleep(&pause, NULL);
    }
    assert_int_equal(stop_and_read(&s, times), METRICS_MOST);
    for (size_t i = 0; i < METRICS_MOST; i++) {
        assert_true((uint64_t) times[i] + tolerance >= before[i]);
        assert_true((uint64_t) times[i] <= after[i] + tolerance);
    }
    scene_close(&s);
}

static void times_are_those_of_the_monotonic_clock(void **state)
{
    (void) state;
    times_of_the_system(0, 100000);
}

/* The counter is compared with the monotonic clock for 10 ms, which tells its rate to some 10^-5.
 */
static void the_counter_is_as_fast_as_the_monotonic_clock(void **state)
{
    (void) state;
    times_of_the_system(GT_RECORDER_TSC, 100000);
}

static void expect_refusal(gt_rec_clock_fn clock, uint64_t hz)
{
    gt_recorder *recorder;
    gt_error error = GT_ERROR_INIT;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.clock = clock;
    options.clock_hz = hz;
    assert_status(gt_recorder_open(&recorder, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "options.clock_hz is out of range");
}

static void the_rate_of_a_clock_is_checked(void **state)
{
    (void) state;
    expect_refusal(NULL, 1000000);
    expect_refusal(program_ticks, 0);
    expect_refusal(program_ticks, GT_REC_CLOCK_HZ_MIN - 1);
    expect_refusal(program_ticks, GT_REC_CLOCK_HZ_MAX + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_of_the_program_may_have_any_rate),
        cmocka_unit_test(a_clock_that_jumps_makes_traces_that_are_read),
        cmocka_unit_test(times_are_those_of_the_monotonic_clock),
        cmocka_unit_test(the_counter_is_as_fast_as_the_monotonic_clock),
        cmocka_unit_test(the_rate_of_a_clock_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
