/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/object.h"
#include "base/sort.h"

gt_status gt_summary_open(gt_summary **out, const gt_summary_options *options, gt_error *error)
{
    static const gt_summary_options defaults = GT_SUMMARY_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "summary", gt_summary, gt_summary_options, user_data, GT_SUMMARY_DROP, &defaults, NULL);
    gt_status status;
    struct gt_summary *summary = gt_object_open(out, &layout, options, error, &status);
    if (!summary)
        return status;
    struct gt_mem *mem = &summary->mem;
    gt_idmap_init(&summary->goroutines, mem);
    gt_idmap_init_objects(&summary->tasks, mem, sizeof(struct gt_task_node));
    gt_idmap_init_objects(&summary->procs, mem, sizeof(struct gt_summary_proc));
    gt_members_init(&summary->members, mem);
    gt_pool_init(&summary->goroutine_pool, mem, sizeof(struct gt_goroutine_node));
    gt_pool_init(&summary->live_pool, mem, sizeof(struct gt_summary_live));
    gt_pool_init(&summary->region_pool, mem, sizeof(struct gt_region_node));
    gt_pool_init(&summary->open_range_pool, mem, sizeof(struct gt_open_range));
    gt_time_pools_init(&summary->times, mem);
    gt_shared_texts_init(&summary->texts, mem, GT_SHARED_TEXT_SPARE);
    *out = summary;
    return GT_OK;
}

/* The public part of a goroutine or task is the first member of its node. */
static struct gt_goroutine_node *summary_goroutine_at(const struct gt_summary *summary, size_t i)
{
    return (struct gt_goroutine_node *) summary->goroutine_list.items[i];
}

static struct gt_task_node *summary_task_at(const struct gt_summary *summary, size_t i)
{
    return (struct gt_task_node *) summary->task_list.items[i];
}

static void summary_lists_free(struct gt_summary *summary)
{
    gt_summary_snapshot_drop(summary);
    for (size_t i = 0; i < summary->goroutine_list.count; i++)
        gt_summary_goroutine_free(summary, summary_goroutine_at(summary, i));
    for (size_t i = 0; i < summary->task_list.count; i++)
        gt_summary_task_free(summary, summary_task_at(summary, i));
    gt_array_free(&summary->mem, &summary->goroutine_list);
    gt_array_free(&summary->mem, &summary->task_list);
    gt_array_free(&summary->mem, &summary->full_name);
}

void gt_summary_close(gt_summary **out)
{
    struct gt_summary *summary = out ? *out : NULL;
    if (!summary || summary->busy)
        return;
    summary->busy = true;
    summary_lists_free(summary);
    gt_idmap_destroy(&summary->goroutines);
    gt_idmap_destroy(&summary->tasks);
    gt_idmap_destroy(&summary->procs);
    gt_members_destroy(&summary->members);
    gt_pool_destroy(&summary->goroutine_pool);
    gt_pool_destroy(&summary->live_pool);
    gt_pool_destroy(&summary->region_pool);
    gt_pool_destroy(&summary->open_range_pool);
    gt_time_pools_destroy(&summary->times);
    gt_shared_texts_destroy(&summary->texts);
    gt_mem_delete(&summary->mem, summary, sizeof(*summary));
    *out = NULL;
}

struct gt_summary_proc *gt_summary_proc_get(struct gt_summary *summary, int64_t id)
{
    struct gt_summary_proc *proc = gt_idmap_get(&summary->procs, (uint64_t) id);
    if (proc)
        return proc;
    return gt_idmap_add(&summary->procs, (uint64_t) id);
}

static gt_status summary_dispatch(struct gt_summary *summary, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        summary->sync_time = event->time;
        /* In a new generation other strings can be at the addresses of old ones. */
        memset(summary->recent, 0, sizeof(summary->recent));
        return GT_OK;
    case GT_EVENT_STATE_TRANSITION:
        return gt_summary_transition(summary, event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return gt_summary_range(summary, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_summary_region_begin(summary, event);
    case GT_EVENT_REGION_END:
        return gt_summary_region_end(summary, event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_summary_task(summary, event);
    case GT_EVENT_LOG:
        return gt_summary_log(summary, event);
    default:
        return GT_OK;
    }
}

gt_status gt_summary_event(gt_summary *summary, struct gt_reader *reader, const gt_event *event)
{
    if (!summary || !event || summary->busy || summary->finished ||
        (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (summary->failure != GT_OK)
        return summary->failure;
    summary->busy = true;
    summary->reader = reader;
    summary->event = event;
    /* Without a reader nothing says how long the strings of the last event were at their place. */
    if (!reader)
        memset(summary->recent, 0, sizeof(summary->recent));
    if (summary->info.events++ == 0) {
        summary->sync_time = event->time;
        summary->info.first_time = event->time;
    }
    summary->info.last_time = event->time;
    summary->failure = summary_dispatch(summary, event);
    summary->busy = false;
    return summary->failure;
}

static bool goroutine_is_before(const void *a, const void *b, void *context)
{
    const struct gt_goroutine_node *const *left = a, *const *right = b;
    (void) context;
    if ((*left)->public.id != (*right)->public.id)
        return (*left)->public.id < (*right)->public.id;
    return (*left)->number < (*right)->number;
}

static bool task_is_before(const void *a, const void *b, void *context)
{
    const gt_task_summary *const *left = a, *const *right = b;
    (void) context;
    return (*left)->id < (*right)->id;
}

void gt_summary_lists_sort(struct gt_summary *summary)
{
    gt_sort(summary->goroutine_list.items, summary->goroutine_list.count,
            sizeof(gt_goroutine_summary *), goroutine_is_before, NULL);
    for (size_t i = 0; i < summary->goroutine_list.count; i++)
        summary_goroutine_at(summary, i)->position = i;
    gt_sort(summary->task_list.items, summary->task_list.count, sizeof(gt_task_summary *),
            task_is_before, NULL);
    for (size_t i = 0; i < summary->task_list.count; i++)
        summary_task_at(summary, i)->position = i;
}

static gt_status summary_end(struct gt_summary *summary)
{
    gt_summary_lists_sort(summary);
    for (size_t i = 0; i < summary->goroutine_list.count; i++) {
        struct gt_goroutine_node *goroutine = summary_goroutine_at(summary, i);
        gt_status status = GT_OK;
        if (goroutine->live)
            status = gt_summary_goroutine_end(summary, goroutine, summary->info.last_time, NULL);
        else
            gt_summary_regions_publish(goroutine);
        if (status != GT_OK)
            return status;
    }
    for (size_t i = 0; i < summary->task_list.count; i++)
        gt_summary_task_end(summary, summary_task_at(summary, i));
    return GT_OK;
}

gt_status gt_summary_finish(gt_summary *summary)
{
    if (!summary || summary->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (summary->finished || summary->failure != GT_OK)
        return summary->failure;
    summary->busy = true;
    summary->finished = true;
    gt_summary_snapshot_drop(summary);
    summary->failure = summary_end(summary);
    summary->busy = false;
    return summary->failure;
}

/* Whether the last snapshot can be seen: no event has come since. */
static bool summary_has_snapshot(const struct gt_summary *summary)
{
    return summary->snapshot.is_taken && summary->snapshot.events == summary->info.events;
}

/* Whether callers may see the goroutines and tasks. */
static bool summary_is_visible(const struct gt_summary *summary)
{
    if (!summary || summary->failure != GT_OK)
        return false;
    return summary_has_snapshot(summary) || (summary->finished && !gt_summary_drops(summary));
}

/* The visible goroutines. */
static gt_goroutine_summary **summary_goroutines(const struct gt_summary *summary)
{
    return summary_has_snapshot(summary) ? summary->snapshot.goroutines.items
                                         : summary->goroutine_list.items;
}

/* The visible tasks. */
static gt_task_summary **summary_tasks(const struct gt_summary *summary)
{
    return summary_has_snapshot(summary) ? summary->snapshot.tasks.items : summary->task_list.items;
}

const gt_goroutine_summary *const *gt_summary_goroutines(const gt_summary *summary, size_t *count)
{
    bool visible = summary_is_visible(summary);
    *count = visible ? summary->goroutine_list.count : 0;
    return visible ? (const gt_goroutine_summary *const *) summary_goroutines(summary) : NULL;
}

const gt_task_summary *const *gt_summary_tasks(const gt_summary *summary, size_t *count)
{
    bool visible = summary_is_visible(summary);
    *count = visible ? summary->task_list.count : 0;
    return visible ? (const gt_task_summary *const *) summary_tasks(summary) : NULL;
}

const gt_goroutine_summary *gt_summary_find_goroutine(const gt_summary *summary, int64_t id)
{
    if (!summary_is_visible(summary))
        return NULL;
    const struct gt_goroutine_node *goroutine = gt_summary_goroutine(summary, id);
    return goroutine ? summary_goroutines(summary)[goroutine->position] : NULL;
}

const gt_task_summary *gt_summary_find_task(const gt_summary *summary, uint64_t id)
{
    if (!summary_is_visible(summary))
        return NULL;
    const struct gt_task_node *task = gt_idmap_get(&summary->tasks, id);
    return task ? summary_tasks(summary)[task->position] : NULL;
}

gt_status gt_summary_get_info(const gt_summary *summary, gt_summary_info *info)
{
    if (!summary || !gt_struct_fits(info, GT_UP_TO(gt_summary_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_summary_info all = summary->info;
    all.memory = summary->mem.used;
    all.memory_peak = summary->mem.peak;
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}
