/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/path.h"

#include "base/open_find.h"

static gt_status path_task_begin(struct gt_path *path, const gt_task *what)
{
    struct gt_path_task *task = gt_idmap_get(&path->tasks, what->id);
    if (!task)
        task = gt_idmap_add(&path->tasks, what->id);
    if (!task)
        return gt_mem_failure(&path->mem);
    task->begin = path->now;
    return gt_texts_add(&path->texts, what->type, &task->type);
}

/* Ends an interval on the goroutine of the event, with the event's stack. */
static gt_status path_end_at(struct gt_path *path, const gt_event *event,
                             const struct gt_path_found *found)
{
    uint32_t stack;
    gt_status status = gt_path_stack_number(path, gt_event_stack(event), &stack);
    return status == GT_OK
               ? gt_path_interval_end(path, gt_path_goroutine_number(path, event->goroutine), found,
                                      stack)
               : status;
}

static gt_status path_task_end(struct gt_path *path, const gt_task *what, const gt_event *event)
{
    struct gt_path_task *task = gt_idmap_get(&path->tasks, what->id);
    if (!task)
        return GT_OK;
    const struct gt_path_found found = {.start = task->begin, .task = what->id, .name = task->type};
    gt_idmap_drop(&path->tasks, what->id, task);
    return path_end_at(path, event, &found);
}

gt_status gt_path_task_event(struct gt_path *path, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK || !(path->options.flags & GT_PATH_TASKS))
        return status;
    return event->kind == GT_EVENT_TASK_BEGIN ? path_task_begin(path, &what)
                                              : path_task_end(path, &what, event);
}

gt_status gt_path_region_begin(struct gt_path *path, const gt_event *event)
{
    struct gt_path_goroutine *goroutine = gt_path_goroutine_get(path, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine || !(path->options.flags & GT_PATH_REGIONS))
        return status;
    struct gt_path_region *region = gt_pool_take(&path->region_pool);
    if (!region)
        return gt_mem_failure(&path->mem);
    *region =
        (struct gt_path_region){.outer = goroutine->regions, .task = what.task, .begin = path->now};
    goroutine->regions = region;
    return gt_texts_add(&path->texts, what.type, &region->type);
}

/* Closes the first region of a list, or of the rest of one. */
static void path_region_drop(struct gt_path *path, struct gt_path_region **link)
{
    struct gt_path_region *region = *link;
    *link = region->outer;
    gt_pool_give(&path->region_pool, region);
}

gt_status gt_path_region_end(struct gt_path *path, const gt_event *event)
{
    struct gt_path_goroutine *goroutine = gt_path_goroutine_get(path, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine || !goroutine->regions)
        return status;
    struct gt_path_region **link;
    uint32_t type = gt_texts_number(&path->texts, what.type, goroutine->regions->type);
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, outer,
                       (*link)->task == what.task && (*link)->type == type);
    const struct gt_path_found found = {.start = (*link)->begin, .name = (*link)->type};
    path_region_drop(path, link);
    return path_end_at(path, event, &found);
}

void gt_path_regions_drop(struct gt_path *path, struct gt_path_goroutine *goroutine)
{
    while (goroutine->regions)
        path_region_drop(path, &goroutine->regions);
}
