/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/latency/latency.h"
#include "base/wraps.h"

/* Adds it in all and, where there is one, by name. */
static gt_status add(struct gt_latency *l, uint32_t kind, uint32_t group,
                     struct gt_shared_text *name, int64_t duration)
{
    gt_status status = gt_series_add(&l->series, kind, GT_LATENCY_ALL, l->empty, duration);
    return status == GT_OK ? gt_series_add(&l->series, kind, group, name, duration) : status;
}

static gt_status task_begin(struct gt_latency *l, const gt_task *what, int64_t time)
{
    struct gt_ltask *task = gt_idmap_get(&l->tasks, what->id);
    struct gt_shared_text *name = gt_shared_text_get(&l->texts, what->type);
    if (!name)
        return gt_mem_failure(&l->mem);
    if (!task) {
        task = gt_pool_take(&l->task_pool);
        if (!task)
            return gt_mem_failure(&l->mem);
        memset(task, 0, sizeof(*task));
        if (gt_idmap_put(&l->tasks, what->id, task) != GT_OK) {
            gt_pool_give(&l->task_pool, task);
            return gt_mem_failure(&l->mem);
        }
    }
    gt_shared_text_drop(&l->texts, task->name);
    task->name = name;
    task->begin = time;
    return GT_OK;
}

static gt_status task_end(struct gt_latency *l, const gt_task *what, int64_t time)
{
    struct gt_ltask *task = gt_idmap_get(&l->tasks, what->id);
    if (!task)
        return GT_OK;
    gt_status status =
        add(l, GT_LATENCY_TASK, GT_LATENCY_BY_TASK, task->name, gt_time_minus(time, task->begin));
    gt_shared_text_drop(&l->texts, task->name);
    gt_idmap_remove(&l->tasks, what->id);
    gt_pool_give(&l->task_pool, task);
    return status;
}

gt_status gt_latency_task(struct gt_latency *l, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK)
        return status;
    return event->kind == GT_EVENT_TASK_BEGIN ? task_begin(l, &what, event->time)
                                              : task_end(l, &what, event->time);
}

/* A region within those that are open; it takes over the users of its texts. */
static gt_status enter_region(struct gt_latency *l, struct gt_lgoroutine *g,
                              struct gt_shared_text *type, struct gt_shared_text *task,
                              int64_t begin)
{
    struct gt_lregion *region = gt_pool_take(&l->region_pool);
    if (!region)
        return gt_mem_failure(&l->mem);
    region->outer = g->regions;
    region->type = type;
    region->task = task;
    region->begin = begin;
    g->regions = region;
    return GT_OK;
}

void gt_latency_leave_region(struct gt_latency *l, struct gt_lgoroutine *g)
{
    struct gt_lregion *region = g->regions;
    g->regions = region->outer;
    gt_shared_text_drop(&l->texts, region->type);
    gt_shared_text_drop(&l->texts, region->task);
    gt_pool_give(&l->region_pool, region);
}

gt_status gt_latency_inherit(struct gt_latency *l, struct gt_lgoroutine *g,
                             const struct gt_lgoroutine *creator)
{
    if (!creator->regions)
        return GT_OK;
    struct gt_shared_text *task = creator->regions->task;
    return enter_region(l, g, NULL, gt_shared_text_hold(task), 0);
}

gt_status gt_latency_region_begin(struct gt_latency *l, const gt_event *event)
{
    struct gt_lgoroutine *g = gt_latency_goroutine(l, event->goroutine);
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || !g)
        return status;
    struct gt_shared_text *type = gt_shared_text_get(&l->texts, what.type);
    if (!type)
        return gt_mem_failure(&l->mem);
    const struct gt_ltask *task = gt_idmap_get(&l->tasks, what.task);
    struct gt_shared_text *name = task ? gt_shared_text_hold(task->name) : NULL;
    return enter_region(l, g, type, name, event->time);
}

gt_status gt_latency_region_end(struct gt_latency *l, const gt_event *event)
{
    struct gt_lgoroutine *g = gt_latency_goroutine(l, event->goroutine);
    if (!g || !g->regions)
        return GT_OK;
    const struct gt_lregion *region = g->regions;
    gt_status status = GT_OK;
    if (region->type)
        status = add(l, GT_LATENCY_REGION, GT_LATENCY_BY_REGION, region->type,
                     gt_time_minus(event->time, region->begin));
    gt_latency_leave_region(l, g);
    return status;
}
