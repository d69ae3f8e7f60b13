/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/repair.h"

#include <stdarg.h>

#include "base/error.h"
#include "model/wire.h"
#include "v1/order.h"

gt_result gt_v1_fail_at(struct gt_v1 *v1, gt_status status, uint64_t offset, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    gt_error_set_list(v1->error, status, offset, 0, text, arguments);
    va_end(arguments);
    return GT_RESULT_ERROR;
}

gt_result gt_v1_fail_event(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_status status,
                           const char *text, uint64_t a, uint64_t b)
{
    return gt_v1_fail_at(v1, status, gt_v1_offset(v1, proc->event), text,
                         gt_v1_name(proc->lane.type), a, b);
}

gt_status gt_v1_no_memory(struct gt_v1 *v1)
{
    return gt_error_plain(v1->error, gt_mem_failure(v1->mem));
}

gt_result gt_v1_fail_memory(struct gt_v1 *v1)
{
    gt_v1_no_memory(v1);
    return GT_RESULT_ERROR;
}

gt_result gt_v1_leave_out(struct gt_v1 *v1)
{
    /* This check is needed because all events of a damaged trace may be left out. */
    if (gt_source_is_cancelled(v1->source)) {
        gt_source_fail_cancelled(v1->source);
        return GT_RESULT_ERROR;
    }
    return gt_v1_forgive(v1, "; it is left out") ? GT_RESULT_NONE : GT_RESULT_ERROR;
}

struct gt_event_data *gt_v1_force_change(struct gt_v1 *v1, struct gt_event_data *data, uint8_t type,
                                         int64_t id, unsigned from, unsigned to)
{
    struct gt_event_data *next = data + 1;
    gt_event_take_context(next, data);
    next->type = data->type;
    next->stack = 0;
    data->event.kind = GT_EVENT_STATE_TRANSITION;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->type = type;
    data->stack = 0;
    data->own_stack = 0;
    data->arguments[0] = (uint64_t) id;
    data->from = (uint8_t) from;
    data->to = (uint8_t) to;
    gt_v1_set_time(v1, data);
    v1->output.next = next;
    return next;
}

struct gt_event_data *gt_v1_force_goroutine(struct gt_v1 *v1, struct gt_event_data *data,
                                            struct gt_v1_goroutine *goroutine,
                                            enum gt_v1_go_state state, gt_go_state reported)
{
    if (goroutine->reported != reported)
        data = gt_v1_force_change(v1, data, GT_WIRE_GO_STATUS, (int64_t) goroutine->id,
                                  goroutine->reported, reported);
    goroutine->is_unreported = false;
    goroutine->on_network = false;
    goroutine->split = false;
    gt_v1_goroutine_leave(goroutine);
    gt_v1_goroutine_set_state(v1, goroutine, state, reported);
    return data;
}

void gt_v1_force(struct gt_v1 *v1)
{
    struct gt_frontier *frontier = &v1->merge.frontier;
    struct gt_v1_proc *proc = (struct gt_v1_proc *) frontier->parked[0].lane;
    proc->forced = true;
    gt_frontier_wake(frontier, proc->lane.need, proc->lane.wish_id, proc->lane.wish_seq);
    gt_frontier_admit(frontier);
}
