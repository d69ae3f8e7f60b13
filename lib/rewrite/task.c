/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/rename.h"
#include "rewrite/table.h"

gt_status gt_rewrite_task_note(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_task task = GT_TASK_INIT;
    bool ends = e->event->kind == GT_EVENT_TASK_END;
    if (!(writer->options.flags & GT_WRITER_TASKS) ||
        !(ends || e->event->kind == GT_EVENT_TASK_BEGIN))
        return GT_OK;
    gt_status status = gt_event_task(e->event, &task);
    if (status != GT_OK)
        return status;
    if (ends)
        gt_rewrite_task_end(&writer->state, task.id);
    else if (!gt_rewrite_task_begin(&writer->state, task.id, task.parent, task.type))
        return gt_rewrite_no_memory(writer);
    return GT_OK;
}

static gt_status task_put(struct gt_writer *writer, struct gt_rewrite_thread *thread, int64_t time,
                          const struct gt_rewrite_task *task)
{
    gt_string type = task->type->string;
    uint64_t name = 0;
    uint64_t parent = task->parent == GT_NO_TASK ? GT_BACKGROUND_TASK : task->parent;
    gt_status status = gt_rewrite_rename(writer, GT_TEXT_TASK, &type);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, type, &name);
    return status == GT_OK ? gt_rewrite_put(writer, thread, time, GT_WIRE_USER_TASK_BEGIN, task->id,
                                            parent, name, 0)
                           : status;
}

gt_status gt_rewrite_tasks_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                               int64_t *time)
{
    const struct gt_rewrite_task *task;
    gt_status status = GT_OK;
    for (uint64_t number = 0;
         status == GT_OK && (task = gt_roster_after(&writer->state.tasks, number));
         number = task->number)
        status = task_put(writer, thread, (*time)++, task);
    return status;
}

size_t gt_rewrite_tasks_count(const struct gt_writer *writer)
{
    return writer->state.tasks.list.count - writer->state.tasks.gone;
}
