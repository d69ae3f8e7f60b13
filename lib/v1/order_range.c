/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

#include <string.h>

/* Ranges of the garbage collector and of stopped worlds, and metrics. */

/*
 * Begins or ends a range. `*open` says whether the range is open, and so which of the two is valid.
 */
static gt_result v1_range_toggle(struct gt_v1 *v1, const struct gt_v1_proc *proc, bool *open,
                                 bool begins)
{
    if (*open != begins) {
        *open = begins;
        return GT_RESULT_DONE;
    }
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER,
                     begins ? "%s before the last one ended" : "%s without a beginning", 0, 0);
    return gt_v1_leave_out(v1);
}

gt_result gt_v1_gc_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    if (v1->version >= 7) {
        uint64_t seq = gt_v1_number(proc);
        if (seq != v1->state.gc_seq && gt_v1_is_seq(seq) && !proc->forced)
            return gt_v1_wait(proc, GT_V1_NEED_GC, 0, seq);
        v1->state.gc_seq = gt_v1_is_seq(seq) ? seq + 1 : 0;
        gt_frontier_wake(&v1->merge.frontier, GT_V1_NEED_GC, 0, v1->state.gc_seq);
    }
    gt_v1_take_stack(v1, proc, data);
    data->event.proc = GT_STAND_IN_GC;
    data->event.thread = GT_NO_THREAD;
    return v1_range_toggle(v1, proc, &v1->state.collecting, true);
}

gt_result gt_v1_gc_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) data;
    return v1_range_toggle(v1, proc, &v1->state.collecting, false);
}

/*
 * The reasons for stopped worlds: Go 1.21's runtime/proc.go, stwReasonStrings. Go's conversion adds
 * "stack".
 */
const char *const gt_v1_stop_texts[GT_V1_STW_KINDS] = {
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

/*
 * Converts a kind of stopped world to the numbers of Go 1.21; earlier versions have the first two
 * only. The result is 0 if the kind is unknown.
 */
static unsigned v1_stop_kind(const struct gt_v1 *v1, uint64_t kind)
{
    if (v1->version < 21)
        return kind <= 1 ? (unsigned) kind + 1 : 0;
    return kind < GT_V1_STW_KINDS ? (unsigned) kind : 0;
}

static bool *v1_stop_flag(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    return v1->version < 10 ? &proc->stopped : &v1->state.stopped;
}

gt_result gt_v1_stw_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    unsigned kind = v1_stop_kind(v1, v1->version < 10 ? 0 : gt_v1_number(proc));
    gt_result result = v1_range_toggle(v1, proc, v1_stop_flag(v1, proc), true);
    if (result != GT_RESULT_DONE)
        return result;
    struct gt_name **name = &v1->output.stop_names[kind];
    if (!*name)
        *name = gt_names_add(&v1->names, gt_v1_stop_texts[kind],
                             (uint32_t) strlen(gt_v1_stop_texts[kind]));
    if (!*name)
        return gt_v1_fail_memory(v1);
    data->name = v1->output.stop_name = *name;
    return GT_RESULT_DONE;
}

gt_result gt_v1_stw_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->name = v1->output.stop_name;
    return v1_range_toggle(v1, proc, v1_stop_flag(v1, proc), false);
}

gt_result gt_v1_sweep_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_take_stack(v1, proc, data);
    return v1_range_toggle(v1, proc, &proc->sweeping, true);
}

gt_result gt_v1_sweep_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->arguments[0] = data->arguments[1] = 0;
    if (v1->version >= 9) {
        data->arguments[0] = gt_v1_number(proc);
        data->arguments[1] = gt_v1_number(proc);
    }
    return v1_range_toggle(v1, proc, &proc->sweeping, false);
}

gt_result gt_v1_assist_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    gt_v1_take_stack(v1, proc, data);
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_get(v1, gt_v1_context_id(proc));
    return goroutine ? v1_range_toggle(v1, proc, &goroutine->assisting, true)
                     : gt_v1_fail_memory(v1);
}

/*
 * GCMarkAssistDone. The mark assist may have no beginning, if it was open when the trace started.
 */
gt_result gt_v1_assist_done(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_find(v1, gt_v1_context_id(proc));
    (void) data;
    if (goroutine)
        goroutine->assisting = false;
    return GT_RESULT_DONE;
}

/*
 * Gomaxprocs. The first one ends the list of goroutines that existed when the trace started. It is
 * no event, as in Go, but its value is kept. Goroutines of that list that had no other event are
 * runnable.
 */
gt_result gt_v1_gomaxprocs(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    bool is_first = v1->state.starting;
    data->arguments[0] = gt_v1_number(proc);
    gt_v1_take_stack(v1, proc, data);
    if (is_first) {
        v1->state.starting = false;
        v1->state.owed = v1->state.listed;
        v1->state.owed_ticks =
            proc->ticks < v1->merge.last_ticks ? v1->merge.last_ticks : proc->ticks;
        v1->state.listed = v1->state.last_listed = NULL;
        v1->merge.until = INT64_MIN;
    }
    if (!is_first || v1->options.as_recorded)
        return GT_RESULT_DONE;
    v1->output.first_procs = data->arguments[0];
    return GT_RESULT_NONE;
}

gt_result gt_v1_heap_metric(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    (void) v1;
    data->arguments[0] = gt_v1_number(proc);
    return GT_RESULT_DONE;
}
