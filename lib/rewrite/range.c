/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/table.h"

/* Writes ranges of the garbage collector and stops of the world. */

/*
 * Returns the goroutine of a range. An event of Go 1.21 or before may have had to move to another
 * one.
 */
static struct gt_rewrite_goroutine *range_goroutine(struct gt_writer *writer,
                                                    const struct gt_rewrite_event *e, int64_t id)
{
    return writer->v1.is_input ? e->thread->goroutine
                               : gt_rewrite_goroutine_get(&writer->state, id);
}

/*
 * Writes that a range is active. In the first generation the range must not be known yet: a range
 * that was open where the output begins has already been named there.
 */
static gt_status range_put_active(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                  int64_t id, bool *open)
{
    bool is_named = *open && gt_rewrite_is_first(writer);
    *open = true;
    return is_named ? GT_OK : gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) id);
}

static gt_status range_put_collector(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                     uint64_t stack)
{
    bool is_active = e->type == GT_WIRE_GC_ACTIVE;
    writer->state.collecting = e->type != GT_WIRE_GC_END;
    if (!writer->is_writing || (is_active && gt_rewrite_is_first(writer) && writer->collector != 0))
        return GT_OK;
    uint64_t sequence = ++writer->collector;
    if (e->type == GT_WIRE_GC_BEGIN)
        return gt_rewrite_put(writer, e->thread, e->time, e->type, sequence, stack);
    return gt_rewrite_put(writer, e->thread, e->time, e->type, sequence);
}

static gt_status range_put_sweep(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 int64_t id, uint64_t stack)
{
    struct gt_rewrite_proc *proc =
        gt_rewrite_proc_get(&writer->state, writer->v1.is_input ? e->proc : id);
    uint64_t numbers[2];
    gt_status status = GT_OK;
    if (!proc)
        return gt_rewrite_no_memory(writer);
    if (e->type == GT_WIRE_GC_SWEEP_ACTIVE)
        return range_put_active(writer, e, id, &proc->sweeping);
    proc->sweeping = e->type == GT_WIRE_GC_SWEEP_BEGIN;
    if (proc->sweeping)
        return gt_rewrite_put(writer, e->thread, e->time, e->type, stack);
    for (uint32_t i = 0; status == GT_OK && i < 2; i++) {
        gt_string name;
        gt_value value;
        status = gt_event_range_attribute(e->event, i, &name, &value);
        numbers[i] = value.number;
    }
    return status == GT_OK ? gt_rewrite_put_list(writer, e->thread, e->time, e->type, numbers, 2)
                           : status;
}

static gt_status range_put_assist(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                  int64_t id, uint64_t stack)
{
    struct gt_rewrite_goroutine *goroutine = range_goroutine(writer, e, id);
    if (!goroutine)
        return gt_rewrite_no_memory(writer);
    if (e->type == GT_WIRE_GC_MARK_ASSIST_ACTIVE)
        return range_put_active(writer, e, id, &goroutine->assisting);
    goroutine->assisting = e->type == GT_WIRE_GC_MARK_ASSIST_BEGIN;
    if (goroutine->assisting)
        return gt_rewrite_put(writer, e->thread, e->time, e->type, stack);
    return gt_rewrite_put_bare(writer, e->thread, e->time, e->type);
}

static gt_status range_put_stop(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                const gt_range *range, uint64_t stack)
{
    struct gt_rewrite_goroutine *goroutine = range_goroutine(writer, e, range->scope.id);
    uint64_t cause = 0;
    if (!goroutine)
        return gt_rewrite_no_memory(writer);
    if (e->type == GT_WIRE_STW_END) {
        if (gt_rewrite_stop_end(&writer->state, goroutine))
            return gt_rewrite_put_bare(writer, e->thread, e->time, e->type);
        writer->info.left_out += writer->is_writing;
        return GT_OK;
    }
    struct gt_rewrite_stop *stop = gt_rewrite_stop_begin(&writer->state, goroutine, range->cause);
    if (!stop)
        return gt_rewrite_no_memory(writer);
    gt_status status = gt_rewrite_cause(writer, stop, &cause);
    return status == GT_OK ? gt_rewrite_put(writer, e->thread, e->time, e->type, cause, stack)
                           : status;
}

gt_status gt_rewrite_range(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_range range = GT_RANGE_INIT;
    uint64_t stack;
    gt_status status = gt_event_range(e->event, &range);
    if (status == GT_OK)
        status = gt_rewrite_stack(writer, e->event, gt_event_stack(e->event), &stack);
    if (status != GT_OK)
        return status;
    switch (e->type) {
    case GT_WIRE_STW_BEGIN:
    case GT_WIRE_STW_END:
        return range_put_stop(writer, e, &range, stack);
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_END:
        return range_put_sweep(writer, e, range.scope.id, stack);
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
    case GT_WIRE_GC_MARK_ASSIST_END:
        return range_put_assist(writer, e, range.scope.id, stack);
    default:
        return range_put_collector(writer, e, stack);
    }
}
