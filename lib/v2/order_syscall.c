/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

/* System calls, and calls from C code into Go, which begin and end like system calls. */

/*
 * GoSyscallBegin. The proc's sequence number identifies the system call that a later steal of the
 * proc ends. The event never waits for this number, because the proc belongs to this thread.
 */
gt_result gt_v2_go_syscall_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                 struct gt_event_data *data)
{
    uint64_t numbers[2];
    if (!gt_v2_read_numbers(thread, numbers, 2))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current_with(v2, thread, GT_V2_GO_RUNNING);
    if (!goroutine)
        return gt_v2_fail_state(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (!gt_v2_succeeds(v2, &proc->seq, numbers[0])) {
        gt_v2_fail(v2, thread, GT_ERR_ORDER,
                   "system call with number %d of proc %d, which is not its next",
                   (int64_t) numbers[0], proc->id);
        if (!gt_v2_forgive(v2, "; it is let happen"))
            return GT_RESULT_ERROR;
        proc->seq.generation = v2->generation.number;
    }
    goroutine->status = GT_V2_GO_SYSCALL;
    proc->status = GT_V2_PROC_SYSCALL;
    proc->seq.number = numbers[0];
    gt_v2_proc_changed(v2, proc);
    return gt_v2_take_stack(v2, thread, data, numbers[1]);
}

gt_result gt_v2_go_syscall_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                               struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine = gt_v2_current_with(v2, thread, GT_V2_GO_SYSCALL);
    if (!goroutine)
        return gt_v2_fail_state(v2, thread);
    struct gt_v2_proc *proc = thread->proc;
    if (proc->status != GT_V2_PROC_SYSCALL)
        return gt_v2_fail(v2, thread, GT_ERR_ORDER,
                          "goroutine %d leaves a system call that proc %d is not in", goroutine->id,
                          proc->id);
    goroutine->status = GT_V2_GO_RUNNING;
    proc->status = GT_V2_PROC_RUNNING;
    gt_v2_proc_changed(v2, proc);
    return GT_RESULT_DONE;
}

/*
 * GoSyscallEndBlocked happens after the thread has lost the proc with which it entered the system
 * call. The thread may already have another proc.
 */
gt_result gt_v2_go_syscall_end_blocked(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                       struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    if (thread->proc && thread->proc->status == GT_V2_PROC_SYSCALL)
        return gt_v2_wait(thread, GT_V2_NEED_SYSCALL_OVER, (uint64_t) thread->proc_id, 0);
    struct gt_v2_goroutine *goroutine =
        gt_v2_has_goroutine(thread) ? gt_v2_context_goroutine(v2, thread) : NULL;
    if (!goroutine || goroutine->status != GT_V2_GO_SYSCALL)
        return gt_v2_fail_context(v2, thread);
    goroutine->status = GT_V2_GO_RUNNABLE;
    gt_v2_unbind_goroutine(thread);
    gt_v2_goroutine_changed(v2, goroutine);
    return GT_RESULT_DONE;
}

/*
 * GoDestroySyscall: a goroutine that C code has called into returns. The thread loses its proc as
 * well, because the thread's id may be reused for another thread, which must not own that proc.
 * Therefore the first of the resulting events is that the thread steals the proc from itself.
 */
gt_result gt_v2_go_destroy_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                   struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 0))
        return gt_v2_fail_decoding(v2, thread);
    struct gt_v2_goroutine *goroutine =
        gt_v2_has_goroutine(thread) ? gt_v2_context_goroutine(v2, thread) : NULL;
    if (!goroutine || goroutine->status != GT_V2_GO_SYSCALL)
        return gt_v2_fail_context(v2, thread);
    gt_result result = GT_RESULT_DONE;
    struct gt_v2_proc *proc = thread->proc;
    if (proc) {
        if (proc->status != GT_V2_PROC_SYSCALL)
            return gt_v2_fail_context(v2, thread);
        proc->status = GT_V2_PROC_SYSCALL_ABANDONED;
        gt_v2_unbind_proc(thread);
        gt_v2_proc_changed(v2, proc);
        gt_v2_event_follow(&data[1], data, GT_WIRE_GO_DESTROY_SYSCALL);
        data->type = GT_WIRE_PROC_STEAL;
        data->arguments[0] = (uint64_t) proc->id;
        data->arguments[2] = (uint64_t) thread->id;
        data->from = GT_PROC_RUNNING;
        data->to = GT_PROC_IDLE;
        result = GT_RESULT_TWO;
    }
    gt_v2_goroutine_end(v2, goroutine);
    gt_v2_unbind_goroutine(thread);
    return result;
}

gt_result gt_v2_go_create_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                  struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 1))
        return gt_v2_fail_decoding(v2, thread);
    int64_t id = (int64_t) data->arguments[0];
    if (thread->id == GT_NO_THREAD || gt_v2_has_goroutine(thread))
        return gt_v2_fail_context(v2, thread);
    if (id == GT_NO_GOROUTINE || gt_v2_goroutine_find(v2, (uint64_t) id))
        return gt_v2_fail_exists(v2, thread, id);
    struct gt_v2_goroutine *created = gt_v2_goroutine_add(v2, id, GT_V2_GO_SYSCALL);
    if (!created)
        return gt_v2_fail_memory(v2);
    gt_v2_bind_goroutine(thread, created);
    return GT_RESULT_DONE;
}
