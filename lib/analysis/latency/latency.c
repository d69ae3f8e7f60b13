/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/latency.h"

#include <assert.h>
#include <stddef.h>

#include "base/sized.h"

/* The first release's layouts; members are only ever added at the end. */
struct options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t series;
    uint64_t pairs;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

struct series_v1 {
    size_t size;
    uint32_t kind;
    uint32_t group;
    gt_string name;
    uint64_t count;
    int64_t sum;
    int64_t minimum;
    int64_t maximum;
};

struct bucket_v1 {
    size_t size;
    int64_t from;
    int64_t to;
    uint64_t count;
};

struct pair_v1 {
    size_t size;
    uint64_t count;
    int64_t time;
};

struct info_v1 {
    size_t size;
    uint64_t events;
    uint64_t unpaired;
    uint64_t memory;
    uint64_t memory_peak;
};

static_assert(sizeof(gt_latency_options) == sizeof(struct options_v1), "gt_latency_options");
static_assert(sizeof(gt_latency_series) == sizeof(struct series_v1), "gt_latency_series");
static_assert(sizeof(gt_latency_bucket) == sizeof(struct bucket_v1), "gt_latency_bucket");
static_assert(sizeof(gt_latency_pair) == sizeof(struct pair_v1), "gt_latency_pair");
static_assert(sizeof(gt_latency_info) == sizeof(struct info_v1), "gt_latency_info");

static gt_status take_options(gt_latency_options *out, gt_allocator *allocator,
                              const gt_latency_options *options)
{
    *out = (gt_latency_options) GT_LATENCY_OPTIONS_INIT;
    if (options) {
        gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct options_v1), options);
        if (status != GT_OK)
            return status;
    }
    return out->flags != 0 ? GT_ERR_INVALID_ARGUMENT : gt_allocator_take(allocator, out->allocator);
}

static gt_status use_constants(struct gt_latency *l)
{
    static const gt_string empty = {"", 0}, created = {"created", 7}, syscall = {"syscall", 7};
    gt_status status = gt_stackset_init(&l->stacks, &l->mem);
    if (status != GT_OK)
        return status;
    l->empty = gt_shared_text_get(&l->texts, empty);
    l->created = l->empty ? gt_shared_text_get(&l->texts, created) : NULL;
    l->syscall = l->created ? gt_shared_text_get(&l->texts, syscall) : NULL;
    return l->syscall ? GT_OK : gt_mem_failure(&l->mem);
}

gt_status gt_latency_open(gt_latency **latency, const gt_latency_options *options)
{
    if (!latency)
        return GT_ERR_INVALID_ARGUMENT;
    *latency = NULL;
    gt_latency_options taken;
    gt_allocator allocator;
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_latency *l = gt_mem_create(sizeof(*l), offsetof(struct gt_latency, mem), &allocator,
                                         taken.memory_limit, &status);
    if (!l)
        return status;
    l->options = taken;
    gt_shared_texts_init(&l->texts, &l->mem, GT_SHARED_TEXT_SPARE);
    gt_series_set_init(&l->series, &l->mem, &l->texts, taken.series);
    gt_pairs_init(&l->pairs, &l->mem, taken.pairs);
    gt_idmap_init(&l->goroutines, &l->mem);
    gt_pool_init(&l->goroutine_pool, &l->mem, sizeof(struct gt_lgoroutine));
    gt_pool_init(&l->region_pool, &l->mem, sizeof(struct gt_lregion));
    gt_idmap_init(&l->tasks, &l->mem);
    gt_pool_init(&l->task_pool, &l->mem, sizeof(struct gt_ltask));
    status = use_constants(l);
    if (status != GT_OK)
        gt_latency_close(&l);
    *latency = l;
    return status;
}

void gt_latency_close(gt_latency **latency)
{
    struct gt_latency *l = latency ? *latency : NULL;
    if (!l || l->busy)
        return;
    l->busy = 1;
    gt_series_set_destroy(&l->series);
    gt_pairs_destroy(&l->pairs);
    gt_stackset_destroy(&l->stacks);
    gt_shared_texts_destroy(&l->texts);
    gt_idmap_destroy(&l->goroutines);
    gt_pool_destroy(&l->goroutine_pool);
    gt_pool_destroy(&l->region_pool);
    gt_idmap_destroy(&l->tasks);
    gt_pool_destroy(&l->task_pool);
    struct gt_mem mem = l->mem;
    gt_mem_free(&mem, l, sizeof(*l));
    *latency = NULL;
}

static gt_status take_in(struct gt_latency *l, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_latency_transition(l, event);
    case GT_EVENT_SYNC:
        gt_latency_forget_reasons(l);
        return GT_OK;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_latency_task(l, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_latency_region_begin(l, event);
    case GT_EVENT_REGION_END:
        return gt_latency_region_end(l, event);
    default:
        return GT_OK;
    }
}

gt_status gt_latency_event(gt_latency *latency, struct gt_reader *reader, const gt_event *event)
{
    struct gt_latency *l = latency;
    if (!l || !event || l->busy || l->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (l->failure != GT_OK)
        return l->failure;
    l->busy = 1;
    l->reader = reader;
    l->events++;
    l->failure = take_in(l, event);
    l->busy = 0;
    return l->failure;
}

gt_status gt_latency_finish(gt_latency *latency)
{
    struct gt_latency *l = latency;
    if (!l || l->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (l->finished || l->failure != GT_OK)
        return l->failure;
    l->finished = 1;
    gt_series_set_sort(&l->series);
    gt_pairs_sort(&l->pairs);
    return GT_OK;
}

size_t gt_latency_series_count(const gt_latency *latency)
{
    return latency && latency->finished ? latency->series.count : 0;
}

gt_status gt_latency_get_series(const gt_latency *latency, size_t index, gt_latency_series *series)
{
    if (!latency || !gt_struct_fits(series, sizeof(struct series_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_series_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_series *from = latency->series.list[index];
    gt_latency_series all = {
        sizeof(all), from->kind, from->group,   from->name->string,
        from->count, from->sum,  from->minimum, from->maximum,
    };
    gt_struct_give(series, &all, sizeof(all));
    return GT_OK;
}

gt_status gt_latency_quantile(const gt_latency *latency, size_t index, double part,
                              int64_t *duration)
{
    if (!latency || !duration || !(part >= 0 && part <= 1))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_series_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    *duration = gt_series_quantile(latency->series.list[index], part);
    return GT_OK;
}

gt_status gt_latency_next_bucket(const gt_latency *latency, size_t index, gt_latency_bucket *bucket)
{
    if (!latency || !gt_struct_fits(bucket, sizeof(struct bucket_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_series_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    return gt_series_next_bucket(latency->series.list[index], bucket);
}

size_t gt_latency_pair_count(const gt_latency *latency)
{
    return latency && latency->finished ? latency->pairs.count : 0;
}

gt_status gt_latency_get_pair(const gt_latency *latency, size_t index, gt_latency_pair *pair)
{
    if (!latency || !gt_struct_fits(pair, sizeof(struct pair_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_pair_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_pair *from = &latency->pairs.slots[index];
    gt_latency_pair all = {sizeof(all), from->count, from->time};
    gt_struct_give(pair, &all, sizeof(all));
    return GT_OK;
}

gt_status gt_latency_pair_frames(const gt_latency *latency, size_t index, uint32_t side,
                                 gt_frame *frames, size_t capacity, size_t *count)
{
    if (!latency || !count || (!frames && capacity != 0) || side > GT_LATENCY_UNBLOCKER)
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_pair_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_pair *pair = &latency->pairs.slots[index];
    *count = gt_stackset_frames(&latency->stacks,
                                side == GT_LATENCY_WAITER ? pair->waiter : pair->unblocker, frames,
                                capacity);
    return GT_OK;
}

gt_status gt_latency_get_info(const gt_latency *latency, gt_latency_info *info)
{
    if (!latency || !gt_struct_fits(info, sizeof(struct info_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_latency_info all = {
        sizeof(all), latency->events, latency->pairs.lost, latency->mem.used, latency->mem.peak,
    };
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}

const char *gt_latency_kind_name(uint32_t kind)
{
    static const char *const names[] = {"bad", "sched", "block", "task", "region"};
    return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : names[0];
}

const char *gt_latency_group_name(uint32_t group)
{
    static const char *const names[] = {"all", "goroutine", "reason", "task", "region"};
    return group < sizeof(names) / sizeof(names[0]) ? names[group] : "bad";
}
