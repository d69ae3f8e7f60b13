/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_QUICK_RANGE_H
#define GT_V1_QUICK_RANGE_H

#include "v1/quick_read.h"

/* The quick cases of ranges of the garbage collector, and of metrics. See v1/quick.h. */

/* Begins a sweep on the proc. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_sweep_start(struct gt_v1 *v1,
                                                               struct gt_v1_proc *proc,
                                                               const struct gt_v1_place *at,
                                                               struct gt_event_data *data)
{
    uint64_t stack;
    const uint8_t *end = gt_v1_quick_read(at, &stack, 1);
    if (proc->sweeping)
        return NULL;
    proc->sweeping = true;
    data->event.kind = GT_EVENT_RANGE_BEGIN;
    data->type = GT_WIRE_GC_SWEEP_BEGIN;
    gt_v1_quick_stack(v1, stack, data);
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_sweep_done(struct gt_v1_proc *proc,
                                                              const struct gt_v1_place *at,
                                                              struct gt_event_data *data)
{
    uint64_t numbers[2];
    const uint8_t *end = gt_v1_quick_read(at, numbers, 2);
    if (!proc->sweeping)
        return NULL;
    proc->sweeping = false;
    data->event.kind = GT_EVENT_RANGE_END;
    data->type = GT_WIRE_GC_SWEEP_END;
    data->arguments[0] = numbers[0];
    data->arguments[1] = numbers[1];
    return end;
}

/* Begins a mark assist of the proc's goroutine. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_assist_start(struct gt_v1 *v1,
                                                                struct gt_v1_proc *proc,
                                                                const struct gt_v1_place *at,
                                                                struct gt_event_data *data)
{
    uint64_t stack;
    const uint8_t *end = gt_v1_quick_read(at, &stack, 1);
    if (!gt_v1_quick_runs(proc) || proc->goroutine->assisting)
        return NULL;
    proc->goroutine->assisting = true;
    data->event.kind = GT_EVENT_RANGE_BEGIN;
    data->type = GT_WIRE_GC_MARK_ASSIST_BEGIN;
    gt_v1_quick_stack(v1, stack, data);
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_assist_done(struct gt_v1_proc *proc,
                                                               const struct gt_v1_place *at,
                                                               struct gt_event_data *data)
{
    if (!gt_v1_quick_runs(proc))
        return NULL;
    proc->goroutine->assisting = false;
    data->event.kind = GT_EVENT_RANGE_END;
    data->type = GT_WIRE_GC_MARK_ASSIST_END;
    return at->pos;
}

static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_metric(const struct gt_v1_place *at,
                                                          struct gt_event_data *data, uint8_t type)
{
    uint64_t number;
    const uint8_t *end = gt_v1_quick_read(at, &number, 1);
    data->event.kind = GT_EVENT_METRIC;
    data->type = type;
    data->arguments[0] = number;
    return end;
}

#endif
