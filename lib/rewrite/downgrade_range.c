/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/wire.h>

#include "base/text.h"
#include "rewrite/downgrade_stream.h"
#include "v1/spec.h"

/*
 * Ranges. The format has at most one mark phase, one stop of the world, and one sweep on each proc,
 * and readers refuse an end without a beginning. What does not fit is left out and counted.
 */

static gt_status range_leave_out(struct gt_downgrader *d)
{
    d->info.ranges++;
    return GT_OK;
}

static gt_status range_put_collector(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    bool was_on = d->gc_is_on;
    d->gc_is_on = e->type != GT_WIRE_GC_END;
    if (e->type == GT_WIRE_GC_END)
        return was_on ? gt_downgrade_add_bare(d, e->proc, e->time, GT_V1_GC_DONE)
                      : range_leave_out(d);
    if (was_on)
        return e->type == GT_WIRE_GC_ACTIVE ? GT_OK : range_leave_out(d);
    uint64_t sequence = d->gc_sequence++;
    if (e->type == GT_WIRE_GC_ACTIVE && sequence == 0 && !d->is_started) {
        d->gc_was_on = true;
        d->gc_proc = &d->none;
        return GT_OK;
    }
    d->gc_proc = e->proc;
    return gt_downgrade_add(d, e->proc, e->time, GT_V1_GC_START, sequence, e->stack);
}

/* The number of a cause, or 0 if the format has none for it. */
static uint64_t range_stop_kind(struct gt_downgrader *d, gt_string cause)
{
    for (uint64_t i = 1; i < GT_V1_STW_KINDS; i++)
        if (gt_text_is(cause, gt_v1_stop_texts[i]))
            return i;
    d->info.causes++;
    return 0;
}

static gt_status range_put_stop(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                const gt_range *range)
{
    if (e->type == GT_WIRE_STW_END) {
        if (!d->is_stopped || d->stopper != range->scope.id)
            return range_leave_out(d);
        d->is_stopped = false;
        return gt_downgrade_add_bare(d, e->proc, e->time, GT_V1_STW_DONE);
    }
    if (d->is_stopped)
        return range_leave_out(d);
    d->is_stopped = true;
    d->stopper = range->scope.id;
    d->stop_proc = e->proc;
    d->info.stacks += e->stack != 0;
    return gt_downgrade_add(d, e->proc, e->time, GT_V1_STW_START, range_stop_kind(d, range->cause));
}

static gt_status range_put_sweep_end(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                     struct gt_downgrade_proc *proc)
{
    uint64_t numbers[2];
    if (!proc->is_sweeping)
        return range_leave_out(d);
    proc->is_sweeping = false;
    for (uint32_t i = 0; i < 2; i++) {
        gt_string name;
        gt_value value;
        gt_status status = gt_event_range_attribute(e->event, i, &name, &value);
        if (status != GT_OK)
            return status;
        numbers[i] = value.number;
    }
    return gt_downgrade_add_list(d, proc, e->time, GT_V1_SWEEP_DONE, numbers, 2);
}

static gt_status range_put_sweep(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                 int64_t id)
{
    struct gt_downgrade_proc *proc = gt_downgrade_proc_get(d, id);
    if (!proc)
        return (gt_status) d->error.status;
    if (e->type == GT_WIRE_GC_SWEEP_END)
        return range_put_sweep_end(d, e, proc);
    bool was_sweeping = proc->is_sweeping;
    bool is_active = e->type == GT_WIRE_GC_SWEEP_ACTIVE;
    proc->is_sweeping = true;
    if (was_sweeping)
        return is_active ? GT_OK : range_leave_out(d);
    int64_t time = is_active ? gt_downgrade_run_time(d, proc, e->time) : e->time;
    return gt_downgrade_add(d, proc, time, GT_V1_SWEEP_START, e->stack);
}

static gt_status range_put_assist(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                  int64_t id)
{
    struct gt_downgrade_goroutine *goroutine = gt_idmap_get(&d->goroutine_map, (uint64_t) id);
    bool is_active = e->type == GT_WIRE_GC_MARK_ASSIST_ACTIVE;
    if (!goroutine)
        return gt_downgrade_contradiction(d);
    if (e->type == GT_WIRE_GC_MARK_ASSIST_END) {
        if (!goroutine->is_assisting)
            return range_leave_out(d);
        goroutine->is_assisting = false;
        return gt_downgrade_add_bare(d, e->proc, e->time, GT_V1_MARK_ASSIST_DONE);
    }
    if (goroutine->is_assisting)
        return is_active ? GT_OK : range_leave_out(d);
    goroutine->is_assisting = true;
    /* Readers take the goroutine that runs on the proc, so that this one has to run. */
    goroutine->owes_assist = !goroutine->proc;
    if (goroutine->owes_assist)
        return GT_OK;
    int64_t time = is_active ? gt_downgrade_run_time(d, goroutine->proc, e->time) : e->time;
    return gt_downgrade_add(d, goroutine->proc, time, GT_V1_MARK_ASSIST_START, e->stack);
}

gt_status gt_downgrade_end_sweep(struct gt_downgrader *d, struct gt_downgrade_proc *proc)
{
    static const uint64_t numbers[2] = {0, 0};
    if (!proc->is_sweeping)
        return GT_OK;
    proc->is_sweeping = false;
    return gt_downgrade_add_list(d, proc, d->last_event, GT_V1_SWEEP_DONE, numbers, 2);
}

/* The proc of a record of a beginning is also that of the end, which has to come after it. */
gt_status gt_downgrade_end_ranges(struct gt_downgrader *d)
{
    gt_status status = GT_OK;
    if (d->is_stopped)
        status = gt_downgrade_add_bare(d, d->stop_proc, d->last_event, GT_V1_STW_DONE);
    if (status == GT_OK && d->gc_is_on)
        status = gt_downgrade_add_bare(d, d->gc_proc, d->last_event, GT_V1_GC_DONE);
    d->is_stopped = d->gc_is_on = false;
    return status;
}

gt_status gt_downgrade_range(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(e->event, &range);
    if (status != GT_OK)
        return status;
    switch (e->type) {
    case GT_WIRE_STW_BEGIN:
    case GT_WIRE_STW_END:
        return range_put_stop(d, e, &range);
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_END:
        return range_put_sweep(d, e, range.scope.id);
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
    case GT_WIRE_GC_MARK_ASSIST_END:
        return range_put_assist(d, e, range.scope.id);
    default:
        return range_put_collector(d, e);
    }
}
