/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/proc.h"

#include "recorder/list.h"
#include "recorder/memory.h"
#include "recorder/section.h"

static gt_rec_proc *proc_find(gt_recorder *recorder, uint64_t id)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->procs);
    for (; link; link = link->next) {
        gt_rec_proc *proc = (gt_rec_proc *) link;
        if (proc->resource.id == id)
            return proc;
    }
    return NULL;
}

/* With the lock of the registry. */
static gt_status proc_make(gt_recorder *recorder, uint64_t id, gt_rec_proc **out)
{
    gt_rec_proc *proc = gt_recorder_memory_alloc_handle(recorder, sizeof(*proc), sizeof(*proc));
    if (!proc)
        return gt_mem_failure(&recorder->mem);
    proc->recorder = recorder;
    proc->resource.id = id;
    gt_atomic_set(&proc->resource.word, gt_word_make(0, 0, false, GT_P_IDLE));
    gt_recorder_list_add(&recorder->procs, &proc->resource.link);
    *out = proc;
    return GT_OK;
}

/* With the lock of the registry. A proc that was released comes back with its word. */
static gt_status proc_create(gt_recorder *recorder, uint64_t id, gt_rec_proc **out)
{
    gt_rec_proc *proc = proc_find(recorder, id);
    if (!proc)
        return proc_make(recorder, id, out);
    if (!gt_atomic_get(&proc->is_released))
        return GT_ERR_STATE;
    gt_atomic_set(&proc->is_released, false);
    *out = proc;
    return GT_OK;
}

gt_status gt_rec_proc_create(gt_recorder *recorder, uint64_t id, gt_rec_proc **proc)
{
    if (!proc)
        return GT_ERR_INVALID_ARGUMENT;
    *proc = NULL;
    if (!recorder || id > GT_REC_PROC_MAX)
        return GT_ERR_INVALID_ARGUMENT;
    if (recorder->flags & GT_RECORDER_IMPLICIT)
        return GT_ERR_STATE;
    gt_system_lock(&recorder->registry);
    gt_status status = proc_create(recorder, id, proc);
    gt_system_unlock(&recorder->registry);
    return status;
}

/* One that was given back, or else a new one. */
static gt_status proc_take(gt_recorder *recorder, gt_rec_proc **out)
{
    gt_rec_proc *proc = recorder->free_procs;
    if (proc) {
        recorder->free_procs = proc->next_free;
        gt_atomic_set(&proc->is_released, false);
        *out = proc;
        return GT_OK;
    }
    if (recorder->next_proc > GT_REC_PROC_MAX)
        return GT_ERR_LIMIT;
    gt_status status = proc_make(recorder, recorder->next_proc, out);
    recorder->next_proc += status == GT_OK;
    return status;
}

gt_status gt_recorder_proc_take(gt_recorder *recorder, gt_rec_proc **out)
{
    gt_system_lock(&recorder->registry);
    gt_status status = proc_take(recorder, out);
    gt_system_unlock(&recorder->registry);
    return status;
}

void gt_recorder_proc_give(gt_rec_proc *proc)
{
    gt_recorder *recorder = proc->recorder;
    gt_system_lock(&recorder->registry);
    gt_atomic_set(&proc->is_released, true);
    proc->next_free = recorder->free_procs;
    recorder->free_procs = proc;
    gt_system_unlock(&recorder->registry);
}

gt_status gt_rec_proc_release(gt_rec_proc **proc)
{
    if (!proc || !*proc)
        return GT_ERR_INVALID_ARGUMENT;
    /* Whoever gets the id next did not begin the sweep. */
    uint64_t word = gt_atomic_get(&(*proc)->resource.word);
    if (gt_word_state(word) != GT_P_IDLE || gt_word_has_range(word))
        return GT_ERR_STATE;
    gt_atomic_set(&(*proc)->is_released, true);
    *proc = NULL;
    return GT_OK;
}

gt_status gt_rec_proc_start(gt_rec_thread *t, gt_rec_proc *proc)
{
    if (!t || !proc || proc->recorder != t->recorder)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_recorder_change change;
    if (gt_recorder_own_go(t) || gt_recorder_own_proc(t) || t->home_proc ||
        !gt_recorder_enter_and_move(t, &proc->resource, GT_P_IDLE, GT_P_RUNNING, GT_RECORDER_RIVALS,
                                    &change))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t)) {
        uint64_t time = gt_recorder_clock(t);
        if (change.is_fresh)
            gt_recorder_put_proc_status(t, time, proc, GT_P_IDLE, change.has_range);
        gt_recorder_put(t, time, GT_WIRE_PROC_START, proc->resource.id,
                        gt_word_number(change.word));
    }
    gt_atomic_pointer_set(&proc->resource.thread, t);
    gt_atomic_pointer_set(&t->proc, proc);
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_proc_stop(gt_rec_thread *t)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_free(t))
        return GT_ERR_STATE;
    gt_recorder_enter(t);
    gt_rec_proc *proc = gt_recorder_own_proc(t);
    if (gt_recorder_is_on(t)) {
        uint64_t time = gt_recorder_clock(t);
        gt_recorder_settle(t, time);
        gt_recorder_put_bare(t, time, GT_WIRE_PROC_STOP);
    }
    gt_atomic_pointer_set(&proc->resource.thread, NULL);
    gt_atomic_pointer_set(&t->proc, NULL);
    gt_recorder_set_own(t, &proc->resource, GT_P_IDLE, 0);
    gt_recorder_leave(t);
    return GT_OK;
}
