/* SPDX-License-Identifier: BSD-3-Clause */

/* A recorder in one thread: what each call records, and what it refuses. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorded.h"
#include "recorder/scene.h"
#include "support/probe.h"
#include "support/test.h"

/* The states that a goroutine had in a trace. The first one is that of its status. */
static void expect_states(const struct recorded *trace, int64_t goroutine, const char *expected)
{
    char states[200] = "";
    size_t count = 0;
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition transition = GT_TRANSITION_INIT;
        if (gt_event_transition(event, &transition) != GT_OK ||
            transition.resource.kind != GT_RESOURCE_GOROUTINE ||
            transition.resource.id != goroutine)
            continue;
        assert_true(count + 1 < sizeof(states));
        states[count++] = recorded_letters[transition.to];
    }
    gt_reader_close(&reader);
    assert_string_equal(states, expected);
}

static void stop_and_expect(struct scene *s, int64_t goroutine, const char *expected)
{
    assert_status(gt_recorder_stop(s->recorder, NULL), GT_OK);
    recorded_check_by_peer(&s->trace);
    expect_states(&s->trace, goroutine, expected);
}

static void all_states_of_a_goroutine_are_recorded(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    gt_rec_go *go = scene_go(&s);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_rec_go_stop(s.thread, GT_REC_YIELD), GT_OK);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_rec_go_block(s.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_go_unblock(s.thread, go), GT_OK);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_status(gt_rec_syscall_end(s.thread), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_OK);
    assert_status(gt_rec_go_release(&go), GT_OK);
    assert_null(go);
    stop_and_expect(&s, 1, "RXRXWRXSXN");
    scene_close(&s);
}

static void states_go_on_in_the_next_generation(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    gt_rec_go *go = scene_go(&s);
    scene_start(&s);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_syscall_end(s.thread), GT_OK);
    assert_status(gt_rec_go_block(s.thread, GT_REC_NETWORK), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s.recorder, &info), GT_OK);
    assert_int_equal(info.generations, 8);
    assert_int_equal(info.bytes, s.trace.size);
    /* Each generation begins with its state. */
    stop_and_expect(&s, 1, "RRRXXXSSSXWWW");
    scene_close(&s);
}

static void recording_can_start_and_stop_in_any_state(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    gt_rec_go *go = scene_go(&s), *waiting;
    assert_status(gt_rec_go_create(s.thread, 0, GT_REC_BLOCKED, &waiting), GT_OK);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    scene_start(&s);
    stop_and_expect(&s, 1, "X");
    scene_start(&s);
    assert_status(gt_rec_go_unblock(s.thread, waiting), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    stop_and_expect(&s, 2, "WR");
    assert_status(gt_rec_syscall_end(s.thread), GT_OK);
    assert_status(gt_rec_go_end(s.thread), GT_OK);
    scene_start(&s);
    assert_status(gt_rec_go_start(s.thread, waiting), GT_OK);
    stop_and_expect(&s, 1, "");
    expect_states(&s.trace, 2, "RX");
    scene_close(&s);
}

static void coroutines_switch(void **state)
{
    (void) state;
    struct scene s;
    gt_rec_go *one, *two;
    scene_open(&s);
    assert_status(gt_rec_go_adopt(s.recorder, s.name, 0, &one), GT_OK);
    assert_status(gt_rec_go_adopt(s.recorder, s.name, GT_REC_BLOCKED, &two), GT_OK);
    scene_start(&s);
    assert_status(gt_rec_go_start(s.thread, one), GT_OK);
    assert_status(gt_rec_go_switch(s.thread, one), GT_STALE);
    assert_status(gt_rec_go_switch(s.thread, two), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_go_switch_end(s.thread, one), GT_OK);
    assert_status(gt_rec_go_release(&two), GT_OK);
    stop_and_expect(&s, 1, "RXWWRX");
    expect_states(&s.trace, 2, "WRXXN");
    scene_close(&s);
}

static void a_thread_may_have_a_proc_without_a_word(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    for (unsigned i = 0; i < 3; i++)
        assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_proc_stop(s.thread), GT_OK);
    assert_status(gt_rec_proc_release(&s.proc), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_rec_proc_create(s.recorder, 3, &s.proc), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    stop_and_expect(&s, 1, "");
    scene_close(&s);
}

static void a_thread_that_is_detached_lets_go_of_all(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    gt_rec_go *go = scene_go(&s), *other = scene_go(&s);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_ptr_equal(gt_rec_thread_self(s.recorder), s.thread);
    gt_rec_thread_detach(&s.thread);
    assert_null(s.thread);
    assert_null(gt_rec_thread_self(s.recorder));
    assert_status(gt_rec_go_release(&go), GT_OK);
    assert_status(gt_rec_thread_attach(s.recorder, &s.thread), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    assert_status(gt_rec_go_start(s.thread, other), GT_OK);
    stop_and_expect(&s, 1, "RXSXN");
    expect_states(&s.trace, 2, "RX");
    scene_close(&s);
}

static void goroutines_have_the_names_that_they_were_given(void **state)
{
    (void) state;
    struct scene s;
    gt_summary *summary;
    const gt_event *event;
    scene_open(&s);
    gt_rec_go *go = scene_go(&s);
    scene_start(&s);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    gt_reader *reader = recorded_open(&s.trace);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_summary_event(summary, reader, event), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    assert_text(gt_summary_find_goroutine(summary, 1)->name, "work");
    gt_summary_close(&summary);
    gt_reader_close(&reader);
    scene_close(&s);
}

static void what_contradicts_the_state_is_refused(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    scene_start(&s);
    gt_rec_go *go = scene_go(&s), *other = scene_go(&s), *none;
    gt_rec_proc *proc;
    gt_rec_thread *again;
    assert_status(gt_rec_go_stop(s.thread, 1), GT_ERR_STATE);
    assert_status(gt_rec_go_block(s.thread, 1), GT_ERR_STATE);
    assert_status(gt_rec_go_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_syscall_begin(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_syscall_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_go_switch(s.thread, go), GT_ERR_STATE);
    assert_status(gt_rec_go_unblock(s.thread, go), GT_STALE);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_ERR_STATE);
    assert_status(gt_rec_proc_create(s.recorder, 3, &proc), GT_ERR_STATE);
    assert_null(proc);
    proc = s.proc;
    assert_status(gt_rec_proc_release(&proc), GT_ERR_STATE);
    assert_status(gt_rec_proc_steal(s.thread, s.proc), GT_STALE);
    assert_status(gt_rec_thread_attach(s.recorder, &again), GT_ERR_STATE);
    assert_status(gt_rec_go_adopt(s.recorder, 0, 0, &none), GT_ERR_STATE);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_rec_go_start(s.thread, other), GT_ERR_STATE);
    assert_status(gt_rec_proc_stop(s.thread), GT_ERR_STATE);
    none = go;
    assert_status(gt_rec_go_release(&none), GT_ERR_STATE);
    assert_status(gt_rec_syscall_begin(s.thread), GT_OK);
    assert_status(gt_rec_syscall_begin(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_go_end(s.thread), GT_ERR_STATE);
    assert_status(gt_rec_go_create(s.thread, 0, 0, &none), GT_ERR_STATE);
    assert_status(gt_rec_go_unblock(s.thread, other), GT_ERR_STATE);
    assert_status(gt_rec_proc_steal(s.thread, s.proc), GT_ERR_STATE);
    assert_status(gt_recorder_start(s.recorder, recorded_write, &s.trace, NULL), GT_ERR_STATE);
    stop_and_expect(&s, 1, "RXS");
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_ERR_STATE);
    assert_status(gt_recorder_advance(s.recorder), GT_ERR_STATE);
    scene_close(&s);
}

static void wrong_arguments_are_refused(void **state)
{
    (void) state;
    struct scene s, other;
    gt_rec_go *go, *foreign;
    gt_rec_text text;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder *recorder;
    scene_open(&s);
    scene_open(&other);
    foreign = scene_go(&other);
    assert_status(gt_rec_go_start(s.thread, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_unblock(s.thread, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_switch(s.thread, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_start(s.thread, other.proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_steal(s.thread, other.proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_create(s.thread, s.name + 1, 0, &go), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_create(s.thread, 0, 2, &go), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_adopt(s.recorder, s.name + 1, 0, &go), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_stop(s.thread, s.name + 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_block(s.thread, s.name + 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_create(s.thread, 0, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_create(NULL, 0, 0, &go), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_adopt(NULL, 0, 0, &go), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_adopt(s.recorder, 0, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_start(NULL, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_start(s.thread, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_stop(NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_block(NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_unblock(NULL, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_switch_end(NULL, foreign), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_release(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_create(s.recorder, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_rec_proc *proc;
    assert_status(gt_rec_proc_create(NULL, 1, &proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_create(s.recorder, UINT64_C(1) << 31, &proc),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_release(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_start(NULL, s.proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_stop(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_proc_steal(NULL, s.proc), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_syscall_begin(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_syscall_end(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach(NULL, &s.thread), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach(s.recorder, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(gt_rec_thread_self(NULL));
    gt_rec_thread_detach(NULL);
    assert_status(gt_recorder_text(s.recorder, NULL, 0, &text), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_text(NULL, "", 0, &text), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_text(s.recorder, "", 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_start(s.recorder, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_start(NULL, recorded_write, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_start_fd(s.recorder, -1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_stop(NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_advance(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_get_info(s.recorder, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_error small = GT_ERROR_INIT;
    small.size = 1;
    assert_status(gt_recorder_start(s.recorder, recorded_write, NULL, &small),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_start_fd(s.recorder, 1, &small), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_stop(s.recorder, &small), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_open(&recorder, NULL, &small), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_recorder_open(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = UINT64_C(1) << 63;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 0;
    options.period = 1;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.period = UINT64_MAX;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_recorder_close(NULL);
    scene_close(&other);
    scene_close(&s);
}

static void texts_are_registered_once_and_cut(void **state)
{
    (void) state;
    struct scene s;
    char text[2000];
    gt_rec_text id;
    scene_open(&s);
    assert_int_equal(recorded_text(s.recorder, "work"), s.name);
    assert_int_equal(recorded_text(s.recorder, "sync"), GT_REC_SYNC);
    assert_int_equal(recorded_text(s.recorder, "runtime.Gosched"), GT_REC_YIELD);
    assert_int_equal(recorded_text(s.recorder, "sleep"), GT_REC_SLEEP);
    assert_int_equal(recorded_text(s.recorder, "preempted"), GT_REC_PREEMPTED);
    assert_int_equal(recorded_text(s.recorder, "chan receive"), GT_REC_CHAN_RECEIVE);
    assert_int_equal(recorded_text(s.recorder, ""), 0);
    /* A character of two bytes would be cut in the middle. */
    memset(text, 'x', sizeof(text));
    memcpy(text + 1023, "\xc3\xa4", 2);
    assert_status(gt_recorder_text(s.recorder, text, sizeof(text), &id), GT_OK);
    gt_rec_text same;
    assert_status(gt_recorder_text(s.recorder, text, 1023, &same), GT_OK);
    assert_int_equal(same, id);
    for (unsigned i = 0; i < 300; i++) {
        memset(text, (int) ('a' + i % 26), 1024);
        memcpy(text, &i, sizeof(i));
        assert_status(gt_recorder_text(s.recorder, text, 1024, &id), GT_OK);
    }
    scene_start(&s);
    gt_rec_go *go;
    assert_status(gt_rec_go_create(s.thread, id, 0, &go), GT_OK);
    stop_and_expect(&s, 1, "R");
    scene_close(&s);
}

static void only_so_many_texts_are_registered(void **state)
{
    (void) state;
    gt_recorder *recorder = recorded_recorder();
    gt_rec_text id = 0, last = 0;
    gt_status status = GT_OK;
    for (unsigned i = 0; status == GT_OK && i < 70000; i++) {
        char text[16];
        int size = snprintf(text, sizeof(text), "%u", i);
        last = id;
        status = gt_recorder_text(recorder, text, (size_t) size, &id);
    }
    assert_status(status, GT_ERR_LIMIT);
    assert_int_equal(id, 0);
    assert_int_equal(last, 65535);
    gt_recorder_close(&recorder);
}

static void many_goroutines_fill_many_batches(void **state)
{
    (void) state;

    enum {
        COUNT = 20000
    };
    struct scene s;
    scene_open(&s);
    gt_rec_go **list = calloc(COUNT, sizeof(*list));
    assert_non_null(list);
    scene_start(&s);
    for (size_t i = 0; i < COUNT; i++)
        list[i] = scene_go(&s);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    for (size_t i = 0; i < COUNT; i++) {
        assert_status(gt_rec_go_start(s.thread, list[i]), GT_OK);
        assert_status(gt_rec_go_end(s.thread), GT_OK);
        assert_status(gt_rec_go_release(&list[i]), GT_OK);
    }
    free(list);
    gt_recorder_info full = GT_RECORDER_INFO_INIT, empty = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s.recorder, &full), GT_OK);
    stop_and_expect(&s, COUNT, "RRRXN");
    assert_status(gt_recorder_get_info(s.recorder, &empty), GT_OK);
    assert_true(empty.memory + COUNT * 64 < full.memory);
    assert_int_equal(full.memory_peak, empty.memory_peak);
    scene_close(&s);
}

static void released_goroutines_do_not_pile_up_while_nothing_is_recorded(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_info before = GT_RECORDER_INFO_INIT, after = GT_RECORDER_INFO_INIT;
    scene_open(&s);
    assert_status(gt_recorder_get_info(s.recorder, &before), GT_OK);
    for (unsigned i = 0; i < 100000; i++) {
        gt_rec_go *go = scene_go(&s);
        assert_status(gt_rec_go_start(s.thread, go), GT_OK);
        assert_status(gt_rec_go_end(s.thread), GT_OK);
        assert_status(gt_rec_go_release(&go), GT_OK);
    }
    assert_status(gt_recorder_get_info(s.recorder, &after), GT_OK);
    assert_true(after.memory_peak < before.memory + (1 << 18));
    scene_close(&s);
}

static void a_sink_that_fails_ends_the_recording(void **state)
{
    (void) state;
    for (uint64_t fail_at = 1; fail_at < 6; fail_at++) {
        struct scene s;
        gt_error error = GT_ERROR_INIT;
        scene_open(&s);
        s.trace.fail_at = fail_at;
        gt_status status = gt_recorder_start(s.recorder, recorded_write, &s.trace, &error);
        assert_status(status, fail_at == 1 ? GT_ERR_IO : GT_OK);
        gt_rec_go *go = scene_go(&s);
        for (unsigned i = 0; i < 6; i++) {
            status = gt_recorder_advance(s.recorder);
            assert_status(gt_rec_go_start(s.thread, go), GT_OK);
            assert_status(gt_rec_go_stop(s.thread, GT_REC_YIELD), GT_OK);
        }
        assert_status(status, fail_at == 1 ? GT_ERR_STATE : GT_ERR_IO);
        assert_status(gt_recorder_stop(s.recorder, &error),
                      fail_at == 1 ? GT_ERR_STATE : GT_ERR_IO);
        if (fail_at > 2)
            recorded_check_by_peer(&s.trace);
        scene_start(&s);
        assert_status(gt_rec_go_start(s.thread, go), GT_OK);
        stop_and_expect(&s, 1, "RX");
        scene_close(&s);
    }
}

static void a_trace_ends_before_the_generation_that_lost_events(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    memset(&s, 0, sizeof(s));
    options.flags = GT_RECORDER_NO_THREAD;
    options.memory_limit = 512 << 10;
    assert_status(gt_recorder_open(&s.recorder, &options, NULL), GT_OK);
    assert_status(gt_rec_thread_attach(s.recorder, &s.thread), GT_OK);
    assert_status(gt_rec_proc_create(s.recorder, 0, &s.proc), GT_OK);
    assert_status(gt_rec_proc_start(s.thread, s.proc), GT_OK);
    gt_rec_go *go = scene_go(&s);
    scene_start(&s);
    assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    for (unsigned i = 0; i < 200000; i++) {
        assert_status(gt_rec_go_stop(s.thread, GT_REC_YIELD), GT_OK);
        assert_status(gt_rec_go_start(s.thread, go), GT_OK);
    }
    assert_status(gt_recorder_advance(s.recorder), GT_ERR_LIMIT);
    assert_status(gt_rec_go_block(s.thread, GT_REC_YIELD), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, &error), GT_ERR_LIMIT);
    assert_string_equal(error.message, "events were lost because there was no memory for them");
    recorded_check_by_peer(&s.trace);
    expect_states(&s.trace, 1, "RX");
    scene_start(&s);
    assert_status(gt_rec_go_unblock(s.thread, go), GT_OK);
    stop_and_expect(&s, 1, "WR");
    scene_close(&s);
}

/* Records something, as far as there is memory. Returns whether there was enough for all of it. */
static bool record_scarcely(gt_recorder *recorder, struct recorded *trace)
{
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_go *go, *next;
    gt_rec_text name;
    if (gt_rec_thread_attach(recorder, &thread) != GT_OK ||
        gt_rec_proc_create(recorder, 0, &proc) != GT_OK ||
        gt_rec_go_adopt(recorder, 0, 0, &go) != GT_OK ||
        gt_recorder_text(recorder, "name", 4, &name) != GT_OK)
        return false;
    assert_status(gt_recorder_start(recorder, recorded_write, trace, NULL), GT_OK);
    assert_status(gt_rec_proc_start(thread, proc), GT_OK);
    assert_status(gt_rec_go_start(thread, go), GT_OK);
    bool is_created = gt_rec_go_create(thread, name, 0, &next) == GT_OK;
    if (gt_rec_region_begin(thread, 0, name) != GT_OK)
        is_created = false;
    assert_status(gt_rec_log(thread, 0, name, "text", 4), GT_OK);
    assert_status(gt_rec_gc_begin(thread), GT_OK);
    for (unsigned i = 0; i < 2000; i++) {
        assert_status(gt_rec_go_stop(thread, GT_REC_YIELD), GT_OK);
        assert_status(gt_rec_go_start(thread, go), GT_OK);
    }
    bool is_written = gt_recorder_stop(recorder, NULL) == GT_OK;
    if (is_written)
        recorded_check(trace);
    gt_rec_thread_detach(&thread);
    return is_created && is_written;
}

static void allocations_may_fail_anywhere(void **state)
{
    (void) state;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct probe probe;
    options.flags = GT_RECORDER_NO_THREAD;
    options.allocator = &probe.allocator;
    options.stack_depth = 8;
    uint64_t count = 0;
    for (bool is_done = false; !is_done; count++) {
        struct recorded trace = {0};
        gt_recorder *recorder;
        probe_init(&probe);
        probe_allow(&probe, count);
        gt_status status = gt_recorder_open(&recorder, &options, NULL);
        if (status == GT_OK)
            is_done = record_scarcely(recorder, &trace);
        else
            assert_status(status, GT_ERR_NO_MEMORY);
        gt_recorder_close(&recorder);
        probe_check(&probe);
        recorded_free(&trace);
    }
    assert_true(count > 8);
}

static gt_recorder *called_back;

static int call_back(void *user_data, const void *data, size_t size)
{
    gt_rec_thread *thread = gt_rec_thread_self(called_back);
    gt_rec_go *go;
    assert_status(gt_recorder_advance(called_back), GT_ERR_BUSY);
    assert_status(gt_recorder_stop(called_back, NULL), GT_ERR_BUSY);
    assert_status(gt_recorder_start(called_back, call_back, NULL, NULL), GT_ERR_BUSY);
    assert_status(gt_rec_go_create(thread, recorded_text(called_back, "late"), 0, &go), GT_OK);
    assert_status(gt_rec_go_start(thread, go), GT_OK);
    assert_status(gt_rec_go_end(thread), GT_OK);
    assert_status(gt_rec_go_release(&go), GT_OK);
    return recorded_write(user_data, data, size);
}

static void the_callback_may_record_but_not_stop(void **state)
{
    (void) state;
    struct scene s;
    scene_open(&s);
    called_back = s.recorder;
    assert_status(gt_recorder_start(s.recorder, call_back, &s.trace, NULL), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    assert_status(gt_recorder_advance(s.recorder), GT_OK);
    stop_and_expect(&s, 2, "RXN");
    scene_close(&s);
}

static void the_library_ends_generations_itself(void **state)
{
    (void) state;
    struct scene s;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    memset(&s, 0, sizeof(s));
    options.period = 1000000;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_status(gt_recorder_open(&s.recorder, &options, NULL), GT_OK);
    assert_status(gt_recorder_start_fd(s.recorder, fileno(file), NULL), GT_OK);
    while (info.generations < 3)
        assert_status(gt_recorder_get_info(s.recorder, &info), GT_OK);
    assert_status(gt_recorder_stop(s.recorder, NULL), GT_OK);
    assert_status(gt_recorder_get_info(s.recorder, &info), GT_OK);
    s.trace.data = malloc((size_t) info.bytes);
    s.trace.size = s.trace.capacity = (size_t) info.bytes;
    assert_non_null(s.trace.data);
    rewind(file);
    assert_int_equal(fread(s.trace.data, 1, s.trace.size, file), s.trace.size);
    recorded_check_by_peer(&s.trace);
    fclose(file);
    /* Nobody reads this. */
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[1]);
    assert_status(gt_recorder_start_fd(s.recorder, ends[0], NULL), GT_ERR_IO);
    close(ends[0]);
    assert_status(gt_recorder_start(s.recorder, recorded_write, &s.trace, NULL), GT_OK);
    /* Closing stops. */
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_states_of_a_goroutine_are_recorded),
        cmocka_unit_test(states_go_on_in_the_next_generation),
        cmocka_unit_test(recording_can_start_and_stop_in_any_state),
        cmocka_unit_test(coroutines_switch),
        cmocka_unit_test(a_thread_may_have_a_proc_without_a_word),
        cmocka_unit_test(a_thread_that_is_detached_lets_go_of_all),
        cmocka_unit_test(goroutines_have_the_names_that_they_were_given),
        cmocka_unit_test(what_contradicts_the_state_is_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(texts_are_registered_once_and_cut),
        cmocka_unit_test(only_so_many_texts_are_registered),
        cmocka_unit_test(many_goroutines_fill_many_batches),
        cmocka_unit_test(released_goroutines_do_not_pile_up_while_nothing_is_recorded),
        cmocka_unit_test(a_sink_that_fails_ends_the_recording),
        cmocka_unit_test(a_trace_ends_before_the_generation_that_lost_events),
        cmocka_unit_test(allocations_may_fail_anywhere),
        cmocka_unit_test(the_callback_may_record_but_not_stop),
        cmocka_unit_test(the_library_ends_generations_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
