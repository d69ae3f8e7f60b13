/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random programs without a scheduler: threads wait for and wake each other, come and go, and run
 * fibers, while generations end every millisecond. Each thread keeps a log of its own, with which
 * the trace is compared. The variable GT_RECORDER_ROUNDS is how many programs are run, and
 * GT_RECORDER_SEED makes other ones.
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
    THREADS = 4
};

struct worker;

struct program {
    gt_recorder *recorder;
    bool keeps_procs;
    gt_rec_text name;
    atomic_bool is_over;
    pthread_mutex_t lock;
    struct worker *waiting; /* a list */
};

struct worker {
    struct program *program;
    gt_rec_thread *thread;
    struct worker *next;
    uint64_t random;
    /* The states of goroutines that this thread changed. */
    struct log story;
    int64_t id;
    pthread_t pthread;
};

static unsigned choose(struct worker *w, unsigned count)
{
    return (unsigned) (test_random(&w->random) % count);
}

static uint64_t worker_go(const struct worker *w)
{
    return gt_rec_go_id(gt_rec_thread_go(w->thread));
}

static void worker_note(struct worker *w, const char *states)
{
    for (; *states; states++)
        log_add_change(&w->story, worker_go(w), *states);
}

static void worker_attach(struct worker *w)
{
    struct program *p = w->program;
    stress_require(gt_rec_thread_attach_as(p->recorder, p->name, &w->thread) == GT_OK,
                   "not attached");
    worker_note(w, "SRX");
}

/* Leaves, and comes back with a new goroutine, which it may have created itself. */
static void worker_come_back(struct worker *w)
{
    gt_rec_go *go = NULL;
    if (choose(w, 2) == 0) {
        stress_require(gt_rec_go_create(w->thread, w->program->name, 0, &go) == GT_OK,
                       "not created");
        log_add_change(&w->story, gt_rec_go_id(go), 'R');
    }
    worker_note(w, "N");
    gt_rec_thread_detach(&w->thread);
    if (!go) {
        worker_attach(w);
        return;
    }
    stress_require(gt_rec_thread_attach_go(w->program->recorder, go, &w->thread) == GT_OK,
                   "no thread");
    worker_note(w, "X");
}

/* Removes it from those that wait. Returns whether it was among them. */
static bool worker_leave_list(struct worker *w)
{
    struct worker **link = &w->program->waiting;
    while (*link && *link != w)
        link = &(*link)->next;
    bool is_there = *link;
    if (is_there)
        *link = w->next;
    return is_there;
}

static void worker_wait(struct worker *w)
{
    struct program *p = w->program;
    worker_note(w, "W");
    stress_require(gt_rec_go_block(w->thread, GT_REC_SYNC) == GT_OK, "not blocked");
    pthread_mutex_lock(&p->lock);
    w->next = p->waiting;
    p->waiting = w;
    pthread_mutex_unlock(&p->lock);
    if (choose(w, 3) == 0)
        stress_nap(choose(w, choose(w, 50) == 0 ? 4000 : 60));
    pthread_mutex_lock(&p->lock);
    bool was_woken = !worker_leave_list(w);
    pthread_mutex_unlock(&p->lock);
    stress_require(gt_rec_go_resume(w->thread) == GT_OK, "not resumed");
    worker_note(w, was_woken ? "X" : "RX");
}

static void worker_wake(struct worker *w)
{
    struct program *p = w->program;
    pthread_mutex_lock(&p->lock);
    struct worker *other = p->waiting;
    if (other) {
        p->waiting = other->next;
        stress_require(gt_rec_go_unblock(w->thread, gt_rec_thread_go(other->thread)) == GT_OK,
                       "not unblocked");
        log_add_change(&w->story, worker_go(other), 'R');
    }
    pthread_mutex_unlock(&p->lock);
}

static void worker_call(struct worker *w)
{
    stress_require(gt_rec_syscall_begin(w->thread) == GT_OK, "no call");
    worker_note(w, "S");
    if (choose(w, 60) == 0)
        stress_nap(choose(w, 2000));
    stress_require(gt_rec_syscall_end(w->thread) == GT_OK, "the call did not end");
    worker_note(w, w->program->keeps_procs ? "X" : "RX");
}

static void worker_run_fiber(struct worker *w)
{
    gt_rec_go *fiber;
    stress_require(gt_rec_go_create(w->thread, w->program->name, GT_REC_BLOCKED, &fiber) == GT_OK,
                   "no fiber");
    uint64_t id = gt_rec_go_id(fiber);
    stress_require(gt_rec_go_switch(w->thread, fiber) == GT_OK, "not switched");
    log_add_change(&w->story, id, 'W');
    log_add_change(&w->story, id, 'R');
    worker_note(w, "W");
    log_add_change(&w->story, id, 'X');
    stress_require(gt_rec_go_switch_end(w->thread, gt_rec_thread_go(w->thread)) == GT_OK,
                   "no way back");
    worker_note(w, "R");
    log_add_change(&w->story, id, 'N');
    worker_note(w, "X");
    stress_require(gt_rec_go_release(&fiber) == GT_OK, "not released");
}

static void worker_act(struct worker *w)
{
    unsigned action = choose(w, 100);
    if (action < 40) {
        worker_wait(w);
    } else if (action < 60) {
        worker_wake(w);
    } else if (action < 80) {
        worker_call(w);
    } else if (action < 90) {
        worker_run_fiber(w);
    } else if (action < 95) {
        worker_come_back(w);
    } else {
        stress_require(gt_rec_go_stop(w->thread, GT_REC_YIELD) == GT_OK, "not stopped");
        stress_require(gt_rec_go_resume(w->thread) == GT_OK, "not resumed");
        worker_note(w, "RX");
    }
}

static void *worker_run(void *argument)
{
    struct worker *w = argument;
    w->id = (int64_t) syscall(SYS_gettid);
    worker_attach(w);
    while (!w->program->is_over)
        worker_act(w);
    /* The end of the thread detaches it otherwise. */
    worker_note(w, "N");
    if (choose(w, 2) == 0)
        gt_rec_thread_detach(&w->thread);
    return NULL;
}

static void program_begin(struct program *p, struct worker *workers, uint64_t seed)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    memset(p, 0, sizeof(*p));
    memset(workers, 0, THREADS * sizeof(*workers));
    p->keeps_procs = seed % 2;
    options.flags = GT_RECORDER_IMPLICIT | (p->keeps_procs ? GT_RECORDER_KEEP_PROCS : 0);
    options.period = 1000000;
    /* What a slow machine does not write in time must not end the recording. */
    options.memory_limit = UINT64_C(1) << 30;
    assert_status(gt_recorder_open(&p->recorder, &options, NULL), GT_OK);
    p->name = recorded_text(p->recorder, "main.worker");
    pthread_mutex_init(&p->lock, NULL);
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].program = p;
        workers[i].random = seed * 1000 + i + 1;
    }
}

static void workers_start(struct worker *workers)
{
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].pthread, NULL, worker_run, &workers[i]), 0);
}

static void workers_end(struct program *p, struct worker *workers)
{
    p->is_over = true;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].pthread, NULL);
}

static void program_close(struct program *p, struct worker *workers)
{
    gt_recorder_close(&p->recorder);
    pthread_mutex_destroy(&p->lock);
    for (size_t i = 0; i < THREADS; i++)
        free(workers[i].story.text);
}

/* What the trace says of the thread of a worker. */
static struct log reread(const struct recorded *trace, const struct worker *w)
{
    struct log story = {NULL, 0, 0};
    const gt_event *event;
    gt_reader *reader = recorded_open(trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        if (event->thread == w->id && gt_event_transition(event, &change) == GT_OK &&
            change.resource.kind == GT_RESOURCE_GOROUTINE && change.from != change.to &&
            change.from != GT_GO_UNDETERMINED)
            log_add_change(&story, (uint64_t) change.resource.id, recorded_letters[change.to]);
    }
    gt_reader_close(&reader);
    return story;
}

/*
 * Asserts that the trace has what the threads did, or a part of that with nothing left out. Returns
 * the number of its events.
 */
static uint64_t expect(const struct recorded *trace, const struct worker *workers, bool is_all)
{
    uint64_t events = recorded_check_by_peer(trace);
    for (size_t i = 0; i < THREADS; i++) {
        struct log story = reread(trace, &workers[i]);
        if (is_all)
            assert_string_equal(log_text(&story), log_text(&workers[i].story));
        else
            assert_non_null(strstr(log_text(&workers[i].story), log_text(&story)));
        free(story.text);
    }
    return events;
}

static void a_trace_has_exactly_what_the_threads_did(void **state)
{
    (void) state;
    uint64_t events = 0;
    for (uint64_t round = 0; round < stress_rounds(2); round++) {
        struct program p;
        struct worker workers[THREADS];
        struct recorded trace = {0};
        program_begin(&p, workers, stress_seed() + round + 1);
        assert_status(gt_recorder_start(p.recorder, recorded_write, &trace, NULL), GT_OK);
        workers_start(workers);
        stress_nap(100000);
        workers_end(&p, workers);
        assert_status(gt_recorder_stop(p.recorder, NULL), GT_OK);
        events += expect(&trace, workers, true);
        for (size_t i = 0; i < THREADS; i++)
            assert_true(workers[i].story.size > 100);
        program_close(&p, workers);
        recorded_free(&trace);
    }
    print_message("%llu events\n", (unsigned long long) events);
}

static void streams_and_windows_have_parts_of_it(void **state)
{
    (void) state;

    enum {
        PARTS = 8
    };

    for (uint64_t round = 0; round < stress_rounds(2); round++) {
        struct program p;
        struct worker workers[THREADS];
        struct recorded streams[PARTS], windows[PARTS];
        gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
        memset(streams, 0, sizeof(streams));
        memset(windows, 0, sizeof(windows));
        options.min_age = 2000000;
        program_begin(&p, workers, round + 100);
        workers_start(workers);
        assert_status(gt_recorder_window_start(p.recorder, &options, NULL), GT_OK);
        for (unsigned i = 0; i < PARTS; i++) {
            stress_nap(2000);
            assert_status(gt_recorder_start(p.recorder, recorded_write, &streams[i], NULL), GT_OK);
            stress_nap(i * 1000);
            assert_status(gt_recorder_stop(p.recorder, NULL), GT_OK);
            assert_status(gt_recorder_window_write(p.recorder, recorded_write, &windows[i], NULL),
                          GT_OK);
        }
        workers_end(&p, workers);
        for (unsigned i = 0; i < PARTS; i++) {
            expect(&streams[i], workers, false);
            expect(&windows[i], workers, false);
            recorded_free(&streams[i]);
            recorded_free(&windows[i]);
        }
        program_close(&p, workers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_has_exactly_what_the_threads_did),
        cmocka_unit_test(streams_and_windows_have_parts_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
