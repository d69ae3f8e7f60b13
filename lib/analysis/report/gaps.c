/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
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
