/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random sequences of calls, in any state and with any handles, of one thread and of several that
 * do not agree with each other: each returns a status that it may return, and the trace is good.
 * $GT_RECORDER_ROUNDS is how many sequences there are, in hundreds, and $GT_RECORDER_SEED makes
 * other ones.
 */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/recorded.h"
#include "recorder/stress.h"
#include "support/test.h"

enum {
    GOS = 6,
    PROCS = 3,
    CALLS = 300
};

struct caller {
    gt_recorder *recorder;
    gt_rec_thread *thread;
    gt_rec_go *gos[GOS];
    gt_rec_proc *procs[PROCS];
    uint64_t task;
    uint64_t random;
    struct recorded trace;
    bool is_on;
    /* How many of all possible ends of goroutines are left out. */
    unsigned leaves_out;
};

static unsigned choose(struct caller *c, unsigned count)
{
    return (unsigned) (test_random(&c->random) % count);
}

static gt_rec_go **any_go(struct caller *c)
{
    return &c->gos[choose(c, GOS)];
}

/* Mostly one of these, else the thread's own. */
static gt_rec_go *some_go(struct caller *c)
{
    return choose(c, 8) == 0 ? gt_rec_thread_go(c->thread) : *any_go(c);
}

static gt_rec_proc **any_proc(struct caller *c)
{
    return &c->procs[choose(c, PROCS)];
}

/* Mostly a registered text. */
static gt_rec_text any_text(struct caller *c)
{
    return choose(c, 20) == 0 ? UINT32_MAX - choose(c, 2) : choose(c, 21);
}

static void check(struct caller *c)
{
    recorded_check_by_peer(&c->trace);
    recorded_free(&c->trace);
}

/* Starts, stops or ends a generation. */
static gt_status call_stream(struct caller *c)
{
    gt_status status;
    switch (choose(c, 4)) {
    case 0:
        status = gt_recorder_start(c->recorder, recorded_write, &c->trace, NULL);
        assert_status(status, c->is_on ? GT_ERR_STATE : GT_OK);
        c->is_on = true;
        return status;
    case 1:
        status = gt_recorder_stop(c->recorder, NULL);
        assert_status(status, c->is_on ? GT_OK : GT_ERR_STATE);
        if (c->is_on)
            check(c);
        c->is_on = false;
        return status;
    default:
        status = gt_recorder_advance(c->recorder);
        assert_status(status, c->is_on ? GT_OK : GT_ERR_STATE);
        return status;
    }
}

static gt_status call_attach(struct caller *c)
{
    gt_rec_go **go = any_go(c);
    gt_status status;
    switch (choose(c, 3)) {
    case 0:
        return gt_rec_thread_attach(c->recorder, &c->thread);
    case 1:
        return gt_rec_thread_attach_as(c->recorder, any_text(c), &c->thread);
    default:
        status = gt_rec_thread_attach_go(c->recorder, *go, &c->thread);
        /* It is the thread's now. */
        if (status == GT_OK)
            *go = NULL;
        return status;
    }
}

/* Makes or releases a handle. Those that are lost remain as they are. */
static gt_status call_handle(struct caller *c)
{
    uint64_t flags = choose(c, 10) == 0 ? choose(c, 5) : choose(c, 2) * GT_REC_BLOCKED;
    switch (choose(c, 7)) {
    case 0:
        return gt_rec_go_create(c->thread, any_text(c), flags, any_go(c));
    case 1:
        return gt_rec_go_adopt(c->recorder, any_text(c), flags, any_go(c));
    case 2:
        return gt_rec_go_release(any_go(c));
    case 3:
        return gt_rec_proc_create(c->recorder, choose(c, PROCS), any_proc(c));
    case 4:
        return gt_rec_proc_release(any_proc(c));
    case 5:
        if (choose(c, 5) == 0)
            gt_rec_thread_detach(&c->thread);
        return GT_OK;
    default:
        return c->thread ? GT_OK : call_attach(c);
    }
}

/* Mostly the id of a task, or 0. */
static uint64_t any_task(struct caller *c)
{
    return choose(c, 20) == 0 ? test_random(&c->random) : choose(c, 2) * c->task;
}

static gt_status call_annotation(struct caller *c)
{
    switch (choose(c, 8)) {
    case 0:
        return gt_rec_task_begin(c->thread, any_task(c), any_text(c), &c->task);
    case 1:
        return gt_rec_task_end(c->thread, any_task(c));
    case 2:
    case 3:
        return gt_rec_region_begin(c->thread, any_task(c), any_text(c));
    case 4:
    case 5:
        return gt_rec_region_end(c->thread);
    case 6:
        return gt_rec_log(c->thread, any_task(c), any_text(c), "any text", choose(c, 9));
    default:
        return gt_rec_go_label(c->thread, any_text(c));
    }
}

static gt_status call_range(struct caller *c)
{
    switch (choose(c, 12)) {
    case 0:
    case 1:
        return gt_rec_gc_begin(c->thread);
    case 2:
        return gt_rec_gc_end(c->thread);
    case 3:
        return gt_rec_stw_begin(c->thread, any_text(c));
    case 4:
        return gt_rec_stw_end(c->thread);
    case 5:
        return gt_rec_sweep_begin(c->thread);
    case 6:
        return gt_rec_sweep_end(c->thread, choose(c, 10), test_random(&c->random));
    case 7:
        return gt_rec_assist_begin(c->thread);
    case 8:
        return gt_rec_assist_end(c->thread);
    case 9:
        return gt_rec_heap(c->thread, test_random(&c->random));
    case 10:
        return gt_rec_heap_goal(c->thread, choose(c, 10));
    default:
        return gt_rec_procs(c->thread, choose(c, 10));
    }
}

static gt_status call_state(struct caller *c)
{
    unsigned call = choose(c, 19);
    if ((call == 7 || call == 8) && choose(c, c->leaves_out) != 0)
        return GT_OK;
    switch (call) {
    case 0:
        return gt_rec_proc_start(c->thread, *any_proc(c));
    case 1:
        return choose(c, 4) == 0 ? gt_rec_proc_stop(c->thread) : GT_OK;
    case 2:
        return gt_rec_proc_steal(c->thread, *any_proc(c));
    case 3:
        return gt_rec_go_stop(c->thread, any_text(c));
    case 4:
        return gt_rec_go_block(c->thread, any_text(c));
    case 5:
        return gt_rec_go_unblock(c->thread, some_go(c));
    case 6:
        return gt_rec_go_switch(c->thread, some_go(c));
    case 7:
        return gt_rec_go_switch_end(c->thread, some_go(c));
    case 8:
        return gt_rec_go_end(c->thread);
    case 9:
        return gt_rec_syscall_begin(c->thread);
    case 10:
        return gt_rec_syscall_end(c->thread);
    case 11:
    case 12:
        return call_annotation(c);
    case 13:
    case 14:
        return call_range(c);
    case 15:
        return gt_rec_go_resume(c->thread);
    default:
        return gt_rec_go_start(c->thread, some_go(c));
    }
}

/* Some programs have a scheduler; in others each thread has a proc, which is kept or not. */
static uint64_t any_mode(uint64_t seed)
{
    static const uint64_t modes[] = {0, 0, GT_RECORDER_IMPLICIT,
                                     GT_RECORDER_IMPLICIT | GT_RECORDER_KEEP_PROCS};
    return modes[seed % 4];
}

/* Returns how many calls succeeded. */
static unsigned call_at_random(uint64_t seed)
{
    struct caller c;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    unsigned succeeded = 0;
    memset(&c, 0, sizeof(c));
    c.random = seed;
    c.leaves_out = 5;
    options.flags = GT_RECORDER_NO_THREAD | any_mode(seed);
    options.stack_depth = seed % 3 * 10;
    assert_status(gt_recorder_open(&c.recorder, &options, NULL), GT_OK);
    assert_status(gt_rec_thread_attach(c.recorder, &c.thread), GT_OK);
    for (unsigned i = 0; i < PROCS; i++)
        assert_status(gt_rec_proc_create(c.recorder, i, &c.procs[i]),
                      any_mode(seed) ? GT_ERR_STATE : GT_OK);
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned kind = choose(&c, 20);
        gt_status status = kind == 0  ? call_stream(&c)
                           : kind < 6 ? call_handle(&c)
                                      : call_state(&c);
        assert_true(status == GT_OK || status == GT_STALE || status == GT_ERR_STATE ||
                    status == GT_ERR_INVALID_ARGUMENT);
        succeeded += status == GT_OK;
    }
    if (c.is_on) {
        assert_status(gt_recorder_stop(c.recorder, NULL), GT_OK);
        check(&c);
    }
    gt_recorder_close(&c.recorder);
    return succeeded;
}

static void any_calls_make_a_good_trace(void **state)
{
    (void) state;
    uint64_t count = 100 * stress_rounds(3), succeeded = 0;
    /* A process for each trace would take long. */
    unsetenv("GT_PEER");
    for (uint64_t seed = 1; seed <= count; seed++)
        succeeded += call_at_random((stress_seed() + seed) * 7919);
    assert_true(succeeded > count * CALLS / 5);
}

static void some_of_them_are_read_by_the_peer(void **state)
{
    (void) state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        call_at_random(seed);
}

/* What threads that do not agree with each other share. */
struct crowd {
    gt_recorder *recorder;
    gt_rec_go *gos[GOS];
    gt_rec_proc *procs[PROCS];
    uint64_t seed;
};

struct member {
    const struct crowd *crowd;
    pthread_t pthread;
    uint64_t seed;
};

static void *member_run(void *argument)
{
    const struct member *member = argument;
    struct caller c;
    memset(&c, 0, sizeof(c));
    c.recorder = member->crowd->recorder;
    c.random = member->seed;
    c.leaves_out = 2000;
    memcpy(c.gos, member->crowd->gos, sizeof(c.gos));
    memcpy(c.procs, member->crowd->procs, sizeof(c.procs));
    for (unsigned i = 0; i < 100 * CALLS; i++) {
        if (!c.thread)
            gt_rec_thread_attach(c.recorder, &c.thread);
        if (choose(&c, 300) == 0)
            gt_rec_thread_detach(&c.thread);
        else
            call_state(&c);
    }
    gt_rec_thread_detach(&c.thread);
    return NULL;
}

static void crowd_open(struct crowd *crowd, uint64_t mode)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.flags = mode;
    options.period = 1000000;
    options.memory_limit = UINT64_C(1) << 30;
    options.stack_depth = 8;
    assert_status(gt_recorder_open(&crowd->recorder, &options, NULL), GT_OK);
    for (size_t i = 0; i < GOS; i++)
        assert_status(gt_rec_go_adopt(crowd->recorder, 1, i % 2 * GT_REC_BLOCKED, &crowd->gos[i]),
                      GT_OK);
    for (size_t i = 0; i < PROCS; i++)
        assert_status(gt_rec_proc_create(crowd->recorder, i, &crowd->procs[i]),
                      mode ? GT_ERR_STATE : GT_OK);
}

static void threads_that_do_not_agree_make_a_good_trace(void **state)
{
    (void) state;

    enum {
        MEMBERS = 4
    };

    for (uint64_t round = 1; round <= 10; round++) {
        struct crowd crowd;
        struct member members[MEMBERS];
        struct recorded trace = {0};
        memset(&crowd, 0, sizeof(crowd));
        crowd_open(&crowd, any_mode(round));
        assert_status(gt_recorder_start(crowd.recorder, recorded_write, &trace, NULL), GT_OK);
        for (size_t i = 0; i < MEMBERS; i++) {
            members[i].crowd = &crowd;
            members[i].seed = round * 100 + i;
            assert_int_equal(pthread_create(&members[i].pthread, NULL, member_run, &members[i]), 0);
        }
        for (size_t i = 0; i < MEMBERS; i++)
            pthread_join(members[i].pthread, NULL);
        assert_status(gt_recorder_stop(crowd.recorder, NULL), GT_OK);
        assert_true(recorded_check_by_peer(&trace) > 1000);
        recorded_free(&trace);
        gt_recorder_close(&crowd.recorder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_do_not_agree_make_a_good_trace),
        cmocka_unit_test(some_of_them_are_read_by_the_peer),
        cmocka_unit_test(any_calls_make_a_good_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
