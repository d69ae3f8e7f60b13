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

static void gap_count(struct gt_report_phase *phase, int64_t start, int64_t end)
{
    phase->count++;
    gt_time_add_to(&phase->time, gt_time_minus(end, start));
    gt_report_span_keep(&phase->longest, GT_NO_GOROUTINE, start, end);
}

/*
 * The kernel lets a program go on when a period begins, so such gaps end in the same part of it. A
 * stop of the world is no gap: it has its own finding.
 */
void gt_report_gap_add(struct gt_report *report, int64_t end)
{
    struct gt_report_gaps *gaps = &report->gaps;
    double time = (double) gt_time_minus(end, report->now);
    if (report->cpu.running == 0 || report->idle.stops > 0 ||
        time < report->limits[GT_LIMIT_THROTTLED_GAP])
        return;
    gaps->count++;
    gaps->squares += time * time;
    gap_count(&gaps->phases[gt_time_span(report->start, end) % PERIOD / PART], report->now, end);
    if (time >= report->limits[GT_LIMIT_SUSPENDED_GAP])
        gap_count(&gaps->stops, report->now, end);
}

void gt_report_gaps_init(struct gt_report *report)
{
    report->gaps.stops.longest = GT_REPORT_NO_SPAN;
    for (size_t i = 0; i < GT_REPORT_PHASES; i++)
        report->gaps.phases[i].longest = GT_REPORT_NO_SPAN;
}

/* The gaps that end in a number of parts of a period that follow each other. */
static struct gt_report_phase gaps_near(const struct gt_report_gaps *gaps, size_t part,
                                        size_t parts)
{
    struct gt_report_phase all = {.longest = GT_REPORT_NO_SPAN};
    for (size_t i = part; i < part + parts; i++) {
        const struct gt_report_phase *phase = &gaps->phases[i % GT_REPORT_PHASES];
        all.count += phase->count;
        gt_time_add_to(&all.time, phase->time);
        gt_report_span_keep(&all.longest, GT_NO_GOROUTINE, phase->longest.start,
                            phase->longest.end);
    }
    return all;
}

/* The parts of a period in which most gaps end, where the longer ones count more. */
static struct gt_report_phase gaps_most(const struct gt_report_gaps *gaps, size_t parts)
{
    struct gt_report_phase most = gaps_near(gaps, 0, parts);
    for (size_t i = 1; i < GT_REPORT_PHASES; i++) {
        const struct gt_report_phase phase = gaps_near(gaps, i, parts);
        if (phase.time > most.time)
            most = phase;
    }
    return most;
}

/*
 * How far the ends of the gaps are from being anywhere in the period, by the statistic of Rayleigh:
 * each gap is an arrow in the direction of the part in which it ends, as long as the gap. Without a
 * period the square of the sum of the arrows is about the sum of the squares.
 */
static double gaps_order(const struct gt_report_gaps *gaps)
{
    /* The cosines of a quarter of the circle. */
    static const double cosines[] = {
        1, 0.95105651629515357, 0.80901699437494742, 0.58778525229247314, 0.30901699437494745, 0};

    enum {
        QUARTER = GT_REPORT_PHASES / 4
    };

    double across = 0, up = 0;
    for (size_t i = 0; i < GT_REPORT_PHASES; i++) {
        size_t rest = i % QUARTER;
        double length = (double) gaps->phases[i].time;
        double along = length * cosines[rest], beside = length * cosines[QUARTER - rest];
        switch (i / QUARTER) {
        case 0:
            across += along;
            up += beside;
            break;
        case 1:
            across -= beside;
            up += along;
            break;
        case 2:
            across -= along;
            up -= beside;
            break;
        default:
            across += beside;
            up -= along;
            break;
        }
    }
    return gaps->squares > 0 ? (across * across + up * up) / gaps->squares : 0;
}

/*
 * Whether the gaps have a period, and which of them: either nearly all end in the same part of it,
 * or, where other programs make gaps as well, far more than by chance end near each other.
 */
static bool gaps_have_period(const struct gt_report *report, struct gt_report_phase *most)
{
    enum {
        CLOSE = 2, /* 10 ms */
        NEAR = 5   /* 25 ms */
    };

    const struct gt_report_gaps *gaps = &report->gaps;
    *most = gaps_most(gaps, CLOSE);
    if (gt_report_percent((double) most->count, (double) gaps->count) >=
        report->limits[GT_LIMIT_THROTTLED_SHARE])
        return true;
    *most = gaps_most(gaps, NEAR);
    return gaps_order(gaps) > report->limits[GT_LIMIT_THROTTLED_ORDER];
}

static gt_status gaps_found_add(struct gt_report *report, unsigned kind,
                                const struct gt_report_phase *gaps, double excess)
{
    struct gt_report_found found = {
        .kind = kind,
        .figure = (double) gaps->time,
        .share = gt_report_percent((double) gaps->time, (double) gt_report_duration(report)),
        .excess = excess,
        .example = gaps->longest,
    };
    return gt_report_found_add(report, &found);
}

gt_status gt_report_gaps_find(struct gt_report *report)
{
    const struct gt_report_phase *stops = &report->gaps.stops;
    struct gt_report_phase most;
    if (gaps_have_period(report, &most) && most.count > 0 &&
        (double) most.count >= report->limits[GT_LIMIT_THROTTLED_COUNT])
        return gaps_found_add(
            report, GT_KIND_THROTTLED, &most,
            gt_report_excess(report, (double) most.count, GT_LIMIT_THROTTLED_COUNT));
    /* Where a goroutine could not be interrupted when the world had to stop, gaps may be its own.
     */
    if (stops->count == 0 || gt_report_stops_were_held(report))
        return GT_OK;
    double longest = (double) gt_time_minus(stops->longest.end, stops->longest.start);
    return gaps_found_add(report, GT_KIND_SUSPENDED, stops,
                          gt_report_excess(report, longest, GT_LIMIT_SUSPENDED_GAP));
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
