/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/thread.h"

#include "recorder/generation.h"
#include "recorder/list.h"
#include "recorder/memory.h"
#include "recorder/section.h"

enum {
    /* While nothing is recorded, so many objects are freed at once. */
    THREAD_RELEASED_MOST = 1024
};

gt_status gt_rec_thread_attach(gt_recorder *recorder, gt_rec_thread **out)
{
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    if (!recorder)
        return GT_ERR_INVALID_ARGUMENT;
    if (gt_system_self_get(&recorder->self))
        return GT_ERR_STATE;
    gt_rec_thread *t = gt_recorder_memory_alloc_handle(recorder, sizeof(*t));
    if (!t)
        return gt_mem_failure(&recorder->mem);
    t->recorder = recorder;
    t->id = gt_system_thread_id();
    t->stack_depth = recorder->stack_depth;
    if (t->stack_depth > 0 && !gt_system_stack(&t->bounds.low, &t->bounds.high))
        t->bounds.high = 0;
    if (!gt_system_self_set(&recorder->self, t)) {
        gt_mem_free(&recorder->mem, t, sizeof(*t));
        return GT_ERR_NO_MEMORY;
    }
    gt_recorder_list_add(&recorder->threads, &t->link);
    *out = t;
    return GT_OK;
}

void gt_recorder_note_released(gt_recorder *recorder)
{
    uint64_t released = gt_atomic_add(&recorder->released, 1);
    bool is_on = gt_atomic_get(&recorder->generation) & 1;
    if (is_on || released < THREAD_RELEASED_MOST || !gt_system_try_lock(&recorder->advancing))
        return;
    if ((gt_atomic_get(&recorder->generation) & 1) == 0)
        gt_recorder_sweep(recorder);
    gt_system_unlock(&recorder->advancing);
}

/* Ends the goroutine that runs on a thread, whatever it does. */
static void thread_end_go(gt_rec_thread *t)
{
    if (t->go->stop.is_open)
        gt_rec_stw_end(t);
    if (gt_recorder_has_range(&t->go->resource))
        gt_rec_assist_end(t);
    gt_rec_go_end(t);
}

/* Stops the proc of a thread, whatever is done on it. */
static void thread_stop_proc(gt_rec_thread *t)
{
    if (gt_recorder_has_range(&gt_recorder_own_proc(t)->resource))
        gt_rec_sweep_end(t, 0, 0);
    gt_rec_proc_stop(t);
}

/*
 * The buffer of the current generation goes to the queue at once: the system may give the id of
 * this thread to another one, whose events come later.
 */
void gt_recorder_thread_leave(void *thread)
{
    gt_rec_thread *t = thread;
    gt_recorder *recorder = t->recorder;
    if (t->is_in_call)
        gt_rec_syscall_end(t);
    if (t->go)
        thread_end_go(t);
    if (gt_recorder_own_proc(t))
        thread_stop_proc(t);
    gt_recorder_enter(t);
    if (t->is_on)
        gt_recorder_buffer_hand_over(t, t->generation);
    gt_atomic_set(&t->is_detached, true);
    gt_recorder_leave(t);
    gt_recorder_note_released(recorder);
}

void gt_rec_thread_detach(gt_rec_thread **thread)
{
    if (!thread || !*thread)
        return;
    gt_system_self_set(&(*thread)->recorder->self, NULL);
    gt_recorder_thread_leave(*thread);
    *thread = NULL;
}

gt_rec_thread *gt_rec_thread_self(gt_recorder *recorder)
{
    return recorder ? gt_system_self_get(&recorder->self) : NULL;
}
