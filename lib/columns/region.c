/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/state.h"

void gt_columns_region_begin(struct gt_columns *columns, const gt_event *event)
{
    struct gt_column_goroutine *goroutine = gt_columns_goroutine(columns, event->goroutine);
    gt_region what = GT_REGION_INIT;
    if (!goroutine || gt_event_region(event, &what) != GT_OK)
        return;
    struct gt_stack_ref stack = gt_columns_stack(columns, gt_event_stack(event));
    const struct gt_column_task *task = gt_columns_task(columns, what.task);
    const struct gt_open_region region = {
        .id = ++columns->regions,
        .parent = goroutine->regions.count > 0
                      ? goroutine->regions.items[goroutine->regions.count - 1].id
                      : 0,
        .task = what.task,
        .type = gt_columns_text(columns, what.type),
        .task_type = task ? task->type : GT_NO_TEXT,
        .begin = event->time,
        .stack = stack,
    };
    gt_columns_note(columns, gt_array_add(&columns->mem, &goroutine->regions, region));
}

/* The region that ends is the innermost one, as its goroutine's calls are nested. */
void gt_columns_region_end(struct gt_columns *columns, const gt_event *event)
{
    struct gt_column_goroutine *goroutine = gt_columns_goroutine(columns, event->goroutine);
    if (goroutine && goroutine->regions.count > 0)
        goroutine->regions.count--;
}
