/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

/* The rules are those of Summarizer.Event in Go's internal/trace/summary.go. */

static struct gt_goroutine_node *goroutine_new(struct gt_summary *s, int64_t id, int64_t created)
{
    if (gt_mem_reserve(&s->mem, &s->goroutine_list, &s->goroutine_capacity, s->goroutine_count + 1,
                       sizeof(*s->goroutine_list)) != GT_OK)
        return NULL;
    struct gt_goroutine_node *g = gt_pool_take(&s->goroutine_pool);
    if (!g)
        return NULL;
    memset(g, 0, sizeof(*g));
    g->s.id = id;
    g->s.name.data = "";
    g->s.created = created;
    if (!gt_goroutine_live(s, g) || gt_idmap_put(&s->goroutines, (uint64_t) id, g) != GT_OK) {
        gt_goroutine_free(s, g);
        return NULL;
    }
    g->number = s->info.goroutines++;
    g->place = s->goroutine_count;
    s->goroutine_list[s->goroutine_count++] = &g->s;
    return g;
}

struct gt_live *gt_goroutine_live(struct gt_summary *s, struct gt_goroutine_node *g)
{
    if (g->live)
        return g->live;
    g->live = gt_pool_take(&s->live_pool);
    if (g->live)
        memset(g->live, 0, sizeof(*g->live));
    return g->live;
}

/* The time until the event was spent in this state. */
static gt_status add_time(struct gt_summary *s, struct gt_goroutine_node *g, uint32_t state,
                          int64_t time, const gt_transition *change, const gt_event *event)
{
    switch (state) {
    case GT_GO_RUNNING:
        g->s.times.execution = gt_time_plus(g->s.times.execution, time);
        break;
    case GT_GO_RUNNABLE:
        g->s.times.sched_wait = gt_time_plus(g->s.times.sched_wait, time);
        break;
    case GT_GO_SYSCALL:
        if (event->proc == GT_NO_PROC)
            g->s.times.syscall_block = gt_time_plus(g->s.times.syscall_block, time);
        else
            g->s.times.syscall = gt_time_plus(g->s.times.syscall, time);
        break;
    case GT_GO_WAITING: {
        const struct gt_shared_text *reason = gt_summary_name(s, change->reason, 0);
        return reason ? gt_time_add(&s->times, &g->lists.blocks, reason, time)
                      : gt_mem_failure(&s->mem);
    }
    default:
        break;
    }
    return GT_OK;
}

/* One that was there before the trace, or is seen late: it has been so since the last Sync. */
static gt_status name_goroutine(struct gt_summary *s, struct gt_goroutine_node **g, uint32_t state,
                                const gt_transition *change, const gt_event *event)
{
    *g = goroutine_new(s, change->resource.id, s->sync_time);
    if (!*g)
        return gt_mem_failure(&s->mem);
    return add_time(s, *g, state, gt_time_minus(event->time, s->sync_time), change, event);
}

static gt_status create(struct gt_summary *s, struct gt_goroutine_node **g,
                        const gt_transition *change, const gt_event *event)
{
    const struct gt_goroutine_node *creator = gt_summary_goroutine(s, event->goroutine);
    *g = goroutine_new(s, change->resource.id, event->time);
    if (!*g)
        return gt_mem_failure(&s->mem);
    return creator ? gt_region_inherit(s, *g, creator, event->time) : GT_OK;
}

static void add_since(int64_t *sum, int64_t *since, int64_t time)
{
    if (*since != 0)
        *sum = gt_time_plus(*sum, gt_time_minus(time, *since));
    *since = 0;
}

/* Nothing points at it from a proc any more. */
static void leave_proc(struct gt_goroutine_node *g)
{
    struct gt_seen_proc *proc = g->live->proc;
    if (proc && proc->syscall == g)
        proc->syscall = NULL;
    g->live->proc = NULL;
}

static void leave_syscall(struct gt_goroutine_node *g, int64_t time)
{
    struct gt_live *live = g->live;
    /* As in Go, even where another goroutine has entered one there since. */
    if (live->proc)
        live->proc->syscall = NULL;
    live->proc = NULL;
    if (live->syscall == 0)
        return;
    int64_t end = live->syscall_blocked != 0 ? live->syscall_blocked : time;
    add_since(&g->s.times.syscall_block, &live->syscall_blocked, time);
    add_since(&g->s.times.syscall, &live->syscall, end);
}

static gt_status leave_waiting(struct gt_summary *s, struct gt_goroutine_node *g, int64_t time)
{
    int64_t since = g->live->waiting;
    g->live->waiting = 0;
    if (since == 0)
        return GT_OK;
    return gt_time_add(&s->times, &g->lists.blocks, g->live->reason, gt_time_minus(time, since));
}

static gt_status leave(struct gt_summary *s, struct gt_goroutine_node *g, uint32_t state,
                       int64_t time)
{
    switch (state) {
    case GT_GO_RUNNING:
        /* The only one of which Go does not ask whether it has begun. */
        g->s.times.execution =
            gt_time_plus(g->s.times.execution, gt_time_minus(time, g->live->running));
        g->live->running = 0;
        return GT_OK;
    case GT_GO_WAITING:
        return leave_waiting(s, g, time);
    case GT_GO_RUNNABLE:
        add_since(&g->s.times.sched_wait, &g->live->runnable, time);
        return GT_OK;
    case GT_GO_SYSCALL:
        leave_syscall(g, time);
        return GT_OK;
    default:
        return GT_OK;
    }
}

static gt_status enter_syscall(struct gt_summary *s, struct gt_goroutine_node *g,
                               const gt_event *event)
{
    struct gt_seen_proc *proc = gt_summary_proc(s, event->proc);
    if (!proc)
        return gt_mem_failure(&s->mem);
    leave_proc(g);
    proc->syscall = g;
    g->live->proc = proc;
    g->live->syscall = event->time;
    return GT_OK;
}

static int is_forever(gt_string reason)
{
    static const char forever[] = "forever";
    return reason.size == sizeof(forever) - 1 && memcmp(reason.data, forever, reason.size) == 0;
}

static gt_status enter_waiting(struct gt_summary *s, struct gt_goroutine_node *g,
                               const gt_transition *change, const gt_event *event)
{
    if (is_forever(change->reason))
        return gt_goroutine_done(s, g, event->time, event);
    g->live->reason = gt_summary_name(s, change->reason, 0);
    g->live->waiting = event->time;
    return g->live->reason ? GT_OK : gt_mem_failure(&s->mem);
}

static gt_status enter(struct gt_summary *s, struct gt_goroutine_node *g,
                       const gt_transition *change, const gt_event *event)
{
    switch (change->to) {
    case GT_GO_RUNNING:
        g->live->running = event->time;
        if (g->s.started == 0)
            g->s.started = event->time;
        return GT_OK;
    case GT_GO_RUNNABLE:
        g->live->runnable = event->time;
        return GT_OK;
    case GT_GO_WAITING:
        return enter_waiting(s, g, change, event);
    case GT_GO_NOT_EXIST:
        return gt_goroutine_done(s, g, event->time, event);
    case GT_GO_SYSCALL:
        return enter_syscall(s, g, event);
    default:
        return GT_OK;
    }
}

static gt_status give_name(struct gt_summary *s, struct gt_goroutine_node *g, gt_stack stack)
{
    gt_frame frame;
    gt_status status = gt_summary_root(s, stack, &frame);
    if (status != GT_OK || frame.function.size == 0)
        return status;
    g->name = gt_shared_text_get(&s->texts, frame.function);
    if (!g->name)
        return gt_mem_failure(&s->mem);
    g->s.name = g->name->string;
    g->s.pc = frame.pc;
    return GT_OK;
}

static gt_status goroutine_changes(struct gt_summary *s, const gt_transition *change,
                                   const gt_event *event)
{
    if (change->from == change->to)
        return GT_OK;
    struct gt_goroutine_node *g = gt_summary_goroutine(s, change->resource.id);
    gt_status status = GT_OK;
    if (change->from == GT_GO_UNDETERMINED)
        status = name_goroutine(s, &g, change->to, change, event);
    else if (change->from == GT_GO_NOT_EXIST)
        status = create(s, &g, change, event);
    else if (!g)
        status = name_goroutine(s, &g, change->from, change, event);
    else
        status = gt_goroutine_live(s, g) ? leave(s, g, change->from, event->time)
                                         : gt_mem_failure(&s->mem);
    if (status == GT_OK && g->s.name.size == 0)
        status = give_name(s, g, change->stack);
    return status == GT_OK ? enter(s, g, change, event) : status;
}

/* A proc that goes idle while its goroutine is in a system call was taken away. */
static void proc_changes(struct gt_summary *s, const gt_transition *change, const gt_event *event)
{
    if (change->from == change->to || change->to != GT_PROC_IDLE)
        return;
    struct gt_seen_proc *proc = gt_idmap_get(&s->procs, (uint64_t) change->resource.id);
    if (!proc || !proc->syscall)
        return;
    proc->syscall->live->syscall_blocked = event->time;
    proc->syscall = NULL;
}

gt_status gt_summary_transition(struct gt_summary *s, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK)
        return status;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE)
        return goroutine_changes(s, &change, event);
    if (change.resource.kind == GT_RESOURCE_PROC)
        proc_changes(s, &change, event);
    return GT_OK;
}

static gt_status add_going(struct gt_summary *s, const struct gt_live *live, int64_t time,
                           gt_summary_times *times, struct gt_timing *lists)
{
    gt_status status = GT_OK;
    if (live->running != 0)
        times->execution = gt_time_plus(times->execution, gt_time_minus(time, live->running));
    if (live->runnable != 0)
        times->sched_wait = gt_time_plus(times->sched_wait, gt_time_minus(time, live->runnable));
    if (live->waiting != 0)
        status = gt_time_add(&s->times, &lists->blocks, live->reason,
                             gt_time_minus(time, live->waiting));
    if (live->syscall != 0)
        times->syscall = gt_time_plus(times->syscall, gt_time_minus(time, live->syscall));
    if (live->syscall_blocked != 0)
        times->sched_wait =
            gt_time_plus(times->sched_wait, gt_time_minus(time, live->syscall_blocked));
    for (const struct gt_going *range = live->ranges; range && status == GT_OK; range = range->next)
        status =
            gt_time_add(&s->times, &lists->ranges, range->name, gt_time_minus(time, range->since));
    return status;
}

gt_status gt_goroutine_snapshot(struct gt_summary *s, const struct gt_goroutine_node *g,
                                int64_t time, gt_summary_times *times, struct gt_timing *lists)
{
    *times = g->s.times;
    if (times->total == 0)
        times->total = gt_time_minus(time, g->s.created);
    gt_status status = gt_timing_copy(&s->times, lists, &g->lists);
    if (status == GT_OK && g->live)
        status = add_going(s, g->live, time, times, lists);
    return status;
}

static void end_live(struct gt_summary *s, struct gt_goroutine_node *g)
{
    struct gt_live *live = g->live;
    if (!live)
        return;
    leave_proc(g);
    while (live->ranges) {
        struct gt_going *range = live->ranges;
        live->ranges = range->next;
        gt_pool_give(&s->going_pool, range);
    }
    gt_pool_give(&s->live_pool, live);
    g->live = NULL;
}

gt_status gt_goroutine_done(struct gt_summary *s, struct gt_goroutine_node *g, int64_t time,
                            const gt_event *event)
{
    if (event)
        g->s.ended = time;
    struct gt_timing lists;
    gt_status status = gt_goroutine_snapshot(s, g, time, &g->s.times, &lists);
    gt_timing_free(&s->times, &g->lists);
    g->lists = lists;
    if (status == GT_OK)
        gt_times_publish(&g->s.times, &g->lists);
    if (status == GT_OK)
        status = gt_regions_done(s, g, event);
    if (status != GT_OK)
        return status;
    end_live(s, g);
    /* One that waited "forever" and did not is told of once, and sorted only once more. */
    if (!g->told || s->finished)
        gt_regions_publish(g);
    if (s->options.on_goroutine && !g->told)
        s->options.on_goroutine(s->options.user_data, &g->s);
    g->told = 1;
    /* At the very end it goes with the summary, and the list stays in order. */
    if ((s->options.flags & GT_SUMMARY_DROP) && !s->finished)
        gt_goroutine_drop(s, g);
    return GT_OK;
}

void gt_goroutine_drop(struct gt_summary *s, struct gt_goroutine_node *g)
{
    gt_goroutine_summary *last = s->goroutine_list[--s->goroutine_count];
    s->goroutine_list[g->place] = last;
    ((struct gt_goroutine_node *) last)->place = g->place;
    if (gt_summary_goroutine(s, g->s.id) == g)
        gt_idmap_remove(&s->goroutines, (uint64_t) g->s.id);
    gt_goroutine_free(s, g);
}

void gt_goroutine_free(struct gt_summary *s, struct gt_goroutine_node *g)
{
    end_live(s, g);
    gt_timing_free(&s->times, &g->lists);
    gt_shared_text_drop(&s->texts, g->name);
    gt_mem_free(&s->mem, g->regions, g->region_capacity * sizeof(*g->regions));
    gt_pool_give(&s->goroutine_pool, g);
}
