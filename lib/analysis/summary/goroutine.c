/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

#include "base/text.h"

/* The rules are those of Summarizer.Event in Go's internal/trace/summary.go. */

static struct gt_goroutine_node *goroutine_new(struct gt_summary *summary, int64_t id,
                                               int64_t created)
{
    if (gt_array_reserve(&summary->mem, &summary->goroutine_list, 1) != GT_OK)
        return NULL;
    struct gt_goroutine_node *goroutine = gt_pool_take(&summary->goroutine_pool);
    if (!goroutine)
        return NULL;
    memset(goroutine, 0, sizeof(*goroutine));
    goroutine->public.size = sizeof(goroutine->public);
    goroutine->times.size = sizeof(goroutine->times);
    goroutine->public.times = &goroutine->times;
    goroutine->public.id = id;
    goroutine->public.name.data = "";
    goroutine->public.created = created;
    if (!gt_summary_goroutine_live(summary, goroutine) ||
        gt_idmap_put(&summary->goroutines, (uint64_t) id, goroutine) != GT_OK) {
        gt_summary_goroutine_free(summary, goroutine);
        return NULL;
    }
    goroutine->number = summary->info.goroutines++;
    goroutine->position = summary->goroutine_list.count;
    summary->goroutine_list.items[summary->goroutine_list.count++] = &goroutine->public;
    return goroutine;
}

struct gt_summary_live *gt_summary_goroutine_live(struct gt_summary *summary,
                                                  struct gt_goroutine_node *goroutine)
{
    if (goroutine->live)
        return goroutine->live;
    goroutine->live = gt_pool_take(&summary->live_pool);
    if (goroutine->live)
        memset(goroutine->live, 0, sizeof(*goroutine->live));
    return goroutine->live;
}

/* Adds the time until the event, which the goroutine spent in `state`. */
static gt_status goroutine_time_add(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                    uint32_t state, int64_t time, const gt_transition *change,
                                    const gt_event *event)
{
    gt_summary_times *times = &goroutine->times;
    switch (state) {
    case GT_GO_RUNNING:
        gt_time_add_to(&times->execution, time);
        break;
    case GT_GO_RUNNABLE:
        gt_time_add_to(&times->sched_wait, time);
        break;
    case GT_GO_SYSCALL:
        gt_time_add_to(event->proc == GT_NO_PROC ? &times->syscall_block : &times->syscall, time);
        break;
    case GT_GO_WAITING: {
        const struct gt_shared_text *reason = gt_summary_name(summary, change->reason, false);
        return reason ? gt_time_add(&summary->times, &goroutine->lists.blocks, reason, time)
                      : gt_mem_failure(&summary->mem);
    }
    default:
        break;
    }
    return GT_OK;
}

/*
 * Adds a goroutine that existed before the trace, or whose begin was missed. It is taken to have
 * been in `state` since the last Sync event.
 */
static gt_status goroutine_discover(struct gt_summary *summary,
                                    struct gt_goroutine_node **goroutine, uint32_t state,
                                    const gt_transition *change, const gt_event *event)
{
    *goroutine = goroutine_new(summary, change->resource.id, summary->sync_time);
    if (!*goroutine)
        return gt_mem_failure(&summary->mem);
    return goroutine_time_add(summary, *goroutine, state,
                              gt_time_minus(event->time, summary->sync_time), change, event);
}

static gt_status goroutine_create(struct gt_summary *summary, struct gt_goroutine_node **goroutine,
                                  const gt_transition *change, const gt_event *event)
{
    const struct gt_goroutine_node *creator = gt_summary_goroutine(summary, event->goroutine);
    *goroutine = goroutine_new(summary, change->resource.id, event->time);
    if (!*goroutine)
        return gt_mem_failure(&summary->mem);
    return creator ? gt_summary_region_inherit(summary, *goroutine, creator, event->time) : GT_OK;
}

static void time_since_add(int64_t *sum, int64_t *since, int64_t time)
{
    if (*since != 0)
        gt_time_add_to(sum, gt_time_minus(time, *since));
    *since = 0;
}

/* Undoes the link between a goroutine and the proc of its system call. */
static void goroutine_proc_leave(struct gt_goroutine_node *goroutine)
{
    struct gt_summary_proc *proc = goroutine->live->proc;
    if (proc && proc->syscall == goroutine)
        proc->syscall = NULL;
    goroutine->live->proc = NULL;
}

static void goroutine_syscall_leave(struct gt_goroutine_node *goroutine, int64_t time)
{
    struct gt_summary_live *live = goroutine->live;
    /* As in Go, even if another goroutine has entered a system call on the proc since. */
    if (live->proc)
        live->proc->syscall = NULL;
    live->proc = NULL;
    if (live->syscall == 0)
        return;
    int64_t end = live->syscall_blocked != 0 ? live->syscall_blocked : time;
    time_since_add(&goroutine->times.syscall_block, &live->syscall_blocked, time);
    time_since_add(&goroutine->times.syscall, &live->syscall, end);
}

static gt_status goroutine_waiting_leave(struct gt_summary *summary,
                                         struct gt_goroutine_node *goroutine, int64_t time)
{
    int64_t since = goroutine->live->waiting;
    goroutine->live->waiting = 0;
    if (since == 0)
        return GT_OK;
    return gt_time_add(&summary->times, &goroutine->lists.blocks, goroutine->live->reason,
                       gt_time_minus(time, since));
}

static gt_status goroutine_state_leave(struct gt_summary *summary,
                                       struct gt_goroutine_node *goroutine, uint32_t state,
                                       int64_t time)
{
    switch (state) {
    case GT_GO_RUNNING:
        /* As in Go, this is the only state whose begin is not checked. */
        gt_time_add_to(&goroutine->times.execution, gt_time_minus(time, goroutine->live->running));
        goroutine->live->running = 0;
        return GT_OK;
    case GT_GO_WAITING:
        return goroutine_waiting_leave(summary, goroutine, time);
    case GT_GO_RUNNABLE:
        time_since_add(&goroutine->times.sched_wait, &goroutine->live->runnable, time);
        return GT_OK;
    case GT_GO_SYSCALL:
        goroutine_syscall_leave(goroutine, time);
        return GT_OK;
    default:
        return GT_OK;
    }
}

static gt_status goroutine_syscall_enter(struct gt_summary *summary,
                                         struct gt_goroutine_node *goroutine, const gt_event *event)
{
    struct gt_summary_proc *proc = gt_summary_proc_get(summary, event->proc);
    if (!proc)
        return gt_mem_failure(&summary->mem);
    goroutine_proc_leave(goroutine);
    proc->syscall = goroutine;
    goroutine->live->proc = proc;
    goroutine->live->syscall = event->time;
    return GT_OK;
}

static gt_status goroutine_waiting_enter(struct gt_summary *summary,
                                         struct gt_goroutine_node *goroutine,
                                         const gt_transition *change, const gt_event *event)
{
    if (gt_text_is(change->reason, "forever"))
        return gt_summary_goroutine_end(summary, goroutine, event->time, event);
    goroutine->live->reason = gt_summary_name(summary, change->reason, false);
    goroutine->live->waiting = event->time;
    return goroutine->live->reason ? GT_OK : gt_mem_failure(&summary->mem);
}

static gt_status goroutine_state_enter(struct gt_summary *summary,
                                       struct gt_goroutine_node *goroutine,
                                       const gt_transition *change, const gt_event *event)
{
    switch (change->to) {
    case GT_GO_RUNNING:
        goroutine->live->running = event->time;
        if (goroutine->public.started == 0)
            goroutine->public.started = event->time;
        return GT_OK;
    case GT_GO_RUNNABLE:
        goroutine->live->runnable = event->time;
        return GT_OK;
    case GT_GO_WAITING:
        return goroutine_waiting_enter(summary, goroutine, change, event);
    case GT_GO_NOT_EXIST:
        return gt_summary_goroutine_end(summary, goroutine, event->time, event);
    case GT_GO_SYSCALL:
        return goroutine_syscall_enter(summary, goroutine, event);
    default:
        return GT_OK;
    }
}

static gt_status goroutine_name_set(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                    gt_stack stack)
{
    gt_frame frame;
    gt_status status = gt_summary_root_frame(summary, stack, &frame);
    if (status != GT_OK || frame.function.size == 0)
        return status;
    goroutine->name = gt_shared_text_get(&summary->texts, frame.function);
    if (!goroutine->name)
        return gt_mem_failure(&summary->mem);
    goroutine->public.name = goroutine->name->string;
    goroutine->public.pc = frame.pc;
    return GT_OK;
}

static gt_status goroutine_transition(struct gt_summary *summary, const gt_transition *change,
                                      const gt_event *event)
{
    if (change->from == change->to)
        return GT_OK;
    struct gt_goroutine_node *goroutine = gt_summary_goroutine(summary, change->resource.id);
    gt_status status = GT_OK;
    if (change->from == GT_GO_UNDETERMINED)
        status = goroutine_discover(summary, &goroutine, change->to, change, event);
    else if (change->from == GT_GO_NOT_EXIST)
        status = goroutine_create(summary, &goroutine, change, event);
    else if (!goroutine)
        status = goroutine_discover(summary, &goroutine, change->from, change, event);
    else
        status = gt_summary_goroutine_live(summary, goroutine)
                     ? goroutine_state_leave(summary, goroutine, change->from, event->time)
                     : gt_mem_failure(&summary->mem);
    if (status == GT_OK && goroutine->public.name.size == 0)
        status = goroutine_name_set(summary, goroutine, change->stack);
    return status == GT_OK ? goroutine_state_enter(summary, goroutine, change, event) : status;
}

/* A proc that becomes idle was taken away from the goroutine that is in a system call with it. */
static void proc_transition(struct gt_summary *summary, const gt_transition *change,
                            const gt_event *event)
{
    if (change->from == change->to || change->to != GT_PROC_IDLE)
        return;
    struct gt_summary_proc *proc = gt_idmap_get(&summary->procs, (uint64_t) change->resource.id);
    if (!proc || !proc->syscall)
        return;
    proc->syscall->live->syscall_blocked = event->time;
    proc->syscall = NULL;
}

gt_status gt_summary_transition(struct gt_summary *summary, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK)
        return status;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE)
        return goroutine_transition(summary, &change, event);
    if (change.resource.kind == GT_RESOURCE_PROC)
        proc_transition(summary, &change, event);
    return GT_OK;
}

static gt_status goroutine_open_times_add(struct gt_summary *summary,
                                          const struct gt_summary_live *live, int64_t time,
                                          gt_summary_times *times, struct gt_time_lists *lists)
{
    gt_status status = GT_OK;
    if (live->running != 0)
        gt_time_add_to(&times->execution, gt_time_minus(time, live->running));
    if (live->runnable != 0)
        gt_time_add_to(&times->sched_wait, gt_time_minus(time, live->runnable));
    if (live->waiting != 0)
        status = gt_time_add(&summary->times, &lists->blocks, live->reason,
                             gt_time_minus(time, live->waiting));
    if (live->syscall != 0)
        gt_time_add_to(&times->syscall, gt_time_minus(time, live->syscall));
    if (live->syscall_blocked != 0)
        gt_time_add_to(&times->sched_wait, gt_time_minus(time, live->syscall_blocked));
    for (const struct gt_open_range *range = live->ranges; range && status == GT_OK;
         range = range->next)
        status = gt_time_add(&summary->times, &lists->ranges, range->name,
                             gt_time_minus(time, range->since));
    return status;
}

gt_status gt_summary_goroutine_snapshot(struct gt_summary *summary,
                                        const struct gt_goroutine_node *goroutine, int64_t time,
                                        gt_summary_times *times, struct gt_time_lists *lists)
{
    *times = goroutine->times;
    if (times->total == 0)
        times->total = gt_time_minus(time, goroutine->public.created);
    gt_status status = gt_time_lists_copy(&summary->times, lists, &goroutine->lists);
    if (status == GT_OK && goroutine->live)
        status = goroutine_open_times_add(summary, goroutine->live, time, times, lists);
    return status;
}

static void goroutine_live_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine)
{
    struct gt_summary_live *live = goroutine->live;
    if (!live)
        return;
    goroutine_proc_leave(goroutine);
    while (live->ranges) {
        struct gt_open_range *range = live->ranges;
        live->ranges = range->next;
        gt_pool_give(&summary->open_range_pool, range);
    }
    gt_pool_give(&summary->live_pool, live);
    goroutine->live = NULL;
}

void gt_summary_goroutine_free(struct gt_summary *summary, struct gt_goroutine_node *goroutine)
{
    goroutine_live_end(summary, goroutine);
    gt_time_lists_free(&summary->times, &goroutine->lists);
    gt_shared_text_drop(&summary->texts, goroutine->name);
    gt_array_free(&summary->mem, &goroutine->regions);
    gt_pool_give(&summary->goroutine_pool, goroutine);
}

static void goroutine_drop(struct gt_summary *summary, struct gt_goroutine_node *goroutine)
{
    gt_goroutine_summary *last = summary->goroutine_list.items[--summary->goroutine_list.count];
    summary->goroutine_list.items[goroutine->position] = last;
    ((struct gt_goroutine_node *) last)->position = goroutine->position;
    if (gt_summary_goroutine(summary, goroutine->public.id) == goroutine)
        gt_idmap_remove(&summary->goroutines, (uint64_t) goroutine->public.id);
    gt_summary_goroutine_free(summary, goroutine);
}

gt_status gt_summary_goroutine_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                   int64_t time, const gt_event *event)
{
    if (event)
        goroutine->public.ended = time;
    struct gt_time_lists lists;
    gt_status status =
        gt_summary_goroutine_snapshot(summary, goroutine, time, &goroutine->times, &lists);
    gt_time_lists_free(&summary->times, &goroutine->lists);
    goroutine->lists = lists;
    if (status == GT_OK)
        gt_times_publish(&goroutine->times, &goroutine->lists);
    if (status == GT_OK)
        status = gt_summary_regions_end(summary, goroutine, event);
    if (status != GT_OK)
        return status;
    goroutine_live_end(summary, goroutine);
    /*
     * A goroutine that waited "forever", and yet went on, ends several times. It is reported once,
     * and its regions are sorted again only at the end of the trace.
     */
    if (!goroutine->reported || summary->finished)
        gt_summary_regions_publish(goroutine);
    if (summary->options.on_goroutine && !goroutine->reported)
        summary->options.on_goroutine(summary->options.user_data, &goroutine->public);
    goroutine->reported = true;
    /* At the end of the trace the list is in order and must stay so. */
    if (gt_summary_drops(summary) && !summary->finished)
        goroutine_drop(summary, goroutine);
    return GT_OK;
}
