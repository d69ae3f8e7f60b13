/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/state.h"

struct gt_column_task *gt_columns_task(struct gt_columns *columns, uint64_t id)
{
    return gt_idmap_get(&columns->tasks, id);
}

void gt_columns_task_begin(struct gt_columns *columns, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    if (gt_event_task(event, &what) != GT_OK)
        return;
    struct gt_column_task *task = gt_columns_task(columns, what.id);
    if (!task)
        task = gt_idmap_add(&columns->tasks, what.id);
    if (!task) {
        gt_columns_note(columns, gt_mem_failure(&columns->mem));
        return;
    }
    task->goroutine = event->goroutine;
    task->type = gt_columns_text(columns, what.type);
}

void gt_columns_task_end(struct gt_columns *columns, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    if (gt_event_task(event, &what) != GT_OK)
        return;
    struct gt_column_task *task = gt_columns_task(columns, what.id);
    if (task)
        gt_idmap_drop(&columns->tasks, what.id, task);
}
