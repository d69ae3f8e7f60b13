/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/* Events of procs. */

/* The first that is told of a proc is its status. */
static int give_proc(struct gt_v1_proc *proc, gt_proc_state to, struct gt_event_data *data)
{
    if (!proc->seen)
        data->type = GT_WIRE_PROC_STATUS;
    data->arguments[0] = (uint64_t) (int64_t) proc->id;
    data->from = GT_PROC_UNDETERMINED;
    data->to = (uint8_t) to;
    proc->seen = 1;
    return GT_V1_GIVEN;
}

/* A change of the proc that the trace lacks. */
static void bridge(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_proc_state from,
                   gt_proc_state to)
{
    if (proc->seen)
        gt_v1_give_change(v1, GT_WIRE_PROC_STATUS, proc->id, from, to);
}

int gt_v1_proc_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t thread = gt_v1_number(proc);
    if (proc->running) {
        gt_status status = gt_v1_break(v1, proc, "; it is made idle first",
                                       "%s of proc %d, which runs already", (uint64_t) proc->id, 0);
        if (status != GT_OK)
            return status;
        bridge(v1, proc, GT_PROC_RUNNING, GT_PROC_IDLE);
        data = v1->slot;
    }
    proc->running = 1;
    /* What happens on no proc has no thread either. */
    if (proc->id >= 0)
        proc->thread = (int64_t) thread;
    data->event.thread = proc->thread;
    return give_proc(proc, GT_PROC_RUNNING, data);
}

int gt_v1_proc_stop(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    gt_status status = GT_OK;
    if (!proc->running) {
        status = gt_v1_break(v1, proc, "; it is made to run first",
                             "%s of proc %d, which does not run", (uint64_t) proc->id, 0);
        if (status == GT_OK)
            bridge(v1, proc, GT_PROC_IDLE, GT_PROC_RUNNING);
    }
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    if (status == GT_OK && goroutine) {
        status = gt_v1_break(v1, proc, "; that is made to wait",
                             "%s of proc %d, which runs goroutine %u", (uint64_t) proc->id,
                             goroutine->id);
        if (status == GT_OK)
            gt_v1_bridge(v1, goroutine, GT_V1_WAITING, GT_GO_WAITING);
    }
    if (status != GT_OK)
        return status;
    proc->running = 0;
    proc->thread = GT_NO_THREAD;
    return give_proc(proc, GT_PROC_IDLE, v1->slot);
}
