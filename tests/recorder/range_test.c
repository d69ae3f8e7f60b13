/* SPDX-License-Identifier: BSD-3-Clause */

/* Ranges of a collector, and metrics: what each call records, and what it refuses. */

#include <stdio.h>

#include "recorder/scene.h"
#include "support/test.h"

static void begin_all(const struct scene *s)
{
    assert_status(gt_rec_gc_begin(s->thread), GT_OK);
    assert_status(gt_rec_stw_begin(s->thread, s->name), GT_OK);
    assert_status(gt_rec_assist_begin(s->thread), GT_OK);
    assert_status(gt_rec_sweep_begin(s->thread), GT_OK);
}

static void end_all(const struct scene *s)
{
    assert_status(gt_rec_sweep_end(s->thread, 300, 200), GT_OK);
    assert_status(gt_rec_assist_end(s->thread), GT_OK);
    assert_status(gt_rec_stw_end(s->thread), GT_OK);
    assert_status(gt_rec_gc_end(s->thread), GT_OK);
}

static const char ALL_BEGIN[] = "GC concurrent mark phase begin; stop-the-world begin 1 work; "
                                "GC mark assist begin 1; GC incremental sweep begin 3; ";

/* Expects a text after the one for the begin of all ranges. */
static void expect_after_begin(struct scene *s, const char *rest)
{
    char expected[1000];
    snprintf(expected, sizeof(expected), "%s%s", ALL_BEGIN, rest);
    scene_expect(s, expected);
}

static void ranges_begin_and_end(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    scene_run(&s);
    begin_all(&s);
    end_all(&s);
    expect_after_begin(&s, "GC incremental sweep end 3 300 200; GC mark assist end 1; "
                           "stop-the-world end 1 work; GC concurrent mark phase end; ");
    scene_close(&s);
}

static void ranges_go_on_in_the_next_generation(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    scene_run(&s);
    begin_all(&s);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    end_all(&s);
    /* Each generation tells of those that go on. */
    expect_after_begin(&s, "GC incremental sweep active 3; GC mark assist active 1; "
                           "GC incremental sweep active 3; GC mark assist active 1; "
                           "GC incremental sweep end 3 300 200; GC mark assist end 1; "
                           "stop-the-world end 1 work; GC concurrent mark phase end; ");
    scene_close(&s);
}

static void ranges_from_before_the_trace_go_on_in_it(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_run(&s);
    begin_all(&s);
    scene_start(&s);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    end_all(&s);
    /* But readers do not take the end of a stop without its begin. */
    scene_expect(&s, "GC concurrent mark phase active; GC incremental sweep active 3; "
                     "GC mark assist active 1; GC incremental sweep active 3; "
                     "GC mark assist active 1; GC incremental sweep end 3 300 200; "
                     "GC mark assist end 1; GC concurrent mark phase end; ");
    /* Those that go on after the trace are in the next one, too. */
    scene_start(&s);
    begin_all(&s);
    expect_after_begin(&s, "");
    scene_start(&s);
    end_all(&s);
    begin_all(&s);
    end_all(&s);
    scene_expect(&s, "GC concurrent mark phase active; GC incremental sweep active 3; "
                     "GC mark assist active 1; GC incremental sweep end 3 300 200; "
                     "GC mark assist end 1; GC concurrent mark phase end; "
                     "GC concurrent mark phase begin; stop-the-world begin 1 work; "
                     "GC mark assist begin 1; GC incremental sweep begin 3; "
                     "GC incremental sweep end 3 300 200; GC mark assist end 1; "
                     "stop-the-world end 1 work; GC concurrent mark phase end; ");
    scene_close(&s);
}

static void the_collector_works_on_several_threads(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    for (unsigned i = 0; i < 5; i++) {
        scene_run(&s);
        assert_status(gt_rec_gc_begin(s.thread), GT_OK);
        assert_status(gt_rec_gc_begin(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_go_end(s.thread), GT_OK);
        scene_run(&s);
        assert_status(gt_rec_gc_end(s.thread), GT_OK);
        assert_status(gt_rec_gc_end(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_go_end(s.thread), GT_OK);
    }
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    assert_true(recorded_check_by_peer(&s.trace) > 30);
    scene_close(&s);
}

static void sweeping_belongs_to_the_proc(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    assert_status(gt_rec_sweep_begin(s.thread), GT_OK);
    assert_status(gt_rec_sweep_begin(s.thread), GT_ERR_STATE);
    gt_rec_proc *first = s.proc;
    assert_status(gt_rec_proc_stop(s.thread), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 0, 0), GT_ERR_STATE);
    assert_status(gt_rec_proc_create(s.recorder, 5, &s.proc), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 0, 0), GT_ERR_STATE);
    assert_status(gt_rec_proc_stop(s.thread), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, first), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 7, 8), GT_OK);
    scene_expect(&s, "GC incremental sweep begin 3; GC incremental sweep end 3 7 8; ");
    scene_close(&s);
}

static void a_proc_is_released_after_its_sweep(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    assert_status(gt_rec_sweep_begin(s.thread), GT_OK);
    assert_status(gt_rec_proc_stop(s.thread), GT_OK);
    const gt_rec_proc *before = s.proc;
    assert_status(gt_rec_proc_release(&s.proc), GT_ERR_STATE);
    assert_ptr_equal(s.proc, before);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 1, 1), GT_OK);
    assert_status(gt_rec_proc_stop(s.thread), GT_OK);
    assert_status(gt_rec_proc_release(&s.proc), GT_OK);
    assert_status(gt_rec_proc_create(s.recorder, 3, &s.proc), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 2, 2), GT_ERR_STATE);
    assert_status(gt_rec_sweep_begin(s.thread), GT_OK);
    scene_expect(&s, "GC incremental sweep begin 3; GC incremental sweep end 3 1 1; "
                     "GC incremental sweep begin 3; ");
    scene_close(&s);
}

static void a_sweep_ends_when_its_thread_is_detached(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    scene_run(&s);
    assert_status(gt_rec_sweep_begin(s.thread), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    gt_rec_thread_detach(&s.thread);
    assert_status(gt_rec_proc_release(&s.proc), GT_OK);
    scene_expect(&s, "GC incremental sweep begin 3; GC incremental sweep active 3; "
                     "GC incremental sweep end 3 0 0; ");
    scene_close(&s);
}

static void a_sweep_ends_when_its_thread_is_detached_in_a_call(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    scene_run(&s);
    assert_status(gt_rec_sweep_begin(s.thread), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_status(gt_rec_proc_release(&s.proc), GT_ERR_STATE);
    gt_rec_thread_detach(&s.thread);
    assert_status(gt_rec_thread_attach(s.recorder, &s.thread), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    assert_status(gt_rec_sweep_end(s.thread, 0, 0), GT_ERR_STATE);
    scene_expect(&s, "GC incremental sweep begin 3; GC incremental sweep end 3 0 0; ");
    scene_close(&s);
}

static void metrics_have_their_values(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    assert_status(gt_rec_heap(s.thread, 1234567), GT_OK);
    assert_status(gt_rec_heap_goal(s.thread, 4000000), GT_OK);
    assert_status(gt_rec_procs(s.thread, 4), GT_ERR_STATE);
    scene_run(&s);
    assert_status(gt_rec_procs(s.thread, 4), GT_OK);
    scene_expect(&s, "/memory/classes/heap/objects:bytes 1234567; /gc/heap/goal:bytes 4000000; "
                     "/sched/gomaxprocs:threads 4; ");
    scene_close(&s);
}

static void what_contradicts_the_state_is_refused(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    for (unsigned i = 0; i < 2; i++) {
        assert_status(gt_rec_gc_begin(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_gc_end(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_stw_begin(s.thread, 0), GT_ERR_STATE);
        assert_status(gt_rec_stw_end(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_assist_begin(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_assist_end(s.thread), GT_ERR_STATE);
        assert_status(gt_rec_sweep_end(s.thread, 0, 0), GT_ERR_STATE);
        assert_status(gt_rec_procs(s.thread, 1), GT_ERR_STATE);
        if (i == 0) {
            scene_run(&s);
            assert_status(gt_rec_stw_end(s.thread), GT_ERR_STATE);
            assert_status(gt_rec_assist_end(s.thread), GT_ERR_STATE);
            assert_status(gt_rec_gc_end(s.thread), GT_ERR_STATE);
            assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
        }
    }
    assert_status(gt_rec_sweep_begin(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_heap(s.thread, 1), GT_ERR_STATE);
    assert_status(gt_rec_heap_goal(s.thread, 1), GT_ERR_STATE);
    assert_status(gt_rec_syscall_end(s.thread), GT_OK);
    begin_all(&s);
    assert_status(gt_rec_stw_begin(s.thread, 0), GT_ERR_STATE);
    assert_status(gt_rec_assist_begin(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_sweep_begin(s.thread), GT_ERR_STATE);
    expect_after_begin(&s, "");
    scene_close(&s);
}

static void a_goroutine_ends_after_its_ranges(void **state)
{
    (void) state;
    struct scene s;
    gt_rec_go *other;
    scene_open(&s);
    scene_start(&s);
    assert_status(gt_rec_go_create(s.thread, 0, GT_REC_BLOCKED, &other), GT_OK);
    scene_run(&s);
    assert_status(gt_rec_stw_begin(s.thread, 0), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_go_switch_end(s.thread, other), GT_ERR_STATE);
    assert_status(gt_rec_stw_end(s.thread), GT_OK);
    assert_status(gt_rec_assist_begin(s.thread), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_assist_end(s.thread), GT_OK);
    assert_status(gt_rec_go_switch_end(s.thread, other), GT_OK);
    assert_status(gt_rec_assist_begin(s.thread), GT_OK);
    assert_status(gt_rec_stw_begin(s.thread, 0), GT_OK);
    gt_rec_thread_detach(&s.thread);
    scene_expect(&s, "stop-the-world begin 2 ; stop-the-world end 2 ; GC mark assist begin 2; "
                     "GC mark assist end 2; GC mark assist begin 1; stop-the-world begin 1 ; "
                     "stop-the-world end 1 ; GC mark assist end 1; ");
    scene_close(&s);
}

static void wrong_arguments_are_refused(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_run(&s);
    assert_status(gt_rec_gc_begin(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_gc_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_stw_begin(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_stw_begin(s.thread, s.name + 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_stw_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_assist_begin(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_assist_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_sweep_begin(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_sweep_end(NULL, 0, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_heap(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_heap_goal(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_procs(NULL, 0), GT_ERR_INVALID_ARGUMENT);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_begin_and_end),
        cmocka_unit_test(ranges_go_on_in_the_next_generation),
        cmocka_unit_test(ranges_from_before_the_trace_go_on_in_it),
        cmocka_unit_test(the_collector_works_on_several_threads),
        cmocka_unit_test(sweeping_belongs_to_the_proc),
        cmocka_unit_test(a_proc_is_released_after_its_sweep),
        cmocka_unit_test(a_sweep_ends_when_its_thread_is_detached),
        cmocka_unit_test(a_sweep_ends_when_its_thread_is_detached_in_a_call),
        cmocka_unit_test(metrics_have_their_values),
        cmocka_unit_test(what_contradicts_the_state_is_refused),
        cmocka_unit_test(a_goroutine_ends_after_its_ranges),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
