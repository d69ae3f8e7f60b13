/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/wire.h>

#include "rewrite/downgrade_stream.h"
#include "rewrite/downgrade_table.h"

/* Events that change no state. */

static gt_status plain_put_metric(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(e->event, &metric);
    uint64_t value = metric.value.number;
    if (status != GT_OK)
        return status;
    if (e->type != GT_WIRE_PROCS_CHANGE)
        return gt_downgrade_add(d, e->proc, e->time,
                                e->type == GT_WIRE_HEAP_ALLOC ? GT_V1_HEAP_ALLOC : GT_V1_HEAP_GOAL,
                                value);
    if (d->procs_first == 0)
        d->procs_first = value;
    d->procs_last = value;
    return gt_downgrade_add(d, e->proc, e->time, GT_V1_GOMAXPROCS, value, e->stack);
}

static gt_status plain_put_task(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    gt_task task = GT_TASK_INIT;
    uint64_t name = 0;
    gt_status status = gt_event_task(e->event, &task);
    if (status == GT_OK && e->type == GT_WIRE_USER_TASK_END)
        return gt_downgrade_add(d, e->proc, e->time, GT_V1_USER_TASK_END, task.id, e->stack);
    if (status == GT_OK)
        status = gt_downgrade_text(d, task.type, &name);
    if (status != GT_OK)
        return status;
    uint64_t parent = task.parent == GT_NO_TASK ? GT_BACKGROUND_TASK : task.parent;
    return gt_downgrade_add(d, e->proc, e->time, GT_V1_USER_TASK_CREATE, task.id, parent, name,
                            e->stack);
}

/* Go 1.21's viewer panics at a region of no goroutine, as one of a goroutine without a proc is. */
static gt_status plain_put_region(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    struct gt_downgrade_goroutine *goroutine = e->proc->goroutine;
    gt_region region = GT_REGION_INIT;
    bool is_end = e->type == GT_WIRE_USER_REGION_END, is_left_out = !goroutine;
    uint64_t name = 0, stack = 0;
    gt_status status = gt_event_region(e->event, &region);
    if (status == GT_OK && goroutine &&
        gt_rewrite_region_take(&d->regions, &goroutine->regions, e->event, &is_left_out) != GT_OK)
        status = gt_downgrade_no_memory(d);
    if (status != GT_OK || is_left_out) {
        d->info.ranges += is_left_out;
        return status;
    }
    status = gt_downgrade_text(d, region.type, &name);
    if (status == GT_OK)
        status = gt_downgrade_some_stack(d, e->stack, &stack);
    if (status != GT_OK)
        return status;
    return gt_downgrade_add(d, e->proc, e->time, GT_V1_USER_REGION, region.task, is_end, name,
                            stack);
}

static gt_status plain_put_log(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    gt_log log = GT_LOG_INIT;
    uint64_t category = 0;
    gt_status status = gt_event_log(e->event, &log);
    if (status == GT_OK)
        status = gt_downgrade_text(d, log.category, &category);
    if (status == GT_OK)
        status =
            gt_downgrade_add(d, e->proc, e->time, GT_V1_USER_LOG, log.task, category, e->stack);
    return status == GT_OK ? gt_downgrade_put_text(d, &e->proc->stream, log.message) : status;
}

/* A sample has a time, a proc and a goroutine of its own, and may be in any batch. */
static gt_status plain_put_sample(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    int64_t id = e->event->goroutine;
    const struct gt_downgrade_goroutine *goroutine = gt_idmap_get(&d->goroutine_map, (uint64_t) id);
    uint64_t number = goroutine ? goroutine->number : 0;
    if (!goroutine && gt_downgrade_has_ended(d, id))
        number = (uint64_t) id;
    d->info.samples += number == 0 && id != GT_NO_GOROUTINE;
    return gt_downgrade_put(d, &d->samples, e->time, GT_V1_CPU_SAMPLE, (uint64_t) e->time,
                            (uint64_t) e->event->proc, number, e->stack);
}

gt_status gt_downgrade_label(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    struct gt_downgrade_proc *proc = e->proc;
    gt_label label = GT_LABEL_INIT;
    uint64_t text = 0;
    gt_status status = gt_event_label(e->event, &label);
    if (status == GT_OK && proc->has_start && proc->goroutine->id == e->event->goroutine)
        status = gt_downgrade_text(d, label.label, &text);
    if (status != GT_OK)
        return status;
    d->info.labels += text == 0;
    return gt_downgrade_start_release(d, proc, text);
}

gt_status gt_downgrade_plain(struct gt_downgrader *d, const struct gt_downgrade_event *e)
{
    switch (e->event->kind) {
    case GT_EVENT_METRIC:
        return plain_put_metric(d, e);
    case GT_EVENT_STACK_SAMPLE:
        return plain_put_sample(d, e);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return plain_put_task(d, e);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return plain_put_region(d, e);
    case GT_EVENT_LOG:
        return plain_put_log(d, e);
    case GT_EVENT_LABEL:
        return gt_downgrade_label(d, e);
    default:
        d->info.experiments++;
        return GT_OK;
    }
}
