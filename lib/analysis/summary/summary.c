/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "analysis/summary_sort.h"
#include "base/sized.h"

/* The first release's layouts; members are only ever added at the end. */
struct options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_goroutine_summary_fn on_goroutine;
    gt_region_summary_fn on_region;
    gt_task_summary_fn on_task;
    void *user_data;
};

struct info_v1 {
    size_t size;
    uint64_t events;
    int64_t first_time;
    int64_t last_time;
    uint64_t goroutines;
    uint64_t regions;
    uint64_t tasks;
    uint64_t memory;
    uint64_t memory_peak;
};

static_assert(sizeof(gt_summary_options) == sizeof(struct options_v1), "gt_summary_options");
static_assert(sizeof(gt_summary_info) == sizeof(struct info_v1), "gt_summary_info");

static gt_status take_options(gt_summary_options *out, gt_allocator *allocator,
                              const gt_summary_options *options)
{
    *out = (gt_summary_options) GT_SUMMARY_OPTIONS_INIT;
    if (options) {
        gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct options_v1), options);
        if (status != GT_OK)
            return status;
    }
    if (out->flags & ~(uint64_t) GT_SUMMARY_DROP)
        return GT_ERR_INVALID_ARGUMENT;
    return gt_allocator_take(allocator, out->allocator);
}

gt_status gt_summary_open(gt_summary **summary, const gt_summary_options *options)
{
    if (!summary)
        return GT_ERR_INVALID_ARGUMENT;
    *summary = NULL;
    gt_summary_options taken;
    gt_allocator allocator;
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_summary *s = gt_mem_create(sizeof(*s), offsetof(struct gt_summary, mem), &allocator,
                                         taken.memory_limit, &status);
    if (!s)
        return status;
    s->options = taken;
    gt_idmap_init(&s->goroutines, &s->mem);
    gt_idmap_init(&s->tasks, &s->mem);
    gt_idmap_init(&s->procs, &s->mem);
    gt_members_init(&s->members, &s->mem);
    gt_pool_init(&s->goroutine_pool, &s->mem, sizeof(struct gt_goroutine_node));
    gt_pool_init(&s->live_pool, &s->mem, sizeof(struct gt_live));
    gt_pool_init(&s->region_pool, &s->mem, sizeof(struct gt_region_node));
    gt_pool_init(&s->task_pool, &s->mem, sizeof(struct gt_task_node));
    gt_pool_init(&s->proc_pool, &s->mem, sizeof(struct gt_seen_proc));
    gt_pool_init(&s->going_pool, &s->mem, sizeof(struct gt_going));
    gt_time_pools_init(&s->times, &s->mem);
    gt_shared_texts_init(&s->texts, &s->mem, GT_SHARED_TEXT_SPARE);
    *summary = s;
    return GT_OK;
}

static void free_lists(struct gt_summary *s)
{
    for (size_t i = 0; i < s->goroutine_count; i++)
        gt_goroutine_free(s, (struct gt_goroutine_node *) s->goroutine_list[i]);
    for (size_t i = 0; i < s->task_count; i++)
        gt_task_free(s, (struct gt_task_node *) s->task_list[i]);
    gt_mem_free(&s->mem, s->goroutine_list, s->goroutine_capacity * sizeof(*s->goroutine_list));
    gt_mem_free(&s->mem, s->task_list, s->task_capacity * sizeof(*s->task_list));
    gt_mem_free(&s->mem, s->full_name, s->full_name_capacity);
}

void gt_summary_close(gt_summary **summary)
{
    struct gt_summary *s = summary ? *summary : NULL;
    if (!s || s->busy)
        return;
    s->busy = 1;
    free_lists(s);
    gt_idmap_destroy(&s->goroutines);
    gt_idmap_destroy(&s->tasks);
    gt_idmap_destroy(&s->procs);
    gt_members_destroy(&s->members);
    gt_pool_destroy(&s->goroutine_pool);
    gt_pool_destroy(&s->live_pool);
    gt_pool_destroy(&s->region_pool);
    gt_pool_destroy(&s->task_pool);
    gt_pool_destroy(&s->proc_pool);
    gt_pool_destroy(&s->going_pool);
    gt_time_pools_destroy(&s->times);
    gt_shared_texts_destroy(&s->texts);
    struct gt_mem mem = s->mem;
    gt_mem_free(&mem, s, sizeof(*s));
    *summary = NULL;
}

struct gt_seen_proc *gt_summary_proc(struct gt_summary *s, int64_t id)
{
    struct gt_seen_proc *proc = gt_idmap_get(&s->procs, (uint64_t) id);
    if (proc)
        return proc;
    proc = gt_pool_take(&s->proc_pool);
    if (!proc)
        return NULL;
    memset(proc, 0, sizeof(*proc));
    if (gt_idmap_put(&s->procs, (uint64_t) id, proc) == GT_OK)
        return proc;
    gt_pool_give(&s->proc_pool, proc);
    return NULL;
}

static gt_status take_in(struct gt_summary *s, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        s->sync_time = event->time;
        /* What lies where the old names lay can be another text now. */
        memset(s->recent, 0, sizeof(s->recent));
        return GT_OK;
    case GT_EVENT_STATE_TRANSITION:
        return gt_summary_transition(s, event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return gt_summary_range(s, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_summary_region_begin(s, event);
    case GT_EVENT_REGION_END:
        return gt_summary_region_end(s, event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_summary_task(s, event);
    case GT_EVENT_LOG:
        return gt_summary_log(s, event);
    default:
        return GT_OK;
    }
}

gt_status gt_summary_event(gt_summary *summary, struct gt_reader *reader, const gt_event *event)
{
    struct gt_summary *s = summary;
    if (!s || !event || s->busy || s->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (s->failure != GT_OK)
        return s->failure;
    s->busy = 1;
    s->reader = reader;
    if (s->info.events++ == 0) {
        s->sync_time = event->time;
        s->info.first_time = event->time;
    }
    s->info.last_time = event->time;
    s->failure = take_in(s, event);
    s->busy = 0;
    return s->failure;
}

static int goroutine_before(const void *a, const void *b)
{
    const struct gt_goroutine_node *const *left = a, *const *right = b;
    if ((*left)->s.id != (*right)->s.id)
        return (*left)->s.id < (*right)->s.id;
    return (*left)->number < (*right)->number;
}

static int task_before(const void *a, const void *b)
{
    const gt_task_summary *const *left = a, *const *right = b;
    return (*left)->id < (*right)->id;
}

static void sort_all(struct gt_summary *s)
{
    gt_summary_sort(s->goroutine_list, s->goroutine_count, sizeof(*s->goroutine_list),
                    goroutine_before);
    for (size_t i = 0; i < s->goroutine_count; i++)
        ((struct gt_goroutine_node *) s->goroutine_list[i])->place = i;
    gt_summary_sort(s->task_list, s->task_count, sizeof(*s->task_list), task_before);
    for (size_t i = 0; i < s->task_count; i++)
        ((struct gt_task_node *) s->task_list[i])->place = i;
}

static gt_status finish(struct gt_summary *s)
{
    sort_all(s);
    for (size_t i = 0; i < s->goroutine_count; i++) {
        struct gt_goroutine_node *g = (struct gt_goroutine_node *) s->goroutine_list[i];
        gt_status status = GT_OK;
        if (g->live)
            status = gt_goroutine_done(s, g, s->info.last_time, NULL);
        else
            gt_regions_publish(g);
        if (status != GT_OK)
            return status;
    }
    for (size_t i = 0; i < s->task_count; i++)
        gt_task_done(s, (struct gt_task_node *) s->task_list[i]);
    return GT_OK;
}

gt_status gt_summary_finish(gt_summary *summary)
{
    struct gt_summary *s = summary;
    if (!s || s->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (s->finished || s->failure != GT_OK)
        return s->failure;
    s->busy = 1;
    s->finished = 1;
    s->failure = finish(s);
    s->busy = 0;
    return s->failure;
}

static int shows_all(const struct gt_summary *s)
{
    return s && s->finished && s->failure == GT_OK && !(s->options.flags & GT_SUMMARY_DROP);
}

const gt_goroutine_summary *const *gt_summary_goroutines(const gt_summary *summary, size_t *count)
{
    int all = shows_all(summary);
    *count = all ? summary->goroutine_count : 0;
    return all ? (const gt_goroutine_summary *const *) summary->goroutine_list : NULL;
}

const gt_task_summary *const *gt_summary_tasks(const gt_summary *summary, size_t *count)
{
    int all = shows_all(summary);
    *count = all ? summary->task_count : 0;
    return all ? (const gt_task_summary *const *) summary->task_list : NULL;
}

const gt_goroutine_summary *gt_summary_find_goroutine(const gt_summary *summary, int64_t id)
{
    const struct gt_goroutine_node *g =
        shows_all(summary) ? gt_summary_goroutine(summary, id) : NULL;
    return g ? &g->s : NULL;
}

const gt_task_summary *gt_summary_find_task(const gt_summary *summary, uint64_t id)
{
    const struct gt_task_node *task = shows_all(summary) ? gt_idmap_get(&summary->tasks, id) : NULL;
    return task ? &task->s : NULL;
}

gt_status gt_summary_get_info(const gt_summary *summary, gt_summary_info *info)
{
    if (!summary || !gt_struct_fits(info, sizeof(struct info_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_summary_info all = summary->info;
    all.memory = summary->mem.used;
    all.memory_peak = summary->mem.peak;
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}
