/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"

#include "base/text.h"
#include "base/time.h"

/* Adds up what the runtime did from `from` until now. */
static gt_status compare_runtime_add(struct gt_compare *compare, uint32_t measure, uint32_t detail,
                                     int64_t from)
{
    const struct gt_compare_key key = {GT_COMPARE_TRACE, measure, 0, detail, false};
    gt_status status = gt_compare_add_time(&compare->set, &key, from);
    return status == GT_OK
               ? gt_compare_add_duration(&compare->set, &key, gt_time_minus(compare->set.now, from))
               : status;
}

static gt_status compare_assist(struct gt_compare *compare, struct gt_compare_goroutine *goroutine,
                                uint32_t kind)
{
    const struct gt_compare_key key = {GT_COMPARE_GOROUTINES, GT_COMPARE_ASSIST, goroutine->group,
                                       0, false};
    bool was_on = goroutine->assists;
    goroutine->assists = kind != GT_EVENT_RANGE_END;
    if (!was_on)
        goroutine->range_since = compare->set.now;
    if (!was_on || goroutine->assists)
        return GT_OK;
    goroutine->times.by[GT_COMPARE_ASSIST] +=
        (double) gt_time_minus(compare->set.now, goroutine->range_since);
    return gt_compare_add_time(&compare->set, &key, goroutine->range_since);
}

/* What tracing itself needs is no property of the program. */
static bool compare_stop_is_of_tracing(gt_string cause)
{
    return gt_text_is(cause, "start trace") || gt_text_is(cause, "stop trace");
}

static gt_status compare_stop(struct gt_compare *compare, struct gt_compare_goroutine *goroutine,
                              const gt_range *range, uint32_t kind)
{
    bool was_on = goroutine->stops;
    goroutine->stops = kind == GT_EVENT_RANGE_BEGIN && !compare_stop_is_of_tracing(range->cause);
    if (goroutine->stops) {
        goroutine->stop_since = compare->set.now;
        return gt_texts_add(&compare->texts, range->cause, &goroutine->stop_cause);
    }
    return was_on ? compare_runtime_add(compare, GT_COMPARE_STOP, goroutine->stop_cause,
                                        goroutine->stop_since)
                  : GT_OK;
}

static gt_status compare_mark(struct gt_compare *compare, uint32_t kind)
{
    bool was_on = compare->is_marking;
    compare->is_marking = kind != GT_EVENT_RANGE_END;
    if (!was_on)
        compare->mark_since = compare->set.now;
    return was_on && !compare->is_marking
               ? compare_runtime_add(compare, GT_COMPARE_GC, 0, compare->mark_since)
               : GT_OK;
}

gt_status gt_compare_range(struct gt_compare *compare, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return status;
    if (gt_text_is(range.name, "GC concurrent mark phase"))
        return compare_mark(compare, event->kind);
    struct gt_compare_goroutine *goroutine = range.scope.kind == GT_RESOURCE_GOROUTINE
                                                 ? gt_compare_goroutine_get(compare, range.scope.id)
                                                 : NULL;
    if (goroutine && gt_text_is(range.name, "GC mark assist"))
        return compare_assist(compare, goroutine, event->kind);
    return goroutine && range.has_cause ? compare_stop(compare, goroutine, &range, event->kind)
                                        : GT_OK;
}

/* The live heap falls when the collector has finished, and otherwise grows by what is allocated. */
gt_status gt_compare_metric(struct gt_compare *compare, const gt_event *event)
{
    const struct gt_compare_key key = {GT_COMPARE_TRACE, GT_COMPARE_ALLOCATED, 0, 0, false};
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(event, &metric);
    if (status != GT_OK || metric.value.kind != GT_VALUE_UINT64 ||
        !gt_text_is(metric.name, "/memory/classes/heap/objects:bytes"))
        return status;
    uint64_t before = compare->heap, heap = metric.value.number;
    bool grows = compare->has_heap && heap > before;
    compare->has_heap = true;
    compare->heap = heap;
    return grows ? gt_compare_add_one(&compare->set, &key, (double) (heap - before)) : GT_OK;
}
