/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#include <string.h>

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
    [GT_V1_GO_SCHED] = CHANGE(go_sched, GO_STOP),
    [GT_V1_GO_PREEMPT] = CHANGE(go_preempt, GO_STOP),
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
    [GT_V1_HEAP_ALLOC] = OTHER(heap, HEAP_ALLOC, METRIC),
    [GT_V1_HEAP_GOAL] = OTHER(heap, HEAP_GOAL, METRIC),
    [GT_V1_FUTILE_WAKEUP] = CHANGE(futile, NONE),
    [GT_V1_MARK_ASSIST_START] = OTHER(assist_start, GC_MARK_ASSIST_BEGIN, RANGE_BEGIN),
    [GT_V1_MARK_ASSIST_DONE] = OTHER(assist_done, GC_MARK_ASSIST_END, RANGE_END),
    [GT_V1_USER_TASK_CREATE] = OTHER(task_create, USER_TASK_BEGIN, TASK_BEGIN),
    [GT_V1_USER_TASK_END] = OTHER(task_end, USER_TASK_END, TASK_END),
    [GT_V1_USER_REGION] = OTHER(region, USER_REGION_BEGIN, REGION_BEGIN),
    [GT_V1_USER_LOG] = OTHER(log, USER_LOG, LOG),
};

gt_status gt_v1_break(struct gt_v1 *v1, const struct gt_v1_proc *proc, const char *repair,
                      const char *text, uint64_t a, uint64_t b)
{
    return gt_v1_fault(v1, GT_ERR_ORDER, gt_v1_offset(v1, proc->event), repair, text,
                       gt_v1_name(proc->lane.type), a, b);
}

void gt_v1_give_change(struct gt_v1 *v1, uint8_t type, int64_t id, unsigned from, unsigned to)
{
    struct gt_event_data *change = v1->slot;
    struct gt_event_data *next = change + 1;
    next->event = change->event;
    next->type = change->type;
    next->stack = 0;
    change->event.kind = GT_EVENT_STATE_TRANSITION;
    change->event.thread = GT_NO_THREAD;
    change->event.proc = GT_NO_PROC;
    change->event.goroutine = GT_NO_GOROUTINE;
    change->type = type;
    change->stack = 0;
    change->own_stack = 0;
    change->arguments[0] = (uint64_t) id;
    change->from = (uint8_t) from;
    change->to = (uint8_t) to;
    gt_v1_set_time(v1, change);
    v1->slot++;
}

void gt_v1_bridge(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, unsigned state,
                  unsigned given)
{
    if (goroutine->given != given)
        gt_v1_give_change(v1, GT_WIRE_GO_STATUS, (int64_t) goroutine->id, goroutine->given, given);
    goroutine->listed = 0;
    goroutine->on_network = 0;
    goroutine->split = 0;
    gt_v1_leave_proc(goroutine);
    gt_v1_set_state(v1, goroutine, (enum gt_v1_state) state, (gt_go_state) given);
}

gt_status gt_v1_fail_string(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t id)
{
    return gt_v1_fault(v1, GT_ERR_REFERENCE, gt_v1_offset(v1, proc->event), "; it is left empty",
                       "%s names string %u, which does not exist", gt_v1_name(proc->lane.type), id);
}

/* Removed with those around it; Go does not look for them in traces of 1.11 and later. */
int gt_v1_futile(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    if (v1->version < 11)
        return GT_V1_NOTHING;
    gt_status status =
        gt_v1_fault(v1, GT_ERR_EVENT, gt_v1_offset(v1, proc->event), "; it is left out", "%s",
                    "FutileWakeup, which no trace since Go 1.11 has");
    return status != GT_OK ? (int) status : GT_V1_NOTHING;
}

struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id)
{
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    if (goroutine)
        return goroutine;
    goroutine = gt_pool_take(&v1->goroutine_pool);
    if (!goroutine)
        return NULL;
    memset(goroutine, 0, sizeof(*goroutine));
    goroutine->id = id;
    if (gt_idmap_put(&v1->goroutines, id, goroutine) == GT_OK)
        return goroutine;
    gt_pool_give(&v1->goroutine_pool, goroutine);
    return NULL;
}

int gt_v1_wait(struct gt_v1_proc *proc, enum gt_v1_need need, uint64_t id, uint64_t seq)
{
    proc->lane.need = (uint8_t) need;
    proc->lane.wish_id = id;
    proc->lane.wish_seq = seq;
    return GT_V1_WAIT;
}

/* The state by which events are ordered, wherever ends of system calls are given. */
static enum gt_v1_state ordered_state(const struct gt_v1_goroutine *goroutine)
{
    if (goroutine->state == GT_V1_LEFT)
        return GT_V1_WAITING;
    return goroutine->state == GT_V1_RETURNING ? GT_V1_RUNNABLE
                                               : (enum gt_v1_state) goroutine->state;
}

void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    struct gt_frontier *frontier = &v1->frontier;
    switch (ordered_state(goroutine)) {
    case GT_V1_RUNNABLE:
        gt_frontier_wake(frontier, GT_V1_NEED_RUNNABLE, goroutine->id, goroutine->seq);
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_RUNNABLE, goroutine->id, 0);
        break;
    case GT_V1_WAITING:
        gt_frontier_wake(frontier, GT_V1_NEED_WAITING, goroutine->id, goroutine->seq);
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_WAITING, goroutine->id, 0);
        break;
    case GT_V1_RUNNING:
        gt_frontier_wake(frontier, GT_V1_NEED_ANY_RUNNING, goroutine->id, 0);
        break;
    default:
        break;
    }
}

static enum gt_v1_need need_of(const struct gt_v1_want *want)
{
    if (want->state == GT_V1_RUNNABLE)
        return want->numbered ? GT_V1_NEED_RUNNABLE : GT_V1_NEED_ANY_RUNNABLE;
    return want->numbered ? GT_V1_NEED_WAITING : GT_V1_NEED_ANY_WAITING;
}

static const char *want_text(const struct gt_v1_want *want)
{
    return want->state == GT_V1_RUNNABLE ? "%s of goroutine %u, which is not runnable"
                                         : "%s of goroutine %u, which does not wait for that";
}

int gt_v1_settle(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_want *want,
                 struct gt_v1_goroutine *goroutine)
{
    int can_happen = goroutine && ordered_state(goroutine) == want->state &&
                     (!want->numbered || goroutine->seq == want->seq);
    if (v1->version >= 7 && !can_happen && !proc->forced)
        return gt_v1_wait(proc, need_of(want), want->id, want->numbered ? want->seq : 0);
    if (!proc->forced || want->id == 0) {
        gt_status status =
            gt_v1_break(v1, proc, want->id == 0 ? "; it is left out" : "; it is made so",
                        want_text(want), want->id, 0);
        if (status != GT_OK || want->id == 0)
            return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    if (!goroutine)
        goroutine = gt_v1_goroutine_get(v1, want->id);
    if (!goroutine)
        return gt_v1_fail_memory(v1);
    if (want->numbered)
        goroutine->seq = want->seq;
    gt_v1_bridge(v1, goroutine, want->state, want->given);
    v1->made = goroutine;
    return 0;
}
