/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/home.h"

#include "recorder/goroutine.h"
#include "recorder/list.h"
#include "recorder/proc.h"
#include "recorder/section.h"

gt_status gt_recorder_home_make(gt_rec_thread *t, gt_rec_text name, bool has_go)
{
    t->keeps_proc = t->recorder->flags & GT_RECORDER_KEEP_PROCS;
    gt_status status = has_go ? GT_OK : gt_recorder_go_make(t, name, 0, &t->home_go);
    return status == GT_OK ? gt_recorder_proc_take(t->recorder, &t->home_proc) : status;
}

void gt_recorder_home_free(gt_rec_thread *t)
{
    if (t->home_proc)
        gt_recorder_proc_give(t->home_proc);
    gt_mem_free(&t->recorder->mem, t->home_go, sizeof(*t->home_go));
}

void gt_recorder_home_start_proc(gt_rec_thread *t, uint64_t time)
{
    gt_rec_proc *proc = t->home_proc;
    uint64_t before = gt_atomic_peek(&proc->resource.word);
    uint64_t number = gt_recorder_set_own(t, &proc->resource, GT_P_RUNNING, 1);
    if (gt_recorder_is_on(t)) {
        if (gt_word_generation(before) != t->generation)
            gt_recorder_put_proc_status(t, time, proc, GT_P_IDLE, gt_word_has_range(before));
        gt_recorder_put(t, time, GT_WIRE_PROC_START, proc->resource.id, number);
    }
    gt_atomic_pointer_set(&proc->resource.thread, t);
    gt_atomic_pointer_set(&t->proc, proc);
}

void gt_recorder_home_stop_proc(gt_rec_thread *t, uint64_t time)
{
    gt_rec_proc *proc = t->home_proc;
    if (gt_recorder_is_on(t))
        gt_recorder_put_bare(t, time, GT_WIRE_PROC_STOP);
    gt_atomic_pointer_set(&proc->resource.thread, NULL);
    gt_atomic_pointer_set(&t->proc, NULL);
    gt_recorder_set_own(t, &proc->resource, GT_P_IDLE, 0);
}

/*
 * The goroutine leaves a system call without a proc, as in Go: it gets one, and is started. Returns
 * false if another thread has it.
 */
static bool home_run(gt_rec_thread *t, uint64_t time)
{
    gt_recorder_home_start_proc(t, time);
    if (!gt_recorder_keep_go(t, GT_G_RUNNING, 1))
        return false;
    if (gt_recorder_is_on(t)) {
        uint64_t number = gt_word_number(gt_atomic_peek(&t->claim));
        gt_recorder_put_bare(t, time, GT_WIRE_GO_SYSCALL_END_BLOCKED);
        gt_recorder_put(t, time, GT_WIRE_GO_START, gt_recorder_own_go(t)->resource.id, number);
        gt_recorder_tell_procs(t, time);
    }
    return true;
}

gt_status gt_recorder_home_end_call(gt_rec_thread *t)
{
    uint64_t time = 0;
    if (!gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    bool is_running = home_run(t, time);
    t->is_in_call = false;
    gt_recorder_leave(t);
    return is_running ? GT_OK : GT_ERR_STATE;
}

/* Go pictures a thread of C that calls in as one in a system call. */
static void home_appear(gt_rec_thread *t)
{
    gt_rec_go *go = t->home_go;
    gt_recorder_enter(t);
    uint64_t time = gt_recorder_time(t);
    gt_atomic_pointer_set(&go->home, t);
    uint64_t word = gt_recorder_mark(t, gt_word_make(0, t->generation, false, GT_G_SYSCALL));
    gt_atomic_set(&go->resource.word, word);
    gt_recorder_take_go(t, go, word);
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_GO_CREATE_SYSCALL, go->resource.id);
    /* Nobody else knows the goroutine. */
    (void) home_run(t, time);
    /* Within the section: whoever ends its generation finds it in the list. */
    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);
    gt_recorder_leave(t);
}

gt_status gt_recorder_home_begin(gt_rec_thread *t, gt_rec_go *go)
{
    if (!go) {
        home_appear(t);
        return GT_OK;
    }
    void *none = NULL;
    if (!gt_atomic_pointer_swap(&go->home, &none, t))
        return GT_ERR_STATE;
    gt_status status = gt_rec_go_start(t, go);
    if (status == GT_OK)
        t->home_go = go;
    else
        gt_atomic_pointer_set(&go->home, NULL);
    return status;
}

void gt_recorder_home_wake(gt_rec_thread *t)
{
    if (t->home_go && gt_rec_go_resume(t) == GT_OK)
        return;
    /* Whoever gets the proc next did not begin a sweep on it, so that ends. */
    if (gt_recorder_own_proc(t) || !gt_recorder_has_range(&t->home_proc->resource))
        return;
    gt_recorder_enter(t);
    gt_recorder_home_start_proc(t, gt_recorder_time(t));
    gt_recorder_leave(t);
}

void gt_recorder_home_give(gt_rec_thread *t)
{
    gt_recorder_proc_give(t->home_proc);
    if (!t->home_go)
        return;
    gt_atomic_pointer_set(&t->home_go->home, NULL);
    /* One that another thread runs by mistake remains until the recorder is closed. */
    (void) gt_rec_go_release(&t->home_go);
}
