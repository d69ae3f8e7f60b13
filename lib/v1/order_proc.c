/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/* Events of procs. */

/* The status of a proc in Go 1.22 that corresponds to this state. */
static uint64_t v1_proc_status(gt_proc_state state)
{
    return state == GT_PROC_RUNNING ? 1 : 2;
}

/* Completes a proc's transition. The first transition that is reported becomes a status event. */
static gt_result v1_proc_change(struct gt_v1_proc *proc, gt_proc_state to,
                                struct gt_event_data *data)
{
    if (!proc->seen)
        data->type = GT_WIRE_PROC_STATUS;
    data->arguments[0] = (uint64_t) (int64_t) proc->id;
    data->arguments[1] = v1_proc_status(to);
    data->from = GT_PROC_UNDETERMINED;
    data->to = (uint8_t) to;
    proc->seen = true;
    return GT_RESULT_DONE;
}

/*
 * Adds a transition of the proc that the trace lacks. Returns where the proc's event is to be
 * completed.
 */
static struct gt_event_data *v1_proc_force(struct gt_v1 *v1, struct gt_event_data *data,
                                           const struct gt_v1_proc *proc, gt_proc_state from,
                                           gt_proc_state to)
{
    if (!proc->seen)
        return data;
    struct gt_event_data *next =
        gt_v1_force_change(v1, data, GT_WIRE_PROC_STATUS, proc->id, from, to);
    data->arguments[1] = v1_proc_status(to);
    return next;
}

gt_result gt_v1_proc_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t thread = gt_v1_number(proc);
    if (proc->running) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of proc %d, which runs already",
                         (uint64_t) proc->id, 0);
        if (!gt_v1_forgive(v1, "; it is made idle first"))
            return GT_RESULT_ERROR;
        data = v1_proc_force(v1, data, proc, GT_PROC_RUNNING, GT_PROC_IDLE);
    }
    proc->running = true;
    /* Events that happen on no proc have no thread either. */
    if (proc->id >= 0)
        proc->thread = (int64_t) thread;
    data->event.thread = proc->thread;
    return v1_proc_change(proc, GT_PROC_RUNNING, data);
}

gt_result gt_v1_proc_stop(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    if (!proc->running) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of proc %d, which does not run",
                         (uint64_t) proc->id, 0);
        if (!gt_v1_forgive(v1, "; it is made to run first"))
            return GT_RESULT_ERROR;
        data = v1_proc_force(v1, data, proc, GT_PROC_IDLE, GT_PROC_RUNNING);
    }
    if (goroutine) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of proc %d, which runs goroutine %u",
                         (uint64_t) proc->id, goroutine->id);
        if (!gt_v1_forgive(v1, "; that is made to wait"))
            return GT_RESULT_ERROR;
        data = gt_v1_force_goroutine(v1, data, goroutine, GT_V1_WAITING, GT_GO_WAITING);
    }
    proc->running = false;
    proc->thread = GT_NO_THREAD;
    return v1_proc_change(proc, GT_PROC_IDLE, data);
}
