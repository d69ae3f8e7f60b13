/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

gt_status gt_report_latency_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine)
{
    struct gt_report_group *group = gt_report_group_of(report, goroutine);
    gt_report_span_keep(&group->latest, goroutine->id, goroutine->since, report->now);
    gt_status status = gt_durations_add(&group->latency, &report->mem, &report->octaves,
                                        gt_time_minus(report->now, goroutine->since));
    return status == GT_OK && goroutine->is_network_due ? gt_report_network_add(report, goroutine)
                                                        : status;
}

static bool latency_is_bad(const struct gt_report *report, const struct gt_report_group *group,
                           double p99)
{
    return !group->is_system && group->latency.count > 0 &&
           (double) group->latency.count >= report->limits[GT_LIMIT_LATENCY_COUNT] &&
           p99 > report->limits[GT_LIMIT_LATENCY_P99] &&
           gt_report_percent((double) group->runnable, (double) group->time) >
               report->limits[GT_LIMIT_LATENCY_SHARE];
}

gt_status gt_report_latency_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_SCHEDULER_LATENCY,
                                    .example = GT_REPORT_NO_SPAN};
    double time = 0, runnable = 0;
    for (size_t i = 0; i < report->groups.count; i++) {
        const struct gt_report_group *group = &report->groups.items[i];
        const struct gt_report_about about = {
            .figure = (double) gt_durations_quantile(&group->latency, 0.99),
            .count = group->latency.count,
            .group = group->text,
        };
        if (!latency_is_bad(report, group, about.figure))
            continue;
        time += (double) group->time;
        runnable += (double) group->runnable;
        gt_report_top_keep(&found.top, &about);
        if (about.figure <= found.figure)
            continue;
        found.figure = about.figure;
        found.example = group->latest;
    }
    if (found.top.count == 0)
        return GT_OK;
    found.share = gt_report_percent(runnable, time);
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_LATENCY_P99);
    return gt_report_found_add(report, &found);
}
