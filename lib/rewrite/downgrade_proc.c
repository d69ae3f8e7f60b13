/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/wire.h>

#include "rewrite/downgrade_stream.h"

/* Transitions of procs. */

enum {
    /* Higher numbers are for the stand-ins of gt_proc_stand_in, and beyond. */
    PROC_MAX = 1000000
};

struct gt_downgrade_proc *gt_downgrade_proc_get(struct gt_downgrader *d, int64_t id)
{
    struct gt_downgrade_proc *proc = gt_idmap_get(&d->proc_map, (uint64_t) id);
    if (proc)
        return proc;
    if (id < 0 || id > PROC_MAX) {
        gt_downgrade_fail(d, GT_ERR_NOT_AVAILABLE,
                          "a proc with a number above 1,000,000 cannot be written");
        return NULL;
    }
    if (gt_array_reserve(&d->mem, &d->procs, 1) == GT_OK)
        proc = gt_idmap_add(&d->proc_map, (uint64_t) id);
    if (!proc) {
        gt_downgrade_no_memory(d);
        return NULL;
    }
    proc->stream.id = id;
    d->procs.items[d->procs.count++] = proc;
    return proc;
}

gt_status gt_downgrade_leave_proc(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                  int64_t time)
{
    gt_status status = gt_downgrade_add_bare(d, proc, time, GT_V1_GO_SYS_BLOCK);
    proc->goroutine->state = GT_DOWNGRADE_WAITING;
    proc->goroutine->proc = NULL;
    proc->goroutine = NULL;
    return status;
}

static gt_status proc_start(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                            struct gt_downgrade_proc *proc, bool is_first)
{
    gt_status status = GT_OK;
    int64_t time = is_first ? gt_downgrade_run_time(d, proc, e->time) : e->time;
    if (!proc->is_running)
        status = gt_downgrade_add(d, proc, time, GT_V1_PROC_START, (uint64_t) e->event->thread);
    proc->is_running = true;
    struct gt_downgrade_goroutine *goroutine =
        gt_idmap_get(&d->goroutine_map, (uint64_t) e->event->goroutine);
    if (status == GT_OK && goroutine && goroutine->is_due)
        status = gt_downgrade_run_due(d, proc, goroutine, e->time);
    return status;
}

static gt_status proc_stop(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                           struct gt_downgrade_proc *proc)
{
    gt_status status = GT_OK;
    if (!proc->is_running)
        return GT_OK;
    if (proc->goroutine && !proc->goroutine->is_in_syscall)
        return gt_downgrade_contradiction(d);
    if (proc->goroutine)
        status = gt_downgrade_leave_proc(d, proc, e->time);
    proc->is_running = false;
    return status == GT_OK ? gt_downgrade_add_bare(d, proc, e->time, GT_V1_PROC_STOP) : status;
}

gt_status gt_downgrade_proc_change(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                   const gt_transition *transition)
{
    struct gt_downgrade_proc *proc = gt_downgrade_proc_get(d, transition->resource.id);
    if (!proc)
        return (gt_status) d->error.status;
    if (transition->to == GT_PROC_RUNNING)
        return proc_start(d, e, proc, transition->from == GT_PROC_UNDETERMINED);
    return proc_stop(d, e, proc);
}
