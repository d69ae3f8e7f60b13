/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_H
#define GT_V2_QUICK_H

#include "v2/quick_go.h"
#include "v2/quick_range.h"
#include "v2/quick_user.h"

/*
 * Fast paths for the frequent types of events in the loop of the merge, where an event is not
 * unusual in any way. A quick case checks everything that the rule of its type checks (see
 * order.h). If a requirement is not met, the case changes nothing, and the rule decides: waiting,
 * errors, repairs and everything that takes memory are only in the rules.
 */

/*
 * Takes the thread's next event, whose arguments are at `p`, and returns its end. Returns NULL if
 * no quick case applies; then only the kind of `data` has changed. The type and the context of
 * `data` must be set.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_take(struct gt_v2 *v2,
                                                        struct gt_v2_thread *thread,
                                                        const uint8_t *p, uint8_t type,
                                                        struct gt_event_data *data)
{
    data->event.kind = GT_EVENT_STATE_TRANSITION;
    switch (type) {
    case GT_WIRE_GO_START:
        return gt_v2_quick_start(v2, thread, p, data);
    case GT_WIRE_GO_STOP:
        return gt_v2_quick_stop(v2, thread, p, data, GT_V2_GO_RUNNABLE);
    case GT_WIRE_GO_BLOCK:
        return gt_v2_quick_stop(v2, thread, p, data, GT_V2_GO_WAITING);
    case GT_WIRE_GO_UNBLOCK:
        return gt_v2_quick_unblock(v2, thread, p, data);
    case GT_WIRE_GO_SYSCALL_BEGIN:
        return gt_v2_quick_syscall(v2, thread, p, data);
    case GT_WIRE_GO_SYSCALL_END:
        return gt_v2_quick_return(v2, thread, p);
    case GT_WIRE_GO_CREATE:
        return gt_v2_quick_create(v2, thread, p, data, GT_V2_GO_RUNNABLE);
    case GT_WIRE_GO_DESTROY:
        return gt_v2_quick_destroy(v2, thread, p);
    case GT_WIRE_USER_REGION_BEGIN:
        return gt_v2_quick_region_begin(v2, thread, p, data);
    case GT_WIRE_USER_REGION_END:
        return gt_v2_quick_region_end(v2, thread, p, data);
    case GT_WIRE_USER_LOG:
        return gt_v2_quick_log(v2, thread, p, data);
    case GT_WIRE_GC_SWEEP_BEGIN:
        return gt_v2_quick_sweep_begin(v2, thread, p, data);
    case GT_WIRE_GC_SWEEP_END:
        return gt_v2_quick_sweep_end(thread, p, data);
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
        return gt_v2_quick_assist_begin(v2, thread, p, data);
    case GT_WIRE_GC_MARK_ASSIST_END:
        return gt_v2_quick_assist_end(thread, p, data);
    case GT_WIRE_HEAP_ALLOC:
    case GT_WIRE_HEAP_GOAL:
        return gt_v2_quick_metric(thread, p, data);
    default:
        return NULL;
    }
}

#endif
