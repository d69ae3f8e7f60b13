/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

/* The link to the range with this name, or the one at the end of the list. */
static struct gt_open_range **summary_range_find(struct gt_open_range **list,
                                                 const struct gt_shared_text *name)
{
    while (*list && (*list)->name != name)
        list = &(*list)->next;
    return list;
}

/* The range with this name, which is added if it is new. NULL: no memory. */
static struct gt_open_range *summary_range_get(struct gt_summary *summary,
                                               struct gt_open_range **list,
                                               const struct gt_shared_text *name)
{
    struct gt_open_range **link = summary_range_find(list, name);
    if (*link)
        return *link;
    *link = gt_pool_take(&summary->open_range_pool);
    if (*link) {
        memset(*link, 0, sizeof(**link));
        (*link)->name = name;
    }
    return *link;
}

static void summary_range_remove(struct gt_summary *summary, struct gt_open_range **link)
{
    struct gt_open_range *open = *link;
    *link = open->next;
    gt_pool_give(&summary->open_range_pool, open);
}

static gt_status range_begin_on(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                const struct gt_shared_text *name, const gt_event *event)
{
    if (!goroutine || !goroutine->live)
        return GT_OK;
    struct gt_open_range *open = summary_range_get(summary, &goroutine->live->ranges, name);
    if (!open)
        return gt_mem_failure(&summary->mem);
    if (event->kind == GT_EVENT_RANGE_BEGIN) {
        open->since = event->time;
        return GT_OK;
    }
    gt_status status = GT_OK;
    if (open->since != 0)
        status = gt_time_add(&summary->times, &goroutine->lists.ranges, name,
                             gt_time_minus(summary->sync_time, open->since));
    open->since = summary->sync_time;
    return status;
}

static gt_status range_begin(struct gt_summary *summary, const gt_range *range,
                             const struct gt_shared_text *name, const gt_event *event)
{
    if (range->scope.kind == GT_RESOURCE_GOROUTINE)
        return range_begin_on(summary, gt_summary_goroutine(summary, range->scope.id), name, event);
    /* A range of a proc counts for the goroutine if that one is also there at its end. */
    struct gt_goroutine_node *goroutine = gt_summary_goroutine(summary, event->goroutine);
    if (!goroutine)
        return GT_OK;
    struct gt_summary_proc *proc = gt_summary_proc_get(summary, range->scope.id);
    struct gt_open_range *open = proc ? summary_range_get(summary, &proc->ranges, name) : NULL;
    if (!open)
        return gt_mem_failure(&summary->mem);
    open->goroutine = event->goroutine;
    return range_begin_on(summary, goroutine, name, event);
}

/* Ends a range of a proc. Returns the goroutine if the range began on it, else NULL. */
static struct gt_goroutine_node *range_proc_end(struct gt_summary *summary, int64_t id,
                                                const struct gt_shared_text *name,
                                                int64_t goroutine)
{
    struct gt_summary_proc *proc = gt_idmap_get(&summary->procs, (uint64_t) id);
    struct gt_open_range **link = proc ? summary_range_find(&proc->ranges, name) : NULL;
    if (!link || !*link)
        return NULL;
    int64_t began_on = (*link)->goroutine;
    summary_range_remove(summary, link);
    return began_on == goroutine ? gt_summary_goroutine(summary, goroutine) : NULL;
}

static gt_status range_end(struct gt_summary *summary, const gt_range *range,
                           const struct gt_shared_text *name, const gt_event *event)
{
    struct gt_goroutine_node *goroutine =
        range->scope.kind == GT_RESOURCE_GOROUTINE
            ? gt_summary_goroutine(summary, range->scope.id)
            : range_proc_end(summary, range->scope.id, name, event->goroutine);
    if (!goroutine || !goroutine->live)
        return GT_OK;
    struct gt_open_range **link = summary_range_find(&goroutine->live->ranges, name);
    if (!*link || (*link)->since == 0)
        return GT_OK;
    int64_t time = gt_time_minus(event->time, (*link)->since);
    summary_range_remove(summary, link);
    return gt_time_add(&summary->times, &goroutine->lists.ranges, name, time);
}

gt_status gt_summary_range(struct gt_summary *summary, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return status;
    if (range.scope.kind != GT_RESOURCE_GOROUTINE && range.scope.kind != GT_RESOURCE_PROC)
        return GT_OK;
    const struct gt_shared_text *name =
        gt_summary_name(summary, range.has_cause ? range.cause : range.name, range.has_cause != 0);
    if (!name)
        return gt_mem_failure(&summary->mem);
    return event->kind == GT_EVENT_RANGE_END ? range_end(summary, &range, name, event)
                                             : range_begin(summary, &range, name, event);
}
