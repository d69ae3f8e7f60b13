/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/thread.h"

#include "recorder/generation.h"
#include "recorder/hold.h"
#include "recorder/home.h"
#include "recorder/list.h"
#include "recorder/memory.h"
#include "recorder/recent.h"
#include "recorder/sample.h"
#include "recorder/sampler.h"
#include "recorder/section.h"
#include "recorder/texts.h"

enum {
    /* While nothing is recorded, so many objects are freed at once. */
    THREAD_RELEASED_MOST = 1024
};

static void thread_fill(gt_rec_thread *t, gt_recorder *recorder)
{
    t->recorder = recorder;
    t->id = gt_system_thread_id();
    t->tag = gt_atomic_add(&recorder->next_tag, 1) << GT_WORD_NUMBER_SHIFT;
    t->stack_depth = recorder->stack_depth;
    gt_recorder_recent_init(t, t + 1);
    gt_recorder_samples_init(t, (char *) (t + 1) + gt_recorder_recent_size(recorder));
    if (gt_recorder_has_stacks(recorder) && !gt_system_stack(&t->bounds.low, &t->bounds.high))
        t->bounds.high = 0;
}

static bool thread_is_implicit(const gt_recorder *recorder)
{
    return recorder->flags & GT_RECORDER_IMPLICIT;
}

/* Makes the handle of the calling thread, and what it has of its own. */
static gt_status thread_make(gt_recorder *recorder, gt_rec_text name, bool has_go,
                             gt_rec_thread **out)
{
    /* Recent stacks and samples need few zeros, which they set themselves. */
    size_t size = recorder->thread_size;
    gt_rec_thread *t = gt_recorder_memory_alloc_handle(recorder, size, sizeof(*t));
    if (!t)
        return gt_mem_failure(&recorder->mem);
    thread_fill(t, recorder);
    gt_status status = GT_OK;
    if (thread_is_implicit(recorder))
        status = gt_recorder_home_make(t, name, has_go);
    if (status == GT_OK && !gt_system_self_set(&recorder->self, t))
        status = GT_ERR_NO_MEMORY;
    if (status != GT_OK) {
        gt_recorder_home_free(t);
        gt_mem_free(&recorder->mem, t, size);
        return status;
    }
    *out = t;
    return GT_OK;
}

/* `go` is a goroutine that the thread runs, or NULL. */
static gt_status thread_attach(gt_recorder *recorder, gt_rec_text name, gt_rec_go *go,
                               gt_rec_thread **out)
{
    gt_rec_thread *t = NULL;
    if (gt_system_self_get(&recorder->self))
        return GT_ERR_STATE;
    gt_status status = thread_make(recorder, name, go, &t);
    if (status != GT_OK)
        return status;
    gt_recorder_list_add(&recorder->threads, &t->link);
    if (thread_is_implicit(recorder))
        status = gt_recorder_home_begin(t, go);
    gt_recorder_sampler_add(t);
    if (status == GT_OK)
        *out = t;
    else
        gt_rec_thread_detach(&t);
    return status;
}

gt_status gt_rec_thread_attach(gt_recorder *recorder, gt_rec_thread **thread)
{
    if (!thread)
        return GT_ERR_INVALID_ARGUMENT;
    *thread = NULL;
    return recorder ? thread_attach(recorder, 0, NULL, thread) : GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_rec_thread_attach_as(gt_recorder *recorder, gt_rec_text name, gt_rec_thread **thread)
{
    if (!thread)
        return GT_ERR_INVALID_ARGUMENT;
    *thread = NULL;
    if (!recorder || !gt_recorder_text_is_known(recorder, name))
        return GT_ERR_INVALID_ARGUMENT;
    return thread_is_implicit(recorder) ? thread_attach(recorder, name, NULL, thread)
                                        : GT_ERR_STATE;
}

gt_status gt_rec_thread_attach_go(gt_recorder *recorder, gt_rec_go *go, gt_rec_thread **thread)
{
    if (!thread)
        return GT_ERR_INVALID_ARGUMENT;
    *thread = NULL;
    if (!recorder || !go || go->recorder != recorder)
        return GT_ERR_INVALID_ARGUMENT;
    return thread_is_implicit(recorder) ? thread_attach(recorder, 0, go, thread) : GT_ERR_STATE;
}

gt_rec_go *gt_rec_thread_go(gt_rec_thread *t)
{
    return t ? t->home_go : NULL;
}

void gt_recorder_note_released(gt_recorder *recorder)
{
    uint64_t released = gt_atomic_add(&recorder->released, 1);
    if (gt_recorder_records(recorder) || released < THREAD_RELEASED_MOST ||
        !gt_system_try_lock(&recorder->advancing))
        return;
    if (!gt_recorder_records(recorder))
        gt_recorder_sweep(recorder);
    gt_system_unlock(&recorder->advancing);
}

/* Ends the goroutine that runs on a thread, whatever it does. */
static void thread_end_go(gt_rec_thread *t)
{
    if (gt_recorder_own_go(t)->stop.is_open)
        gt_rec_stw_end(t);
    if (gt_recorder_go_has_range(t))
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
    /* The events would be the parent's. */
    if (gt_recorder_is_in_child(recorder))
        return;
    gt_recorder_sampler_remove(t);
    if (t->is_in_call)
        gt_rec_syscall_end(t);
    if (gt_recorder_own_go(t))
        thread_end_go(t);
    if (t->home_proc)
        gt_recorder_home_wake(t);
    if (gt_recorder_own_go(t))
        thread_end_go(t);
    if (gt_recorder_own_proc(t))
        thread_stop_proc(t);
    if (t->home_proc)
        gt_recorder_home_give(t);
    gt_recorder_enter(t);
    if (gt_recorder_is_on(t))
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
    void *self = recorder ? gt_system_self_get(&recorder->self) : NULL;
    return self == recorder ? NULL : self;
}
