/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"

#include <string.h>

#include "base/procs.h"
#include "base/text.h"
#include "base/time.h"

#define ASSIST "GC mark assist"
#define SWEEP  "GC incremental sweep"
#define MARK   "GC concurrent mark phase"
#define STOP   "stop-the-world"

/*
 * Until when a goroutine has marked that did from a time on. Whoever finds nothing more to mark has
 * to end the phase: it waits until all procs have looked, stops the world and starts it again. That
 * may take long on a machine that is busy, and is no marking. It shows by the stop, and by another
 * goroutine that has waited for its turn to end the phase.
 */
static int64_t mark_end(const struct gt_report *report, const struct gt_report_goroutine *goroutine,
                        int64_t from)
{
    int64_t until = goroutine->mark_until < report->now ? goroutine->mark_until : report->now;
    return until > from ? until : from;
}

void gt_report_mark_end(struct gt_report_goroutine *goroutine, int64_t time)
{
    if (time < goroutine->mark_until)
        goroutine->mark_until = time;
}

/* Counts an assist, or the part of it in which the goroutine runs. */
static void assist_add(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                       int64_t since)
{
    struct gt_report_group *group = gt_report_group_of(report, goroutine);
    int64_t from = goroutine->assist_since > since ? goroutine->assist_since : since;
    int64_t until = mark_end(report, goroutine, from);
    int64_t time = gt_time_minus(until, from);
    gt_time_add_to(&group->assist, time);
    gt_time_add_to(&report->collector.assisting, time);
    gt_report_span_keep(&group->longest_assist, goroutine->id, from, until);
}

void gt_report_run_leave(struct gt_report *report, struct gt_report_goroutine *goroutine,
                         int64_t since)
{
    struct gt_report_group *group = gt_report_group_of(report, goroutine);
    int64_t time = gt_time_minus(report->now, since);
    gt_time_add_to(&group->running, time);
    group->runs++;
    if (group->is_worker && !goroutine->is_idle_worker)
        gt_time_add_to(&report->collector.marking,
                       gt_time_minus(mark_end(report, goroutine, since), since));
    if (goroutine->assists)
        assist_add(report, goroutine, since);
}

static void assist_change(struct gt_report *report, struct gt_report_goroutine *goroutine,
                          uint32_t kind)
{
    if (kind == GT_EVENT_RANGE_END) {
        if (goroutine->assists && goroutine->state == GT_GO_RUNNING)
            assist_add(report, goroutine, goroutine->since);
        gt_report_group_of(report, goroutine)->assists += goroutine->assists;
        goroutine->assists = false;
    } else if (!goroutine->assists) {
        goroutine->assists = true;
        goroutine->mark_until = INT64_MAX;
        goroutine->assist_since = kind == GT_EVENT_RANGE_BEGIN ? report->now : report->start;
    }
}

/* Finds or adds the stops of a cause. NULL: no memory. */
static struct gt_report_stop *stop_get(struct gt_report *report, uint32_t cause)
{
    struct gt_report_collector *collector = &report->collector;
    const struct gt_report_stop blank = {
        .cause = cause, .longest = GT_REPORT_NO_SPAN, .held = GT_REPORT_NO_SPAN};
    if (gt_array_extend(&report->mem, &collector->stop_of_text, (size_t) cause + 1) != GT_OK)
        return NULL;
    uint32_t *number = &collector->stop_of_text.items[cause];
    if (*number == 0) {
        if (gt_array_add(&report->mem, &collector->stops, blank) != GT_OK)
            return NULL;
        *number = (uint32_t) collector->stops.count;
    }
    return &collector->stops.items[*number - 1];
}

static gt_status stop_begin(struct gt_report *report, struct gt_report_goroutine *goroutine,
                            const gt_range *range)
{
    gt_status status = goroutine->stops ? GT_OK : gt_report_idle_stop(report, true);
    goroutine->stops = true;
    goroutine->stop_since = report->now;
    gt_report_mark_end(goroutine, report->now);
    if (status == GT_OK)
        status = gt_texts_add(&report->texts, range->cause, &goroutine->stop_cause);
    return status == GT_OK ? gt_report_stack_number(report, gt_event_stack(report->event),
                                                    &goroutine->stop_stack)
                           : status;
}

/* What tracing itself needs is no fault of the program. */
static bool stop_is_of_tracing(const struct gt_report *report, uint32_t cause)
{
    gt_string text = report->texts.list.items[cause];
    return gt_text_is(text, "start trace") || gt_text_is(text, "stop trace");
}

gt_status gt_report_stop_hold(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                              gt_stack stack)
{
    struct gt_report_collector *collector = &report->collector;
    if (goroutine->stops || gt_report_group_of(report, goroutine)->is_system)
        return GT_OK;
    collector->holder = (struct gt_report_span){goroutine->id, report->now, report->now};
    collector->holder_group = goroutine->group;
    return gt_report_stack_number(report, stack, &collector->holder_stack);
}

/* Notes who ran on for longest, if that is what a stop has taken most of its time for. */
static void stop_holder_keep(const struct gt_report *report, struct gt_report_stop *stop,
                             int64_t since)
{
    const struct gt_report_collector *collector = &report->collector;
    const struct gt_report_span *holder = &collector->holder;
    int64_t ran = gt_time_minus(holder->end, since), whole = gt_time_minus(report->now, since);
    if (holder->goroutine == GT_NO_GOROUTINE || holder->end < since ||
        ran <= gt_time_minus(whole, ran))
        return;
    int64_t before = gt_time_minus(stop->held.end, stop->held.start);
    stop->held_count++;
    if (ran <= before)
        return;
    stop->held = (struct gt_report_span){holder->goroutine, since, holder->end};
    stop->held_group = collector->holder_group;
    stop->held_stack = collector->holder_stack;
}

static gt_status stop_end(struct gt_report *report, struct gt_report_goroutine *goroutine)
{
    if (!goroutine->stops)
        return GT_OK;
    goroutine->stops = false;
    gt_status status = gt_report_idle_stop(report, false);
    if (status != GT_OK || stop_is_of_tracing(report, goroutine->stop_cause))
        return status;
    struct gt_report_stop *stop = stop_get(report, goroutine->stop_cause);
    if (!stop)
        return gt_mem_failure(&report->mem);
    int64_t before = stop->longest.start;
    stop_holder_keep(report, stop, goroutine->stop_since);
    stop->count++;
    gt_time_add_to(&stop->time, gt_time_minus(report->now, goroutine->stop_since));
    gt_report_span_keep(&stop->longest, goroutine->id, goroutine->stop_since, report->now);
    if (stop->longest.start != before || stop->count == 1) {
        stop->stack = goroutine->stop_stack;
        stop->group = gt_report_group_of(report, goroutine)->text;
    }
    return GT_OK;
}

static gt_status range_on_goroutine(struct gt_report *report, const gt_range *range, uint32_t kind)
{
    struct gt_report_goroutine *goroutine = gt_report_goroutine_get(report, range->scope.id);
    if (!goroutine)
        return GT_OK;
    if (gt_text_is(range->name, ASSIST))
        assist_change(report, goroutine, kind);
    else if (gt_text_is(range->name, STOP))
        return kind == GT_EVENT_RANGE_END ? stop_end(report, goroutine)
                                          : stop_begin(report, goroutine, range);
    return GT_OK;
}

static gt_status range_on_proc(struct gt_report *report, const gt_range *range, uint32_t kind)
{
    struct gt_report_collector *collector = &report->collector;
    uint64_t id = (uint64_t) range->scope.id;
    struct gt_report_sweep *sweep = gt_idmap_get(&collector->sweeps, id);
    if (!gt_text_is(range->name, SWEEP))
        return GT_OK;
    if (kind == GT_EVENT_RANGE_END) {
        if (!sweep)
            return GT_OK;
        gt_time_add_to(&collector->sweeping, gt_time_minus(report->now, sweep->since));
        gt_idmap_drop(&collector->sweeps, id, sweep);
        return GT_OK;
    }
    if (sweep)
        return GT_OK;
    /* What an assist sweeps is part of it. */
    const struct gt_report_goroutine *goroutine =
        gt_report_goroutine_get(report, report->event->goroutine);
    if (goroutine && goroutine->assists)
        return GT_OK;
    sweep = gt_idmap_add(&collector->sweeps, id);
    if (!sweep)
        return gt_mem_failure(&report->mem);
    sweep->since = kind == GT_EVENT_RANGE_BEGIN ? report->now : report->start;
    return GT_OK;
}

static void cycle_change(struct gt_report *report, uint32_t kind)
{
    struct gt_report_collector *collector = &report->collector;
    if (kind == GT_EVENT_RANGE_BEGIN) {
        collector->cycles++;
        collector->is_marking = true;
        collector->cycle_since = report->now;
    } else if (kind == GT_EVENT_RANGE_END && collector->is_marking) {
        collector->is_marking = false;
        gt_report_span_keep(&collector->longest_cycle, GT_NO_GOROUTINE, collector->cycle_since,
                            report->now);
    }
}

gt_status gt_report_range(struct gt_report *report, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return status;
    if (range.scope.kind == GT_RESOURCE_GOROUTINE)
        return range_on_goroutine(report, &range, event->kind);
    if (range.scope.kind == GT_RESOURCE_PROC)
        return range_on_proc(report, &range, event->kind);
    if (gt_text_is(range.name, MARK))
        cycle_change(report, event->kind);
    return GT_OK;
}

gt_status gt_report_label(struct gt_report *report, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_status status = gt_event_label(event, &label);
    if (status != GT_OK || label.resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_report_goroutine *goroutine = gt_report_goroutine_get(report, label.resource.id);
    if (!goroutine)
        return GT_OK;
    goroutine->is_idle_worker = gt_text_is(label.label, "GC (idle)");
    if (goroutine->is_named || !gt_text_starts_with(label.label, "GC ("))
        return GT_OK;
    /* Before Go 1.22, workers that existed before the trace may have no stack. */
    goroutine->is_named = true;
    return gt_report_group_named(
        report, (gt_string){GT_REPORT_MARK_WORKER, sizeof(GT_REPORT_MARK_WORKER) - 1},
        &goroutine->group);
}

gt_status gt_report_metric(struct gt_report *report, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(event, &metric);
    if (status != GT_OK || metric.value.kind != GT_VALUE_UINT64)
        return status;
    if (gt_text_is(metric.name, GT_PROCS_METRIC))
        return gt_report_cpu_set_procs(report, metric.value.number);
    if (gt_text_is(metric.name, "/gc/heap/goal:bytes") &&
        metric.value.number > report->collector.goal)
        report->collector.goal = metric.value.number;
    return GT_OK;
}

static gt_status collector_cpu_find(struct gt_report *report)
{
    const struct gt_report_collector *collector = &report->collector;
    const double parts[] = {(double) collector->marking, (double) collector->assisting,
                            (double) collector->sweeping};
    static const char *const names[] = {"marking by workers", "assists", "sweeping"};
    struct gt_report_found found = {.kind = GT_KIND_GC_CPU, .example = collector->longest_cycle};
    found.figure = parts[0] + parts[1] + parts[2];
    found.share = gt_report_percent(found.figure, gt_report_proc_time(report));
    found.excess = gt_report_excess(report, found.share, GT_LIMIT_GC_CPU_SHARE);
    if (!(found.share > report->limits[GT_LIMIT_GC_CPU_SHARE]) ||
        found.figure <= report->limits[GT_LIMIT_GC_CPU_TIME])
        return GT_OK;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct gt_report_about about = {.figure = parts[i], .count = collector->cycles};
        gt_status status = gt_texts_add_borrowed(
            &report->texts, (gt_string){names[i], strlen(names[i])}, &about.detail);
        if (status != GT_OK)
            return status;
        gt_report_top_keep(&found.top, &about);
    }
    return gt_report_found_add(report, &found);
}

static gt_status collector_assist_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_GC_ASSIST, .example = GT_REPORT_NO_SPAN};
    double running = 0;
    for (size_t i = 0; i < report->groups.count; i++) {
        const struct gt_report_group *group = &report->groups.items[i];
        const struct gt_report_about about = {
            .figure = (double) group->assist, .count = group->assists, .group = group->text};
        if (group->is_system || about.figure <= report->limits[GT_LIMIT_ASSIST_TIME] ||
            gt_report_percent(about.figure, (double) group->running) <=
                report->limits[GT_LIMIT_ASSIST_SHARE])
            continue;
        found.figure += about.figure;
        running += (double) group->running;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, group->longest_assist.goroutine,
                            group->longest_assist.start, group->longest_assist.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    found.share = gt_report_percent(found.figure, running);
    found.excess = gt_report_excess(report, found.share, GT_LIMIT_ASSIST_SHARE);
    return gt_report_found_add(report, &found);
}

/* For how long at most a goroutine ran on in stops of one cause, if that is long, or 0. */
static double stop_held(const struct gt_report *report, const struct gt_report_stop *stop)
{
    double held = (double) gt_time_minus(stop->held.end, stop->held.start);
    return held > report->limits[GT_LIMIT_STOP_LONGEST] ? held : 0;
}

bool gt_report_stops_were_held(const struct gt_report *report)
{
    for (size_t i = 0; i < report->collector.stops.count; i++) {
        if (stop_held(report, &report->collector.stops.items[i]) > 0)
            return true;
    }
    return false;
}

/*
 * Names the goroutines that ran on when the world had to stop, which is what a stop of a
 * millisecond and more waits for.
 */
static gt_status collector_holders_find(struct gt_report *report, struct gt_report_top *top)
{
    static const char words[] = "ran on and would not stop";
    uint32_t detail;
    gt_status status =
        gt_texts_add_borrowed(&report->texts, (gt_string){words, sizeof(words) - 1}, &detail);
    for (size_t i = 0; i < report->collector.stops.count && status == GT_OK; i++) {
        const struct gt_report_stop *stop = &report->collector.stops.items[i];
        const struct gt_report_about about = {.figure = stop_held(report, stop),
                                              .count = stop->held_count,
                                              .group = report->groups.items[stop->held_group].text,
                                              .detail = detail,
                                              .stack = stop->held_stack};
        if (about.figure > 0)
            gt_report_top_keep(top, &about);
    }
    return status;
}

static gt_status collector_stop_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_GC_STOP_THE_WORLD,
                                    .example = GT_REPORT_NO_SPAN};
    for (size_t i = 0; i < report->collector.stops.count; i++) {
        const struct gt_report_stop *stop = &report->collector.stops.items[i];
        const struct gt_report_about about = {.figure = (double) stop->time,
                                              .count = stop->count,
                                              .group = stop->group,
                                              .detail = stop->cause,
                                              .stack = stop->stack};
        found.figure += about.figure;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, stop->longest.goroutine, stop->longest.start,
                            stop->longest.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    double longest = (double) gt_time_minus(found.example.end, found.example.start);
    found.share = gt_report_percent(found.figure, (double) gt_report_duration(report));
    bool has_share = found.share > report->limits[GT_LIMIT_STOP_SHARE] &&
                     found.figure > report->limits[GT_LIMIT_STOP_TIME];
    if (longest <= report->limits[GT_LIMIT_STOP_LONGEST] && !has_share)
        return GT_OK;
    double by_share = has_share ? gt_report_excess(report, found.share, GT_LIMIT_STOP_SHARE) : 0;
    found.excess = gt_report_excess(report, longest, GT_LIMIT_STOP_LONGEST);
    found.excess = by_share > found.excess ? by_share : found.excess;
    gt_status status = collector_holders_find(report, &found.top);
    return status == GT_OK ? gt_report_found_add(report, &found) : status;
}

static gt_status collector_rate_find(struct gt_report *report)
{
    const struct gt_report_collector *collector = &report->collector;
    const double second = 1e9;
    struct gt_report_found found = {.kind = GT_KIND_GC_TOO_OFTEN,
                                    .example = collector->longest_cycle};
    found.figure = (double) collector->cycles * second / (double) gt_report_duration(report);
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_GC_RATE);
    if ((double) collector->cycles < report->limits[GT_LIMIT_GC_COUNT] ||
        found.figure <= report->limits[GT_LIMIT_GC_RATE] ||
        (double) collector->goal > report->limits[GT_LIMIT_GC_HEAP])
        return GT_OK;
    return gt_report_found_add(report, &found);
}

gt_status gt_report_collector_find(struct gt_report *report)
{
    gt_status status = collector_cpu_find(report);
    if (status == GT_OK)
        status = collector_assist_find(report);
    if (status == GT_OK)
        status = collector_stop_find(report);
    return status == GT_OK ? collector_rate_find(report) : status;
}
