/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/open_find.h"
#include "columns/state.h"

/*
 * Makes room for one more open region: at first for one only, because most goroutines with a region
 * are in no other, and a trace may have many of them.
 */
static gt_status regions_reserve(struct gt_columns *columns, struct gt_column_goroutine *goroutine)
{
    if (goroutine->regions.capacity > 0)
        return gt_array_reserve(&columns->mem, &goroutine->regions, 1);
    goroutine->regions.items = gt_mem_alloc(&columns->mem, sizeof(*goroutine->regions.items));
    goroutine->regions.capacity = goroutine->regions.items ? 1 : 0;
    return goroutine->regions.items ? GT_OK : gt_mem_failure(&columns->mem);
}

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
        .depth = (int64_t) goroutine->regions.count,
        .task = what.task,
        .type = gt_columns_text(columns, what.type),
        .task_type = task ? task->type : GT_NO_TEXT,
        .begin = event->time,
        .stack = stack,
    };
    gt_status status = regions_reserve(columns, goroutine);
    if (status == GT_OK)
        goroutine->regions.items[goroutine->regions.count++] = region;
    gt_columns_note(columns, status);
}

/* Returns the place of the open region that ends, of at least one: the innermost that is the same.
 */
static size_t region_find(struct gt_columns *columns, const struct gt_column_goroutine *goroutine,
                          const gt_region *what)
{
    uint32_t type = gt_columns_text(columns, what->type);
    size_t count = goroutine->regions.count;
    for (size_t i = count; i > 0 && count - i < GT_OPEN_STEPS; i--) {
        const struct gt_open_region *region = &goroutine->regions.items[i - 1];
        if (region->task == what->task && region->type == type)
            return i - 1;
    }
    return count - 1;
}

void gt_columns_region_end(struct gt_columns *columns, const gt_event *event)
{
    struct gt_column_goroutine *goroutine = gt_columns_goroutine(columns, event->goroutine);
    gt_region what = GT_REGION_INIT;
    if (!goroutine || goroutine->regions.count == 0 || gt_event_region(event, &what) != GT_OK)
        return;
    size_t place = region_find(columns, goroutine, &what);
    struct gt_open_region *region = &goroutine->regions.items[place];
    goroutine->regions.count--;
    memmove(region, region + 1, (goroutine->regions.count - place) * sizeof(*region));
}
