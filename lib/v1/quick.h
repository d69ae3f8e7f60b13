/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_QUICK_H
#define GT_V1_QUICK_H

#include "v1/quick_go.h"
#include "v1/quick_range.h"
#include "v1/quick_user.h"

/*
 * Fast paths for the frequent types of events in the loop of the merge, where an event is not
 * unusual in any way. A quick case checks everything that the rule of its type checks (see
 * order.h). If a requirement is not met, the case changes nothing, and the rule decides: waiting,
 * errors, repairs and everything that takes memory are only in the rules.
 *
 * Quick cases are used only in traces of Go 1.11 and later, once the trace has started, and as long
 * as nothing was repaired. The length that precedes some arguments must have one byte, as the
 * runtime writes it; the scan detects traces in which it has more.
 */
static GT_ALWAYS_INLINE bool gt_v1_quick_is_possible(const struct gt_v1 *v1)
{
    return v1->version >= 11 && !v1->input.is_odd && !v1->state.starting && !gt_v1_is_repaired(v1);
}

/*
 * Takes the proc's next event, which is at the place `at`, and returns its end. Returns NULL if no
 * quick case applies; then only `**data` may have changed. The context of `**data` must be set; a
 * case that completes two events advances `*data` to the second.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_take(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                        const struct gt_v1_place *at,
                                                        struct gt_event_data **data)
{
    (*data)->event.kind = GT_EVENT_STATE_TRANSITION;
    switch (at->type) {
    case GT_V1_GO_START_LOCAL:
        return gt_v1_quick_start(v1, proc, at, *data, false);
    case GT_V1_GO_START:
        return gt_v1_quick_start(v1, proc, at, *data, true);
    case GT_V1_GO_SCHED:
    case GT_V1_GO_PREEMPT:
        return gt_v1_quick_stop(v1, proc, at, *data, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    case GT_V1_GO_SLEEP:
    case GT_V1_GO_BLOCK:
    case GT_V1_GO_BLOCK_SEND:
    case GT_V1_GO_BLOCK_RECV:
    case GT_V1_GO_BLOCK_SELECT:
    case GT_V1_GO_BLOCK_SYNC:
    case GT_V1_GO_BLOCK_COND:
    case GT_V1_GO_BLOCK_NET:
    case GT_V1_GO_BLOCK_GC:
        return gt_v1_quick_stop(v1, proc, at, *data, GT_V1_WAITING, GT_GO_WAITING);
    case GT_V1_GO_UNBLOCK_LOCAL:
        return gt_v1_quick_unblock(v1, proc, at, *data, false);
    case GT_V1_GO_UNBLOCK:
        return gt_v1_quick_unblock(v1, proc, at, *data, true);
    case GT_V1_GO_CREATE:
        return gt_v1_quick_create(v1, proc, at, *data);
    case GT_V1_GO_END:
        return gt_v1_quick_end(v1, proc, at, *data);
    case GT_V1_GO_SYS_CALL:
        return gt_v1_quick_syscall(v1, proc, at, data);
    case GT_V1_USER_REGION:
        return gt_v1_quick_region(v1, proc, at, *data);
    case GT_V1_USER_LOG:
        return gt_v1_quick_log(v1, at, *data);
    case GT_V1_SWEEP_START:
        return gt_v1_quick_sweep_start(v1, proc, at, *data);
    case GT_V1_SWEEP_DONE:
        return gt_v1_quick_sweep_done(proc, at, *data);
    case GT_V1_MARK_ASSIST_START:
        return gt_v1_quick_assist_start(v1, proc, at, *data);
    case GT_V1_MARK_ASSIST_DONE:
        return gt_v1_quick_assist_done(proc, at, *data);
    case GT_V1_HEAP_ALLOC:
        return gt_v1_quick_metric(at, *data, GT_WIRE_HEAP_ALLOC);
    case GT_V1_HEAP_GOAL:
        return gt_v1_quick_metric(at, *data, GT_WIRE_HEAP_GOAL);
    default:
        return NULL;
    }
}

#endif
