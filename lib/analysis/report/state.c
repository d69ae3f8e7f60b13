/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/text.h"
#include "base/time.h"

static struct gt_report_goroutine *report_goroutine_add(struct gt_report *report, int64_t id)
{
    struct gt_report_goroutine *goroutine = gt_idmap_add(&report->goroutines, (uint64_t) id);
    if (!goroutine)
        return NULL;
    goroutine->id = id;
    goroutine->since = report->start;
    report->goroutine_count++;
    report->alive++;
    return goroutine;
}

/* A goroutine has its group from the first stack that it shows. */
static gt_status report_goroutine_name(struct gt_report *report,
                                       struct gt_report_goroutine *goroutine, uint32_t stack)
{
    if (goroutine->is_named || stack == 0)
        return GT_OK;
    goroutine->is_named = true;
    return gt_report_group_number(report, stack, &goroutine->group);
}

/* Whether the wait of a goroutine counts: not if the goroutine is told as stuck. */
static bool report_wait_counts(struct gt_report *report,
                               const struct gt_report_goroutine *goroutine, uint32_t to)
{
    bool is_of_interest = goroutine->wait == GT_WAIT_LOCK ||
                          (gt_report_is_for_channel(goroutine) && gt_report_is_serving(goroutine));
    return is_of_interest &&
           !(to == GT_GO_UNDETERMINED && report->places.items[goroutine->stack].is_stuck &&
             gt_report_is_stuck(report, goroutine));
}

/* Who lets another goroutine have its turn to end marking has had its own since that waits. */
static void report_mark_wait_end(struct gt_report *report,
                                 const struct gt_report_goroutine *goroutine)
{
    struct gt_report_goroutine *waker = gt_report_goroutine_get(report, report->event->goroutine);
    if (waker && waker != goroutine && goroutine->wait == GT_WAIT_MARK_DONE)
        gt_report_mark_end(waker, goroutine->since);
}

/* Counts the time of a wait for a lock or a channel by the stack that ended it. */
static gt_status report_wait_count(struct gt_report *report, struct gt_report_goroutine *goroutine,
                                   uint32_t to)
{
    uint32_t waker = 0;
    gt_status status = GT_OK;
    if (to == GT_GO_RUNNABLE) {
        struct gt_report_place *place = &report->places.items[goroutine->stack];
        place->has_moved = true;
        place->moved_at = report->now;
        status = gt_report_wake_add(report, goroutine);
        report_mark_wait_end(report, goroutine);
    }
    if (status != GT_OK || !report_wait_counts(report, goroutine, to))
        return status;
    if (to == GT_GO_RUNNABLE && report->event->goroutine != goroutine->id)
        status = gt_report_stack_number(report, gt_event_stack(report->event), &waker);
    if (status != GT_OK)
        return status;
    return goroutine->wait == GT_WAIT_LOCK ? gt_report_lock_add(report, goroutine, waker)
                                           : gt_report_channel_add(report, goroutine, waker);
}

/* Counts the time since the goroutine entered its state. `to` is the next one, if there is one. */
static gt_status report_state_count(struct gt_report *report, struct gt_report_goroutine *goroutine,
                                    uint32_t to)
{
    struct gt_report_group *group = gt_report_group_of(report, goroutine);
    int64_t time = gt_time_minus(report->now, goroutine->since);
    if (goroutine->state == GT_GO_NOT_EXIST || goroutine->state == GT_GO_UNDETERMINED)
        return GT_OK;
    gt_time_add_to(&group->time, time);
    switch (goroutine->state) {
    case GT_GO_RUNNING:
        gt_report_run_leave(report, goroutine, goroutine->since);
        return GT_OK;
    case GT_GO_RUNNABLE:
        if (to == GT_GO_RUNNING && report->switched.step == GT_SWITCH_STARTS)
            return GT_OK;
        gt_time_add_to(&group->runnable, time);
        return to == GT_GO_RUNNING ? gt_report_latency_add(report, goroutine) : GT_OK;
    case GT_GO_WAITING:
        return report_wait_count(report, goroutine, to);
    case GT_GO_SYSCALL:
        return gt_report_syscall_add(report, goroutine, to);
    default:
        return GT_OK;
    }
}

static gt_status report_state_leave(struct gt_report *report, struct gt_report_goroutine *goroutine,
                                    uint32_t to)
{
    gt_status status = report_state_count(report, goroutine, to);
    if (status == GT_OK && goroutine->state == GT_GO_RUNNABLE)
        status = gt_report_idle_leave(report, goroutine);
    return status == GT_OK && goroutine->state == GT_GO_WAITING && goroutine->wait == GT_WAIT_LOCK
               ? gt_report_lock_leave(report, goroutine)
               : status;
}

static gt_status report_state_enter(struct gt_report *report, struct gt_report_goroutine *goroutine,
                                    const gt_transition *change, uint32_t stack)
{
    goroutine->is_network_due = goroutine->state == GT_GO_WAITING && change->to == GT_GO_RUNNABLE &&
                                goroutine->wait == GT_WAIT_NETWORK;
    goroutine->state = change->to;
    goroutine->since = change->from == GT_GO_UNDETERMINED ? report->start : report->now;
    if (change->to != GT_GO_RUNNABLE)
        goroutine->stack = stack;
    else
        gt_report_idle_enter(report, goroutine);
    if (change->to == GT_GO_RUNNING) {
        goroutine->mark_until = INT64_MAX;
        goroutine->is_in_host = gt_report_group_of(report, goroutine)->is_host;
        goroutine->saturated_before = report->cpu.saturated;
        if (goroutine->run_first == 0)
            goroutine->run_first = report->now;
    }
    if (change->to != GT_GO_WAITING)
        return GT_OK;
    goroutine->wakes = 0;
    goroutine->wait = (uint8_t) gt_report_wait_kind(report, change->reason, stack);
    goroutine->is_networked |= goroutine->wait == GT_WAIT_NETWORK;
    return goroutine->wait == GT_WAIT_LOCK ? gt_report_lock_enter(report, goroutine) : GT_OK;
}

static gt_status report_goroutine_drop(struct gt_report *report,
                                       struct gt_report_goroutine *goroutine)
{
    gt_status status = goroutine->stops ? gt_report_idle_stop(report, false) : GT_OK;
    gt_report_creation_end(report, goroutine);
    gt_report_regions_drop(report, goroutine);
    report->alive--;
    gt_idmap_drop(&report->goroutines, (uint64_t) goroutine->id, goroutine);
    return status;
}

/* Finds the goroutine that changes its state. One that is created again is another one. */
static gt_status report_goroutine_find(struct gt_report *report, const gt_transition *change,
                                       struct gt_report_goroutine **goroutine)
{
    *goroutine = gt_report_goroutine_get(report, change->resource.id);
    if (*goroutine && change->from == GT_GO_NOT_EXIST) {
        const struct gt_report_change end = {(*goroutine)->state, GT_GO_NOT_EXIST,
                                             (*goroutine)->is_in_host, false};
        gt_status status = report_state_leave(report, *goroutine, GT_GO_NOT_EXIST);
        if (status != GT_OK)
            return status;
        gt_report_cpu_change(report, &end);
        status = report_goroutine_drop(report, *goroutine);
        *goroutine = NULL;
        if (status != GT_OK)
            return status;
    }
    if (!*goroutine && change->to != GT_GO_NOT_EXIST) {
        *goroutine = report_goroutine_add(report, change->resource.id);
        if (!*goroutine)
            return gt_mem_failure(&report->mem);
    }
    return GT_OK;
}

/* Goes from one state to the next one. `stack` is where the goroutine is, or 0. */
static gt_status report_goroutine_move(struct gt_report *report,
                                       struct gt_report_goroutine *goroutine,
                                       const gt_transition *change, uint32_t stack)
{
    gt_status status = report_goroutine_name(report, goroutine, stack);
    const struct gt_report_change moved = {goroutine->state, change->to, goroutine->is_in_host,
                                           gt_report_group_of(report, goroutine)->is_host};
    if (status == GT_OK && goroutine->state == GT_GO_RUNNING)
        status = gt_report_run_add(report, goroutine, change->stack);
    if (status == GT_OK && goroutine->state == GT_GO_RUNNING && report->idle.stops > 0)
        status = gt_report_stop_hold(report, goroutine, change->stack);
    if (status == GT_OK)
        status = report_state_leave(report, goroutine, change->to);
    if (status != GT_OK)
        return status;
    gt_report_cpu_change(report, &moved);
    if (change->to == GT_GO_NOT_EXIST)
        return report_goroutine_drop(report, goroutine);
    status = report_state_enter(report, goroutine, change, stack);
    return status == GT_OK && change->from == GT_GO_NOT_EXIST
               ? gt_report_creation_add(report, goroutine)
               : status;
}

gt_status gt_report_transition(struct gt_report *report, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    struct gt_report_goroutine *goroutine;
    gt_status status = gt_event_transition(event, &change);
    if (status == GT_OK && change.resource.kind == GT_RESOURCE_PROC)
        return gt_report_idle_proc(report, &change);
    if (status != GT_OK || change.from == change.to ||
        change.resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    gt_switch_take(&report->switched, event, &change);
    status = report_goroutine_find(report, &change, &goroutine);
    if (status != GT_OK || !goroutine)
        return status;
    uint32_t stack = 0;
    if (change.to == GT_GO_RUNNABLE && gt_text_is(change.reason, "runtime.Gosched"))
        status = gt_report_yield_add(report, change.stack);
    if (status != GT_OK)
        return status;
    if (change.to == GT_GO_RUNNING && report->cpu.procs == 0)
        status = gt_report_cpu_first_procs(report);
    if (status != GT_OK)
        return status;
    if (change.to == GT_GO_WAITING || change.to == GT_GO_SYSCALL || !goroutine->is_named)
        status = gt_report_stack_number(report, change.stack, &stack);
    return status == GT_OK ? report_goroutine_move(report, goroutine, &change, stack) : status;
}

gt_status gt_report_goroutines_finish(struct gt_report *report)
{
    gt_status status = GT_OK;
    size_t place = 0;
    const struct gt_report_goroutine *goroutine;
    gt_report_cpu_advance(report);
    while (status == GT_OK && (goroutine = gt_idmap_next(&report->goroutines, &place))) {
        struct gt_report_goroutine *own = gt_report_goroutine_get(report, goroutine->id);
        if (own->state == GT_GO_RUNNING)
            status = gt_report_run_add(report, own, GT_STACK_NONE);
        if (status == GT_OK)
            status = report_state_count(report, own, GT_GO_UNDETERMINED);
    }
    return status;
}
