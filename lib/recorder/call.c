/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/call.h"

#include "recorder/home.h"
#include "recorder/list.h"
#include "recorder/section.h"
#include "recorder/stack.h"

/*
 * The word of the thread decides whether the thread gets its proc back or a thief has it. It has
 * the generation in which that was decided, because both write about it in one generation or the
 * thread in a later one.
 */
enum {
    CALL_STATE_BITS = 2,
    CALL_NUMBER_SHIFT = 30
};

static uint64_t call_state(uint64_t word)
{
    return word & ((1 << CALL_STATE_BITS) - 1);
}

static uint64_t call_generation(uint64_t word)
{
    return word >> CALL_STATE_BITS & GT_LAST_GENERATION;
}

static uint64_t call_number(uint64_t word)
{
    return word >> CALL_NUMBER_SHIFT;
}

static uint64_t call_make(uint64_t number, uint64_t generation, uint64_t state)
{
    return number << CALL_NUMBER_SHIFT | generation << CALL_STATE_BITS | state;
}

gt_status gt_rec_syscall_begin(gt_rec_thread *t)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    uint64_t time = 0;
    if (!gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (!gt_recorder_keep_go(t, GT_G_SYSCALL, 0)) {
        gt_recorder_leave(t);
        return GT_ERR_STATE;
    }
    uint64_t number = gt_recorder_set_own(t, &gt_recorder_own_proc(t)->resource, GT_P_SYSCALL, 1);
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_GO_SYSCALL_BEGIN, number, gt_recorder_stack(t));
    t->is_in_call = true;
    if (GT_UNLIKELY(t->home_proc) && !t->keeps_proc)
        gt_recorder_home_stop_proc(t, time);
    else
        /* From here on the proc can be stolen. */
        gt_atomic_set(&t->call, call_make(call_number(gt_atomic_peek(&t->call)) + 1, t->generation,
                                          GT_SYSCALL_OPEN));
    gt_recorder_leave(t);
    return GT_OK;
}

/* Enters a section that knows whether the proc was stolen, which is the result. */
static bool call_enter_end(gt_rec_thread *t)
{
    for (;;) {
        gt_recorder_enter(t);
        uint64_t word = gt_atomic_get(&t->call);
        if (call_generation(word) <= t->generation) {
            if (call_state(word) == GT_SYSCALL_STOLEN)
                return true;
            uint64_t none = call_make(call_number(word), t->generation, GT_SYSCALL_NONE);
            if (gt_atomic_swap(&t->call, &word, none))
                return false;
        }
        gt_recorder_leave(t);
    }
}

/*
 * While something is recorded the thread has its goroutine: see gt_recorder_call_part. Returns
 * whether it has it otherwise.
 */
static bool call_end_kept(gt_rec_thread *t)
{
    if (gt_recorder_is_on(t)) {
        uint64_t time = gt_recorder_clock(t);
        gt_recorder_settle(t, time);
        gt_recorder_put_bare(t, time, GT_WIRE_GO_SYSCALL_END);
    }
    gt_recorder_set_own(t, &gt_recorder_own_proc(t)->resource, GT_P_RUNNING, 0);
    return gt_recorder_keep_go(t, GT_G_RUNNING, 0);
}

static void call_end_stolen(gt_rec_thread *t)
{
    void *self = t;
    /*
     * Another thread must not find the thread there, which may be detached and freed next. If the
     * proc was started again, that thread is there already.
     */
    gt_atomic_pointer_swap(&gt_recorder_own_proc(t)->resource.thread, &self, NULL);
    gt_atomic_pointer_set(&t->proc, NULL);
    uint64_t time = gt_recorder_time(t);
    if (gt_recorder_is_on(t))
        gt_recorder_settle(t, time);
    gt_rec_go *go = gt_recorder_own_go(t);
    if (!go)
        return;
    if (gt_recorder_is_on(t))
        gt_recorder_put_bare(t, time, GT_WIRE_GO_SYSCALL_END_BLOCKED);
    gt_recorder_drop_go(t);
    gt_recorder_leave_go(t, go, GT_G_RUNNABLE);
}

gt_status gt_rec_syscall_end(gt_rec_thread *t)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!t->is_in_call)
        return GT_ERR_STATE;
    if (!gt_recorder_own_proc(t))
        return gt_recorder_home_end_call(t);
    gt_status status = GT_STALE;
    if (call_enter_end(t))
        call_end_stolen(t);
    else
        status = call_end_kept(t) ? GT_OK : GT_ERR_STATE;
    t->is_in_call = false;
    gt_recorder_leave(t);
    return status;
}

void gt_recorder_call_part(gt_recorder *recorder)
{
    uint64_t generation = gt_recorder_number(recorder);
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        gt_rec_thread *t = (gt_rec_thread *) link;
        uint64_t word = gt_atomic_get(&t->call);
        uint64_t claim = gt_atomic_get(&t->claim);
        const gt_rec_go *go = gt_recorder_own_go(t);
        gt_rec_proc *proc = gt_recorder_own_proc(t);
        if (call_state(word) != GT_SYSCALL_OPEN || !go || !proc ||
            gt_atomic_get(&go->resource.word) == claim)
            continue;
        uint64_t stolen = call_make(call_number(word), generation, GT_SYSCALL_STOLEN);
        if (gt_atomic_swap(&t->call, &word, stolen))
            gt_atomic_set(&proc->resource.word, gt_word_next(gt_atomic_peek(&proc->resource.word),
                                                             generation, GT_P_IDLE, 1));
    }
}

/*
 * Enters a section in which the thread has taken the proc from the thread that is the result; NULL
 * if that is not in a system call with it.
 */
static gt_rec_thread *call_enter_steal(gt_rec_thread *t, gt_rec_proc *proc)
{
    for (;;) {
        gt_recorder_enter(t);
        gt_rec_thread *victim = gt_atomic_pointer_get(&proc->resource.thread);
        if (!victim)
            break;
        uint64_t word = gt_atomic_get(&victim->call);
        /* The number in the word tells below that the call is still the one that has this proc. */
        if (call_state(word) != GT_SYSCALL_OPEN || gt_recorder_own_proc(victim) != proc)
            break;
        uint64_t stolen = call_make(call_number(word), t->generation, GT_SYSCALL_STOLEN);
        if (call_generation(word) <= t->generation && gt_atomic_swap(&victim->call, &word, stolen))
            return victim;
        gt_recorder_leave(t);
    }
    gt_recorder_leave(t);
    return NULL;
}

gt_status gt_rec_proc_steal(gt_rec_thread *t, gt_rec_proc *proc)
{
    if (!t || !proc || proc->recorder != t->recorder)
        return GT_ERR_INVALID_ARGUMENT;
    if (t->is_in_call || t->home_proc)
        return GT_ERR_STATE;
    const gt_rec_thread *victim = call_enter_steal(t, proc);
    if (!victim)
        return GT_STALE;
    uint64_t time = gt_recorder_time(t), id = victim->id;
    /* Until the word changes the proc is this thread's. The victim removes itself from it. */
    uint64_t word = gt_atomic_peek(&proc->resource.word);
    uint64_t number = gt_recorder_set_own(t, &proc->resource, GT_P_IDLE, 1);
    if (gt_recorder_is_on(t)) {
        gt_recorder_settle(t, time);
        if (gt_word_generation(word) != t->generation)
            gt_recorder_put_proc_status(t, time, proc, GT_P_ABANDONED, gt_word_has_range(word));
        gt_recorder_put(t, time, GT_WIRE_PROC_STEAL, proc->resource.id, number, id);
    }
    gt_recorder_leave(t);
    return GT_OK;
}
