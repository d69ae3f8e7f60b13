/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/latency.h"

#include "analysis/frames.h"
#include "base/time.h"

static struct gt_timed_goroutine *timed_goroutine_new(struct gt_latency *latency, int64_t id)
{
    struct gt_timed_goroutine *goroutine = gt_idmap_add(&latency->goroutines, (uint64_t) id);
    if (goroutine)
        goroutine->id = id;
    return goroutine;
}

static void timed_goroutine_free(struct gt_latency *latency, struct gt_timed_goroutine *goroutine)
{
    while (goroutine->regions)
        gt_latency_region_leave(latency, &goroutine->regions);
    gt_shared_text_drop(&latency->texts, goroutine->name);
    gt_shared_text_drop(&latency->texts, goroutine->reason);
    gt_idmap_drop(&latency->goroutines, (uint64_t) goroutine->id, goroutine);
}

static gt_status latency_stack_number(struct gt_latency *latency, gt_stack stack, uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || !gt_frames_are_known(latency->reader, latency->event))
        return GT_OK;
    return gt_stackset_number(&latency->stacks, latency->reader, latency->event, stack, number);
}

static gt_status timed_goroutine_name(struct gt_latency *latency,
                                      struct gt_timed_goroutine *goroutine, gt_stack stack)
{
    uint32_t number;
    gt_status status = latency_stack_number(latency, stack, &number);
    if (status != GT_OK)
        return status;
    gt_string root = gt_stackset_root(&latency->stacks, number);
    if (root.size == 0)
        return GT_OK;
    goroutine->name = gt_shared_text_get(&latency->texts, root);
    return goroutine->name ? GT_OK : gt_mem_failure(&latency->mem);
}

/* Takes over a reference to `reason`, which is NULL if there was no memory for it. */
static gt_status timed_goroutine_reason_set(struct gt_latency *latency,
                                            struct gt_timed_goroutine *goroutine,
                                            struct gt_shared_text *reason)
{
    if (!reason)
        return gt_mem_failure(&latency->mem);
    gt_shared_text_drop(&latency->texts, goroutine->reason);
    goroutine->reason = reason;
    return GT_OK;
}

static gt_status latency_pair_add(struct gt_latency *latency,
                                  const struct gt_timed_goroutine *goroutine, int64_t duration,
                                  const gt_event *event)
{
    if (latency->options.pairs == 0)
        return GT_OK;
    uint32_t unblocker;
    gt_status status = latency_stack_number(latency, gt_event_stack(event), &unblocker);
    if (status != GT_OK)
        return status;
    struct gt_wait wait = {goroutine->stack, unblocker,     goroutine->reason, goroutine->since,
                           duration,         goroutine->id, event->goroutine};
    return gt_pairs_add(&latency->pairs, &wait);
}

static gt_status latency_duration_add(struct gt_latency *latency,
                                      const struct gt_timed_goroutine *goroutine, uint32_t kind,
                                      int64_t duration)
{
    struct gt_shared_text *const names[GT_LATENCY_GROUPS] = {
        [GT_LATENCY_ALL] = latency->empty,
        [GT_LATENCY_BY_GOROUTINE] = goroutine->name ? goroutine->name : latency->empty,
        [GT_LATENCY_BY_REASON] = goroutine->reason,
        [GT_LATENCY_BY_TASK] = goroutine->regions ? goroutine->regions->task : NULL,
        [GT_LATENCY_BY_REGION] = goroutine->regions ? goroutine->regions->type : NULL,
    };
    gt_status status = GT_OK;
    for (uint32_t group = 0; group < GT_LATENCY_GROUPS && status == GT_OK; group++) {
        if (names[group])
            status = gt_series_add(&latency->series, kind, group, names[group], duration);
    }
    return status;
}

/* Counts the time since the goroutine entered the state that it leaves now. */
static gt_status timed_state_leave(struct gt_latency *latency, struct gt_timed_goroutine *goroutine,
                                   const gt_transition *change, const gt_event *event)
{
    uint32_t kind = goroutine->measured;
    goroutine->measured = 0;
    if (kind == 0)
        return GT_OK;
    int64_t duration = gt_time_minus(event->time, goroutine->since);
    gt_status status = latency_duration_add(latency, goroutine, kind, duration);
    if (status == GT_OK && kind == GT_LATENCY_BLOCK && change->to == GT_GO_RUNNABLE)
        status = latency_pair_add(latency, goroutine, duration, event);
    return status;
}

/* A goroutine that waited keeps the reason for which it waited. */
static gt_status timed_runnable_enter(struct gt_latency *latency,
                                      struct gt_timed_goroutine *goroutine,
                                      const gt_transition *change)
{
    struct gt_shared_text *known = change->from == GT_GO_NOT_EXIST ? latency->created
                                   : change->from == GT_GO_SYSCALL ? latency->syscall
                                                                   : NULL;
    goroutine->measured = GT_LATENCY_SCHED;
    if (change->from == GT_GO_WAITING && goroutine->reason)
        return GT_OK;
    if (!known)
        return timed_goroutine_reason_set(
            latency, goroutine,
            gt_recent_text_get(&latency->recent, &latency->texts, change->reason));
    return timed_goroutine_reason_set(latency, goroutine, gt_shared_text_hold(known));
}

/*
 * A goroutine waits as a coroutine from its creation on, and whenever it has switched to another
 * one, for neither of which a trace has a reason.
 */
static gt_status timed_waiting_enter(struct gt_latency *latency,
                                     struct gt_timed_goroutine *goroutine,
                                     const gt_transition *change)
{
    bool is_coroutine = change->reason.size == 0 && (change->from == GT_GO_NOT_EXIST ||
                                                     latency->switched.step == GT_SWITCH_STOPS);
    goroutine->measured = GT_LATENCY_BLOCK;
    gt_status status = timed_goroutine_reason_set(
        latency, goroutine,
        is_coroutine ? gt_shared_text_hold(latency->coroutine)
                     : gt_recent_text_get(&latency->recent, &latency->texts, change->reason));
    return status == GT_OK ? latency_stack_number(latency, change->stack, &goroutine->stack)
                           : status;
}

static gt_status timed_state_enter(struct gt_latency *latency, struct gt_timed_goroutine *goroutine,
                                   const gt_transition *change, const gt_event *event)
{
    goroutine->since = event->time;
    if (change->to == GT_GO_NOT_EXIST) {
        timed_goroutine_free(latency, goroutine);
        return GT_OK;
    }
    gt_status status = GT_OK;
    if (change->to == GT_GO_RUNNABLE)
        status = timed_runnable_enter(latency, goroutine, change);
    else if (change->to == GT_GO_WAITING)
        status = timed_waiting_enter(latency, goroutine, change);
    /* The begin of a state from before the trace is not known. */
    if (change->from == GT_GO_UNDETERMINED)
        goroutine->measured = 0;
    return status;
}

gt_status gt_latency_transition(struct gt_latency *latency, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK || change.resource.kind != GT_RESOURCE_GOROUTINE ||
        change.from == change.to)
        return status;
    enum gt_switch_step step = gt_switch_take(&latency->switched, event, &change);
    struct gt_timed_goroutine *goroutine = gt_latency_goroutine(latency, change.resource.id);
    if (!goroutine) {
        goroutine = timed_goroutine_new(latency, change.resource.id);
        if (!goroutine)
            return gt_mem_failure(&latency->mem);
        const struct gt_timed_goroutine *creator = gt_latency_goroutine(latency, event->goroutine);
        if (change.from == GT_GO_NOT_EXIST && creator)
            status = gt_latency_inherit(latency, goroutine, creator);
    }
    if (step == GT_SWITCH_STARTS)
        goroutine->measured = 0;
    if (status == GT_OK)
        status = timed_state_leave(latency, goroutine, &change, event);
    if (status == GT_OK && !goroutine->name)
        status = timed_goroutine_name(latency, goroutine, change.stack);
    return status == GT_OK ? timed_state_enter(latency, goroutine, &change, event) : status;
}
