/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of a garbage collector, or of what is like one, and metrics. */
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

/*
 * Enters a section in which a range begins. Returns whether that is recorded; then the statuses
 * that have to come before it are written, and `*time` is set.
 */
static bool range_enter_begin(gt_rec_thread *t, struct gt_recorder_range *range, uint64_t *time)
{
    bool is_on = gt_recorder_enter_own(t, time);
    range->is_open = true;
    range->generation = t->generation;
    return is_on;
}

/*
 * Enters a section in which a range ends. Returns whether that is recorded, as range_enter_begin
 * does: only if its begin is in the same trace.
 */
static bool range_enter_end(gt_rec_thread *t, struct gt_recorder_range *range, uint64_t *time)
{
    bool is_on = gt_recorder_enter_own(t, time);
    range->is_open = false;
    return is_on && range->generation >= t->recorder->first_generation;
}

/* Whether a range that ends began in an earlier generation. */
static bool range_is_old(const gt_rec_thread *t, const struct gt_recorder_range *range)
{
    return range->generation < t->generation;
}

gt_status gt_rec_stw_begin(gt_rec_thread *t, gt_rec_text kind)
{
    uint64_t time;
    if (!t || !gt_recorder_text_is_known(t->recorder, kind))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || t->go->stop.is_open)
        return GT_ERR_STATE;
    if (range_enter_begin(t, &t->go->stop, &time))
        gt_recorder_put(t, time, GT_WIRE_STW_BEGIN, kind, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_stw_end(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !t->go->stop.is_open)
        return GT_ERR_STATE;
    if (range_enter_end(t, &t->go->stop, &time))
        gt_recorder_put_bare(t, time, GT_WIRE_STW_END);
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_assist_begin(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || t->go->assist.is_open)
        return GT_ERR_STATE;
    if (range_enter_begin(t, &t->go->assist, &time))
        gt_recorder_put(t, time, GT_WIRE_GC_MARK_ASSIST_BEGIN, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_assist_end(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !t->go->assist.is_open)
        return GT_ERR_STATE;
    if (range_enter_end(t, &t->go->assist, &time)) {
        if (range_is_old(t, &t->go->assist))
            gt_recorder_put(t, time, GT_WIRE_GC_MARK_ASSIST_ACTIVE, t->go->resource.id);
        gt_recorder_put_bare(t, time, GT_WIRE_GC_MARK_ASSIST_END);
    }
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_sweep_begin(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t) || gt_recorder_own_proc(t)->sweep.is_open)
        return GT_ERR_STATE;
    if (range_enter_begin(t, &gt_recorder_own_proc(t)->sweep, &time))
        gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_BEGIN, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_sweep_end(gt_rec_thread *t, uint64_t swept, uint64_t reclaimed)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t) || !gt_recorder_own_proc(t)->sweep.is_open)
        return GT_ERR_STATE;
    gt_rec_proc *proc = gt_recorder_own_proc(t);
    if (range_enter_end(t, &proc->sweep, &time)) {
        if (range_is_old(t, &proc->sweep))
            gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_ACTIVE, proc->resource.id);
        gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_END, swept, reclaimed);
    }
    gt_recorder_leave(t);
    return GT_OK;
}

/*
 * Readers take the first event of the collector in a trace with any number, and so must not come to
 * a later one first. Two events in one unit of the clock have times that say so, too.
 */
static uint64_t gc_time(const struct gt_recorder_gc *gc, uint64_t time)
{
    return time > gc->time ? time : gc->time + 1;
}

/*
 * The first event is in a batch of no thread, in which nothing is before it that readers might have
 * to wait for: they would go on with a later event of the collector meanwhile.
 */
static void gc_begin(gt_rec_thread *t, struct gt_recorder_gc *gc)
{
    uint64_t time, before = gc->range.generation;
    if (!range_enter_begin(t, &gc->range, &time))
        return;
    time = gc_time(gc, time);
    gc->number++;
    if (before < t->recorder->first_generation) {
        gt_recorder_put_alone(t, time, GT_WIRE_GC_BEGIN, gc->number);
        gc->time = time;
        return;
    }
    gt_recorder_put(t, time, GT_WIRE_GC_BEGIN, gc->number, 0);
    gc->time = t->time;
}

static void gc_end(gt_rec_thread *t, struct gt_recorder_gc *gc)
{
    uint64_t time;
    if (!range_enter_end(t, &gc->range, &time))
        return;
    time = gc_time(gc, time);
    uint64_t number = gc->number;
    if (range_is_old(t, &gc->range)) {
        number++;
        gt_recorder_put(t, time, GT_WIRE_GC_ACTIVE, number);
    }
    number++;
    gt_recorder_put(t, time, GT_WIRE_GC_END, number);
    gc->number = number;
    gc->time = t->time;
}

static gt_status gc_change(gt_rec_thread *t,
                           void (*change)(gt_rec_thread *t, struct gt_recorder_gc *gc),
                           bool from_open)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    struct gt_recorder_gc *gc = &t->recorder->gc;
    gt_system_lock(&gc->lock);
    bool is_possible = gc->range.is_open == from_open;
    if (is_possible) {
        change(t, gc);
        gt_recorder_leave(t);
    }
    gt_system_unlock(&gc->lock);
    return is_possible ? GT_OK : GT_ERR_STATE;
}

gt_status gt_rec_gc_begin(gt_rec_thread *t)
{
    return gc_change(t, gc_begin, false);
}

gt_status gt_rec_gc_end(gt_rec_thread *t)
{
    return gc_change(t, gc_end, true);
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
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    if (gt_recorder_enter_own(t, &time))
        gt_recorder_put(t, time, GT_WIRE_PROCS_CHANGE, count, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}
