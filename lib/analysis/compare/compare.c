/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/object.h"
#include "base/time.h"

gt_status gt_compare_open(gt_compare **out, const gt_compare_options *options, gt_error *error)
{
    static const gt_compare_options defaults = GT_COMPARE_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "compare", gt_compare, gt_compare_options, allocator, GT_COMPARE_STACKS, &defaults, NULL);
    gt_status status;
    struct gt_compare *compare = gt_object_open(out, &layout, options, error, &status);
    if (!compare)
        return status;
    struct gt_mem *mem = &compare->mem;
    gt_compare_set_init(&compare->set, mem, compare->options.series);
    gt_idmap_init_objects(&compare->goroutines, mem, sizeof(struct gt_compare_goroutine));
    gt_idmap_init_objects(&compare->tasks, mem, sizeof(struct gt_compare_task));
    gt_pool_init(&compare->region_pool, mem, sizeof(struct gt_compare_region));
    status = gt_texts_init(&compare->texts, mem);
    if (status == GT_OK)
        status = gt_stackset_init(&compare->stacks, mem);
    if (status != GT_OK)
        gt_compare_close(&compare);
    *out = compare;
    return gt_error_report_plain(error, status);
}

void gt_compare_close(gt_compare **out)
{
    struct gt_compare *compare = out ? *out : NULL;
    if (!compare || compare->busy)
        return;
    gt_texts_destroy(&compare->texts);
    gt_stackset_destroy(&compare->stacks);
    gt_array_free(&compare->mem, &compare->stack_names);
    gt_compare_set_destroy(&compare->set);
    gt_idmap_destroy(&compare->goroutines);
    gt_idmap_destroy(&compare->tasks);
    gt_pool_destroy(&compare->region_pool);
    gt_array_free(&compare->mem, &compare->rows);
    gt_array_free(&compare->mem, &compare->order);
    gt_mem_delete(&compare->mem, compare, sizeof(*compare));
    *out = NULL;
}

/* Handles of stacks of another reader may be equal, so stacks are forgotten with their trace. */
static gt_status compare_trace_end(struct gt_compare *compare)
{
    if (!compare->in_trace)
        return GT_OK;
    compare->in_trace = false;
    gt_status status = gt_compare_goroutines_end(compare);
    if (status == GT_OK)
        status = gt_compare_set_end(&compare->set, compare->traces[compare->side]);
    compare->traces[compare->side]++;
    compare->switched.step = GT_SWITCH_NONE;
    gt_idmap_destroy(&compare->tasks);
    compare->is_marking = false;
    compare->has_heap = false;
    gt_stackset_destroy(&compare->stacks);
    compare->stack_names.count = 0;
    gt_status made = gt_stackset_init(&compare->stacks, &compare->mem);
    return status == GT_OK ? made : status;
}

gt_status gt_compare_begin(gt_compare *compare, uint32_t side)
{
    if (!compare || compare->busy || compare->finished || side >= GT_COMPARE_SIDES)
        return GT_ERR_INVALID_ARGUMENT;
    if (compare->failure != GT_OK)
        return compare->failure;
    compare->busy = true;
    compare->failure = compare_trace_end(compare);
    compare->begun = true;
    compare->side = side;
    compare->busy = false;
    return compare->failure;
}

static gt_status compare_dispatch(struct gt_compare *compare, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_compare_transition(compare, event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_compare_task_event(compare, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_compare_region_begin(compare, event);
    case GT_EVENT_REGION_END:
        return gt_compare_region_end(compare, event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return gt_compare_range(compare, event);
    case GT_EVENT_METRIC:
        return gt_compare_metric(compare, event);
    case GT_EVENT_LABEL:
        return gt_compare_label(compare, event);
    default:
        return GT_OK;
    }
}

static gt_status compare_event_enter(struct gt_compare *compare, const gt_event *event)
{
    compare->events++;
    if (!compare->in_trace) {
        compare->in_trace = true;
        gt_compare_set_begin(&compare->set, compare->side, event->time);
        return GT_OK;
    }
    return event->time > compare->set.now ? gt_compare_set_advance(&compare->set, event->time)
                                          : GT_OK;
}

gt_status gt_compare_event(gt_compare *compare, struct gt_reader *reader, const gt_event *event)
{
    if (!compare || !event || compare->busy || compare->finished || !compare->begun ||
        (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (compare->failure != GT_OK)
        return compare->failure;
    compare->busy = true;
    compare->reader = reader;
    compare->event = event;
    compare->failure = compare_event_enter(compare, event);
    if (compare->failure == GT_OK)
        compare->failure = compare_dispatch(compare, event);
    compare->busy = false;
    return compare->failure;
}

gt_status gt_compare_finish(gt_compare *compare)
{
    if (!compare || compare->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (compare->finished || compare->failure != GT_OK)
        return compare->failure;
    compare->busy = true;
    compare->failure = compare_trace_end(compare);
    if (compare->failure == GT_OK)
        compare->failure = gt_compare_all(compare);
    compare->finished = true;
    compare->busy = false;
    return compare->failure;
}

size_t gt_compare_count(const gt_compare *compare)
{
    return compare && compare->finished && compare->failure == GT_OK ? compare->order.count : 0;
}

gt_status gt_compare_get(const gt_compare *compare, size_t index, gt_compare_difference *difference)
{
    if (!compare || !gt_struct_fits(difference, GT_UP_TO(gt_compare_difference, reserved)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_compare_count(compare))
        return GT_ERR_NOT_AVAILABLE;
    gt_struct_give(difference, &compare->rows.items[compare->order.items[index]].difference,
                   sizeof(*difference));
    return GT_OK;
}

/* Fills a bucket with the sum of the pieces. They are few, so the next one is searched for. */
static gt_status part_next_bucket(const struct gt_compare_part *part, gt_latency_bucket *bucket)
{
    gt_latency_bucket next = GT_LATENCY_BUCKET_INIT;
    for (size_t i = 0; i < part->buckets.count; i++) {
        const struct gt_compare_bucket *each = &part->buckets.items[i];
        if (each->from < bucket->to || (next.count > 0 && each->from > next.from))
            continue;
        if (each->from != next.from)
            next.count = 0;
        next.from = each->from;
        next.count += each->count;
    }
    if (next.count == 0)
        return GT_END;
    next.to = gt_durations_bucket_end(next.from);
    gt_struct_give(bucket, &next, sizeof(next));
    return GT_OK;
}

gt_status gt_compare_next_bucket(const gt_compare *compare, size_t index, uint32_t side,
                                 gt_latency_bucket *bucket)
{
    if (!compare || side >= GT_COMPARE_SIDES ||
        !gt_struct_fits(bucket, GT_UP_TO(gt_latency_bucket, count)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_compare_count(compare))
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_compare_row *row = &compare->rows.items[compare->order.items[index]];
    return part_next_bucket(&compare->set.list.items[row->series].parts[side], bucket);
}

gt_status gt_compare_get_info(const gt_compare *compare, gt_compare_info *info)
{
    if (!compare || compare->busy || !gt_struct_fits(info, GT_UP_TO(gt_compare_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_compare_info all = GT_COMPARE_INFO_INIT;
    int64_t times[GT_COMPARE_SIDES] = {0, 0};
    for (uint32_t side = 0; side < GT_COMPARE_SIDES; side++) {
        for (size_t i = 0; i < compare->set.pieces[side].count; i++)
            gt_time_add_to(&times[side], (int64_t) compare->set.pieces[side].items[i].time);
    }
    all.events = compare->events;
    all.before_traces = compare->traces[0];
    all.after_traces = compare->traces[1];
    all.before_time = times[0];
    all.after_time = times[1];
    all.before_pieces = compare->set.pieces[0].count;
    all.after_pieces = compare->set.pieces[1].count;
    all.tested = compare->tested[GT_COMPARE_OF_NAMES] + compare->tested[GT_COMPARE_OF_STACKS];
    all.lost = compare->set.lost;
    all.memory = compare->mem.used;
    all.memory_peak = compare->mem.peak;
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}

const char *gt_compare_subject_name(uint32_t subject)
{
    static const char *const names[] = {"bad", "trace", "goroutine", "task", "region", "stack"};
    return subject < sizeof(names) / sizeof(names[0]) ? names[subject] : names[0];
}

const char *gt_compare_measure_name(uint32_t measure)
{
    static const char *const names[] = {"bad",     "duration", "running", "scheduler", "blocked",
                                        "syscall", "assist",   "gc",      "stop",      "allocated"};
    return measure < sizeof(names) / sizeof(names[0]) ? names[measure] : names[0];
}

const char *gt_compare_statistic_name(uint32_t statistic)
{
    static const char *const names[] = {"bad", "per-second", "rate", "mean", "p50", "p90", "p99"};
    return statistic < sizeof(names) / sizeof(names[0]) ? names[statistic] : names[0];
}

const char *gt_compare_verdict_name(uint32_t verdict)
{
    static const char *const names[] = {"noise", "worse", "better", "changed", "added", "removed"};
    return verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "bad";
}
