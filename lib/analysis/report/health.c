/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/time.h"

enum {
    /* In which the kernel gives a program its quota of time, and the parts of that. */
    PERIOD = 100000000,
    PART = PERIOD / GT_REPORT_PHASES
};

/* The kernel lets a program go on when a period begins, so such gaps end in the same part of it. */
void gt_report_gap_add(struct gt_report *report, int64_t end)
{
    struct gt_report_gaps *gaps = &report->gaps;
    int64_t time = gt_time_minus(end, report->now);
    if (report->cpu.running == 0 || (double) time < report->limits[GT_LIMIT_THROTTLED_GAP])
        return;
    struct gt_report_phase *phase = &gaps->phases[gt_time_span(report->start, end) % PERIOD / PART];
    gaps->count++;
    phase->count++;
    gt_time_add_to(&phase->time, time);
    gt_report_span_keep(&phase->longest, GT_NO_GOROUTINE, report->now, end);
}

void gt_report_gaps_init(struct gt_report *report)
{
    for (size_t i = 0; i < GT_REPORT_PHASES; i++)
        report->gaps.phases[i].longest = GT_REPORT_NO_SPAN;
}

/* The gaps that end in the same part of a period or in the next one. */
static struct gt_report_phase gaps_near(const struct gt_report_gaps *gaps, size_t part)
{
    const struct gt_report_phase *next = &gaps->phases[(part + 1) % GT_REPORT_PHASES];
    struct gt_report_phase phase = gaps->phases[part];
    phase.count += next->count;
    gt_time_add_to(&phase.time, next->time);
    gt_report_span_keep(&phase.longest, GT_NO_GOROUTINE, next->longest.start, next->longest.end);
    return phase;
}

gt_status gt_report_gaps_find(struct gt_report *report)
{
    const struct gt_report_gaps *gaps = &report->gaps;
    struct gt_report_phase most = gaps_near(gaps, 0);
    for (size_t i = 1; i < GT_REPORT_PHASES; i++) {
        const struct gt_report_phase phase = gaps_near(gaps, i);
        if (phase.count > most.count)
            most = phase;
    }
    struct gt_report_found found = {
        .kind = GT_KIND_THROTTLED,
        .figure = (double) most.time,
        .share = gt_report_percent((double) most.time, (double) gt_report_duration(report)),
        .excess = gt_report_excess(report, (double) most.count, GT_LIMIT_THROTTLED_COUNT),
        .example = most.longest,
    };
    if (most.count == 0 || (double) most.count < report->limits[GT_LIMIT_THROTTLED_COUNT] ||
        gt_report_percent((double) most.count, (double) gaps->count) <
            report->limits[GT_LIMIT_THROTTLED_SHARE])
        return GT_OK;
    return gt_report_found_add(report, &found);
}

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
    report->sync_last = report->now;
    return GT_OK;
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
    return gt_report_percent(time, report->cpu.proc_time);
}

static gt_status health_about(struct gt_report *report, struct gt_report_top *top, const char *what,
                              uint64_t count)
{
    struct gt_report_about about = {.figure = gt_report_rate(report, count), .count = count};
    gt_status status =
        gt_texts_add_borrowed(&report->texts, (gt_string){what, strlen(what)}, &about.detail);
    if (status == GT_OK)
        gt_report_top_keep(top, &about);
    return status;
}

gt_status gt_report_health_find(struct gt_report *report)
{
    const struct gt_report_health *health = &report->health;
    struct gt_report_found found = {
        .kind = GT_KIND_TRACE_HEALTH,
        .figure = gt_report_rate(report, report->events),
        .share = health_cost(report),
        .example = health->step,
    };
    if (report->events == 0)
        return GT_OK;
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_HEALTH_RATE);
    double faults = (double) health->repairs + (double) health->steps;
    if (faults > found.excess)
        found.excess = faults;
    gt_status status = health_about(report, &found.top, "events", report->events);
    if (status == GT_OK && health->repairs > 0)
        status = health_about(report, &found.top, "repairs", health->repairs);
    if (status == GT_OK && health->steps > 0)
        status = health_about(report, &found.top, "steps of the clock", health->steps);
    return status == GT_OK ? gt_report_found_add(report, &found) : status;
}
