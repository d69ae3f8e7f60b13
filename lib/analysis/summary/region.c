/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

#include "base/open_find.h"
#include "base/sort.h"
#include "base/system.h"

static struct gt_region_node *region_node_new(struct gt_summary *summary, int64_t goroutine,
                                              uint64_t task)
{
    static const gt_string empty = {"", 0};
    struct gt_region_node *region = gt_pool_take(&summary->region_pool);
    if (!region)
        return NULL;
    memset(region, 0, sizeof(*region));
    region->public.size = sizeof(region->public);
    region->times.size = sizeof(region->times);
    region->public.times = &region->times;
    region->public.type = empty;
    region->public.task = task;
    region->public.goroutine = goroutine;
    region->public.frame.function = empty;
    region->public.frame.file = empty;
    summary->info.regions++;
    return region;
}

static void region_node_free(struct gt_summary *summary, struct gt_region_node *region)
{
    gt_time_lists_free(&summary->times, &region->lists);
    gt_shared_text_drop(&summary->texts, region->type);
    gt_shared_text_drop(&summary->texts, region->function);
    gt_shared_text_drop(&summary->texts, region->file);
    gt_pool_give(&summary->region_pool, region);
}

static gt_status region_type_set(struct gt_summary *summary, struct gt_region_node *region,
                                 gt_string type)
{
    region->type = gt_shared_text_get(&summary->texts, type);
    if (!region->type)
        return gt_mem_failure(&summary->mem);
    region->public.type = region->type->string;
    return GT_OK;
}

static gt_status region_frame_set(struct gt_summary *summary, struct gt_region_node *region,
                                  gt_stack stack)
{
    gt_frame frame;
    gt_status status = gt_summary_root_frame(summary, stack, &frame);
    if (status != GT_OK)
        return status;
    region->function = gt_shared_text_get(&summary->texts, frame.function);
    region->file = region->function ? gt_shared_text_get(&summary->texts, frame.file) : NULL;
    if (!region->file)
        return gt_mem_failure(&summary->mem);
    frame.function = region->function->string;
    frame.file = region->file->string;
    region->public.frame = frame;
    return GT_OK;
}

/* Adds the region and its goroutine to the task that the region names. */
static gt_status region_task_add(struct gt_summary *summary, struct gt_region_node *region)
{
    struct gt_task_node *task = gt_summary_task_get(summary, region->public.task);
    if (!task)
        return gt_mem_failure(&summary->mem);
    gt_status status = gt_summary_task_add_goroutine(summary, task, region->public.goroutine);
    return status == GT_OK ? gt_summary_task_add_region(summary, task, region) : status;
}

gt_status gt_summary_region_inherit(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                    const struct gt_goroutine_node *creator, int64_t time)
{
    if (!creator->live || !creator->live->regions)
        return GT_OK;
    struct gt_region_node *region =
        region_node_new(summary, goroutine->public.id, creator->live->regions->public.task);
    if (!region)
        return gt_mem_failure(&summary->mem);
    region->public.has_begin = 1;
    region->public.begin = time;
    region->public.inherited = 1;
    goroutine->live->regions = region;
    return GT_OK;
}

/* Makes a region from its begin event, or from its end event if it began before the trace. */
static gt_status region_node_make(struct gt_summary *summary, struct gt_region_node **made,
                                  const struct gt_goroutine_node *goroutine, const gt_event *event)
{
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_region_node *region = region_node_new(summary, goroutine->public.id, what.task);
    if (!region)
        return gt_mem_failure(&summary->mem);
    *made = region;
    status = region_type_set(summary, region, what.type);
    return status == GT_OK ? region_task_add(summary, region) : status;
}

gt_status gt_summary_region_begin(struct gt_summary *summary, const gt_event *event)
{
    struct gt_goroutine_node *goroutine = gt_summary_goroutine(summary, event->goroutine);
    if (!goroutine)
        return GT_OK;
    struct gt_summary_live *live = gt_summary_goroutine_live(summary, goroutine);
    struct gt_region_node *region = NULL;
    gt_status status =
        live ? region_node_make(summary, &region, goroutine, event) : gt_mem_failure(&summary->mem);
    if (status == GT_OK)
        status = region_frame_set(summary, region, gt_event_stack(event));
    if (status == GT_OK)
        status = gt_summary_goroutine_snapshot(summary, goroutine, event->time, &region->times,
                                               &region->lists);
    if (status != GT_OK)
        return status;
    region->public.has_begin = 1;
    region->public.begin = event->time;
    region->outer = live->regions;
    live->regions = region;
    return GT_OK;
}

/*
 * The region has the times of its goroutine at its begin. Replaces them by the difference to `now`.
 * Takes over `lists`.
 */
static void region_times_set(struct gt_summary *summary, struct gt_region_node *region,
                             const gt_summary_times *now, struct gt_time_lists lists)
{
    gt_summary_times times = *now;
    gt_times_subtract(&times, &lists, &region->times, &region->lists);
    gt_time_lists_free(&summary->times, &region->lists);
    region->times = times;
    region->lists = lists;
    gt_times_publish(&region->times, &region->lists);
}

static gt_status region_keep(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                             struct gt_region_node *region)
{
    gt_status status = gt_array_add(&summary->mem, &goroutine->regions, &region->public);
    goroutine->public.region_count = goroutine->regions.count;
    return status;
}

static gt_status region_report(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                               struct gt_region_node *region)
{
    if (summary->options.on_region)
        summary->options.on_region(summary->options.user_data, &region->public);
    if (!gt_summary_drops(summary))
        return region_keep(summary, goroutine, region);
    goroutine->public.region_count++;
    region_node_free(summary, region);
    return GT_OK;
}

/* Takes the region that ends out of the open ones, of which there is at least one. */
static gt_status region_node_close(const struct gt_summary *summary, struct gt_summary_live *live,
                                   const gt_event *event, struct gt_region_node **closed)
{
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    const struct gt_shared_text *type =
        gt_shared_text_find(&summary->texts, what.type, live->regions->type);
    struct gt_region_node **link;
    GT_OPEN_FIND_ENDED(link, &live->regions, outer,
                       (*link)->public.task == what.task && (*link)->type && (*link)->type == type);
    *closed = *link;
    *link = (*link)->outer;
    return status;
}

gt_status gt_summary_region_end(struct gt_summary *summary, const gt_event *event)
{
    struct gt_goroutine_node *goroutine = gt_summary_goroutine(summary, event->goroutine);
    if (!goroutine)
        return GT_OK;
    struct gt_summary_live *live = gt_summary_goroutine_live(summary, goroutine);
    if (!live)
        return gt_mem_failure(&summary->mem);
    struct gt_region_node *region = NULL;
    gt_status status = live->regions ? region_node_close(summary, live, event, &region)
                                     : region_node_make(summary, &region, goroutine, event);
    gt_summary_times now;
    struct gt_time_lists lists;
    if (status == GT_OK)
        status = gt_summary_goroutine_snapshot(summary, goroutine, event->time, &now, &lists);
    if (status != GT_OK)
        return status;
    region_times_set(summary, region, &now, lists);
    region->public.has_end = 1;
    region->public.end = event->time;
    return region_report(summary, goroutine, region);
}

/* Reverses the list of open regions, so that the outermost one comes first. */
static struct gt_region_node *regions_reverse(struct gt_region_node *region)
{
    struct gt_region_node *first = NULL;
    while (region) {
        struct gt_region_node *outer = region->outer;
        region->outer = first;
        first = region;
        region = outer;
    }
    return first;
}

static gt_status region_times_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                  struct gt_region_node *region, const gt_event *event)
{
    struct gt_time_lists lists;
    gt_status status = gt_time_lists_copy(&summary->times, &lists, &goroutine->lists);
    if (status != GT_OK)
        return status;
    region_times_set(summary, region, &goroutine->times, lists);
    if (event) {
        region->public.has_end = 1;
        region->public.end = event->time;
    }
    return GT_OK;
}

/*
 * Orders regions by their begins. Regions without one, which their end events made, come first, by
 * their ends.
 */
static bool region_is_before(const void *a, const void *b, void *context)
{
    const gt_region_summary *const *left = a, *const *right = b;
    (void) context;
    if ((*left)->has_begin != (*right)->has_begin)
        return (*left)->has_begin < (*right)->has_begin;
    if ((*left)->has_begin)
        return (*left)->begin < (*right)->begin;
    return (*left)->end < (*right)->end;
}

void gt_summary_regions_publish(struct gt_goroutine_node *goroutine)
{
    if (!goroutine->regions.items)
        return;
    gt_sort(goroutine->regions.items, goroutine->regions.count, sizeof(gt_region_summary *),
            region_is_before, NULL);
    goroutine->public.regions = (const gt_region_summary *const *) goroutine->regions.items;
}

gt_status gt_summary_regions_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                 const gt_event *event)
{
    struct gt_region_node *region =
        goroutine->live ? regions_reverse(goroutine->live->regions) : NULL;
    bool is_system = gt_is_system_goroutine(goroutine->public.name);
    gt_status status = GT_OK;
    if (goroutine->live)
        goroutine->live->regions = NULL;
    while (region && status == GT_OK) {
        /* Regions of system goroutines are left out, but a task may still refer to them. */
        struct gt_region_node *inner = region->outer;
        if (!is_system || !region->public.inherited)
            status = region_times_end(summary, goroutine, region, event);
        if (status == GT_OK && !is_system)
            status = region_report(summary, goroutine, region);
        else if (region->public.inherited || gt_summary_drops(summary))
            region_node_free(summary, region);
        region = inner;
    }
    return status;
}
