/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

/* Events of procs. */

/* The API's state for each status of a proc: tracev2ProcStatus2ProcState in Go's event.go. */
static const uint8_t v2_proc_states[GT_V2_PROC_STATUSES] = {
    [GT_V2_PROC_BAD] = GT_PROC_UNDETERMINED,
    [GT_V2_PROC_RUNNING] = GT_PROC_RUNNING,
    [GT_V2_PROC_IDLE] = GT_PROC_IDLE,
    [GT_V2_PROC_SYSCALL] = GT_PROC_RUNNING,
    [GT_V2_PROC_SYSCALL_ABANDONED] = GT_PROC_IDLE,
};

static bool v2_proc_in_syscall(const struct gt_v2_proc *proc)
{
    return proc->status == GT_V2_PROC_SYSCALL || proc->status == GT_V2_PROC_SYSCALL_ABANDONED;
}

void gt_v2_proc_changed_slow(struct gt_v2 *v2, const struct gt_v2_proc *proc)
{
    uint64_t id = (uint64_t) proc->id;
    if (proc->status != GT_V2_PROC_SYSCALL)
        gt_frontier_wake_all(&v2->merge.frontier, GT_V2_NEED_SYSCALL_OVER, id);
    if (proc->seq.generation != v2->generation.number)
        return;
    if (proc->status == GT_V2_PROC_IDLE)
        gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_IDLE, id,
                         gt_v2_seq_after(proc->seq.number));
    else if (v2_proc_in_syscall(proc))
        gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_IN_SYSCALL, id,
                         gt_v2_seq_after(proc->seq.number));
}

static gt_result v2_fail_proc_status(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                     int64_t id, unsigned status)
{
    return gt_v2_fail(v2, thread, GT_ERR_ORDER, "proc %d cannot have status %d now", id,
                      (int64_t) status);
}

/*
 * Sets the context of an event to that of the proc's owner. The status of the proc says that it was
 * abandoned in a system call: the thread that is about to steal it has recorded the status.
 */
static gt_result v2_proc_set_owner_context(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                           const struct gt_v2_proc *proc,
                                           struct gt_event_data *data)
{
    const struct gt_v2_thread *owner = proc->thread;
    if (!owner || owner->proc != proc || v2->is_apart) {
        gt_v2_fail(v2, thread, GT_ERR_ORDER, "proc %d is about to be stolen, but no thread has it",
                   proc->id, 0);
        return gt_v2_forgive(v2, "; it is let happen") ? GT_RESULT_DONE : GT_RESULT_ERROR;
    }
    data->event.thread = owner->id;
    data->event.proc = proc->id;
    data->event.goroutine = owner->goroutine_id;
    return GT_RESULT_DONE;
}

gt_result gt_v2_proc_status(struct gt_v2 *v2, struct gt_v2_thread *thread,
                            struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    int64_t id = (int64_t) data->arguments[0];
    uint8_t status = (uint8_t) data->arguments[1];
    gt_result result = GT_RESULT_DONE;
    if (status >= GT_V2_PROC_STATUSES || id == GT_NO_PROC)
        return v2_fail_proc_status(v2, thread, id, status);
    struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, (uint64_t) id);
    data->from = data->to = v2_proc_states[status];
    if (!proc) {
        data->from = v2->generation.number == v2->state.first_generation ? GT_PROC_UNDETERMINED
                                                                         : GT_PROC_NOT_EXIST;
        proc = gt_v2_proc_add(v2, id, status);
        if (!proc)
            return gt_v2_fail_memory(v2);
    } else if (status == GT_V2_PROC_SYSCALL_ABANDONED && proc->status == GT_V2_PROC_SYSCALL) {
        data->from = data->to = GT_PROC_RUNNING;
        result = v2_proc_set_owner_context(v2, thread, proc, data);
    } else if (status != proc->status) {
        v2_fail_proc_status(v2, thread, id, status);
        if (!gt_v2_forgive(v2, "; it is taken up"))
            return GT_RESULT_ERROR;
        data->from = v2_proc_states[proc->status];
        proc->status = status;
    }
    gt_v2_seq_start(v2, &proc->seq);
    if (status == GT_V2_PROC_RUNNING || status == GT_V2_PROC_SYSCALL)
        gt_v2_bind_proc(thread, proc);
    gt_v2_proc_changed(v2, proc);
    return result;
}

gt_result gt_v2_proc_start(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = numbers[0], seq = numbers[1];
    struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, id);
    if (!proc || proc->status != GT_V2_PROC_IDLE || !gt_v2_succeeds(v2, &proc->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_IDLE, id, seq);
    if (gt_v2_has_proc(thread)) {
        /*
         * The thread is in a system call, and its old proc will be stolen. Until then other threads
         * may take `proc`.
         */
        gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_IDLE, id, seq);
        return gt_v2_wait(thread, GT_V2_NEED_NO_PROC, (uint64_t) thread->id, 0);
    }
    if (thread->id == GT_NO_THREAD)
        return gt_v2_fail_context(v2, thread);
    data->arguments[0] = id;
    proc->status = GT_V2_PROC_RUNNING;
    proc->seq.number = seq;
    gt_v2_bind_proc(thread, proc);
    gt_v2_proc_changed(v2, proc);
    return GT_RESULT_DONE;
}

gt_result gt_v2_proc_stop(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!proc || (proc->status != GT_V2_PROC_RUNNING && proc->status != GT_V2_PROC_SYSCALL))
        return gt_v2_fail_context(v2, thread);
    proc->status = GT_V2_PROC_IDLE;
    gt_v2_unbind_proc(thread);
    gt_v2_proc_changed(v2, proc);
    return GT_RESULT_DONE;
}

gt_status gt_v2_force_proc(struct gt_v2 *v2, uint64_t id, uint8_t status, uint64_t seq,
                           struct gt_event_data *change)
{
    struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, id);
    if (id == (uint64_t) GT_NO_PROC)
        return GT_OK;
    uint8_t from = v2_proc_states[proc ? proc->status : GT_V2_PROC_BAD];
    if (!proc)
        proc = gt_v2_proc_add(v2, (int64_t) id, status);
    if (!proc)
        return gt_mem_failure(v2->mem);
    if (from != v2_proc_states[status]) {
        change->type = GT_WIRE_PROC_STATUS;
        change->arguments[0] = id;
        change->arguments[1] = status;
        change->from = from;
        change->to = v2_proc_states[status];
    }
    if (proc->thread && proc->thread->proc == proc)
        gt_v2_unbind_proc(proc->thread);
    proc->status = status;
    proc->seq.generation = v2->generation.number;
    proc->seq.number = gt_v2_seq_before(seq);
    return GT_OK;
}

static gt_result v2_proc_take_from(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                   struct gt_v2_proc *proc, int64_t victim_id)
{
    struct gt_v2_thread *victim = gt_idmap_get(&v2->state.threads, (uint64_t) victim_id);
    if (!victim || !victim->lane.tried)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "proc %d is stolen from unknown thread %d",
                          proc->id, victim_id);
    if (victim->proc != proc)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER,
                          "proc %d is stolen from thread %d, which does not have it", proc->id,
                          victim_id);
    gt_v2_unbind_proc(victim);
    gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_NO_PROC, (uint64_t) victim_id, 0);
    return GT_RESULT_DONE;
}

/* The thread of an abandoned proc is not checked, because it may already have another proc. */
gt_result gt_v2_proc_steal(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 3))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = data->arguments[0];
    uint64_t seq = data->arguments[1];
    gt_result result = GT_RESULT_DONE;
    struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, id);
    if (!proc || !v2_proc_in_syscall(proc) || !gt_v2_succeeds(v2, &proc->seq, seq))
        return gt_v2_wait(thread, GT_V2_NEED_IN_SYSCALL, id, seq);
    if (thread->id == GT_NO_THREAD)
        return gt_v2_fail_context(v2, thread);
    data->to = GT_PROC_IDLE;
    data->from = GT_PROC_IDLE;
    if (proc->status == GT_V2_PROC_SYSCALL) {
        data->from = GT_PROC_RUNNING;
        result = v2_proc_take_from(v2, thread, proc, (int64_t) data->arguments[2]);
        if (result != GT_RESULT_DONE && gt_v2_forgive(v2, "; it is let happen")) {
            result = GT_RESULT_DONE;
            if (proc->thread && proc->thread->proc == proc)
                gt_v2_unbind_proc(proc->thread);
        }
    }
    proc->status = GT_V2_PROC_IDLE;
    proc->seq.number = seq;
    gt_v2_proc_changed(v2, proc);
    return result;
}
