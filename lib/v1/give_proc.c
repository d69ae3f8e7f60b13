/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/give.h"

#include <string.h>

#include "v1/order.h"

/* Procs, the garbage collector, stopped worlds, and metrics. */

/*
 * The first one ends the list of what there was when the trace started, and is
 * dropped by Go. Goroutines of that list that nothing was said about are runnable.
 */
gt_status gt_v1_gomaxprocs(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int is_first = v1->starting;
    if (is_first) {
        v1->starting = 0;
        v1->owed = v1->listed;
        v1->owed_ticks = event->ticks;
        v1->listed = v1->last_listed = NULL;
    }
    if (!is_first || v1->options.as_recorded)
        gt_v1_give_stacked(v1, event, GT_WIRE_PROCS_CHANGE, GT_EVENT_METRIC)->arguments[0] =
            event->numbers[0];
    return GT_OK;
}

gt_status gt_v1_heap(struct gt_v1 *v1, struct gt_v1_event *event)
{
    uint8_t type = event->type == GT_V1_HEAP_ALLOC ? GT_WIRE_HEAP_ALLOC : GT_WIRE_HEAP_GOAL;
    gt_v1_give(v1, event, type, GT_EVENT_METRIC)->arguments[0] = event->numbers[0];
    return GT_OK;
}

/* The first that is told of a proc is its status. */
static void give_proc(struct gt_v1 *v1, struct gt_v1_event *event, uint8_t type, gt_proc_state to)
{
    struct gt_v1_proc *proc = event->proc;
    struct gt_event_data *data =
        gt_v1_give(v1, event, proc->seen ? type : GT_WIRE_PROC_STATUS, GT_EVENT_STATE_TRANSITION);
    data->arguments[0] = (uint64_t) (int64_t) proc->id;
    data->from = GT_PROC_UNDETERMINED;
    data->to = (uint8_t) to;
    proc->seen = 1;
}

/* A change of the proc that the trace lacks. */
static void bridge(struct gt_v1 *v1, const struct gt_v1_event *event, gt_proc_state from,
                   gt_proc_state to)
{
    if (event->proc->seen)
        gt_v1_give_change(v1, event, GT_WIRE_PROC_STATUS, event->proc->id, from, to);
}

gt_status gt_v1_proc_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_proc *proc = event->proc;
    if (proc->running) {
        gt_status status = gt_v1_break(v1, event, "; it is made idle first",
                                       "%s of proc %d, which runs already", (uint64_t) proc->id, 0);
        if (status != GT_OK)
            return status;
        bridge(v1, event, GT_PROC_RUNNING, GT_PROC_IDLE);
    }
    proc->running = 1;
    proc->thread = (int64_t) event->numbers[0];
    give_proc(v1, event, GT_WIRE_PROC_START, GT_PROC_RUNNING);
    return GT_OK;
}

gt_status gt_v1_proc_stop(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_proc *proc = event->proc;
    gt_status status = GT_OK;
    if (!proc->running) {
        status = gt_v1_break(v1, event, "; it is made to run first",
                             "%s of proc %d, which does not run", (uint64_t) proc->id, 0);
        if (status == GT_OK)
            bridge(v1, event, GT_PROC_IDLE, GT_PROC_RUNNING);
    }
    struct gt_v1_goroutine *g = proc->goroutine;
    if (status == GT_OK && g) {
        status = gt_v1_break(v1, event, "; that is made to wait",
                             "%s of proc %d, which runs goroutine %u", (uint64_t) proc->id, g->id);
        if (status == GT_OK)
            gt_v1_bridge(v1, event, g, GT_GO_WAITING);
    }
    if (status != GT_OK)
        return status;
    proc->running = 0;
    give_proc(v1, event, GT_WIRE_PROC_STOP, GT_PROC_IDLE);
    proc->thread = GT_NO_THREAD;
    return GT_OK;
}

/*
 * Whether a range begins or ends where it may: sets `*open`, and says by `*good` whether
 * the event counts. A lenient reader leaves out one that does not.
 */
static gt_status toggle(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t *open,
                        uint8_t begins, int *good)
{
    *good = *open != begins;
    if (!*good)
        return gt_v1_break(v1, event, "; it is left out",
                           begins ? "%s before the last one ended" : "%s without a beginning", 0,
                           0);
    *open = begins;
    return GT_OK;
}

gt_status gt_v1_gc_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, &v1->collecting, 1, &good);
    if (!good)
        return status;
    event->proc_id = GT_PROC_GC;
    gt_v1_give_stacked(v1, event, GT_WIRE_GC_BEGIN, GT_EVENT_RANGE_BEGIN);
    return GT_OK;
}

gt_status gt_v1_gc_done(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, &v1->collecting, 0, &good);
    if (good)
        gt_v1_give(v1, event, GT_WIRE_GC_END, GT_EVENT_RANGE_END);
    return status;
}

/* Go 1.21's runtime/proc.go, stwReasonStrings; "stack" is what Go's conversion makes of it. */
static const char *const stop_texts[GT_V1_STW_KINDS] = {
    "",
    "GC mark termination",
    "GC sweep termination",
    "write heap dump",
    "goroutine profile",
    "goroutine profile cleanup",
    "all goroutine stack trace",
    "read mem stats",
    "AllThreadsSyscall",
    "GOMAXPROCS",
    "start trace",
    "stop trace",
    "CountPagesInUse (test)",
    "ReadMetricsSlow (test)",
    "ReadMemStatsSlow (test)",
    "PageCachePagesLeaked (test)",
    "ResetDebugLog (test)",
};

/* The kinds of Go 1.21, of which there were two before; 0 is an unknown one. */
static unsigned stop_kind(const struct gt_v1 *v1, uint64_t kind)
{
    if (v1->version < 21)
        return kind <= 1 ? (unsigned) kind + 1 : 0;
    return kind < GT_V1_STW_KINDS ? (unsigned) kind : 0;
}

static uint8_t *stop_flag(struct gt_v1 *v1, const struct gt_v1_event *event)
{
    return v1->version < 10 ? &event->proc->stopped : &v1->stopped;
}

gt_status gt_v1_stw_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, stop_flag(v1, event), 1, &good);
    if (!good)
        return status;
    unsigned kind = stop_kind(v1, event->numbers[0]);
    struct gt_name **name = &v1->stop_names[kind];
    if (!*name)
        *name = gt_names_add(&v1->names, stop_texts[kind], (uint32_t) strlen(stop_texts[kind]));
    if (!*name)
        return gt_v1_fail_memory(v1);
    v1->stop_name = *name;
    gt_v1_give(v1, event, GT_WIRE_STW_BEGIN, GT_EVENT_RANGE_BEGIN)->name = *name;
    return GT_OK;
}

gt_status gt_v1_stw_done(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, stop_flag(v1, event), 0, &good);
    if (good)
        gt_v1_give(v1, event, GT_WIRE_STW_END, GT_EVENT_RANGE_END)->name = v1->stop_name;
    return status;
}

gt_status gt_v1_sweep_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, &event->proc->sweeping, 1, &good);
    if (good)
        gt_v1_give_stacked(v1, event, GT_WIRE_GC_SWEEP_BEGIN, GT_EVENT_RANGE_BEGIN);
    return status;
}

gt_status gt_v1_sweep_done(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    gt_status status = toggle(v1, event, &event->proc->sweeping, 0, &good);
    if (!good)
        return status;
    struct gt_event_data *data = gt_v1_give(v1, event, GT_WIRE_GC_SWEEP_END, GT_EVENT_RANGE_END);
    data->arguments[0] = event->numbers[0];
    data->arguments[1] = event->numbers[1];
    return GT_OK;
}

gt_status gt_v1_assist_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good;
    struct gt_v1_goroutine *g = gt_v1_find(v1, event, event->goroutine);
    if (!g)
        g = gt_v1_goroutine_get(v1, event->goroutine);
    if (!g)
        return gt_v1_fail_memory(v1);
    gt_status status = toggle(v1, event, &g->assisting, 1, &good);
    if (good)
        gt_v1_give_stacked(v1, event, GT_WIRE_GC_MARK_ASSIST_BEGIN, GT_EVENT_RANGE_BEGIN);
    return status;
}

/* One that was on when the trace started has no beginning. */
gt_status gt_v1_assist_done(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g = gt_v1_find(v1, event, event->goroutine);
    if (g)
        g->assisting = 0;
    gt_v1_give(v1, event, GT_WIRE_GC_MARK_ASSIST_END, GT_EVENT_RANGE_END);
    return GT_OK;
}
