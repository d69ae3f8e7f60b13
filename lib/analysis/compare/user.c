/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

#include "base/open_find.h"

/* Adds what the goroutine has done since it had the times `before`. */
static void compare_times_since(const struct gt_compare *compare,
                                const struct gt_compare_goroutine *goroutine,
                                const struct gt_compare_times *before,
                                struct gt_compare_times *times)
{
    struct gt_compare_times now;
    gt_compare_times_get(compare, goroutine, &now);
    for (uint32_t i = GT_COMPARE_RUNNING; i < GT_COMPARE_TIMES; i++)
        times->by[i] += now.by[i] - before->by[i];
}

static gt_status compare_task_begin(struct gt_compare *compare, const gt_task *what,
                                    int64_t goroutine)
{
    struct gt_compare_task *task = gt_idmap_get(&compare->tasks, what->id);
    const struct gt_compare_goroutine *on = gt_compare_goroutine_get(compare, goroutine);
    if (!task)
        task = gt_idmap_add(&compare->tasks, what->id);
    if (!task)
        return gt_mem_failure(&compare->mem);
    task->begin = compare->set.now;
    task->goroutine = goroutine;
    task->has_times = false;
    task->times = (struct gt_compare_times){{0}};
    if (on)
        gt_compare_times_get(compare, on, &task->before);
    else
        task->goroutine = GT_NO_GOROUTINE;
    return gt_texts_add(&compare->texts, what->type, &task->type);
}

/*
 * Counts what a task has spent its time on: the goroutine on which it has begun, if it ends there,
 * and its regions on others.
 */
static gt_status compare_task_times(struct gt_compare *compare, struct gt_compare_task *task,
                                    int64_t goroutine)
{
    const struct gt_compare_goroutine *on = gt_compare_goroutine_get(compare, goroutine);
    if (on && goroutine == task->goroutine) {
        compare_times_since(compare, on, &task->before, &task->times);
        task->has_times = true;
    }
    return task->has_times
               ? gt_compare_times_add(compare, GT_COMPARE_TASK, task->type, &task->times)
               : GT_OK;
}

gt_status gt_compare_task_event(struct gt_compare *compare, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK || event->kind == GT_EVENT_TASK_BEGIN)
        return status == GT_OK ? compare_task_begin(compare, &what, event->goroutine) : status;
    struct gt_compare_task *task = gt_idmap_get(&compare->tasks, what.id);
    if (!task)
        return GT_OK;
    status = gt_compare_ended(compare, GT_COMPARE_TASK, task->type, task->begin);
    if (status == GT_OK)
        status = compare_task_times(compare, task, event->goroutine);
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
    *region = (struct gt_compare_region){
        .outer = goroutine->regions, .begin = compare->set.now, .task = what.task};
    gt_compare_times_get(compare, goroutine, &region->times);
    region->given = region->times;
    goroutine->regions = region;
    return gt_texts_add(&compare->texts, what.type, &region->type);
}

/* Closes the first region of a list, or of the rest of one. */
static void compare_region_drop(struct gt_compare *compare, struct gt_compare_region **link)
{
    struct gt_compare_region *region = *link;
    *link = region->outer;
    gt_pool_give(&compare->region_pool, region);
}

/*
 * Adds what a region has spent its time on to that of its task, unless the task has it from the
 * goroutine or from an outer region. Regions of the task that began in it and go on give only what
 * comes later.
 */
static void compare_region_give(const struct gt_compare *compare,
                                struct gt_compare_goroutine *goroutine,
                                const struct gt_compare_region *region)
{
    struct gt_compare_task *task = gt_idmap_get(&compare->tasks, region->task);
    bool is_inner = region->outer && region->outer->task == region->task;
    if (!task || is_inner || task->goroutine == goroutine->id)
        return;
    task->has_times = true;
    compare_times_since(compare, goroutine, &region->given, &task->times);
    for (struct gt_compare_region *inner = goroutine->regions; inner != region;
         inner = inner->outer) {
        if (inner->task == region->task)
            gt_compare_times_get(compare, goroutine, &inner->given);
    }
}

/* Returns the pointer to the open region that ends, of at least one. */
static struct gt_compare_region **compare_region_find(const struct gt_compare *compare,
                                                      struct gt_compare_goroutine *goroutine,
                                                      const gt_region *what)
{
    struct gt_compare_region **link;
    uint32_t type = gt_texts_number(&compare->texts, what->type, goroutine->regions->type);
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, outer,
                       (*link)->task == what->task && (*link)->type == type);
    return link;
}

gt_status gt_compare_region_end(struct gt_compare *compare, const gt_event *event)
{
    struct gt_compare_goroutine *goroutine = gt_compare_goroutine_get(compare, event->goroutine);
    struct gt_compare_times times = {{0}};
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine || !goroutine->regions)
        return status;
    struct gt_compare_region **link = compare_region_find(compare, goroutine, &what);
    const struct gt_compare_region *region = *link;
    status = gt_compare_ended(compare, GT_COMPARE_REGION, region->type, region->begin);
    compare_times_since(compare, goroutine, &region->times, &times);
    if (status == GT_OK)
        status = gt_compare_times_add(compare, GT_COMPARE_REGION, region->type, &times);
    compare_region_give(compare, goroutine, region);
    compare_region_drop(compare, link);
    return status;
}

void gt_compare_regions_drop(struct gt_compare *compare, struct gt_compare_goroutine *goroutine)
{
    while (goroutine->regions)
        compare_region_drop(compare, &goroutine->regions);
}
