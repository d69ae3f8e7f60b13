/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

static gt_status compare_task_begin(struct gt_compare *compare, const gt_task *what)
{
    struct gt_compare_task *task = gt_idmap_get(&compare->tasks, what->id);
    if (!task)
        task = gt_idmap_add(&compare->tasks, what->id);
    if (!task)
        return gt_mem_failure(&compare->mem);
    task->begin = compare->set.now;
    return gt_texts_add(&compare->texts, what->type, &task->type);
}

gt_status gt_compare_task_event(struct gt_compare *compare, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK || event->kind == GT_EVENT_TASK_BEGIN)
        return status == GT_OK ? compare_task_begin(compare, &what) : status;
    struct gt_compare_task *task = gt_idmap_get(&compare->tasks, what.id);
    if (!task)
        return GT_OK;
    status = gt_compare_ended(compare, GT_COMPARE_TASK, task->type, task->begin);
    gt_idmap_drop(&compare->tasks, what.id, task);
    return status;
}

gt_status gt_compare_region_begin(struct gt_compare *compare, const gt_event *event)
{
    struct gt_compare_goroutine *goroutine = gt_compare_goroutine_get(compare, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine)
        return status;
    struct gt_compare_region *region = gt_pool_take(&compare->region_pool);
    if (!region)
        return gt_mem_failure(&compare->mem);
    *region = (struct gt_compare_region){goroutine->regions, compare->set.now, 0};
    goroutine->regions = region;
    return gt_texts_add(&compare->texts, what.type, &region->type);
}

static void compare_region_drop(struct gt_compare *compare, struct gt_compare_goroutine *goroutine)
{
    struct gt_compare_region *region = goroutine->regions;
    goroutine->regions = region->outer;
    gt_pool_give(&compare->region_pool, region);
}

gt_status gt_compare_region_end(struct gt_compare *compare, const gt_event *event)
{
    struct gt_compare_goroutine *goroutine = gt_compare_goroutine_get(compare, event->goroutine);
    if (!goroutine || !goroutine->regions)
        return GT_OK;
    gt_status status = gt_compare_ended(compare, GT_COMPARE_REGION, goroutine->regions->type,
                                        goroutine->regions->begin);
    compare_region_drop(compare, goroutine);
    return status;
}

void gt_compare_regions_drop(struct gt_compare *compare, struct gt_compare_goroutine *goroutine)
{
    while (goroutine->regions)
        compare_region_drop(compare, goroutine);
}
