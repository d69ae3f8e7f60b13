/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#include <string.h>

/* Ranges of the garbage collector and stopped worlds; and metrics. */

/*
 * A range begins or ends, and `*open` says whether it may. A lenient reader leaves
 * out one that may not.
 */
static int toggle(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint8_t *open, uint8_t begins)
{
    if (*open != begins) {
        *open = begins;
        return GT_V1_GIVEN;
    }
    gt_status status =
        gt_v1_break(v1, proc, "; it is left out",
                    begins ? "%s before the last one ended" : "%s without a beginning", 0, 0);
    return status != GT_OK ? (int) status : GT_V1_NOTHING;
}

int gt_v1_gc_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    if (v1->version >= 7) {
        uint64_t seq = gt_v1_number(proc);
        if (seq != v1->gc_seq && !proc->forced)
            return gt_v1_wait(proc, GT_V1_NEED_GC, 0, seq);
        v1->gc_seq = seq + 1;
        gt_frontier_wake(&v1->frontier, GT_V1_NEED_GC, 0, v1->gc_seq);
    }
    gt_v1_read_stack(v1, proc, data);
    data->event.proc = GT_PROC_GC;
    data->event.thread = GT_NO_THREAD;
    return toggle(v1, proc, &v1->collecting, 1);
}

int gt_v1_gc_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    return toggle(v1, proc, &v1->collecting, 0);
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

static uint8_t *stop_flag(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    return v1->version < 10 ? &proc->stopped : &v1->stopped;
}

int gt_v1_stw_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    unsigned kind = stop_kind(v1, v1->version < 10 ? 0 : gt_v1_number(proc));
    int result = toggle(v1, proc, stop_flag(v1, proc), 1);
    if (result != GT_V1_GIVEN)
        return result;
    struct gt_name **name = &v1->stop_names[kind];
    if (!*name)
        *name = gt_names_add(&v1->names, stop_texts[kind], (uint32_t) strlen(stop_texts[kind]));
    if (!*name)
        return gt_v1_fail_memory(v1);
    data->name = v1->stop_name = *name;
    return GT_V1_GIVEN;
}

int gt_v1_stw_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->name = v1->stop_name;
    return toggle(v1, proc, stop_flag(v1, proc), 0);
}

int gt_v1_sweep_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_read_stack(v1, proc, data);
    return toggle(v1, proc, &proc->sweeping, 1);
}

int gt_v1_sweep_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->arguments[0] = data->arguments[1] = 0;
    if (v1->version >= 9) {
        data->arguments[0] = gt_v1_number(proc);
        data->arguments[1] = gt_v1_number(proc);
    }
    return toggle(v1, proc, &proc->sweeping, 0);
}

int gt_v1_assist_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_read_stack(v1, proc, data);
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_get(v1, gt_v1_context_id(proc));
    return goroutine ? toggle(v1, proc, &goroutine->assisting, 1) : (int) gt_v1_fail_memory(v1);
}

/* One that was on when the trace started has no beginning. */
int gt_v1_assist_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, gt_v1_context_id(proc));
    (void) data;
    if (goroutine)
        goroutine->assisting = 0;
    return GT_V1_GIVEN;
}

/*
 * The first one ends the list of what there was when the trace started, and is
 * dropped by Go. Goroutines of that list that nothing was said about are runnable.
 */
int gt_v1_gomaxprocs(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    int is_first = v1->starting;
    data->arguments[0] = gt_v1_number(proc);
    gt_v1_read_stack(v1, proc, data);
    if (is_first) {
        v1->starting = 0;
        v1->owed = v1->listed;
        v1->owed_ticks = proc->ticks < v1->merged ? v1->merged : proc->ticks;
        v1->listed = v1->last_listed = NULL;
        v1->until = INT64_MIN;
    }
    return is_first && !v1->options.as_recorded ? GT_V1_NOTHING : GT_V1_GIVEN;
}

int gt_v1_heap(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) v1;
    data->arguments[0] = gt_v1_number(proc);
    return GT_V1_GIVEN;
}
