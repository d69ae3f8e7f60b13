/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

bool gt_report_is_serving(const struct gt_report_goroutine *goroutine)
{
    return goroutine->tasks > 0 || goroutine->task_regions > 0 || goroutine->is_networked;
}

gt_status gt_report_channel_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine, uint32_t waker)
{
    const struct gt_report_tally_key place = {
        .kind = GT_TALLY_CHANNEL, .who = goroutine->group, .stack = goroutine->stack};
    const struct gt_report_tally_key pair = {GT_TALLY_CHANNEL_WAKER, goroutine->group,
                                             goroutine->stack, waker};
    struct gt_report_tally *tally;
    gt_status status =
        gt_report_tally_measure(report, &place, goroutine->id, goroutine->since, &tally);
    return status == GT_OK
               ? gt_report_tally_add_part(report, &pair, goroutine->id, goroutine->since, tally)
               : status;
}

/*
 * Whether a group waits for channels at a place much of its time, and now and then far longer than
 * usual there. What is usual at one place may be long at another one.
 */
static bool channel_place_is_bad(const struct gt_report *report,
                                 const struct gt_report_tally *tally)
{
    const struct gt_report_group *group = &report->groups.items[tally->key.who];
    double p50 = gt_report_tally_quantile(report, tally, 0.5);
    double p99 = gt_report_tally_quantile(report, tally, 0.99);
    return !group->is_system && (double) tally->count >= report->limits[GT_LIMIT_CHANNEL_COUNT] &&
           (double) tally->time > report->limits[GT_LIMIT_CHANNEL_TIME] &&
           gt_report_percent((double) tally->time, (double) group->time) >
               report->limits[GT_LIMIT_CHANNEL_SHARE] &&
           p99 > report->limits[GT_LIMIT_CHANNEL_TIMES] * p50;
}

/* Sets the figure and the share of the finding, and marks the places that it is about. */
static void channel_places_find(struct gt_report *report, struct gt_report_found *found)
{
    double time = 0;
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != GT_TALLY_CHANNEL || !channel_place_is_bad(report, tally))
            continue;
        struct gt_report_group *group = &report->groups.items[tally->key.who];
        tally->is_bad = true;
        found->figure += (double) tally->time;
        time += group->is_blocked ? 0 : (double) group->time;
        group->is_blocked = true;
    }
    found->share = gt_report_percent(found->figure, time);
}

/* Whether a tally counts a part of what is bad. */
static bool channel_pair_is_bad(const struct gt_report *report, const struct gt_report_tally *tally)
{
    return tally->key.kind == GT_TALLY_CHANNEL_WAKER && tally->whole_plus_1 != 0 &&
           report->tallies.list.items[tally->whole_plus_1 - 1].is_bad;
}

gt_status gt_report_channel_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_BLOCKED_ON_CHANNEL,
                                    .example = GT_REPORT_NO_SPAN};
    channel_places_find(report, &found);
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (!channel_pair_is_bad(report, tally))
            continue;
        const struct gt_report_about about = {
            .figure = (double) tally->time,
            .count = tally->count,
            .group = report->groups.items[tally->key.who].text,
            .stack = tally->key.stack,
            .other = tally->key.other,
        };
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, tally->longest.goroutine, tally->longest.start,
                            tally->longest.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    found.excess = gt_report_excess(report, found.share, GT_LIMIT_CHANNEL_SHARE);
    return gt_report_found_add(report, &found);
}
