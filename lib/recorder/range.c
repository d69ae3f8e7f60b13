/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of goroutines and procs, and metrics. */
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

/* Makes what is there at least `value`. */
static void stop_raise(struct gt_atomic *atomic, uint64_t value)
{
    uint64_t before = gt_atomic_get(atomic);
    while (before < value && !gt_atomic_swap(atomic, &before, value)) {
    }
}

/*
 * Whether the end of a stop that began in an older generation is recorded: readers refuse one of
 * which they do not know the begin. The stream decides, and the window goes without the generations
 * that do not fit then.
 */
static bool stop_is_known(const gt_rec_thread *t)
{
    gt_recorder *recorder = t->recorder;
    uint64_t begin = gt_recorder_own_go(t)->stop.generation, parity = t->generation & 1;
    uint64_t streamed = gt_atomic_get(&recorder->first_streamed);
    bool is_streamed = streamed <= t->generation;
    bool is_kept = gt_atomic_get(&recorder->first_kept) <= begin;
    if (begin == t->generation)
        return true;
    if (is_streamed ? streamed <= begin : is_kept) {
        stop_raise(&recorder->stops_ended[parity], ~begin);
        return true;
    }
    if (is_kept)
        stop_raise(&recorder->stops_cut[parity], begin + 1);
    return false;
}

gt_status gt_rec_stw_begin(gt_rec_thread *t, gt_rec_text kind)
{
    uint64_t time;
    if (!t || !gt_recorder_text_is_known(t->recorder, kind))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    struct gt_recorder_stop *stop = &gt_recorder_own_go(t)->stop;
    bool is_open = stop->is_open;
    if (!is_open && gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_STW_BEGIN, kind, gt_recorder_stack(t));
    if (!is_open)
        *stop = (struct gt_recorder_stop){true, t->generation};
    gt_recorder_leave(t);
    return is_open ? GT_ERR_STATE : GT_OK;
}

gt_status gt_rec_stw_end(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    struct gt_recorder_stop *stop = &gt_recorder_own_go(t)->stop;
    bool is_open = stop->is_open;
    if (is_open && gt_recorder_is_on(t) && stop_is_known(t))
        gt_recorder_put_bare(t, time, GT_WIRE_STW_END);
    stop->is_open = false;
    gt_recorder_leave(t);
    return is_open ? GT_OK : GT_ERR_STATE;
}

gt_status gt_rec_assist_begin(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || gt_recorder_go_has_range(t) ||
        !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_GC_MARK_ASSIST_BEGIN, gt_recorder_stack(t));
    bool is_set = gt_recorder_set_go_range(t, true);
    gt_recorder_leave(t);
    return is_set ? GT_OK : GT_ERR_STATE;
}

gt_status gt_rec_assist_end(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_go_has_range(t) ||
        !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t))
        gt_recorder_put_bare(t, time, GT_WIRE_GC_MARK_ASSIST_END);
    bool is_set = gt_recorder_set_go_range(t, false);
    gt_recorder_leave(t);
    return is_set ? GT_OK : GT_ERR_STATE;
}

static bool range_is_swept(gt_rec_thread *t)
{
    return gt_recorder_has_range(&gt_recorder_own_proc(t)->resource);
}

gt_status gt_rec_sweep_begin(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t) || range_is_swept(t))
        return GT_ERR_STATE;
    if (gt_recorder_enter_own(t, &time))
        gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_BEGIN, gt_recorder_stack(t));
    gt_recorder_set_range(t, &gt_recorder_own_proc(t)->resource, true);
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_sweep_end(gt_rec_thread *t, uint64_t swept, uint64_t reclaimed)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t) || !range_is_swept(t))
        return GT_ERR_STATE;
    if (gt_recorder_enter_own(t, &time))
        gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_END, swept, reclaimed);
    gt_recorder_set_range(t, &gt_recorder_own_proc(t)->resource, false);
    gt_recorder_leave(t);
    return GT_OK;
}

static gt_status metric_put(gt_rec_thread *t, uint8_t type, uint64_t value)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t))
        return GT_ERR_STATE;
    if (gt_recorder_enter_own(t, &time))
        gt_recorder_put(t, time, type, value);
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_heap(gt_rec_thread *t, uint64_t bytes)
{
    return metric_put(t, GT_WIRE_HEAP_ALLOC, bytes);
}

gt_status gt_rec_heap_goal(gt_rec_thread *t, uint64_t bytes)
{
    return metric_put(t, GT_WIRE_HEAP_GOAL, bytes);
}

gt_status gt_rec_procs(gt_rec_thread *t, uint64_t count)
{
    uint64_t time = 0;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    gt_atomic_set(&t->recorder->proc_count, count);
    gt_recorder_enter(t);
    if (gt_recorder_is_on(t)) {
        time = gt_recorder_clock(t);
        /* The status that may have to come first need not tell it, too. */
        t->procs_told = t->generation;
        gt_atomic_set(&t->recorder->procs_told[t->generation & 1], t->generation);
        gt_recorder_settle(t, time);
    }
    bool is_running = gt_recorder_own_go(t);
    if (is_running && gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_PROCS_CHANGE, count, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return is_running ? GT_OK : GT_ERR_STATE;
}
