/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/order.h"

const struct gt_v2_action gt_v2_actions[256] = {
    [GT_WIRE_PROCS_CHANGE] = {gt_v2_procs_change, GT_EVENT_METRIC},
    [GT_WIRE_PROC_START] = {gt_v2_proc_start, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_PROC_STOP] = {gt_v2_proc_stop, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_PROC_STEAL] = {gt_v2_proc_steal, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_PROC_STATUS] = {gt_v2_proc_status, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_CREATE] = {gt_v2_go_create, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_CREATE_SYSCALL] = {gt_v2_go_create_syscall, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_START] = {gt_v2_go_start, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_DESTROY] = {gt_v2_go_destroy, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_DESTROY_SYSCALL] = {gt_v2_go_destroy_syscall, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_STOP] = {gt_v2_go_stop, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_BLOCK] = {gt_v2_go_block, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_UNBLOCK] = {gt_v2_go_unblock, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_SYSCALL_BEGIN] = {gt_v2_go_syscall_begin, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_SYSCALL_END] = {gt_v2_go_syscall_end, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = {gt_v2_go_syscall_end_blocked, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_STATUS] = {gt_v2_go_status, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_STW_BEGIN] = {gt_v2_stw_begin, GT_EVENT_RANGE_BEGIN},
    [GT_WIRE_STW_END] = {gt_v2_stw_end, GT_EVENT_RANGE_END},
    [GT_WIRE_GC_ACTIVE] = {gt_v2_gc_active, GT_EVENT_RANGE_ACTIVE},
    [GT_WIRE_GC_BEGIN] = {gt_v2_gc_begin, GT_EVENT_RANGE_BEGIN},
    [GT_WIRE_GC_END] = {gt_v2_gc_end, GT_EVENT_RANGE_END},
    [GT_WIRE_GC_SWEEP_ACTIVE] = {gt_v2_sweep_active, GT_EVENT_RANGE_ACTIVE},
    [GT_WIRE_GC_SWEEP_BEGIN] = {gt_v2_sweep_begin, GT_EVENT_RANGE_BEGIN},
    [GT_WIRE_GC_SWEEP_END] = {gt_v2_sweep_end, GT_EVENT_RANGE_END},
    [GT_WIRE_GC_MARK_ASSIST_ACTIVE] = {gt_v2_assist_active, GT_EVENT_RANGE_ACTIVE},
    [GT_WIRE_GC_MARK_ASSIST_BEGIN] = {gt_v2_assist_begin, GT_EVENT_RANGE_BEGIN},
    [GT_WIRE_GC_MARK_ASSIST_END] = {gt_v2_assist_end, GT_EVENT_RANGE_END},
    [GT_WIRE_HEAP_ALLOC] = {gt_v2_heap_metric, GT_EVENT_METRIC},
    [GT_WIRE_HEAP_GOAL] = {gt_v2_heap_metric, GT_EVENT_METRIC},
    [GT_WIRE_GO_LABEL] = {gt_v2_go_label, GT_EVENT_LABEL},
    [GT_WIRE_USER_TASK_BEGIN] = {gt_v2_task_begin, GT_EVENT_TASK_BEGIN},
    [GT_WIRE_USER_TASK_END] = {gt_v2_task_end, GT_EVENT_TASK_END},
    [GT_WIRE_USER_REGION_BEGIN] = {gt_v2_region_begin, GT_EVENT_REGION_BEGIN},
    [GT_WIRE_USER_REGION_END] = {gt_v2_region_end, GT_EVENT_REGION_END},
    [GT_WIRE_USER_LOG] = {gt_v2_log, GT_EVENT_LOG},
    [GT_WIRE_GO_SWITCH] = {gt_v2_go_switch, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_SWITCH_DESTROY] = {gt_v2_go_switch, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_CREATE_BLOCKED] = {gt_v2_go_create, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_GO_STATUS_STACK] = {gt_v2_go_status, GT_EVENT_STATE_TRANSITION},
    [GT_WIRE_SPAN] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_SPAN_ALLOC] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_SPAN_FREE] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_HEAP_OBJECT] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_HEAP_OBJECT_ALLOC] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_HEAP_OBJECT_FREE] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_GOROUTINE_STACK] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_GOROUTINE_STACK_ALLOC] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
    [GT_WIRE_GOROUTINE_STACK_FREE] = {gt_v2_experimental, GT_EVENT_EXPERIMENTAL},
};

struct gt_v2_goroutine *gt_v2_goroutine_find_slow(const struct gt_v2 *v2, uint64_t id)
{
    return gt_v2_goroutine_find(v2, id);
}

void gt_v2_event_follow(struct gt_event_data *next, const struct gt_event_data *data, uint8_t type)
{
    *next = *data;
    gt_event_mark(next);
    next->type = type;
    next->strings[0] = next->stack = 0;
}

uint64_t gt_v2_event_offset(const struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    const struct gt_v2_events *batch = &v2->generation.batches.items[thread->batch];
    return batch->offset + batch->size - (uint64_t) (thread->end - thread->event);
}

gt_result gt_v2_fail(struct gt_v2 *v2, const struct gt_v2_thread *thread, gt_status status,
                     const char *text, int64_t a, int64_t b)
{
    gt_error_set(v2->error, status, gt_v2_event_offset(v2, thread), v2->generation.number, text, a,
                 b);
    return GT_RESULT_ERROR;
}

gt_result gt_v2_fail_event(struct gt_v2 *v2, const struct gt_v2_thread *thread, gt_status status,
                           const char *text, int64_t a, int64_t b)
{
    gt_error_set(v2->error, status, gt_v2_event_offset(v2, thread), v2->generation.number, text,
                 gt_v2_specs[thread->lane.type].name, a, b);
    return GT_RESULT_ERROR;
}

gt_result gt_v2_fail_decoding(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    uint8_t type = *thread->event;
    if (!gt_v2_is_event(type))
        return gt_v2_fail(v2, thread, GT_ERR_EVENT, "byte %d is no type of event", type, 0);
    gt_error_set(v2->error, GT_ERR_EVENT, gt_v2_event_offset(v2, thread), v2->generation.number,
                 "%s is malformed or cut off by its batch's end", gt_v2_specs[type].name);
    return GT_RESULT_ERROR;
}

gt_result gt_v2_fail_context(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    gt_error_set(v2->error, GT_ERR_ORDER, gt_v2_event_offset(v2, thread), v2->generation.number,
                 "%s on thread %d, which has proc %d and goroutine %d",
                 gt_v2_specs[thread->lane.type].name, thread->id, thread->proc_id,
                 thread->goroutine_id);
    return GT_RESULT_ERROR;
}

gt_result gt_v2_fail_state(struct gt_v2 *v2, const struct gt_v2_thread *thread)
{
    if (!gt_v2_has_goroutine(thread) || !gt_v2_has_proc(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_fail_event(v2, thread, GT_ERR_ORDER,
                            "%s by goroutine %d, which is not in that state", thread->goroutine_id,
                            0);
}

gt_result gt_v2_fail_exists(struct gt_v2 *v2, const struct gt_v2_thread *thread, int64_t id)
{
    return gt_v2_fail(v2, thread, GT_ERR_ORDER, "goroutine %d is created, but exists or is none",
                      id, 0);
}

gt_result gt_v2_fail_memory(struct gt_v2 *v2)
{
    gt_v2_no_memory(v2);
    return GT_RESULT_ERROR;
}

gt_result gt_v2_fail_stack(struct gt_v2 *v2, const struct gt_v2_thread *thread, uint64_t id)
{
    gt_v2_fail_event(v2, thread, GT_ERR_REFERENCE, "%s names stack %u, which does not exist",
                     (int64_t) id, 0);
    return gt_v2_forgive_lost(v2, GT_V2_LOST_STACK) ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

gt_result gt_v2_fail_string(struct gt_v2 *v2, const struct gt_v2_thread *thread, uint64_t id)
{
    gt_v2_fail_event(v2, thread, GT_ERR_REFERENCE, "%s names string %u, which does not exist",
                     (int64_t) id, 0);
    return gt_v2_forgive_lost(v2, GT_V2_LOST_STRING) ? GT_RESULT_DONE : GT_RESULT_ERROR;
}
