/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

/* What points at the range of this name, or at the end of the list. */
static struct gt_going **find(struct gt_going **list, const struct gt_shared_text *name)
{
    while (*list && (*list)->name != name)
        list = &(*list)->next;
    return list;
}

/* The range of this name, added where it is not there. NULL: no memory. */
static struct gt_going *get(struct gt_summary *s, struct gt_going **list,
                            const struct gt_shared_text *name)
{
    struct gt_going **link = find(list, name);
    if (*link)
        return *link;
    *link = gt_pool_take(&s->going_pool);
    if (*link) {
        memset(*link, 0, sizeof(**link));
        (*link)->name = name;
    }
    return *link;
}

static void remove_going(struct gt_summary *s, struct gt_going **link)
{
    struct gt_going *going = *link;
    *link = going->next;
    gt_pool_give(&s->going_pool, going);
}

static gt_status begin_on(struct gt_summary *s, struct gt_goroutine_node *g,
                          const struct gt_shared_text *name, const gt_event *event)
{
    if (!g || !g->live)
        return GT_OK;
    struct gt_going *going = get(s, &g->live->ranges, name);
    if (!going)
        return gt_mem_failure(&s->mem);
    if (event->kind == GT_EVENT_RANGE_BEGIN) {
        going->since = event->time;
        return GT_OK;
    }
    gt_status status = GT_OK;
    if (going->since != 0)
        status = gt_time_add(&s->times, &g->lists.ranges, name,
                             gt_time_minus(s->sync_time, going->since));
    going->since = s->sync_time;
    return status;
}

static gt_status begin(struct gt_summary *s, const gt_range *range,
                       const struct gt_shared_text *name, const gt_event *event)
{
    if (range->scope.kind == GT_RESOURCE_GOROUTINE)
        return begin_on(s, gt_summary_goroutine(s, range->scope.id), name, event);
    /* A proc's: perhaps the goroutine will be there for all of it. */
    struct gt_goroutine_node *g = gt_summary_goroutine(s, event->goroutine);
    if (!g)
        return GT_OK;
    struct gt_seen_proc *proc = gt_summary_proc(s, range->scope.id);
    struct gt_going *going = proc ? get(s, &proc->ranges, name) : NULL;
    if (!going)
        return gt_mem_failure(&s->mem);
    going->goroutine = event->goroutine;
    return begin_on(s, g, name, event);
}

/* The goroutine that a proc's range began on, if that is still there; the range is over. */
static struct gt_goroutine_node *leave_proc_range(struct gt_summary *s, int64_t id,
                                                  const struct gt_shared_text *name,
                                                  int64_t goroutine)
{
    struct gt_seen_proc *proc = gt_idmap_get(&s->procs, (uint64_t) id);
    struct gt_going **link = proc ? find(&proc->ranges, name) : NULL;
    if (!link || !*link)
        return NULL;
    int64_t began_on = (*link)->goroutine;
    remove_going(s, link);
    return began_on == goroutine ? gt_summary_goroutine(s, goroutine) : NULL;
}

static gt_status end(struct gt_summary *s, const gt_range *range, const struct gt_shared_text *name,
                     const gt_event *event)
{
    struct gt_goroutine_node *g =
        range->scope.kind == GT_RESOURCE_GOROUTINE
            ? gt_summary_goroutine(s, range->scope.id)
            : leave_proc_range(s, range->scope.id, name, event->goroutine);
    if (!g || !g->live)
        return GT_OK;
    struct gt_going **link = find(&g->live->ranges, name);
    if (!*link || (*link)->since == 0)
        return GT_OK;
    int64_t time = gt_time_minus(event->time, (*link)->since);
    remove_going(s, link);
    return gt_time_add(&s->times, &g->lists.ranges, name, time);
}

gt_status gt_summary_range(struct gt_summary *s, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return status;
    if (range.scope.kind != GT_RESOURCE_GOROUTINE && range.scope.kind != GT_RESOURCE_PROC)
        return GT_OK;
    const struct gt_shared_text *name =
        gt_summary_name(s, range.has_cause ? range.cause : range.name, range.has_cause != 0);
    if (!name)
        return gt_mem_failure(&s->mem);
    return event->kind == GT_EVENT_RANGE_END ? end(s, &range, name, event)
                                             : begin(s, &range, name, event);
}
