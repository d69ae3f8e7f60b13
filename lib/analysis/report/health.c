/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/time.h"

/*
 * Compares how long it is on both clocks since the last moment that is known. Today's times are
 * rounded to 256 ns.
 */
static void health_clock(struct gt_report *report, const gt_sync *sync)
{
    struct gt_report_health *health = &report->health;
    const double second = 1e9;
    if (!sync->has_clock)
        return;
    double wall = (double) sync->clock_seconds * second + (double) sync->clock_nanoseconds;
    double step = wall - health->wall - (double) gt_time_minus(sync->clock_trace, health->trace);
    if (health->has_clock && (step > report->limits[GT_LIMIT_HEALTH_STEP] ||
                              step < -report->limits[GT_LIMIT_HEALTH_STEP])) {
        health->steps++;
        gt_report_span_keep(&health->step, GT_NO_GOROUTINE, report->sync_last, report->now);
    }
    health->has_clock = true;
    health->wall = wall;
    health->trace = sync->clock_trace;
}

gt_status gt_report_sync(struct gt_report *report, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_status status = gt_event_sync(event, &sync);
    if (status != GT_OK)
        return status;
    if (report->reader && gt_reader_get_info(report->reader, &info) == GT_OK)
        report->health.repairs = info.repairs;
    health_clock(report, &sync);
    report->health.syncs++;
    report->sync_last = report->now;
    return GT_OK;
}

gt_status gt_report_yield_add(struct gt_report *report, gt_stack stack)
{
    uint32_t number;
    gt_status status = gt_report_stack_number(report, stack, &number);
    if (status == GT_OK && gt_report_wait_at(report, number) == GT_WAIT_COLLECTION)
        report->health.yields++;
    return status;
}

/* The events that the program has asked for, as it also goes on after each yield. */
static uint64_t health_events(const struct gt_report *report)
{
    uint64_t yields = 2 * report->health.yields;
    return report->events > yields ? report->events - yields : 0;
}

/*
 * What tracing itself takes, in percent of the time of all procs: the time of the goroutines that
 * it needs, and that of recording the events, which no trace tells and is estimated.
 */
static double health_cost(const struct gt_report *report)
{
    const double event = 100;
    double time = (double) report->events * event;
    for (size_t i = 0; i < report->groups.count; i++) {
        if (report->groups.items[i].is_tracing)
            time += (double) report->groups.items[i].running;
    }
    return gt_report_percent(time, gt_report_proc_time(report));
}

/* A trace that takes no time has no rate. */
static double health_rate(const struct gt_report *report, uint64_t count)
{
    return report->now > report->start ? gt_report_rate(report, count) : 0;
}

static gt_status health_about(struct gt_report *report, struct gt_report_top *top, const char *what,
                              uint64_t count)
{
    struct gt_report_about about = {.figure = health_rate(report, count), .count = count};
    gt_status status =
        gt_texts_add_borrowed(&report->texts, (gt_string){what, strlen(what)}, &about.detail);
    if (status == GT_OK)
        gt_report_top_keep(top, &about);
    return status;
}

gt_status gt_report_health_find(struct gt_report *report)
{
    const struct gt_report_health *health = &report->health;
    const bool is_empty = report->events == health->syncs;
    struct gt_report_found found = {
        .kind = GT_KIND_TRACE_HEALTH,
        .figure = health_rate(report, health_events(report)),
        .share = health_cost(report),
        .example = health->step,
    };
    if (report->events == 0)
        return GT_OK;
    if ((double) health_events(report) >= report->limits[GT_LIMIT_HEALTH_COUNT])
        found.excess = gt_report_excess(report, found.figure, GT_LIMIT_HEALTH_RATE);
    double faults = (double) health->repairs + (double) health->steps;
    if (faults > found.excess)
        found.excess = faults;
    if (is_empty && found.excess < 1)
        found.excess = 1;
    gt_status status = health_about(
        report, &found.top, is_empty ? "the program ended before anything was written" : "events",
        report->events);
    if (status == GT_OK && health->repairs > 0)
        status = health_about(report, &found.top, "repairs", health->repairs);
    if (status == GT_OK && health->steps > 0)
        status = health_about(report, &found.top, "steps of the clock", health->steps);
    return status == GT_OK ? gt_report_found_add(report, &found) : status;
}
