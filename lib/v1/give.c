/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/give.h"

#include "v1/futile.h"

static gt_status give_nothing(struct gt_v1 *v1, struct gt_v1_event *event)
{
    (void) v1;
    (void) event;
    return GT_OK;
}

/* Go reads traces of 1.11 and later without looking for them, and fails here. */
static gt_status give_futile(struct gt_v1 *v1, struct gt_v1_event *event)
{
    if (gt_v1_removes_futile(v1))
        return GT_OK;
    return gt_v1_fault(v1, GT_ERR_EVENT, gt_v1_offset(v1, event->at), "; it is left out", "%s",
                       "FutileWakeup, which no trace since Go 1.11 has");
}

static gt_v1_rule *const rules[GT_V1_TYPES] = {
    [GT_V1_NONE] = give_nothing,
    [GT_V1_GOMAXPROCS] = gt_v1_gomaxprocs,
    [GT_V1_PROC_START] = gt_v1_proc_start,
    [GT_V1_PROC_STOP] = gt_v1_proc_stop,
    [GT_V1_GC_START] = gt_v1_gc_start,
    [GT_V1_GC_DONE] = gt_v1_gc_done,
    [GT_V1_STW_START] = gt_v1_stw_start,
    [GT_V1_STW_DONE] = gt_v1_stw_done,
    [GT_V1_SWEEP_START] = gt_v1_sweep_start,
    [GT_V1_SWEEP_DONE] = gt_v1_sweep_done,
    [GT_V1_GO_CREATE] = gt_v1_go_create,
    [GT_V1_GO_START] = gt_v1_go_start,
    [GT_V1_GO_START_LABEL] = gt_v1_go_start_label,
    [GT_V1_GO_END] = gt_v1_go_end,
    [GT_V1_GO_STOP] = gt_v1_go_stop,
    [GT_V1_GO_SCHED] = gt_v1_go_sched,
    [GT_V1_GO_PREEMPT] = gt_v1_go_preempt,
    [GT_V1_GO_SLEEP] = gt_v1_go_block,
    [GT_V1_GO_BLOCK] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_SEND] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_RECV] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_SELECT] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_SYNC] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_COND] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_NET] = gt_v1_go_block,
    [GT_V1_GO_BLOCK_GC] = gt_v1_go_block,
    [GT_V1_GO_UNBLOCK] = gt_v1_go_unblock,
    [GT_V1_GO_SYS_CALL] = gt_v1_go_sys_call,
    [GT_V1_GO_SYS_BLOCK] = gt_v1_go_sys_block,
    [GT_V1_GO_SYS_EXIT] = gt_v1_go_sys_exit,
    [GT_V1_GO_WAITING] = gt_v1_go_waiting,
    [GT_V1_GO_IN_SYSCALL] = gt_v1_go_in_syscall,
    [GT_V1_HEAP_ALLOC] = gt_v1_heap,
    [GT_V1_HEAP_GOAL] = gt_v1_heap,
    [GT_V1_FUTILE_WAKEUP] = give_futile,
    [GT_V1_MARK_ASSIST_START] = gt_v1_assist_start,
    [GT_V1_MARK_ASSIST_DONE] = gt_v1_assist_done,
    [GT_V1_USER_TASK_CREATE] = gt_v1_task_create,
    [GT_V1_USER_TASK_END] = gt_v1_task_end,
    [GT_V1_USER_REGION] = gt_v1_region,
    [GT_V1_USER_LOG] = gt_v1_log,
    [GT_V1_CPU_SAMPLE] = gt_v1_sample,
};

gt_status gt_v1_give_event(struct gt_v1 *v1)
{
    if (v1->taken == 1 || v1->first_ticks == INT64_MIN)
        v1->first_ticks = v1->event.ticks;
    return rules[v1->event.type](v1, &v1->event);
}

void gt_v1_give_change(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t type, int64_t id,
                       unsigned from, unsigned to)
{
    struct gt_event_data *data = gt_v1_give(v1, event, type, GT_EVENT_STATE_TRANSITION);
    data->event.thread = GT_NO_THREAD;
    data->event.proc = GT_NO_PROC;
    data->event.goroutine = GT_NO_GOROUTINE;
    data->arguments[0] = (uint64_t) id;
    data->from = (uint8_t) from;
    data->to = (uint8_t) to;
}

gt_status gt_v1_break(struct gt_v1 *v1, const struct gt_v1_event *event, const char *repair,
                      const char *text, uint64_t a, uint64_t b)
{
    return gt_v1_fault(v1, GT_ERR_ORDER, gt_v1_offset(v1, event->at), repair, text,
                       gt_v1_specs[event->type].name, a, b);
}

gt_status gt_v1_take_string(struct gt_v1 *v1, const struct gt_v1_event *event, uint64_t id,
                            uint32_t *slot)
{
    if (gt_strings_find(&v1->table.strings, id, slot))
        return GT_OK;
    return gt_v1_fault(v1, GT_ERR_REFERENCE, gt_v1_offset(v1, event->at), "; it is left empty",
                       "%s names string %u, which does not exist", gt_v1_specs[event->type].name,
                       id);
}
