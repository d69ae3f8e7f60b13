/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/rename.h"
#include "rewrite/table.h"

/* Writes events that change no state. */

static gt_status plain_metric(struct gt_writer *writer, const struct gt_rewrite_event *e,
                              uint64_t stack)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(e->event, &metric);
    if (status != GT_OK)
        return status;
    if (e->type == GT_WIRE_PROCS_CHANGE)
        return gt_rewrite_put(writer, e->thread, e->time, e->type, metric.value.number, stack);
    return gt_rewrite_put(writer, e->thread, e->time, e->type, metric.value.number);
}

/* Notes GOMAXPROCS also where it is not written, as an output that begins later begins with it. */
static gt_status plain_procs_note(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(e->event, &metric);
    if (status == GT_OK)
        writer->procs = metric.value.number;
    return status;
}

static gt_status plain_label(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_label label = GT_LABEL_INIT;
    uint64_t text = 0;
    gt_status status = gt_event_label(e->event, &label);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_LABEL, &label.label);
    if (status == GT_OK)
        status = gt_rewrite_table_text(writer, label.label, &text);
    return status == GT_OK ? gt_rewrite_put(writer, e->thread, e->time, e->type, text) : status;
}

static gt_status plain_task(struct gt_writer *writer, const struct gt_rewrite_event *e,
                            uint64_t stack)
{
    gt_task task = GT_TASK_INIT;
    uint64_t name = 0;
    gt_status status = gt_event_task(e->event, &task);
    if (status == GT_OK && e->type == GT_WIRE_USER_TASK_END)
        return gt_rewrite_put(writer, e->thread, e->time, e->type, task.id, stack);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_TASK, &task.type);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, task.type, &name);
    if (status != GT_OK)
        return status;
    /* In the trace a parent of 0, the background task, means that there is no parent. */
    uint64_t parent = task.parent == GT_NO_TASK ? GT_BACKGROUND_TASK : task.parent;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, task.id, parent, name, stack);
}

static gt_status plain_region(struct gt_writer *writer, const struct gt_rewrite_event *e,
                              uint64_t stack)
{
    gt_region region = GT_REGION_INIT;
    uint64_t name = 0;
    gt_status status = gt_event_region(e->event, &region);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_REGION, &region.type);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, region.type, &name);
    return status == GT_OK
               ? gt_rewrite_put(writer, e->thread, e->time, e->type, region.task, name, stack)
               : status;
}

static gt_status plain_log(struct gt_writer *writer, const struct gt_rewrite_event *e,
                           uint64_t stack)
{
    gt_log log = GT_LOG_INIT;
    uint64_t category = 0, message = 0;
    gt_status status = gt_event_log(e->event, &log);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_CATEGORY, &log.category);
    if (status == GT_OK)
        status = gt_rewrite_rename(writer, GT_TEXT_MESSAGE, &log.message);
    if (status == GT_OK)
        status = gt_rewrite_table_text(writer, log.category, &category);
    if (status == GT_OK)
        status = gt_rewrite_table_text(writer, log.message, &message);
    return status == GT_OK ? gt_rewrite_put(writer, e->thread, e->time, e->type, log.task, category,
                                            message, stack)
                           : status;
}

static gt_status plain_experimental(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    uint64_t arguments[4];
    gt_status status = gt_event_experimental(e->event, &experimental);
    for (uint32_t i = 0; status == GT_OK && i < experimental.argument_count; i++) {
        gt_string name;
        gt_value value;
        status = gt_event_experimental_argument(e->event, i, &name, &value);
        if (status == GT_OK)
            arguments[i] = value.number;
    }
    return status == GT_OK ? gt_rewrite_put_list(writer, e->thread, e->time, e->type, arguments,
                                                 experimental.argument_count)
                           : status;
}

gt_status gt_rewrite_plain(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    uint64_t stack;
    gt_status status = gt_rewrite_task_note(writer, e);
    if (status == GT_OK && e->type == GT_WIRE_PROCS_CHANGE)
        status = plain_procs_note(writer, e);
    if (status != GT_OK || !writer->is_writing)
        return status;
    if (e->event->kind == GT_EVENT_STACK_SAMPLE)
        return gt_rewrite_sample(writer, e);
    status = gt_rewrite_stack(writer, e->event, gt_event_stack(e->event), &stack);
    if (status != GT_OK)
        return status;
    switch (e->event->kind) {
    case GT_EVENT_METRIC:
        return plain_metric(writer, e, stack);
    case GT_EVENT_LABEL:
        return plain_label(writer, e);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return plain_task(writer, e, stack);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return plain_region(writer, e, stack);
    case GT_EVENT_LOG:
        return plain_log(writer, e, stack);
    default:
        return plain_experimental(writer, e);
    }
}
