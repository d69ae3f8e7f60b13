/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

#include "base/system.h"

/* The bytes of a task's twin. */
static size_t snapshot_task_bytes(size_t regions)
{
    return sizeof(gt_task_summary) + regions * sizeof(gt_region_summary *);
}

/* Frees the twins, but keeps the memory of the lists for the next snapshot. */
static void snapshot_clear(struct gt_summary *summary)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    for (size_t i = 0; i < snapshot->goroutine_twins.count; i++) {
        struct gt_goroutine_node *twin = snapshot->goroutine_twins.items[i];
        gt_time_lists_free(&summary->times, &twin->lists);
        gt_array_free(&summary->mem, &twin->regions);
        gt_pool_give(&summary->goroutine_pool, twin);
    }
    for (size_t i = 0; i < snapshot->region_twins.count; i++) {
        struct gt_region_node *twin = snapshot->region_twins.items[i];
        gt_time_lists_free(&summary->times, &twin->lists);
        gt_pool_give(&summary->region_pool, twin);
    }
    for (size_t i = 0; i < snapshot->task_twins.count; i++) {
        gt_task_summary *twin = snapshot->task_twins.items[i];
        gt_mem_free(&summary->mem, twin, snapshot_task_bytes(twin->region_count));
    }
    snapshot->goroutine_twins.count = snapshot->region_twins.count = 0;
    snapshot->task_twins.count = snapshot->goroutines.count = snapshot->tasks.count = 0;
    snapshot->is_taken = false;
}

void gt_summary_snapshot_drop(struct gt_summary *summary)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    snapshot_clear(summary);
    gt_array_free(&summary->mem, &snapshot->goroutines);
    gt_array_free(&summary->mem, &snapshot->tasks);
    gt_array_free(&summary->mem, &snapshot->goroutine_twins);
    gt_array_free(&summary->mem, &snapshot->region_twins);
    gt_array_free(&summary->mem, &snapshot->task_twins);
}

/* Makes the twin of an open region, which ends with its goroutine. */
static gt_status snapshot_region(struct gt_summary *summary, struct gt_region_node *region,
                                 const struct gt_goroutine_node *goroutine)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    gt_status status = gt_array_reserve(&summary->mem, &snapshot->region_twins, 1);
    struct gt_region_node *twin = status == GT_OK ? gt_pool_take(&summary->region_pool) : NULL;
    if (!twin)
        return gt_mem_failure(&summary->mem);
    *twin = *region;
    snapshot->region_twins.items[snapshot->region_twins.count++] = twin;
    region->twin = twin;
    twin->times = goroutine->times;
    twin->public.times = &twin->times;
    status = gt_time_lists_copy(&summary->times, &twin->lists, &goroutine->lists);
    if (status != GT_OK)
        return status;
    gt_times_subtract(&twin->times, &twin->lists, &region->times, &region->lists);
    gt_times_publish(&twin->times, &twin->lists);
    return GT_OK;
}

/*
 * Makes the twins of the open regions of a goroutine, and lists them in its twin, the outermost
 * first, as gt_summary_regions_end does.
 */
static gt_status snapshot_regions(struct gt_summary *summary,
                                  const struct gt_goroutine_node *goroutine,
                                  struct gt_goroutine_node *twin)
{
    bool is_system = gt_is_system_goroutine(goroutine->public.name);
    size_t open = 0;
    for (struct gt_region_node *region = goroutine->live->regions; region; region = region->outer)
        open++;
    if (!is_system)
        twin->public.region_count += open;
    if (gt_summary_drops(summary))
        return GT_OK;
    gt_status status =
        gt_array_reserve(&summary->mem, &twin->regions, goroutine->regions.count + open);
    if (status != GT_OK)
        return status;
    if (goroutine->regions.count > 0)
        memcpy(twin->regions.items, goroutine->regions.items,
               goroutine->regions.count * sizeof(*goroutine->regions.items));
    size_t at = goroutine->regions.count + open;
    twin->regions.count = is_system ? goroutine->regions.count : at;
    for (struct gt_region_node *region = goroutine->live->regions; region; region = region->outer) {
        status = snapshot_region(summary, region, twin);
        if (status != GT_OK)
            return status;
        twin->regions.items[--at] = &region->twin->public;
    }
    return GT_OK;
}

/* Makes the twin of a goroutine that lives. */
static gt_status snapshot_goroutine(struct gt_summary *summary,
                                    const struct gt_goroutine_node *goroutine)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    gt_status status = gt_array_reserve(&summary->mem, &snapshot->goroutine_twins, 1);
    struct gt_goroutine_node *twin =
        status == GT_OK ? gt_pool_take(&summary->goroutine_pool) : NULL;
    if (!twin)
        return gt_mem_failure(&summary->mem);
    *twin = *goroutine;
    twin->public.times = &twin->times;
    memset(&twin->lists, 0, sizeof(twin->lists));
    memset(&twin->regions, 0, sizeof(twin->regions));
    snapshot->goroutine_twins.items[snapshot->goroutine_twins.count++] = twin;
    snapshot->goroutines.items[goroutine->position] = &twin->public;
    status = gt_summary_goroutine_snapshot(summary, goroutine, summary->info.last_time,
                                           &twin->times, &twin->lists);
    if (status != GT_OK)
        return status;
    gt_times_publish(&twin->times, &twin->lists);
    status = snapshot_regions(summary, goroutine, twin);
    if (status == GT_OK)
        gt_summary_regions_publish(twin);
    return status;
}

static gt_status snapshot_goroutines(struct gt_summary *summary)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    size_t count = summary->goroutine_list.count;
    gt_status status = gt_array_reserve(&summary->mem, &snapshot->goroutines, count);
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        struct gt_goroutine_node *goroutine =
            (struct gt_goroutine_node *) summary->goroutine_list.items[i];
        snapshot->goroutines.items[i] = &goroutine->public;
        if (goroutine->live)
            status = snapshot_goroutine(summary, goroutine);
        else
            gt_summary_regions_publish(goroutine);
    }
    return status;
}

/* Makes the twin of a task that has open regions: its list has their twins. */
static gt_status snapshot_task(struct gt_summary *summary, const struct gt_task_node *task)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    gt_status status = gt_array_reserve(&summary->mem, &snapshot->task_twins, 1);
    if (status != GT_OK)
        return status;
    gt_task_summary *twin =
        gt_mem_alloc(&summary->mem, snapshot_task_bytes(task->public.region_count));
    if (!twin)
        return gt_mem_failure(&summary->mem);
    snapshot->task_twins.items[snapshot->task_twins.count++] = twin;
    snapshot->tasks.items[task->position] = twin;
    *twin = task->public;
    const gt_region_summary **regions = (const gt_region_summary **) (twin + 1);
    twin->regions = regions;
    for (size_t i = 0; i < twin->region_count; i++) {
        const struct gt_region_node *region =
            (const struct gt_region_node *) task->regions.items[i];
        regions[i] = region->public.has_end ? &region->public : &region->twin->public;
    }
    return GT_OK;
}

static gt_status snapshot_tasks(struct gt_summary *summary)
{
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    size_t count = summary->task_list.count;
    gt_status status = gt_array_reserve(&summary->mem, &snapshot->tasks, count);
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        snapshot->tasks.items[i] = summary->task_list.items[i];
        gt_summary_task_publish(summary, (struct gt_task_node *) summary->task_list.items[i]);
    }
    for (size_t i = 0; i < snapshot->region_twins.count && status == GT_OK; i++) {
        const gt_region_summary *region = &snapshot->region_twins.items[i]->public;
        const struct gt_task_node *task =
            region->inherited ? NULL : gt_idmap_get(&summary->tasks, region->task);
        if (task && snapshot->tasks.items[task->position] == &task->public)
            status = snapshot_task(summary, task);
    }
    return status;
}

gt_status gt_summary_snapshot(gt_summary *summary)
{
    if (!summary || summary->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (summary->failure != GT_OK || summary->finished)
        return summary->failure;
    struct gt_summary_snapshot *snapshot = &summary->snapshot;
    summary->busy = true;
    snapshot_clear(summary);
    gt_summary_lists_sort(summary);
    gt_status status = snapshot_goroutines(summary);
    if (status == GT_OK)
        status = snapshot_tasks(summary);
    if (status != GT_OK)
        snapshot_clear(summary);
    snapshot->is_taken = status == GT_OK;
    snapshot->events = summary->info.events;
    summary->busy = false;
    return status;
}
