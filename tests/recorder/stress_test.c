/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random programs: threads run goroutines that create, wake and stop each other, while generations
 * end every millisecond. The program keeps a log of its own, with which the trace is compared. The
 * variable GT_RECORDER_ROUNDS is how many programs are run, and GT_RECORDER_SEED makes other ones.
 */

/* For syscall. */
#define _DEFAULT_SOURCE

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/recorded.h"
#include "recorder/stress.h"
#include "support/test.h"

enum {
    THREADS = 4,
    PROCS = 3,
    FIBERS = 60,
    LOGS = 1 << 18
};

/* A fiber, which is in one list, or in the hands of one thread. */
struct fiber {
    gt_rec_go *go;
    uint64_t id;
    struct fiber *next;
};

struct fibers {
    struct fiber *first;
    size_t count;
};

struct program {
    gt_recorder *recorder;
    gt_rec_text names[4];
    atomic_bool is_over;
    pthread_mutex_t lock;
    struct fibers runnable, waiting;
    size_t live;
    gt_rec_proc *idle[PROCS];
    size_t idle_count;
    gt_rec_proc *procs[PROCS];
    /* The states that each goroutine had, by its id. */
    struct log *states;
};

struct worker {
    struct program *program;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    uint64_t random;
    /* The goroutines whose states this thread changed, and to which. */
    struct log changes;
    int64_t id;
    pthread_t pthread;
};

static unsigned choose(struct worker *w, unsigned count)
{
    return (unsigned) (test_random(&w->random) % count);
}

static void note(struct worker *w, const struct fiber *fiber, char state)
{
    log_add_change(&w->changes, fiber->id, state);
    log_add(&w->program->states[fiber->id], state);
}

static void fibers_push(struct program *p, struct fibers *list, struct fiber *fiber)
{
    pthread_mutex_lock(&p->lock);
    fiber->next = list->first;
    list->first = fiber;
    list->count++;
    pthread_mutex_unlock(&p->lock);
}

static struct fiber *fibers_pop(struct program *p, struct fibers *list)
{
    pthread_mutex_lock(&p->lock);
    struct fiber *fiber = list->first;
    if (fiber) {
        list->first = fiber->next;
        list->count--;
    }
    pthread_mutex_unlock(&p->lock);
    return fiber;
}

/* Changes the number of fibers, if it may. */
static bool program_count(struct program *p, int change)
{
    pthread_mutex_lock(&p->lock);
    bool may = change > 0 ? p->live < FIBERS : p->live > FIBERS / 2;
    if (may)
        p->live += (size_t) change;
    pthread_mutex_unlock(&p->lock);
    return may;
}

static void worker_create(struct worker *w)
{
    struct program *p = w->program;
    if (!program_count(p, 1))
        return;
    struct fiber *fiber = calloc(1, sizeof(*fiber));
    stress_require(fiber, "no memory");
    bool is_blocked = choose(w, 3) == 0;
    stress_require(gt_rec_go_create(w->thread, p->names[choose(w, 4)],
                                    is_blocked ? GT_REC_BLOCKED : 0, &fiber->go) == GT_OK,
                   "not created");
    fiber->id = gt_rec_go_id(fiber->go);
    stress_require(fiber->id < LOGS, "too many goroutines");
    note(w, fiber, is_blocked ? 'W' : 'R');
    fibers_push(p, is_blocked ? &p->waiting : &p->runnable, fiber);
}

static void worker_unblock(struct worker *w)
{
    struct fiber *fiber = fibers_pop(w->program, &w->program->waiting);
    if (!fiber)
        return;
    stress_require(gt_rec_go_unblock(w->thread, fiber->go) == GT_OK, "not unblocked");
    stress_require(gt_rec_go_unblock(w->thread, fiber->go) == GT_STALE, "unblocked twice");
    note(w, fiber, 'R');
    fibers_push(w->program, &w->program->runnable, fiber);
}

static void worker_free(struct worker *w, struct fiber *fiber)
{
    note(w, fiber, 'N');
    stress_require(gt_rec_go_release(&fiber->go) == GT_OK, "not released");
    free(fiber);
}

/* A fiber that ends has no ranges. */
static void worker_end_ranges(struct worker *w)
{
    gt_rec_assist_end(w->thread);
    gt_rec_stw_end(w->thread);
}

/* Passes control to a fiber that waits. Returns the fiber that runs. */
static struct fiber *worker_switch(struct worker *w, struct fiber *fiber)
{
    struct program *p = w->program;
    struct fiber *next = fibers_pop(p, &p->waiting);
    if (!next)
        return fiber;
    bool ends = choose(w, 4) == 0 && program_count(p, -1);
    if (ends)
        worker_end_ranges(w);
    gt_status status =
        ends ? gt_rec_go_switch_end(w->thread, next->go) : gt_rec_go_switch(w->thread, next->go);
    stress_require(status == GT_OK, "not switched");
    note(w, next, 'R');
    if (ends) {
        worker_free(w, fiber);
    } else {
        note(w, fiber, 'W');
        fibers_push(p, &p->waiting, fiber);
    }
    note(w, next, 'X');
    return next;
}

/* Returns whether the thread still has its proc and the fiber. */
static bool worker_call(struct worker *w, struct fiber *fiber)
{
    stress_require(gt_rec_syscall_begin(w->thread) == GT_OK, "no call");
    note(w, fiber, 'S');
    if (choose(w, 40) == 0)
        stress_nap(choose(w, 2000));
    gt_status status = gt_rec_syscall_end(w->thread);
    stress_require(status == GT_OK || status == GT_STALE, "the call did not end");
    if (status == GT_OK) {
        note(w, fiber, 'X');
        return true;
    }
    w->proc = NULL;
    note(w, fiber, 'R');
    fibers_push(w->program, &w->program->runnable, fiber);
    return false;
}

static void worker_leave(struct worker *w, struct fiber *fiber, bool blocks)
{
    struct program *p = w->program;
    gt_status status =
        blocks ? gt_rec_go_block(w->thread, GT_REC_SYNC) : gt_rec_go_stop(w->thread, GT_REC_YIELD);
    stress_require(status == GT_OK, "not stopped");
    note(w, fiber, blocks ? 'W' : 'R');
    fibers_push(p, blocks ? &p->waiting : &p->runnable, fiber);
}

/* Begins or ends a range, of any kind. */
static void worker_range(struct worker *w)
{
    switch (choose(w, 4)) {
    case 0:
        if (gt_rec_gc_begin(w->thread) == GT_ERR_STATE)
            gt_rec_gc_end(w->thread);
        break;
    case 1:
        if (gt_rec_assist_begin(w->thread) == GT_ERR_STATE)
            gt_rec_assist_end(w->thread);
        break;
    case 2:
        if (gt_rec_sweep_begin(w->thread) == GT_ERR_STATE)
            gt_rec_sweep_end(w->thread, 1, 1);
        break;
    default:
        if (gt_rec_stw_begin(w->thread, w->program->names[0]) == GT_ERR_STATE)
            gt_rec_stw_end(w->thread);
    }
}

/* Does something on behalf of the fiber. Returns the fiber that runs then, if any. */
static struct fiber *worker_act(struct worker *w, struct fiber *fiber)
{
    unsigned action = choose(w, 100);
    if (action < 15) {
        worker_create(w);
    } else if (action < 20) {
        worker_range(w);
    } else if (action < 45) {
        worker_unblock(w);
    } else if (action < 70) {
        worker_leave(w, fiber, action < 60);
        return NULL;
    } else if (action < 75 && program_count(w->program, -1)) {
        worker_end_ranges(w);
        stress_require(gt_rec_go_end(w->thread) == GT_OK, "not ended");
        worker_free(w, fiber);
        return NULL;
    } else if (action < 90) {
        return worker_call(w, fiber) ? fiber : NULL;
    } else if (action < 98) {
        return worker_switch(w, fiber);
    } else if (action == 99 && choose(w, 10) == 0) {
        /* Silent for some generations. */
        stress_nap(choose(w, 4000));
    }
    return fiber;
}

/* Takes an idle proc, or steals one. */
static gt_rec_proc *worker_take_proc(struct worker *w)
{
    struct program *p = w->program;
    gt_rec_proc *proc = NULL;
    pthread_mutex_lock(&p->lock);
    if (p->idle_count > 0)
        proc = p->idle[--p->idle_count];
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < PROCS && !proc; i++) {
        if (gt_rec_proc_steal(w->thread, p->procs[i]) == GT_OK)
            proc = p->procs[i];
    }
    return proc;
}

static void worker_give_proc(struct worker *w)
{
    stress_require(gt_rec_proc_stop(w->thread) == GT_OK, "the proc does not stop");
    pthread_mutex_lock(&w->program->lock);
    w->program->idle[w->program->idle_count++] = w->proc;
    pthread_mutex_unlock(&w->program->lock);
    w->proc = NULL;
}

/* Without a proc: gets one, or has a rest. */
static void worker_look_for_proc(struct worker *w)
{
    if (choose(w, 20) == 0) {
        gt_rec_thread_detach(&w->thread);
        stress_require(gt_rec_thread_attach(w->program->recorder, &w->thread) == GT_OK,
                       "not attached");
    }
    w->proc = worker_take_proc(w);
    if (w->proc)
        stress_require(gt_rec_proc_start(w->thread, w->proc) == GT_OK, "the proc does not start");
    else
        stress_nap(50);
}

static void worker_run_fiber(struct worker *w)
{
    struct fiber *fiber = fibers_pop(w->program, &w->program->runnable);
    if (!fiber) {
        worker_create(w);
        worker_unblock(w);
        return;
    }
    stress_require(gt_rec_go_start(w->thread, fiber->go) == GT_OK, "not started");
    note(w, fiber, 'X');
    while (fiber && !w->program->is_over)
        fiber = worker_act(w, fiber);
    if (fiber)
        worker_leave(w, fiber, false);
    else if (w->proc && choose(w, 10) == 0)
        worker_give_proc(w);
}

static void *worker_run(void *argument)
{
    struct worker *w = argument;
    w->id = (int64_t) syscall(SYS_gettid);
    stress_require(gt_rec_thread_attach(w->program->recorder, &w->thread) == GT_OK, "not attached");
    while (!w->program->is_over) {
        if (w->proc)
            worker_run_fiber(w);
        else
            worker_look_for_proc(w);
    }
    if (w->proc)
        worker_give_proc(w);
    /* The end of the thread detaches it otherwise. */
    if (choose(w, 2) == 0)
        gt_rec_thread_detach(&w->thread);
    return NULL;
}

static void program_open(struct program *p)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    memset(p, 0, sizeof(*p));
    options.period = 1000000;
    /* What a slow machine does not write in time must not end the recording. */
    options.memory_limit = UINT64_C(1) << 30;
    assert_status(gt_recorder_open(&p->recorder, &options, NULL), GT_OK);
    p->names[0] = recorded_text(p->recorder, "main.worker");
    p->names[1] = recorded_text(p->recorder, "main.producer");
    p->names[2] = recorded_text(p->recorder, "main.consumer");
    for (size_t i = 0; i < PROCS; i++) {
        assert_status(gt_rec_proc_create(p->recorder, i, &p->procs[i]), GT_OK);
        p->idle[p->idle_count++] = p->procs[i];
    }
    p->states = calloc(LOGS, sizeof(*p->states));
    assert_non_null(p->states);
    pthread_mutex_init(&p->lock, NULL);
}

static void fibers_free(struct fibers *list)
{
    while (list->first) {
        struct fiber *fiber = list->first;
        list->first = fiber->next;
        free(fiber);
    }
}

static void program_close(struct program *p, struct worker *workers)
{
    gt_recorder_close(&p->recorder);
    fibers_free(&p->runnable);
    fibers_free(&p->waiting);
    for (size_t i = 0; i < LOGS; i++)
        free(p->states[i].text);
    free(p->states);
    for (size_t i = 0; i < THREADS; i++)
        free(workers[i].changes.text);
    pthread_mutex_destroy(&p->lock);
}

static void program_begin(struct program *p, struct worker *workers, uint64_t seed)
{
    memset(workers, 0, THREADS * sizeof(*workers));
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].program = p;
        workers[i].random = seed * 1000 + i + 1;
        assert_int_equal(pthread_create(&workers[i].pthread, NULL, worker_run, &workers[i]), 0);
    }
}

static void program_end(struct program *p, struct worker *workers)
{
    p->is_over = true;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].pthread, NULL);
}

/* What a trace says: the same as the logs of the program. */
struct reread {
    struct log *states;
    struct log changes[THREADS];
};

static void reread_event(struct reread *r, const struct worker *workers, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &change) != GT_OK ||
        change.resource.kind != GT_RESOURCE_GOROUTINE || change.from == change.to)
        return;
    assert_true(change.resource.id < LOGS);
    log_add(&r->states[change.resource.id], recorded_letters[change.to]);
    if (change.from == GT_GO_UNDETERMINED)
        return;
    for (size_t i = 0; i < THREADS; i++) {
        if (workers[i].id == event->thread)
            log_add_change(&r->changes[i], (uint64_t) change.resource.id,
                           recorded_letters[change.to]);
    }
}

static void reread_open(struct reread *r, const struct recorded *trace,
                        const struct worker *workers)
{
    const gt_event *event;
    memset(r, 0, sizeof(*r));
    r->states = calloc(LOGS, sizeof(*r->states));
    assert_non_null(r->states);
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        reread_event(r, workers, event);
    gt_reader_close(&reader);
}

static void reread_close(struct reread *r)
{
    for (size_t i = 0; i < LOGS; i++)
        free(r->states[i].text);
    free(r->states);
    for (size_t i = 0; i < THREADS; i++)
        free(r->changes[i].text);
}

/* Asserts that the trace has all that the program logged. */
static void expect_all(const struct recorded *trace, const struct program *p,
                       const struct worker *workers)
{
    struct reread r;
    reread_open(&r, trace, workers);
    for (size_t i = 0; i < LOGS; i++)
        assert_string_equal(log_text(&r.states[i]), log_text(&p->states[i]));
    for (size_t i = 0; i < THREADS; i++)
        assert_string_equal(log_text(&r.changes[i]), log_text(&workers[i].changes));
    reread_close(&r);
}

/* Asserts that the trace has a part of what the program logged, with nothing left out. */
static void expect_part(const struct recorded *trace, const struct program *p,
                        const struct worker *workers)
{
    struct reread r;
    reread_open(&r, trace, workers);
    for (size_t i = 0; i < LOGS; i++)
        assert_non_null(strstr(log_text(&p->states[i]), log_text(&r.states[i])));
    for (size_t i = 0; i < THREADS; i++)
        assert_non_null(strstr(log_text(&workers[i].changes), log_text(&r.changes[i])));
    reread_close(&r);
}

static void a_trace_has_exactly_what_the_program_did(void **state)
{
    (void) state;
    uint64_t events = 0;
    for (uint64_t round = 0; round < stress_rounds(3); round++) {
        struct program p;
        struct worker workers[THREADS];
        struct recorded trace = {0};
        program_open(&p);
        assert_status(gt_recorder_start(p.recorder, recorded_write, &trace, NULL), GT_OK);
        program_begin(&p, workers, stress_seed() + 2 * round + 1);
        stress_nap(100000);
        program_end(&p, workers);
        assert_status(gt_recorder_stop(p.recorder, NULL), GT_OK);
        uint64_t more = recorded_check_by_peer(&trace);
        assert_true(more > 1000);
        events += more;
        expect_all(&trace, &p, workers);
        program_close(&p, workers);
        recorded_free(&trace);
    }
    print_message("%llu events\n", (unsigned long long) events);
}

static void recording_starts_and_stops_under_load(void **state)
{
    (void) state;

    enum {
        TRACES = 8
    };

    for (uint64_t round = 0; round < stress_rounds(3); round++) {
        struct program p;
        struct worker workers[THREADS];
        struct recorded traces[TRACES];
        memset(traces, 0, sizeof(traces));
        program_open(&p);
        program_begin(&p, workers, 2 * round + 2);
        for (unsigned i = 0; i < TRACES; i++) {
            stress_nap(3000);
            assert_status(gt_recorder_start(p.recorder, recorded_write, &traces[i], NULL), GT_OK);
            stress_nap(i * 1500);
            assert_status(gt_recorder_stop(p.recorder, NULL), GT_OK);
        }
        program_end(&p, workers);
        for (unsigned i = 0; i < TRACES; i++) {
            recorded_check_by_peer(&traces[i]);
            expect_part(&traces[i], &p, workers);
            recorded_free(&traces[i]);
        }
        program_close(&p, workers);
    }
}

/* Windows of any size are cut out, beside which streams start and stop. */
static void windows_are_cut_out_under_load(void **state)
{
    (void) state;

    enum {
        WINDOWS = 12
    };

    for (uint64_t round = 0; round < stress_rounds(3); round++) {
        struct program p;
        struct worker workers[THREADS];
        struct recorded windows[WINDOWS], stream = {0};
        memset(windows, 0, sizeof(windows));
        program_open(&p);
        program_begin(&p, workers, 2 * round + 2);
        for (unsigned i = 0; i < WINDOWS; i++) {
            gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
            options.min_age = 1000000 * (1 + i % 5);
            if (i % 3 == 0)
                assert_status(gt_recorder_window_start(p.recorder, &options, NULL), GT_OK);
            if (i % 4 == 1)
                assert_status(gt_recorder_start(p.recorder, recorded_write, &stream, NULL), GT_OK);
            stress_nap(i * 700);
            gt_status status =
                gt_recorder_window_write(p.recorder, recorded_write, &windows[i], NULL);
            assert_true(status == GT_OK || status == GT_STALE);
            if (i % 4 == 3) {
                assert_status(gt_recorder_stop(p.recorder, NULL), GT_OK);
                recorded_check_by_peer(&stream);
                recorded_free(&stream);
            }
            if (i % 3 == 2)
                assert_status(gt_recorder_window_stop(p.recorder), GT_OK);
        }
        program_end(&p, workers);
        for (unsigned i = 0; i < WINDOWS; i++) {
            if (windows[i].size > 0) {
                recorded_check_by_peer(&windows[i]);
                expect_part(&windows[i], &p, workers);
            }
            recorded_free(&windows[i]);
        }
        program_close(&p, workers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_exactly_what_the_program_did),
        cmocka_unit_test(recording_starts_and_stops_under_load),
        cmocka_unit_test(windows_are_cut_out_under_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
