/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"

#include <string.h>

#include "base/time.h"

enum {
    FIRST_SHIFT = 10,
    QUARTERS = 4
};

/* Puts the content of each two bins into one. */
static void creation_halve(struct gt_report_creation *creation)
{
    for (size_t i = 0; i < GT_REPORT_BINS / 2; i++)
        creation->net[i] = creation->net[2 * i] + creation->net[2 * i + 1];
    memset(creation->net + GT_REPORT_BINS / 2, 0, sizeof(creation->net) / 2);
}

/* The number of the bin that has the time now, for which bins get wider if need be. */
static size_t creations_bin(struct gt_report *report)
{
    struct gt_report_creations *creations = &report->creations;
    uint64_t time = gt_time_span(report->start, report->now);
    if (creations->shift == 0)
        creations->shift = FIRST_SHIFT;
    while (time >> creations->shift >= GT_REPORT_BINS) {
        creations->shift++;
        for (size_t i = 0; i < creations->list.count; i++)
            creation_halve(&creations->list.items[i]);
    }
    return (size_t) (time >> creations->shift);
}

gt_status gt_report_creation_add(struct gt_report *report, struct gt_report_goroutine *goroutine)
{
    struct gt_report_creations *creations = &report->creations;
    uint32_t stack;
    gt_status status = gt_report_stack_number(report, gt_event_stack(report->event), &stack);
    if (status != GT_OK)
        return status;
    uint32_t *number = &report->places.items[stack].creation_plus_1;
    const struct gt_report_creation blank = {.stack = stack};
    if (*number == 0) {
        status = gt_array_add(&report->mem, &creations->list, blank);
        if (status != GT_OK)
            return status;
        *number = (uint32_t) creations->list.count;
    }
    struct gt_report_creation *creation = &creations->list.items[*number - 1];
    creation->net[creations_bin(report)]++;
    creation->count++;
    creation->last = goroutine->id;
    creation->last_time = report->now;
    creation->group = goroutine->group;
    goroutine->creation = *number;
    return GT_OK;
}

void gt_report_creation_end(struct gt_report *report, const struct gt_report_goroutine *goroutine)
{
    if (goroutine->creation == 0)
        return;
    struct gt_report_creation *creation = &report->creations.list.items[goroutine->creation - 1];
    creation->net[creations_bin(report)]--;
    int64_t ran = gt_time_minus(report->now, goroutine->run_first);
    if (goroutine->state != GT_GO_RUNNING || (double) ran >= report->limits[GT_LIMIT_CHURN_LIFE])
        return;
    creation->brief++;
    creation->brief_last =
        (struct gt_report_span){goroutine->id, goroutine->run_first, report->now};
}

gt_status gt_report_churn_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_GOROUTINE_CHURN, .example = GT_REPORT_NO_SPAN};
    uint64_t all = 0, most = 0;
    for (size_t i = 0; i < report->creations.list.count; i++) {
        const struct gt_report_creation *creation = &report->creations.list.items[i];
        const struct gt_report_about about = {
            .figure = gt_report_rate(report, creation->brief),
            .count = creation->brief,
            .group = report->groups.items[creation->group].text,
            .stack = creation->stack,
        };
        if (creation->brief == 0)
            continue;
        all += creation->brief;
        gt_report_top_keep(&found.top, &about);
        if (creation->brief <= most)
            continue;
        most = creation->brief;
        found.example = creation->brief_last;
    }
    found.figure = gt_report_rate(report, all);
    if (found.figure <= report->limits[GT_LIMIT_CHURN_RATE] ||
        (double) all < report->limits[GT_LIMIT_CHURN_COUNT] || all == 0)
        return GT_OK;
    found.share = gt_report_percent((double) all, (double) report->goroutine_count);
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_CHURN_RATE);
    return gt_report_found_add(report, &found);
}

/* By how much the number of goroutines has grown, or 0 if it has not in each of these quarters. */
static int64_t creation_growth(const struct gt_report_creation *creation, size_t bins,
                               size_t quarters)
{
    int64_t level = 0, before = 0;
    size_t bin = 0;
    for (size_t quarter = 1; quarter <= QUARTERS; quarter++) {
        for (; bin < bins * quarter / QUARTERS; bin++)
            level += creation->net[bin];
        if (level <= before && quarter <= quarters)
            return 0;
        before = level;
    }
    return level;
}

static bool is_in_last_quarter(const struct gt_report *report, int64_t time)
{
    return gt_time_span(report->start, time) >=
           (uint64_t) gt_report_duration(report) / QUARTERS * (QUARTERS - 1);
}

/*
 * Whether a goroutine has waited to send or for a lock since before the last quarter of the trace,
 * in which nobody got on at that place. In healthy programs, too, goroutines wait so long to
 * receive or select.
 */
static bool is_left(const struct gt_report *report, const struct gt_report_goroutine *goroutine)
{
    const struct gt_report_place *place = &report->places.items[goroutine->stack];
    return goroutine->state == GT_GO_WAITING &&
           (goroutine->wait == GT_WAIT_LOCK || goroutine->wait == GT_WAIT_SEND) &&
           !is_in_last_quarter(report, goroutine->since) &&
           !(place->has_moved && is_in_last_quarter(report, place->moved_at));
}

static void creations_count_left(struct gt_report *report)
{
    size_t place = 0;
    const struct gt_report_goroutine *goroutine;
    while ((goroutine = gt_idmap_next(&report->goroutines, &place)))
        if (goroutine->creation != 0 && is_left(report, goroutine))
            report->creations.list.items[goroutine->creation - 1].left++;
}

/*
 * By how much the number of goroutines has grown, and how many times as much as a threshold that
 * is. 0 if it is no fault. Those that are left need not grow in the last quarter: the program may
 * have come to its end.
 */
static double creation_excess(const struct gt_report *report,
                              const struct gt_report_creation *creation, size_t bins,
                              double *growth)
{
    double left = (double) creation->left;
    *growth = (double) creation_growth(creation, bins, QUARTERS - 1);
    if (*growth > 0 && left >= *growth / 2 && left >= report->limits[GT_LIMIT_GROWTH_LEFT])
        return gt_report_excess(report, left, GT_LIMIT_GROWTH_LEFT);
    *growth = (double) creation_growth(creation, bins, QUARTERS);
    if (*growth > report->limits[GT_LIMIT_GROWTH_COUNT])
        return gt_report_excess(report, *growth, GT_LIMIT_GROWTH_COUNT);
    return 0;
}

gt_status gt_report_growth_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_GOROUTINE_GROWTH, .example = GT_REPORT_NO_SPAN};
    size_t bins = creations_bin(report) + 1;
    double created = 0, most = 0;
    creations_count_left(report);
    for (size_t i = 0; i < report->creations.list.count; i++) {
        struct gt_report_creation *creation = &report->creations.list.items[i];
        struct gt_report_about about = {
            .count = creation->count,
            .group = report->groups.items[creation->group].text,
            .stack = creation->stack,
        };
        double excess = creation_excess(report, creation, bins, &about.figure);
        if (excess == 0)
            continue;
        creation->is_growing = true;
        found.figure += about.figure;
        found.excess += excess;
        created += (double) about.count;
        gt_report_top_keep(&found.top, &about);
        if (about.figure <= most)
            continue;
        most = about.figure;
        found.example = (struct gt_report_span){creation->last, creation->last_time, report->now};
    }
    if (found.top.count == 0)
        return GT_OK;
    found.share = gt_report_percent(found.figure, created);
    return gt_report_found_add(report, &found);
}

/* Whether a moment is in the first part of the trace, behind which waits do not count. */
static bool is_in_beginning(const struct gt_report *report, int64_t time)
{
    return gt_report_percent((double) gt_time_span(report->start, time),
                             (double) gt_report_duration(report)) <=
           report->limits[GT_LIMIT_STUCK_START];
}

bool gt_report_is_stuck(struct gt_report *report, const struct gt_report_goroutine *goroutine)
{
    const struct gt_report_place *place = &report->places.items[goroutine->stack];
    const struct gt_report_creations *creations = &report->creations;
    return goroutine->state == GT_GO_WAITING && !gt_report_group_of(report, goroutine)->is_system &&
           (goroutine->wait == GT_WAIT_LOCK || goroutine->wait == GT_WAIT_SEND) &&
           is_in_beginning(report, goroutine->since) &&
           !(place->has_moved && !is_in_beginning(report, place->moved_at)) &&
           !(goroutine->creation != 0 && creations->list.items[goroutine->creation - 1].is_growing);
}

/* Counts the stuck goroutines by where they wait. */
static gt_status stuck_count(struct gt_report *report, struct gt_report_about *by_stack,
                             struct gt_report_span *first)
{
    size_t place = 0;
    const struct gt_report_goroutine *goroutine;
    while ((goroutine = gt_idmap_next(&report->goroutines, &place))) {
        if (!gt_report_is_stuck(report, goroutine))
            continue;
        struct gt_report_about *about = &by_stack[goroutine->stack];
        if (about->count == 0 || goroutine->id < first[goroutine->stack].goroutine)
            first[goroutine->stack] =
                (struct gt_report_span){goroutine->id, goroutine->since, report->now};
        about->count++;
        about->figure += 1;
        about->stack = goroutine->stack;
        if (about->group == 0 || gt_report_group_of(report, goroutine)->text < about->group)
            about->group = gt_report_group_of(report, goroutine)->text;
    }
    return GT_OK;
}

gt_status gt_report_stuck_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_GOROUTINE_STUCK, .example = GT_REPORT_NO_SPAN};
    size_t count = report->places.count;
    struct gt_report_about *by_stack = gt_mem_zeros(&report->mem, count * sizeof(*by_stack));
    struct gt_report_span *first = gt_mem_zeros(&report->mem, count * sizeof(*first));
    gt_status status =
        by_stack && first ? stuck_count(report, by_stack, first) : gt_mem_failure(&report->mem);
    double most = 0;
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        if (by_stack[i].figure < report->limits[GT_LIMIT_STUCK_COUNT] || by_stack[i].count == 0)
            continue;
        report->places.items[i].is_stuck = true;
        found.figure += by_stack[i].figure;
        gt_report_top_keep(&found.top, &by_stack[i]);
        if (by_stack[i].figure <= most)
            continue;
        most = by_stack[i].figure;
        found.example = first[i];
    }
    gt_mem_free(&report->mem, by_stack, count * sizeof(*by_stack));
    gt_mem_free(&report->mem, first, count * sizeof(*first));
    if (found.top.count == 0)
        return status;
    found.share = gt_report_percent(found.figure, (double) report->alive);
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_STUCK_COUNT);
    return gt_report_found_add(report, &found);
}
