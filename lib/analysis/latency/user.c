/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/latency.h"

#include "base/open_find.h"
#include "base/time.h"

/* Counts the duration of a task or region both by its name and in the series of all. */
static gt_status latency_named_add(struct gt_latency *latency, uint32_t kind, uint32_t group,
                                   struct gt_shared_text *name, int64_t duration)
{
    gt_status status =
        gt_series_add(&latency->series, kind, GT_LATENCY_ALL, latency->empty, duration);
    return status == GT_OK ? gt_series_add(&latency->series, kind, group, name, duration) : status;
}

static gt_status timed_task_begin(struct gt_latency *latency, const gt_task *what, int64_t time)
{
    struct gt_timed_task *task = gt_idmap_get(&latency->tasks, what->id);
    struct gt_shared_text *name = gt_shared_text_get(&latency->texts, what->type);
    if (!name)
        return gt_mem_failure(&latency->mem);
    if (!task)
        task = gt_idmap_add(&latency->tasks, what->id);
    if (!task)
        return gt_mem_failure(&latency->mem);
    gt_shared_text_drop(&latency->texts, task->name);
    task->name = name;
    task->begin = time;
    return GT_OK;
}

static gt_status timed_task_end(struct gt_latency *latency, const gt_task *what, int64_t time)
{
    struct gt_timed_task *task = gt_idmap_get(&latency->tasks, what->id);
    if (!task)
        return GT_OK;
    gt_status status = latency_named_add(latency, GT_LATENCY_TASK, GT_LATENCY_BY_TASK, task->name,
                                         gt_time_minus(time, task->begin));
    gt_shared_text_drop(&latency->texts, task->name);
    gt_idmap_drop(&latency->tasks, what->id, task);
    return status;
}

gt_status gt_latency_task(struct gt_latency *latency, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK)
        return status;
    return event->kind == GT_EVENT_TASK_BEGIN ? timed_task_begin(latency, &what, event->time)
                                              : timed_task_end(latency, &what, event->time);
}

/*
 * Opens a region like `what` within the open ones. Takes over the references to its texts, also if
 * that fails.
 */
static gt_status timed_region_enter(struct gt_latency *latency,
                                    struct gt_timed_goroutine *goroutine,
                                    const struct gt_timed_region *what)
{
    struct gt_timed_region *region = gt_pool_take(&latency->region_pool);
    if (!region)
        return gt_mem_failure(&latency->mem);
    *region = *what;
    region->outer = goroutine->regions;
    goroutine->regions = region;
    return GT_OK;
}

void gt_latency_region_leave(struct gt_latency *latency, struct gt_timed_region **link)
{
    struct gt_timed_region *region = *link;
    *link = region->outer;
    gt_shared_text_drop(&latency->texts, region->type);
    gt_shared_text_drop(&latency->texts, region->task);
    gt_pool_give(&latency->region_pool, region);
}

gt_status gt_latency_inherit(struct gt_latency *latency, struct gt_timed_goroutine *goroutine,
                             const struct gt_timed_goroutine *creator)
{
    if (!creator->regions)
        return GT_OK;
    const struct gt_timed_region region = {.task = gt_shared_text_hold(creator->regions->task)};
    return timed_region_enter(latency, goroutine, &region);
}

gt_status gt_latency_region_begin(struct gt_latency *latency, const gt_event *event)
{
    struct gt_timed_goroutine *goroutine = gt_latency_goroutine(latency, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine)
        return status;
    struct gt_timed_region region = {.task_id = what.task, .begin = event->time};
    region.type = gt_shared_text_get(&latency->texts, what.type);
    if (!region.type)
        return gt_mem_failure(&latency->mem);
    const struct gt_timed_task *task = gt_idmap_get(&latency->tasks, what.task);
    region.task = task ? gt_shared_text_hold(task->name) : NULL;
    return timed_region_enter(latency, goroutine, &region);
}

/* Returns the pointer to the open region that ends, of at least one. */
static struct gt_timed_region **timed_region_find(const struct gt_latency *latency,
                                                  struct gt_timed_goroutine *goroutine,
                                                  const gt_region *what)
{
    const struct gt_shared_text *type =
        gt_shared_text_find(&latency->texts, what->type, goroutine->regions->type);
    struct gt_timed_region **link;
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, outer,
                       (*link)->task_id == what->task && (*link)->type && (*link)->type == type);
    return link;
}

gt_status gt_latency_region_end(struct gt_latency *latency, const gt_event *event)
{
    struct gt_timed_goroutine *goroutine = gt_latency_goroutine(latency, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !goroutine || !goroutine->regions)
        return status;
    struct gt_timed_region **link = timed_region_find(latency, goroutine, &what);
    const struct gt_timed_region *region = *link;
    if (region->type)
        status = latency_named_add(latency, GT_LATENCY_REGION, GT_LATENCY_BY_REGION, region->type,
                                   gt_time_minus(event->time, region->begin));
    gt_latency_region_leave(latency, link);
    return status;
}
