/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#define CHANGE(rule, type)                                                                         \
    {                                                                                              \
        gt_v1_##rule, GT_WIRE_##type, GT_EVENT_STATE_TRANSITION                                    \
    }
#define OTHER(rule, type, kind)                                                                    \
    {                                                                                              \
        gt_v1_##rule, GT_WIRE_##type, GT_EVENT_##kind                                              \
    }

const struct gt_v1_action gt_v1_actions[64] = {
    [GT_V1_GOMAXPROCS] = OTHER(gomaxprocs, PROCS_CHANGE, METRIC),
    [GT_V1_PROC_START] = CHANGE(proc_start, PROC_START),
    [GT_V1_PROC_STOP] = CHANGE(proc_stop, PROC_STOP),
    [GT_V1_GC_START] = OTHER(gc_start, GC_BEGIN, RANGE_BEGIN),
    [GT_V1_GC_DONE] = OTHER(gc_done, GC_END, RANGE_END),
    [GT_V1_STW_START] = OTHER(stw_start, STW_BEGIN, RANGE_BEGIN),
    [GT_V1_STW_DONE] = OTHER(stw_done, STW_END, RANGE_END),
    [GT_V1_SWEEP_START] = OTHER(sweep_start, GC_SWEEP_BEGIN, RANGE_BEGIN),
    [GT_V1_SWEEP_DONE] = OTHER(sweep_done, GC_SWEEP_END, RANGE_END),
    [GT_V1_GO_CREATE] = CHANGE(go_create, GO_CREATE),
    [GT_V1_GO_START] = CHANGE(go_start, GO_START),
    [GT_V1_GO_START_LOCAL] = CHANGE(go_start_local, GO_START),
    [GT_V1_GO_START_LABEL] = CHANGE(go_start_label, GO_START),
    [GT_V1_GO_END] = CHANGE(go_end, GO_DESTROY),
    [GT_V1_GO_STOP] = CHANGE(go_stop, GO_BLOCK),
    [GT_V1_GO_SCHED] = CHANGE(go_yield, GO_STOP),
    [GT_V1_GO_PREEMPT] = CHANGE(go_yield, GO_STOP),
    [GT_V1_GO_SLEEP] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_SEND] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_RECV] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_SELECT] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_SYNC] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_COND] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_NET] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_BLOCK_GC] = CHANGE(go_block, GO_BLOCK),
    [GT_V1_GO_UNBLOCK] = CHANGE(go_unblock, GO_UNBLOCK),
    [GT_V1_GO_UNBLOCK_LOCAL] = CHANGE(go_unblock_local, GO_UNBLOCK),
    [GT_V1_GO_SYS_CALL] = CHANGE(go_sys_call, GO_SYSCALL_BEGIN),
    [GT_V1_GO_SYS_BLOCK] = CHANGE(go_sys_block, GO_SYSCALL_BEGIN),
    [GT_V1_GO_SYS_EXIT] = CHANGE(go_sys_exit, GO_SYSCALL_END_BLOCKED),
    [GT_V1_GO_SYS_EXIT_LOCAL] = CHANGE(go_sys_exit_local, GO_SYSCALL_END_BLOCKED),
    [GT_V1_GO_WAITING] = CHANGE(go_waiting, GO_STATUS),
    [GT_V1_GO_IN_SYSCALL] = CHANGE(go_in_syscall, GO_STATUS),
    [GT_V1_HEAP_ALLOC] = OTHER(heap_metric, HEAP_ALLOC, METRIC),
    [GT_V1_HEAP_GOAL] = OTHER(heap_metric, HEAP_GOAL, METRIC),
    [GT_V1_FUTILE_WAKEUP] = CHANGE(futile_wakeup, NONE),
    [GT_V1_MARK_ASSIST_START] = OTHER(assist_start, GC_MARK_ASSIST_BEGIN, RANGE_BEGIN),
    [GT_V1_MARK_ASSIST_DONE] = OTHER(assist_done, GC_MARK_ASSIST_END, RANGE_END),
    [GT_V1_USER_TASK_CREATE] = OTHER(task_create, USER_TASK_BEGIN, TASK_BEGIN),
    [GT_V1_USER_TASK_END] = OTHER(task_end, USER_TASK_END, TASK_END),
    [GT_V1_USER_REGION] = OTHER(region, USER_REGION_BEGIN, REGION_BEGIN),
    [GT_V1_USER_LOG] = OTHER(log, USER_LOG, LOG),
};

gt_result gt_v1_fail_string(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t id)
{
    gt_v1_fail_event(v1, proc, GT_ERR_REFERENCE, "%s names string %u, which does not exist", id, 0);
    return gt_v1_forgive(v1, "; it is left empty") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

/*
 * GoFutileWakeup is left out with the events of its wakeup. Go does not look for such events in
 * traces of 1.11 and later.
 */
gt_result gt_v1_futile_wakeup(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    if (v1->version < 11)
        return GT_RESULT_NONE;
    gt_v1_fail_at(v1, GT_ERR_EVENT, gt_v1_offset(v1, proc->event), "%s",
                  "FutileWakeup, which no trace since Go 1.11 has");
    return gt_v1_leave_out(v1);
}

/*
 * The state that decides whether an event can happen. It does not depend on whether the end of a
 * system call was reported already.
 */
static enum gt_v1_go_state v1_ordered_state(const struct gt_v1_goroutine *goroutine)
{
    if (goroutine->state == GT_V1_LEFT)
        return GT_V1_WAITING;
    if (goroutine->state == GT_V1_RETURNING)
        return GT_V1_RUNNABLE;
    return (enum gt_v1_go_state) goroutine->state;
}

void gt_v1_goroutine_changed_slow(struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    struct gt_frontier *frontier = &v1->merge.frontier;
    uint64_t id = goroutine->id;
    switch (v1_ordered_state(goroutine)) {
    case GT_V1_RUNNABLE:
        gt_frontier_wake(frontier, GT_V1_NEED_RUNNABLE, id, goroutine->seq);
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_RUNNABLE, id, 0);
        break;
    case GT_V1_WAITING:
        gt_frontier_wake(frontier, GT_V1_NEED_WAITING, id, goroutine->seq);
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_WAITING, id, 0);
        break;
    case GT_V1_RUNNING:
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_RUNNING, id, 0);
        break;
    default:
        break;
    }
}

static enum gt_v1_need v1_need_of(const struct gt_v1_want *want)
{
    if (want->state == GT_V1_RUNNABLE)
        return want->numbered ? GT_V1_NEED_RUNNABLE : GT_V1_NEED_ANY_RUNNABLE;
    return want->numbered ? GT_V1_NEED_WAITING : GT_V1_NEED_ANY_WAITING;
}

static bool v1_goroutine_is_ready(const struct gt_v1_goroutine *goroutine,
                                  const struct gt_v1_want *want)
{
    return goroutine && v1_ordered_state(goroutine) == want->state &&
           (!want->numbered || goroutine->seq == want->seq);
}

/* Returns whether a goroutine may have this id: 0 and the largest number stand for none. */
static bool v1_is_goroutine(uint64_t id)
{
    return id != 0 && (int64_t) id != GT_NO_GOROUTINE;
}

/*
 * Sets the error of the event, unless the event is forced. An id that no goroutine can have cannot
 * be forced.
 */
static gt_result v1_goroutine_fail(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                                   const struct gt_v1_want *want)
{
    if (proc->forced && v1_is_goroutine(want->id))
        return GT_RESULT_DONE;
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER,
                     want->state == GT_V1_RUNNABLE
                         ? "%s of goroutine %u, which is not runnable"
                         : "%s of goroutine %u, which does not wait for that",
                     want->id, 0);
    if (!v1_is_goroutine(want->id))
        return gt_v1_leave_out(v1);
    return gt_v1_forgive(v1, "; it is made so") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

struct gt_v1_subject gt_v1_goroutine_require(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                             const struct gt_v1_want *want,
                                             struct gt_v1_subject subject)
{
    if (v1->version >= 7 && !v1_goroutine_is_ready(subject.goroutine, want) && !proc->forced)
        subject.result =
            gt_v1_wait(proc, v1_need_of(want), want->id, want->numbered ? want->seq : 0);
    else
        subject.result = v1_goroutine_fail(v1, proc, want);
    if (subject.result != GT_RESULT_DONE)
        return subject;
    if (!subject.goroutine)
        subject.goroutine = gt_v1_goroutine_get(v1, want->id);
    if (!subject.goroutine) {
        subject.result = gt_v1_fail_memory(v1);
        return subject;
    }
    if (want->numbered)
        subject.goroutine->seq = want->seq;
    subject.data =
        gt_v1_force_goroutine(v1, subject.data, subject.goroutine,
                              (enum gt_v1_go_state) want->state, (gt_go_state) want->reported);
    return subject;
}

static gt_result v1_running_fail(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t id)
{
    if (proc->forced && id != 0)
        return GT_RESULT_DONE;
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of goroutine %u, which does not run on proc %d",
                     id, (uint64_t) proc->id);
    if (id == 0)
        return gt_v1_leave_out(v1);
    return gt_v1_forgive(v1, "; it is made to run there") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

struct gt_v1_subject gt_v1_require_running(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                           struct gt_event_data *data, bool is_ordered)
{
    uint64_t id = gt_v1_context_id(proc);
    struct gt_v1_subject subject = {gt_v1_goroutine_find(v1, id), data, GT_RESULT_DONE};
    bool waits = !subject.goroutine || subject.goroutine->state != GT_V1_RUNNING;
    if (v1->version >= 7 && is_ordered && waits && !proc->forced)
        subject.result = gt_v1_wait(proc, GT_V1_NEED_ANY_RUNNING, id, 0);
    else
        subject.result = v1_running_fail(v1, proc, id);
    if (subject.result != GT_RESULT_DONE)
        return subject;
    subject.goroutine = gt_v1_goroutine_get(v1, id);
    if (!subject.goroutine) {
        subject.result = gt_v1_fail_memory(v1);
        return subject;
    }
    if (proc->goroutine)
        subject.data =
            gt_v1_force_goroutine(v1, subject.data, proc->goroutine, GT_V1_WAITING, GT_GO_WAITING);
    subject.data =
        gt_v1_force_goroutine(v1, subject.data, subject.goroutine, GT_V1_RUNNING, GT_GO_RUNNING);
    gt_v1_goroutine_enter(subject.goroutine, proc);
    return subject;
}
