/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/latency.h"

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/object.h"

static gt_status latency_texts_init(struct gt_latency *latency)
{
    static const gt_string empty = {"", 0}, created = {"created", 7}, syscall = {"syscall", 7},
                           coroutine = {"coroutine", 9};
    gt_status status = gt_stackset_init(&latency->stacks, &latency->mem);
    if (status != GT_OK)
        return status;
    latency->empty = gt_shared_text_get(&latency->texts, empty);
    latency->created = latency->empty ? gt_shared_text_get(&latency->texts, created) : NULL;
    latency->syscall = latency->created ? gt_shared_text_get(&latency->texts, syscall) : NULL;
    latency->coroutine = latency->syscall ? gt_shared_text_get(&latency->texts, coroutine) : NULL;
    return latency->coroutine ? GT_OK : gt_mem_failure(&latency->mem);
}

gt_status gt_latency_open(gt_latency **out, const gt_latency_options *options, gt_error *error)
{
    static const gt_latency_options defaults = GT_LATENCY_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("latency", gt_latency, gt_latency_options, allocator,
                         GT_LATENCY_PAIR_WAITS, &defaults, NULL);
    gt_status status;
    struct gt_latency *latency = gt_object_open(out, &layout, options, error, &status);
    if (!latency)
        return status;
    struct gt_mem *mem = &latency->mem;
    gt_shared_texts_init(&latency->texts, mem, GT_SHARED_TEXT_SPARE);
    gt_series_set_init(&latency->series, mem, &latency->texts, latency->options.series);
    gt_pairs_init(&latency->pairs, mem, latency->options.pairs,
                  (latency->options.flags & GT_LATENCY_PAIR_WAITS) != 0);
    gt_idmap_init_objects(&latency->goroutines, mem, sizeof(struct gt_timed_goroutine));
    gt_pool_init(&latency->region_pool, mem, sizeof(struct gt_timed_region));
    gt_idmap_init_objects(&latency->tasks, mem, sizeof(struct gt_timed_task));
    status = latency_texts_init(latency);
    if (status != GT_OK)
        gt_latency_close(&latency);
    *out = latency;
    return gt_error_report_plain(error, status);
}

void gt_latency_close(gt_latency **out)
{
    struct gt_latency *latency = out ? *out : NULL;
    if (!latency || latency->busy)
        return;
    gt_series_set_destroy(&latency->series);
    gt_pairs_destroy(&latency->pairs);
    gt_stackset_destroy(&latency->stacks);
    gt_shared_texts_destroy(&latency->texts);
    gt_idmap_destroy(&latency->goroutines);
    gt_pool_destroy(&latency->region_pool);
    gt_idmap_destroy(&latency->tasks);
    gt_mem_delete(&latency->mem, latency, sizeof(*latency));
    *out = NULL;
}

static gt_status latency_dispatch(struct gt_latency *latency, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_latency_transition(latency, event);
    case GT_EVENT_SYNC:
        /* In a new generation other strings can be at the addresses of old ones. */
        gt_recent_texts_clear(&latency->recent, &latency->texts);
        return GT_OK;
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_latency_task(latency, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_latency_region_begin(latency, event);
    case GT_EVENT_REGION_END:
        return gt_latency_region_end(latency, event);
    default:
        return GT_OK;
    }
}

gt_status gt_latency_event(gt_latency *latency, struct gt_reader *reader, const gt_event *event)
{
    if (!latency || !event || latency->busy || latency->finished ||
        (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (latency->failure != GT_OK)
        return latency->failure;
    latency->busy = true;
    latency->reader = reader;
    latency->event = event;
    /* Without a reader nothing says how long the strings of the last event were at their place. */
    if (!reader)
        gt_recent_texts_clear(&latency->recent, &latency->texts);
    latency->events++;
    latency->failure = latency_dispatch(latency, event);
    latency->busy = false;
    return latency->failure;
}

/* Whether callers may see the results: no event came since they were sorted. */
static bool latency_is_visible(const struct gt_latency *latency)
{
    return latency->sorted_events == latency->events;
}

static void latency_sort(struct gt_latency *latency)
{
    gt_series_set_sort(&latency->series);
    gt_pairs_sort(&latency->pairs);
    latency->sorted_events = latency->events;
}

gt_status gt_latency_finish(gt_latency *latency)
{
    if (!latency || latency->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (latency->finished || latency->failure != GT_OK)
        return latency->failure;
    latency_sort(latency);
    latency->finished = true;
    return GT_OK;
}

gt_status gt_latency_snapshot(gt_latency *latency)
{
    if (!latency || latency->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (latency->failure == GT_OK && !latency_is_visible(latency))
        latency_sort(latency);
    return latency->failure;
}

size_t gt_latency_series_count(const gt_latency *latency)
{
    return latency && latency_is_visible(latency) ? latency->series.list.count : 0;
}

gt_status gt_latency_get_series(const gt_latency *latency, size_t index, gt_latency_series *series)
{
    if (!latency || !gt_struct_fits(series, GT_UP_TO(gt_latency_series, maximum)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_series_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_series *from = latency->series.list.items[index];
    const struct gt_durations *durations = &from->durations;
    gt_latency_series all = {
        sizeof(all),      from->kind,     from->group,        from->name->string,
        durations->count, durations->sum, durations->minimum, durations->maximum,
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
    *duration = gt_durations_quantile(&latency->series.list.items[index]->durations, part);
    return GT_OK;
}

gt_status gt_latency_next_bucket(const gt_latency *latency, size_t index, gt_latency_bucket *bucket)
{
    if (!latency || !gt_struct_fits(bucket, GT_UP_TO(gt_latency_bucket, count)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_series_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    return gt_durations_next_bucket(&latency->series.list.items[index]->durations, bucket);
}

size_t gt_latency_pair_count(const gt_latency *latency)
{
    return latency && latency_is_visible(latency) ? latency->pairs.list.count : 0;
}

gt_status gt_latency_get_pair(const gt_latency *latency, size_t index, gt_latency_pair *pair)
{
    if (!latency || !gt_struct_fits(pair, GT_UP_TO(gt_latency_pair, reason)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_pair_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_pair *from = &latency->pairs.list.items[index];
    gt_latency_pair all = GT_LATENCY_PAIR_INIT;
    all.count = from->count;
    all.time = from->time;
    all.reason = latency->empty->string;
    if (from->waits) {
        const struct gt_wait *longest = &from->waits->longest;
        all.maximum = from->waits->durations.maximum;
        all.begin = longest->begin;
        all.goroutine = longest->goroutine;
        all.unblocker = longest->ended_by;
        all.reason = longest->reason->string;
    }
    gt_struct_give(pair, &all, sizeof(all));
    return GT_OK;
}

/* The durations of the waits of a pair, or NULL if there is no such pair or it has none. */
static const struct gt_durations *latency_pair_durations(const struct gt_latency *latency,
                                                         size_t index)
{
    if (index >= gt_latency_pair_count(latency) || !latency->pairs.has_waits)
        return NULL;
    return &latency->pairs.list.items[index].waits->durations;
}

gt_status gt_latency_pair_quantile(const gt_latency *latency, size_t index, double part,
                                   int64_t *duration)
{
    if (!latency || !duration || !(part >= 0 && part <= 1))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_durations *durations = latency_pair_durations(latency, index);
    if (!durations)
        return GT_ERR_NOT_AVAILABLE;
    *duration = gt_durations_quantile(durations, part);
    return GT_OK;
}

gt_status gt_latency_next_pair_bucket(const gt_latency *latency, size_t index,
                                      gt_latency_bucket *bucket)
{
    if (!latency || !gt_struct_fits(bucket, GT_UP_TO(gt_latency_bucket, count)))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_durations *durations = latency_pair_durations(latency, index);
    return durations ? gt_durations_next_bucket(durations, bucket) : GT_ERR_NOT_AVAILABLE;
}

gt_status gt_latency_pair_frames(const gt_latency *latency, size_t index, uint32_t side,
                                 gt_frame *frames, size_t capacity, size_t *count)
{
    if (!latency || !count || (!frames && capacity != 0) || side > GT_LATENCY_UNBLOCKER)
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_latency_pair_count(latency))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_pair *pair = &latency->pairs.list.items[index];
    *count = gt_stackset_frames(&latency->stacks,
                                side == GT_LATENCY_WAITER ? pair->waiter : pair->unblocker, frames,
                                capacity);
    return GT_OK;
}

gt_status gt_latency_get_info(const gt_latency *latency, gt_latency_info *info)
{
    if (!latency || !gt_struct_fits(info, GT_UP_TO(gt_latency_info, memory_peak)))
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
