/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_RANGE_H
#define GT_V2_QUICK_RANGE_H

#include "v2/quick_read.h"

/* The quick cases of ranges of the garbage collector, and of metrics. See v2/quick.h. */

/* Begins a sweep on the thread's proc. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_sweep_begin(struct gt_v2 *v2,
                                                               struct gt_v2_thread *thread,
                                                               const uint8_t *p,
                                                               struct gt_event_data *data)
{
    uint64_t number;
    uint32_t stack;
    struct gt_v2_proc *proc = thread->proc;
    const uint8_t *end = gt_v2_quick_read(thread, p, &number, 1);
    if (!end || !proc || proc->sweeping || !gt_stacks_find(&v2->table->stacks, number, &stack))
        return NULL;
    proc->sweeping = true;
    data->event.kind = GT_EVENT_RANGE_BEGIN;
    data->stack = stack;
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_sweep_end(struct gt_v2_thread *thread, const uint8_t *p, struct gt_event_data *data)
{
    uint64_t numbers[2];
    struct gt_v2_proc *proc = thread->proc;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 2);
    if (!end || !proc || !proc->sweeping)
        return NULL;
    proc->sweeping = false;
    data->event.kind = GT_EVENT_RANGE_END;
    data->arguments[0] = numbers[0];
    data->arguments[1] = numbers[1];
    return end;
}

/* Begins a mark assist of the thread's goroutine. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_assist_begin(struct gt_v2 *v2,
                                                                struct gt_v2_thread *thread,
                                                                const uint8_t *p,
                                                                struct gt_event_data *data)
{
    uint64_t number;
    uint32_t stack;
    const uint8_t *end = gt_v2_quick_read(thread, p, &number, 1);
    if (!end || !gt_v2_quick_has_goroutine(thread) || thread->goroutine->assisting ||
        !gt_stacks_find(&v2->table->stacks, number, &stack))
        return NULL;
    thread->goroutine->assisting = true;
    data->event.kind = GT_EVENT_RANGE_BEGIN;
    data->stack = stack;
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_assist_end(struct gt_v2_thread *thread, const uint8_t *p, struct gt_event_data *data)
{
    const uint8_t *end = gt_v2_quick_end(thread, p);
    if (!end || !gt_v2_quick_has_goroutine(thread) || !thread->goroutine->assisting)
        return NULL;
    thread->goroutine->assisting = false;
    data->event.kind = GT_EVENT_RANGE_END;
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_metric(struct gt_v2_thread *thread, const uint8_t *p, struct gt_event_data *data)
{
    uint64_t number;
    const uint8_t *end = gt_v2_quick_read(thread, p, &number, 1);
    if (!end || !gt_v2_has_proc(thread))
        return NULL;
    data->event.kind = GT_EVENT_METRIC;
    data->arguments[0] = number;
    return end;
}

#endif
