/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/repair.h"

#include "base/decimal.h"
#include "base/error.h"
#include "v2/order.h"

gt_status gt_v2_no_memory(struct gt_v2 *v2)
{
    return gt_error_plain(v2->error, gt_mem_failure(v2->mem));
}

bool gt_v2_forgive(struct gt_v2 *v2, const char *text)
{
    bool forgiven = gt_repair_forgive(&v2->repair, v2->error, text);
    v2->damage.found |= forgiven;
    return forgiven;
}

bool gt_v2_forgive_lost(struct gt_v2 *v2, unsigned lost)
{
    if (!v2->repair.lenient)
        return false;
    if ((v2->damage.reported & lost) == 0)
        gt_repair_report(&v2->repair, v2->error, "; it is left empty, as are others here");
    v2->damage.reported |= lost;
    v2->damage.found = true;
    gt_repair_count(&v2->repair, v2->error);
    return true;
}

bool gt_v2_forgive_bytes(struct gt_v2 *v2, uint64_t bytes)
{
    if (!v2->repair.lenient || gt_repair_is_trouble(v2->error->status))
        return false;
    gt_repair_append_size(v2->error, bytes);
    return gt_v2_forgive(v2, "");
}

/* Takes away the proc with which the thread entered its system call. */
static gt_status v2_force_no_proc(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                  struct gt_event_data *change)
{
    const struct gt_v2_proc *proc = thread->proc;
    if (!proc)
        return GT_OK;
    return gt_v2_force_proc(v2, (uint64_t) proc->id, GT_V2_PROC_SYSCALL_ABANDONED,
                            gt_v2_seq_after(proc->seq.number), change);
}

static gt_status v2_force_wish(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                               struct gt_event_data *change)
{
    uint64_t id = thread->lane.wish_id, seq = thread->lane.wish_seq;
    switch ((enum gt_v2_need) thread->lane.need) {
    case GT_V2_NEED_RUNNABLE:
        return gt_v2_force_goroutine(v2, id, GT_V2_GO_RUNNABLE, seq, change);
    case GT_V2_NEED_WAITING:
        return gt_v2_force_goroutine(v2, id, GT_V2_GO_WAITING, seq, change);
    case GT_V2_NEED_IDLE:
        return gt_v2_force_proc(v2, id, GT_V2_PROC_IDLE, seq, change);
    case GT_V2_NEED_IN_SYSCALL:
        return gt_v2_force_proc(v2, id, GT_V2_PROC_SYSCALL_ABANDONED, seq, change);
    case GT_V2_NEED_SYSCALL_OVER:
    case GT_V2_NEED_NO_PROC:
        return v2_force_no_proc(v2, thread, change);
    case GT_V2_NEED_GC:
        v2->state.gc = thread->lane.type == GT_WIRE_GC_BEGIN ? GT_V2_GC_OFF : GT_V2_GC_ON;
        v2->state.gc_seq = gt_v2_seq_before(seq);
        return GT_OK;
    }
    return GT_OK;
}

gt_status gt_v2_force(struct gt_v2 *v2, struct gt_events *events)
{
    struct gt_frontier *frontier = &v2->merge.frontier;
    const struct gt_v2_thread *thread = (struct gt_v2_thread *) frontier->parked[0].lane;
    struct gt_event_data *change = &events->list[events->count];
    v2->damage.forced = gt_v2_event_offset(v2, thread);
    change->type = GT_WIRE_NONE;
    gt_status status = v2_force_wish(v2, thread, change);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    if (change->type != GT_WIRE_NONE) {
        change->event.kind = GT_EVENT_STATE_TRANSITION;
        change->event.time = gt_v2_next_time(v2, thread->lane.time);
        change->event.thread = GT_NO_THREAD;
        change->event.proc = GT_NO_PROC;
        change->event.goroutine = GT_NO_GOROUTINE;
        change->stack = 0;
        events->count++;
    }
    gt_frontier_wake(frontier, thread->lane.need, thread->lane.wish_id, thread->lane.wish_seq);
    gt_frontier_admit(frontier);
    return GT_OK;
}
