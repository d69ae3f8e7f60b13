/* SPDX-License-Identifier: BSD-3-Clause */

/* Threads that have a goroutine and a proc of their own: what each call records, and refuses. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/recorded.h"
#include "support/probe.h"
#include "support/test.h"

/* A recorder with an attached thread, and a trace. */
struct own {
    gt_recorder *recorder;
    gt_rec_thread *thread;
    gt_rec_text name;
    struct recorded trace;
};

static void own_open(struct own *o, uint64_t flags)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    memset(o, 0, sizeof(*o));
    options.flags = GT_RECORDER_NO_THREAD | GT_RECORDER_IMPLICIT | flags;
    assert_status(gt_recorder_open(&o->recorder, &options, NULL), GT_OK);
    o->name = recorded_text(o->recorder, "main.worker");
}

static void own_start(struct own *o)
{
    recorded_free(&o->trace);
    assert_status(gt_recorder_start(o->recorder, recorded_write, &o->trace, NULL), GT_OK);
}

static void own_attach(struct own *o)
{
    assert_status(gt_rec_thread_attach_as(o->recorder, o->name, &o->thread), GT_OK);
}

/* Opens, starts and attaches. */
static void own_begin(struct own *o, uint64_t flags)
{
    own_open(o, flags);
    own_start(o);
    own_attach(o);
}

static void own_close(struct own *o)
{
    gt_recorder_close(&o->recorder);
    recorded_free(&o->trace);
}

/*
 * The changes of states: g1X is that goroutine 1 is executed, p0I that proc 0 becomes idle.
 * Statuses at the beginning of a generation are between brackets.
 */
static void tell_transition(char *story, size_t room, const gt_event *event)
{
    static const char proc_letters[] = "?NXI";
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &change) != GT_OK)
        return;
    bool is_go = change.resource.kind == GT_RESOURCE_GOROUTINE;
    bool is_status = change.from == change.to || change.from == GT_GO_UNDETERMINED;
    size_t size = strlen(story);
    snprintf(story + size, room - size, is_status ? "[%c%d%c] " : "%c%d%c ", is_go ? 'g' : 'p',
             (int) change.resource.id,
             is_go ? recorded_letters[change.to] : proc_letters[change.to]);
}

static void expect_story(const struct recorded *trace, const char *expected)
{
    char story[2000] = "";
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        tell_transition(story, sizeof(story), event);
    gt_reader_close(&reader);
    assert_string_equal(story, expected);
}

static void stop_and_expect(struct own *o, const char *expected)
{
    assert_status(gt_recorder_stop(o->recorder, NULL), GT_OK);
    recorded_check_by_peer(&o->trace);
    expect_story(&o->trace, expected);
}

static void a_thread_calls_in_from_outside(void **state)
{
    (void) state;
    struct own o;
    own_begin(&o, 0);
    assert_int_equal(gt_rec_go_id(gt_rec_thread_go(o.thread)), 1);
    assert_ptr_equal(gt_rec_thread_self(o.recorder), o.thread);
    gt_rec_thread_detach(&o.thread);
    assert_null(o.thread);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g1N p0I ");
    own_close(&o);
}

static void a_proc_is_stopped_while_its_thread_waits(void **state)
{
    (void) state;
    struct own o;
    own_begin(&o, 0);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    assert_status(gt_rec_syscall_begin(o.thread), GT_OK);
    assert_status(gt_rec_syscall_end(o.thread), GT_OK);
    assert_status(gt_rec_go_stop(o.thread, GT_REC_YIELD), GT_OK);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g1W p0I g1R p0X g1X "
                        "g1S p0I p0X g1R g1X g1R g1X ");
    own_close(&o);
}

static void a_proc_may_run_on(void **state)
{
    (void) state;
    struct own o;
    own_begin(&o, GT_RECORDER_KEEP_PROCS);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    assert_status(gt_rec_syscall_begin(o.thread), GT_OK);
    assert_status(gt_rec_syscall_end(o.thread), GT_OK);
    gt_rec_thread_detach(&o.thread);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g1W g1R g1X g1S g1X g1N p0I ");
    own_close(&o);
}

/* Another thread, which does one thing and ends. */
struct other {
    struct own *own;
    gt_rec_go *go;
    void (*act)(struct other *other, gt_rec_thread *thread);
};

static void *other_run(void *argument)
{
    struct other *other = argument;
    gt_rec_thread *thread;
    gt_status status = other->go && !other->act
                           ? gt_rec_thread_attach_go(other->own->recorder, other->go, &thread)
                           : gt_rec_thread_attach(other->own->recorder, &thread);
    if (status != GT_OK)
        abort();
    if (other->act)
        other->act(other, thread);
    return NULL;
}

static void other_do(struct own *o, gt_rec_go *go, void (*act)(struct other *, gt_rec_thread *))
{
    struct other other = {o, go, act};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, other_run, &other), 0);
    pthread_join(thread, NULL);
}

static void wake(struct other *other, gt_rec_thread *thread)
{
    if (gt_rec_go_unblock(thread, other->go) != GT_OK ||
        gt_rec_go_unblock(thread, other->go) != GT_STALE)
        abort();
}

static void whoever_wakes_a_thread_is_told(void **state)
{
    (void) state;
    struct own o;
    own_begin(&o, 0);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    other_do(&o, gt_rec_thread_go(o.thread), wake);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    /* The end of the other thread has detached it. */
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g1W p0I g17S [p1I] p1X g17R g17X g1R "
                        "g17N p1I p0X g1X ");
    own_close(&o);
}

static void whoever_creates_a_thread_is_told(void **state)
{
    (void) state;
    struct own o;
    gt_rec_go *go;
    own_begin(&o, 0);
    assert_status(gt_rec_go_create(o.thread, o.name, 0, &go), GT_OK);
    other_do(&o, go, NULL);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g2R [p1I] p1X g2X g2N p1I ");
    own_close(&o);
}

static void steal_the_goroutine(struct other *other, gt_rec_thread *thread)
{
    gt_rec_go *go = other->go;
    if (gt_rec_go_stop(thread, GT_REC_YIELD) != GT_OK ||
        gt_rec_go_start(thread, go) != GT_ERR_STATE || gt_rec_go_resume(thread) != GT_OK ||
        gt_rec_go_switch(thread, go) != GT_ERR_STATE || gt_rec_go_release(&go) != GT_ERR_STATE)
        abort();
}

static void a_goroutine_runs_on_its_own_thread_only(void **state)
{
    (void) state;
    struct own o;
    gt_rec_thread *thread;
    own_begin(&o, 0);
    gt_rec_go *go = gt_rec_thread_go(o.thread);
    assert_status(gt_rec_go_stop(o.thread, GT_REC_YIELD), GT_OK);
    other_do(&o, go, steal_the_goroutine);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    other_do(&o, go, steal_the_goroutine);
    assert_status(gt_rec_thread_attach_go(o.recorder, go, &thread), GT_ERR_STATE);
    assert_null(thread);
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    recorded_check_by_peer(&o.trace);
    own_close(&o);
}

static void fibers_run_on_a_thread(void **state)
{
    (void) state;
    struct own o;
    gt_rec_go *first, *second;
    own_begin(&o, 0);
    assert_status(gt_rec_go_create(o.thread, o.name, GT_REC_BLOCKED, &first), GT_OK);
    assert_status(gt_rec_go_switch(o.thread, first), GT_OK);
    assert_status(gt_rec_go_create(o.thread, o.name, 0, &second), GT_OK);
    /* The thread does not wait when a fiber does. */
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_go_start(o.thread, second), GT_OK);
    assert_status(gt_rec_go_end(o.thread), GT_OK);
    assert_status(gt_rec_go_release(&second), GT_OK);
    assert_status(gt_rec_proc_stop(o.thread), GT_OK);
    assert_status(gt_rec_go_unblock(o.thread, first), GT_OK);
    assert_status(gt_rec_go_start(o.thread, first), GT_OK);
    assert_status(gt_rec_go_switch_end(o.thread, gt_rec_thread_go(o.thread)), GT_OK);
    assert_status(gt_rec_go_release(&first), GT_OK);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g2W g2R g1W g2X g3R g2W g3X g3N p0I g2R p0X g2X "
                        "g1R g2N g1X ");
    own_close(&o);
}

/* Brings the thread into a state: executing, waiting, runnable, in a system call, or a fiber. */
static void enter_state(struct own *o, char letter)
{
    gt_rec_go *fiber;
    gt_status status = GT_OK;
    if (letter == 'W')
        status = gt_rec_go_block(o->thread, GT_REC_SYNC);
    else if (letter == 'R')
        status = gt_rec_go_stop(o->thread, GT_REC_YIELD);
    else if (letter == 'S')
        status = gt_rec_syscall_begin(o->thread);
    else if (letter == 'N')
        status = gt_rec_go_end(o->thread);
    else if (letter == 'F')
        status = gt_rec_go_create(o->thread, o->name, GT_REC_BLOCKED, &fiber);
    assert_status(status, GT_OK);
    if (letter == 'F')
        assert_status(gt_rec_go_switch(o->thread, fiber), GT_OK);
}

static void a_trace_begins_goes_on_and_ends_in_any_state(void **state)
{
    (void) state;
    for (const char *letter = "XWRSNF"; *letter; letter++) {
        for (unsigned flags = 0; flags < 2; flags++) {
            struct own o;
            own_open(&o, flags ? GT_RECORDER_KEEP_PROCS : 0);
            own_attach(&o);
            enter_state(&o, *letter);
            own_start(&o);
            assert_status(gt_recorder_advance(o.recorder), GT_OK);
            assert_status(gt_recorder_advance(o.recorder), GT_OK);
            if (*letter == 'S')
                assert_status(gt_rec_syscall_end(o.thread), GT_OK);
            else
                gt_rec_go_resume(o.thread);
            assert_status(gt_recorder_advance(o.recorder), GT_OK);
            assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
            recorded_check_by_peer(&o.trace);
            own_close(&o);
        }
    }
}

static void a_thread_is_detached_in_any_state(void **state)
{
    (void) state;
    for (const char *letter = "XWRSNF"; *letter; letter++) {
        for (unsigned on = 0; on < 2; on++) {
            struct own o;
            own_open(&o, 0);
            if (on)
                own_start(&o);
            own_attach(&o);
            assert_status(gt_rec_sweep_begin(o.thread), GT_OK);
            if (*letter != 'N')
                assert_status(gt_rec_assist_begin(o.thread), GT_OK);
            enter_state(&o, *letter);
            gt_rec_proc_stop(o.thread);
            gt_rec_thread_detach(&o.thread);
            if (!on)
                own_start(&o);
            /* The next one has the same proc, on which nothing is done. */
            own_attach(&o);
            assert_status(gt_rec_sweep_begin(o.thread), GT_OK);
            assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
            recorded_check_by_peer(&o.trace);
            own_close(&o);
        }
    }
}

/* How often the trace tells how many procs may run, which is so many each time. */
static unsigned procs_told(const struct recorded *trace, uint64_t expected)
{
    unsigned count = 0;
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_metric metric = GT_METRIC_INIT;
        if (event->kind != GT_EVENT_METRIC)
            continue;
        assert_status(gt_event_metric(event, &metric), GT_OK);
        assert_int_equal(metric.value.number, expected);
        count++;
    }
    gt_reader_close(&reader);
    return count;
}

static void each_generation_tells_how_many_procs_may_run(void **state)
{
    (void) state;
    struct own o;
    own_begin(&o, 0);
    assert_status(gt_rec_procs(o.thread, 77), GT_OK);
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    own_start(&o);
    /* Nothing happens, then the thread waits, then it goes on, and then there is a system call. */
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    assert_status(gt_rec_syscall_begin(o.thread), GT_OK);
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    assert_status(gt_rec_syscall_end(o.thread), GT_OK);
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    recorded_check_by_peer(&o.trace);
    /* In two of the six generations no goroutine runs. */
    assert_int_equal(procs_told(&o.trace, 77), 4);
    own_close(&o);
}

static void the_number_of_processors_is_that_of_the_system(void **state)
{
    (void) state;
    struct own o;
    char count[32];
    FILE *command = popen("nproc", "r");
    assert_non_null(command);
    assert_non_null(fgets(count, sizeof(count), command));
    pclose(command);
    own_begin(&o, 0);
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    assert_int_equal(procs_told(&o.trace, strtoull(count, NULL, 10)), 1);
    own_close(&o);
}

static void expect_name(const struct recorded *trace, int64_t goroutine, const char *name)
{
    gt_summary *summary;
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_summary_event(summary, reader, event), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    assert_text(gt_summary_find_goroutine(summary, goroutine)->name, name);
    gt_summary_close(&summary);
    gt_reader_close(&reader);
}

static void goroutines_of_threads_have_names(void **state)
{
    (void) state;
    struct own o;
    gt_rec_go *fiber;
    own_begin(&o, 0);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_go_resume(o.thread), GT_OK);
    assert_status(
        gt_rec_go_create(o.thread, recorded_text(o.recorder, "fiber"), GT_REC_BLOCKED, &fiber),
        GT_OK);
    assert_status(gt_rec_go_switch(o.thread, fiber), GT_OK);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    recorded_check_by_peer(&o.trace);
    expect_name(&o.trace, 1, "main.worker");
    expect_name(&o.trace, 2, "fiber");
    own_close(&o);
}

static void what_threads_of_their_own_do_not_do_is_refused(void **state)
{
    (void) state;
    struct own o;
    gt_rec_proc *proc;
    gt_rec_thread *thread;
    gt_rec_go *blocked;
    own_begin(&o, 0);
    assert_status(gt_rec_proc_create(o.recorder, 5, &proc), GT_ERR_STATE);
    assert_status(gt_rec_thread_attach(o.recorder, &thread), GT_ERR_STATE);
    assert_status(gt_rec_thread_attach_as(o.recorder, o.name, &thread), GT_ERR_STATE);
    assert_status(gt_rec_go_resume(o.thread), GT_ERR_STATE);
    assert_status(gt_rec_proc_stop(o.thread), GT_ERR_STATE);
    assert_status(gt_rec_go_create(o.thread, 0, GT_REC_BLOCKED, &blocked), GT_OK);
    assert_status(gt_rec_go_block(o.thread, GT_REC_SYNC), GT_OK);
    assert_status(gt_rec_proc_stop(o.thread), GT_ERR_STATE);
    assert_status(gt_rec_heap(o.thread, 1), GT_ERR_STATE);
    assert_status(gt_rec_go_start(o.thread, blocked), GT_ERR_STATE);
    gt_rec_thread_detach(&o.thread);
    assert_status(gt_rec_thread_attach_go(o.recorder, blocked, &thread), GT_ERR_STATE);
    assert_null(thread);
    assert_null(gt_rec_thread_self(o.recorder));
    assert_status(gt_rec_thread_attach_as(o.recorder, 12345, &thread), GT_ERR_INVALID_ARGUMENT);
    stop_and_expect(&o, "g1S [p0I] p0X g1R g1X g2W g1W p0I g1R p0X g1X g1N p0I ");
    own_close(&o);
}

static void a_program_with_a_scheduler_does_not_have_them(void **state)
{
    (void) state;
    gt_recorder *recorder = recorded_recorder();
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_rec_thread *thread;
    gt_rec_go *go;
    assert_status(gt_rec_go_adopt(recorder, 0, 0, &go), GT_OK);
    assert_status(gt_rec_thread_attach_as(recorder, 0, &thread), GT_ERR_STATE);
    assert_status(gt_rec_thread_attach_go(recorder, go, &thread), GT_ERR_STATE);
    assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
    assert_null(gt_rec_thread_go(thread));
    assert_status(gt_rec_go_resume(thread), GT_ERR_STATE);
    gt_recorder_close(&recorder);
    options.flags = GT_RECORDER_KEEP_PROCS;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
}

static void wrong_arguments_are_refused(void **state)
{
    (void) state;
    struct own o;
    gt_rec_thread *thread;
    gt_rec_go *foreign;
    gt_recorder *recorder = recorded_recorder();
    own_begin(&o, 0);
    assert_status(gt_rec_go_adopt(recorder, 0, 0, &foreign), GT_OK);
    assert_status(gt_rec_thread_attach_as(NULL, 0, &thread), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach_as(o.recorder, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach_go(NULL, foreign, &thread), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach_go(o.recorder, foreign, &thread), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach_go(o.recorder, NULL, &thread), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_thread_attach_go(o.recorder, foreign, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_resume(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(gt_rec_thread_go(NULL));
    gt_recorder_close(&recorder);
    own_close(&o);
}

static uint64_t memory_of(const struct own *o)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(o->recorder, &info), GT_OK);
    return info.memory;
}

static void threads_that_come_and_go_leave_nothing(void **state)
{
    (void) state;
    struct own o;
    uint64_t memory = 0;
    own_open(&o, 0);
    for (unsigned i = 0; i < 20000; i++) {
        own_attach(&o);
        gt_rec_go_block(o.thread, GT_REC_SYNC);
        gt_rec_thread_detach(&o.thread);
        if (i == 10000)
            memory = memory_of(&o);
    }
    assert_true(memory_of(&o) < memory + (UINT64_C(2) << 20));
    own_start(&o);
    assert_status(gt_recorder_advance(o.recorder), GT_OK);
    memory = memory_of(&o);
    for (unsigned i = 0; i < 2000; i++) {
        own_attach(&o);
        gt_rec_thread_detach(&o.thread);
        if (i % 100 == 99)
            assert_status(gt_recorder_advance(o.recorder), GT_OK);
    }
    assert_int_equal(memory_of(&o), memory);
    /* All of them had the same proc. */
    assert_status(gt_recorder_stop(o.recorder, NULL), GT_OK);
    recorded_check(&o.trace);
    own_close(&o);
}

static void a_thread_without_memory_is_not_attached(void **state)
{
    (void) state;
    for (unsigned left = 0; left < 3; left++) {
        gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
        struct own o;
        struct probe probe;
        memset(&o, 0, sizeof(o));
        probe_init(&probe);
        probe_allow(&probe, 1000);
        options.flags = GT_RECORDER_NO_THREAD | GT_RECORDER_IMPLICIT;
        options.allocator = &probe.allocator;
        assert_status(gt_recorder_open(&o.recorder, &options, NULL), GT_OK);
        own_start(&o);
        uint64_t memory = memory_of(&o);
        probe_allow(&probe, left);
        assert_status(gt_rec_thread_attach(o.recorder, &o.thread), GT_ERR_NO_MEMORY);
        assert_null(o.thread);
        assert_int_equal(memory_of(&o), memory);
        probe_allow(&probe, 1000);
        assert_status(gt_rec_thread_attach(o.recorder, &o.thread), GT_OK);
        /* An id may be left out. */
        stop_and_expect(&o, left < 2 ? "g1S [p0I] p0X g1R g1X " : "g17S [p0I] p0X g17R g17X ");
        own_close(&o);
        probe_check(&probe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_calls_in_from_outside),
        cmocka_unit_test(a_proc_is_stopped_while_its_thread_waits),
        cmocka_unit_test(a_proc_may_run_on),
        cmocka_unit_test(whoever_wakes_a_thread_is_told),
        cmocka_unit_test(whoever_creates_a_thread_is_told),
        cmocka_unit_test(a_goroutine_runs_on_its_own_thread_only),
        cmocka_unit_test(fibers_run_on_a_thread),
        cmocka_unit_test(a_trace_begins_goes_on_and_ends_in_any_state),
        cmocka_unit_test(a_thread_is_detached_in_any_state),
        cmocka_unit_test(each_generation_tells_how_many_procs_may_run),
        cmocka_unit_test(the_number_of_processors_is_that_of_the_system),
        cmocka_unit_test(goroutines_of_threads_have_names),
        cmocka_unit_test(what_threads_of_their_own_do_not_do_is_refused),
        cmocka_unit_test(a_program_with_a_scheduler_does_not_have_them),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(threads_that_come_and_go_leave_nothing),
        cmocka_unit_test(a_thread_without_memory_is_not_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
