/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/transition.h"
#include "v2/spec.h"

/* Transitions of procs. */

static gt_status proc_put_status(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 struct gt_rewrite_proc *proc)
{
    proc->sequence = 0;
    proc->named = writer->generation.ordinal;
    /* A proc that was abandoned in a system call remains in that state until it is stolen. */
    if (e->status != GT_V2_PROC_SYSCALL_ABANDONED || proc->status != GT_V2_PROC_SYSCALL)
        proc->status = e->status;
    if ((e->status == GT_V2_PROC_RUNNING || e->status == GT_V2_PROC_SYSCALL) &&
        !gt_rewrite_bind_proc(e->thread, proc))
        return gt_rewrite_contradiction(writer);
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) proc->id, e->status);
}

static gt_status proc_put_start(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                struct gt_rewrite_proc *proc)
{
    proc->status = GT_V2_PROC_RUNNING;
    if (!gt_rewrite_bind_proc(e->thread, proc))
        return gt_rewrite_contradiction(writer);
    proc->sequence++;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) proc->id, proc->sequence);
}

static gt_status proc_put_stop(struct gt_writer *writer, const struct gt_rewrite_event *e,
                               struct gt_rewrite_proc *proc)
{
    proc->status = GT_V2_PROC_IDLE;
    gt_rewrite_free_proc(proc);
    return gt_rewrite_put_bare(writer, e->thread, e->time, e->type);
}

/*
 * Writes that a proc was stolen. If a thread loses its own proc, the event may be a part of a
 * GoDestroySyscall, which the next event decides, so it is held.
 */
static gt_status proc_put_steal(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *victim = proc->thread;
    if (victim == e->thread) {
        writer->held = (struct gt_rewrite_held){.type = e->type,
                                                .is_skipped = !writer->is_writing,
                                                .thread = e->thread,
                                                .proc = proc,
                                                .time = e->time};
        return GT_OK;
    }
    proc->status = GT_V2_PROC_IDLE;
    gt_rewrite_free_proc(proc);
    proc->sequence++;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) proc->id, proc->sequence,
                          (uint64_t) (victim ? victim->written_id : GT_NO_THREAD));
}

gt_status gt_rewrite_proc_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 const gt_transition *change)
{
    struct gt_rewrite_proc *proc = gt_rewrite_proc_get(&writer->state, change->resource.id);
    if (!proc)
        return gt_rewrite_no_memory(writer);
    switch (e->type) {
    case GT_WIRE_PROC_STATUS:
        return proc_put_status(writer, e, proc);
    case GT_WIRE_PROC_START:
        return proc_put_start(writer, e, proc);
    case GT_WIRE_PROC_STOP:
        return proc_put_stop(writer, e, proc);
    default:
        return proc_put_steal(writer, e, proc);
    }
}
