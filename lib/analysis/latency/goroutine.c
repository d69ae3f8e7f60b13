/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/latency/latency.h"
#include "base/wraps.h"

static struct gt_lgoroutine *goroutine_new(struct gt_latency *l, int64_t id)
{
    struct gt_lgoroutine *g = gt_pool_take(&l->goroutine_pool);
    if (!g)
        return NULL;
    memset(g, 0, sizeof(*g));
    g->id = id;
    if (gt_idmap_put(&l->goroutines, (uint64_t) id, g) == GT_OK)
        return g;
    gt_pool_give(&l->goroutine_pool, g);
    return NULL;
}

static void goroutine_end(struct gt_latency *l, struct gt_lgoroutine *g)
{
    while (g->regions)
        gt_latency_leave_region(l, g);
    gt_shared_text_drop(&l->texts, g->name);
    gt_shared_text_drop(&l->texts, g->reason);
    gt_idmap_remove(&l->goroutines, (uint64_t) g->id);
    gt_pool_give(&l->goroutine_pool, g);
}

static gt_status stack_number(struct gt_latency *l, gt_stack stack, uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || !l->reader)
        return GT_OK;
    return gt_stackset_number(&l->stacks, l->reader, stack, number);
}

static gt_status give_name(struct gt_latency *l, struct gt_lgoroutine *g, gt_stack stack)
{
    uint32_t number;
    gt_status status = stack_number(l, stack, &number);
    if (status != GT_OK)
        return status;
    gt_string root = gt_stackset_root(&l->stacks, number);
    if (root.size == 0)
        return GT_OK;
    g->name = gt_shared_text_get(&l->texts, root);
    return g->name ? GT_OK : gt_mem_failure(&l->mem);
}

void gt_latency_forget_reasons(struct gt_latency *l)
{
    for (size_t i = 0; i < GT_RECENT_REASONS; i++)
        gt_shared_text_drop(&l->texts, l->recent[i].text);
    memset(l->recent, 0, sizeof(l->recent));
}

/* The text of a reason, which has one more user. NULL: no memory. */
static struct gt_shared_text *use_reason(struct gt_latency *l, gt_string reason)
{
    uintptr_t place = (uintptr_t) reason.data;
    struct gt_recent_reason *recent = &l->recent[(place ^ place >> 5) % GT_RECENT_REASONS];
    struct gt_shared_text *text = recent->text;
    if (!text || recent->data != reason.data || recent->size != reason.size) {
        text = gt_shared_text_get(&l->texts, reason);
        if (!text)
            return NULL;
        gt_shared_text_drop(&l->texts, recent->text);
        *recent = (struct gt_recent_reason){reason.data, reason.size, text};
    }
    gt_shared_text_hold(text);
    return text;
}

/* Takes over a user of `reason`, which may be NULL for want of memory. */
static gt_status set_reason(struct gt_latency *l, struct gt_lgoroutine *g,
                            struct gt_shared_text *reason)
{
    if (!reason)
        return gt_mem_failure(&l->mem);
    gt_shared_text_drop(&l->texts, g->reason);
    g->reason = reason;
    return GT_OK;
}

static gt_status add_pair(struct gt_latency *l, const struct gt_lgoroutine *g, int64_t duration,
                          const gt_event *event)
{
    if (l->options.pairs == 0)
        return GT_OK;
    uint32_t unblocker;
    gt_status status = stack_number(l, gt_event_stack(event), &unblocker);
    return status == GT_OK ? gt_pairs_add(&l->pairs, g->stack, unblocker, duration) : status;
}

static gt_status add_to_all(struct gt_latency *l, const struct gt_lgoroutine *g, uint32_t kind,
                            int64_t duration)
{
    struct gt_shared_text *const names[GT_LATENCY_GROUPS] = {
        [GT_LATENCY_ALL] = l->empty,
        [GT_LATENCY_BY_GOROUTINE] = g->name ? g->name : l->empty,
        [GT_LATENCY_BY_REASON] = g->reason,
        [GT_LATENCY_BY_TASK] = g->regions ? g->regions->task : NULL,
        [GT_LATENCY_BY_REGION] = g->regions ? g->regions->type : NULL,
    };
    gt_status status = GT_OK;
    for (uint32_t group = 0; group < GT_LATENCY_GROUPS && status == GT_OK; group++) {
        if (names[group])
            status = gt_series_add(&l->series, kind, group, names[group], duration);
    }
    return status;
}

/* What was measured is over. */
static gt_status leave(struct gt_latency *l, struct gt_lgoroutine *g, const gt_transition *change,
                       const gt_event *event)
{
    uint32_t kind = (uint32_t) g->waits;
    g->waits = 0;
    if (kind == 0)
        return GT_OK;
    int64_t duration = gt_time_minus(event->time, g->since);
    gt_status status = add_to_all(l, g, kind, duration);
    if (status == GT_OK && kind == GT_LATENCY_BLOCK && change->to == GT_GO_RUNNABLE)
        status = add_pair(l, g, duration, event);
    return status;
}

/* Why it is runnable: what it waited for stays the reason. */
static gt_status enter_runnable(struct gt_latency *l, struct gt_lgoroutine *g,
                                const gt_transition *change)
{
    struct gt_shared_text *known = change->from == GT_GO_NOT_EXIST ? l->created
                                   : change->from == GT_GO_SYSCALL ? l->syscall
                                                                   : NULL;
    g->waits = GT_LATENCY_SCHED;
    if (change->from == GT_GO_WAITING && g->reason)
        return GT_OK;
    if (!known)
        return set_reason(l, g, use_reason(l, change->reason));
    gt_shared_text_hold(known);
    return set_reason(l, g, known);
}

static gt_status enter_waiting(struct gt_latency *l, struct gt_lgoroutine *g,
                               const gt_transition *change)
{
    g->waits = GT_LATENCY_BLOCK;
    gt_status status = set_reason(l, g, use_reason(l, change->reason));
    return status == GT_OK ? stack_number(l, change->stack, &g->stack) : status;
}

static gt_status enter(struct gt_latency *l, struct gt_lgoroutine *g, const gt_transition *change,
                       const gt_event *event)
{
    g->since = event->time;
    if (change->to == GT_GO_NOT_EXIST) {
        goroutine_end(l, g);
        return GT_OK;
    }
    gt_status status = GT_OK;
    if (change->to == GT_GO_RUNNABLE)
        status = enter_runnable(l, g, change);
    else if (change->to == GT_GO_WAITING)
        status = enter_waiting(l, g, change);
    /* Of a state that is older than the trace the begin is not known. */
    if (change->from == GT_GO_UNDETERMINED)
        g->waits = 0;
    return status;
}

gt_status gt_latency_transition(struct gt_latency *l, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK || change.resource.kind != GT_RESOURCE_GOROUTINE ||
        change.from == change.to)
        return status;
    struct gt_lgoroutine *g = gt_latency_goroutine(l, change.resource.id);
    if (!g) {
        g = goroutine_new(l, change.resource.id);
        if (!g)
            return gt_mem_failure(&l->mem);
        const struct gt_lgoroutine *creator = gt_latency_goroutine(l, event->goroutine);
        if (change.from == GT_GO_NOT_EXIST && creator)
            status = gt_latency_inherit(l, g, creator);
    }
    if (status == GT_OK)
        status = leave(l, g, &change, event);
    if (status == GT_OK && !g->name)
        status = give_name(l, g, change.stack);
    return status == GT_OK ? enter(l, g, &change, event) : status;
}
