/* SPDX-License-Identifier: BSD-3-Clause */

/* Traces for tools of older Go: the same events, without what those tools do not know. */

#include <string.h>

#include "recorder/scene.h"
#include "support/test.h"

enum {
    GENERATIONS = 4,
    EVENTS_MOST = 1000
};

/* A clock of the program, which all recordings of a test see in the same state. */
static uint64_t program_ticks(void *user_data)
{
    uint64_t *ticks = user_data;
    return *ticks += 1000;
}

/* Opens a recorder of traces of a version; `ticks` is its clock. */
static void open_scene(struct scene *s, uint64_t version, uint64_t *ticks)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    *ticks = 1000;
    options.clock = program_ticks;
    options.clock_hz = 1000000000;
    options.user_data = ticks;
    options.version = version;
    scene_open_with(s, &options);
}

/* One generation with events of each part of the interface. */
static void record_generation(struct scene *s, gt_rec_go *worker)
{
    uint64_t task;
    gt_rec_go *go = scene_run(s);
    assert_status(gt_rec_task_begin(s->thread, 0, s->name, &task), GT_OK);
    assert_status(gt_rec_region_begin(s->thread, task, s->name), GT_OK);
    assert_status(gt_rec_log(s->thread, task, s->name, "said", 4), GT_OK);
    assert_status(gt_rec_gc_begin(s->thread), GT_OK);
    assert_status(gt_rec_stw_begin(s->thread, s->name), GT_OK);
    assert_status(gt_rec_stw_end(s->thread), GT_OK);
    assert_status(gt_rec_gc_end(s->thread), GT_OK);
    assert_status(gt_rec_heap(s->thread, 4096), GT_OK);
    assert_status(gt_rec_region_end(s->thread), GT_OK);
    assert_status(gt_rec_task_end(s->thread, task), GT_OK);
    assert_status(gt_rec_go_unblock(s->thread, worker), GT_OK);
    assert_status(gt_rec_go_end(s->thread), GT_OK);
    gt_rec_go_release(&go);
    assert_status(gt_rec_go_start(s->thread, worker), GT_OK);
    assert_status(gt_rec_syscall_begin(s->thread), GT_OK);
    assert_status(gt_rec_syscall_end(s->thread), GT_OK);
    assert_status(gt_rec_go_block(s->thread, GT_REC_NETWORK), GT_OK);
}

static gt_rec_go *blocked_worker(struct scene *s)
{
    gt_rec_go *worker = scene_run(s);
    assert_status(gt_rec_go_block(s->thread, GT_REC_SYNC), GT_OK);
    return worker;
}

/* What is compared of events. */
struct told {
    struct {
        uint32_t kind;
        int64_t time;
        int64_t goroutine;
    } events[EVENTS_MOST];

    size_t count;
    unsigned wall_clocks; /* Syncs with a time of the wall clock */
    uint32_t version;
};

static void tell(const struct recorded *trace, struct told *told)
{
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    gt_reader_info info = GT_READER_INFO_INIT;
    memset(told, 0, sizeof(*told));
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        int64_t seconds;
        uint32_t nanoseconds;
        assert_true(told->count < EVENTS_MOST);
        told->events[told->count].kind = event->kind;
        told->events[told->count].time = event->time;
        told->events[told->count++].goroutine = event->goroutine;
        if (event->kind == GT_EVENT_SYNC)
            told->wall_clocks += gt_event_wall_clock(event, &seconds, &nanoseconds) == GT_OK;
    }
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    told->version = info.version;
    gt_reader_close(&reader);
}

static void record_stream(uint64_t version, struct told *told)
{
    uint64_t ticks;
    struct scene s;
    open_scene(&s, version, &ticks);
    gt_rec_go *worker = blocked_worker(&s);
    scene_start(&s);
    for (unsigned i = 0; i < GENERATIONS; i++) {
        record_generation(&s, worker);
        if (i < GENERATIONS - 1)
            assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    s.trace.version = (uint32_t) version;
    recorded_check_by_peer(&s.trace);
    assert_int_equal(recorded_generations(&s.trace), GENERATIONS);
    tell(&s.trace, told);
    scene_close(&s);
}

static void assert_same_events(const struct told *a, const struct told *b)
{
    assert_true(a->count > (size_t) GENERATIONS * 20);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->events[i].kind, b->events[i].kind);
        assert_int_equal(a->events[i].goroutine, b->events[i].goroutine);
        /* The clock snapshot is what begins a generation, so the time of a Sync is another. */
        if (a->events[i].kind != GT_EVENT_SYNC)
            assert_int_equal(a->events[i].time, b->events[i].time);
    }
}

static void version_23_has_the_events_of_version_26_but_no_wall_clock(void **state)
{
    (void) state;
    struct told newest, chosen, oldest;
    record_stream(0, &newest);
    record_stream(26, &chosen);
    record_stream(23, &oldest);
    assert_int_equal(newest.version, 26);
    assert_int_equal(chosen.version, 26);
    assert_int_equal(oldest.version, 23);
    assert_int_equal(newest.wall_clocks, GENERATIONS);
    assert_int_equal(oldest.wall_clocks, 0);
    assert_same_events(&newest, &chosen);
    assert_same_events(&newest, &oldest);
}

static void a_window_has_the_version_of_its_recorder(void **state)
{
    (void) state;
    uint64_t ticks;
    struct scene s;
    struct told told;
    open_scene(&s, 23, &ticks);
    scene_window(&s, 3000);
    gt_rec_go *worker = blocked_worker(&s);
    for (unsigned i = 0; i < 20; i++) {
        record_generation(&s, worker);
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    }
    scene_write_window(&s);
    s.trace.version = 23;
    recorded_check_by_peer(&s.trace);
    assert_in_range(recorded_generations(&s.trace), 2, 19);
    tell(&s.trace, &told);
    assert_int_equal(told.version, 23);
    assert_int_equal(told.wall_clocks, 0);
    scene_close(&s);
}

static void other_versions_are_refused(void **state)
{
    (void) state;
    static const uint64_t versions[] = {1,         11, 21, 22, 24, 25, 27, UINT64_C(1) << 32 | 26,
                                        UINT64_MAX};
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        gt_recorder *recorder;
        gt_error error = GT_ERROR_INIT;
        gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
        options.version = versions[i];
        assert_status(gt_recorder_open(&recorder, &options, &error), GT_ERR_INVALID_ARGUMENT);
        assert_null(recorder);
        assert_string_equal(error.message, "options.version is none that a recorder writes");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_23_has_the_events_of_version_26_but_no_wall_clock),
        cmocka_unit_test(a_window_has_the_version_of_its_recorder),
        cmocka_unit_test(other_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
