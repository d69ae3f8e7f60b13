/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include "text.h"

/* The difference may overflow int64_t, as a damaged trace can have any times. */
static uint64_t stats_time_between(int64_t from, int64_t to)
{
    return (uint64_t) to - (uint64_t) from;
}

static void stats_raise_peak(struct stats_peak *peak, uint64_t value)
{
    if (!peak->known || value > peak->value)
        peak->value = value;
    peak->known = true;
}

static void stats_add_metric(struct stats *stats, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    if (metric.value.kind != GT_VALUE_UINT64)
        return;
    if (text_equals(metric.name, "/sched/gomaxprocs:threads"))
        stats_raise_peak(&stats->gomaxprocs, metric.value.number);
    else if (text_equals(metric.name, "/memory/classes/heap/objects:bytes"))
        stats_raise_peak(&stats->heap, metric.value.number);
}

void stats_note_first_procs(struct stats *stats, uint64_t procs)
{
    if (procs != 0)
        stats_raise_peak(&stats->gomaxprocs, procs);
}

static void stats_add_stop(struct stats *stats, const gt_event *event)
{
    if (event->kind == GT_EVENT_RANGE_BEGIN) {
        stats->stops++;
        if (stats->stops_active++ == 0)
            stats->stop_time = event->time;
    } else if (event->kind == GT_EVENT_RANGE_END && stats->stops_active > 0) {
        if (--stats->stops_active == 0)
            stats->stopped += stats_time_between(stats->stop_time, event->time);
    }
}

/* Counts cycles. An event that reports an active cycle in a later generation does not begin a new
 * cycle. */
static void stats_add_gc(struct stats *stats, const gt_event *event)
{
    bool active = event->kind != GT_EVENT_RANGE_END;
    stats->gc_cycles += active && !stats->gc_active;
    stats->gc_active = active;
}

static void stats_add_range(struct stats *stats, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_event_range(event, &range);
    if (range.has_cause)
        stats_add_stop(stats, event);
    else if (text_equals(range.name, "GC concurrent mark phase"))
        stats_add_gc(stats, event);
}

static bool stats_add_resource(struct stats *stats, const gt_resource *resource)
{
    switch (resource->kind) {
    case GT_RESOURCE_GOROUTINE:
        return idset_add(&stats->goroutines, resource->id);
    case GT_RESOURCE_PROC:
        return idset_add(&stats->procs, resource->id);
    case GT_RESOURCE_THREAD:
        return idset_add(&stats->threads, resource->id);
    default:
        return true;
    }
}

static bool stats_add_proc(struct stats *stats, int64_t proc)
{
    if (stats->has_stand_ins && proc >= GT_STAND_IN_TIMERS && proc <= GT_STAND_IN_GC)
        return true;
    return idset_add(&stats->procs, proc);
}

static bool stats_add_transition(struct stats *stats, const gt_event *event)
{
    /* The getter sets all other members. The initialiser is not used, because clearing the
     * structure for every second event of a trace would take time. */
    gt_transition change;
    change.size = sizeof(change);
    if (gt_event_transition(event, &change) != GT_OK)
        return true;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE) {
        stats->goroutines_created += change.from == GT_GO_NOT_EXIST;
        stats->goroutines_ended += change.to == GT_GO_NOT_EXIST;
    }
    return stats_add_resource(stats, &change.resource);
}

static void stats_add_first(struct stats *stats, const gt_event *event)
{
    stats->context = (struct stats_context){GT_NO_GOROUTINE, GT_NO_PROC, GT_NO_THREAD};
    stats->first_time = event->time;
    stats->has_wall_clock =
        gt_event_wall_clock(event, &stats->wall_seconds, &stats->wall_nanoseconds) == GT_OK;
}

/* Adds the context of an event. Most events have the context of the event before, for which nothing
 * needs to be done. */
static bool stats_add_context(struct stats *stats, const gt_event *event)
{
    const struct stats_context *last = &stats->context;
    if (event->goroutine == last->goroutine && event->proc == last->proc &&
        event->thread == last->thread)
        return true;
    stats->context = (struct stats_context){event->goroutine, event->proc, event->thread};
    return idset_add(&stats->goroutines, event->goroutine) && stats_add_proc(stats, event->proc) &&
           idset_add(&stats->threads, event->thread);
}

bool stats_add(struct stats *stats, const gt_event *event)
{
    if (stats->events++ == 0)
        stats_add_first(stats, event);
    stats->last_time = event->time;
    stats->kinds[event->kind < STATS_KINDS ? event->kind : 0]++;
    switch (event->kind) {
    case GT_EVENT_METRIC:
        stats_add_metric(stats, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        stats_add_range(stats, event);
        break;
    case GT_EVENT_STATE_TRANSITION:
        if (!stats_add_transition(stats, event))
            return false;
        break;
    default:
        break;
    }
    return stats_add_context(stats, event);
}

uint64_t stats_duration(const struct stats *stats)
{
    return stats_time_between(stats->first_time, stats->last_time);
}

uint64_t stats_stopped(const struct stats *stats)
{
    uint64_t stopped = stats->stopped;
    if (stats->stops_active > 0)
        stopped += stats_time_between(stats->stop_time, stats->last_time);
    return stopped;
}

void stats_free(struct stats *stats)
{
    idset_free(&stats->goroutines);
    idset_free(&stats->procs);
    idset_free(&stats->threads);
}
