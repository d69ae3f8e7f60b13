/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

/*
 * Begins another burst of wakeups. One ends when its goroutine waits, or wakes a goroutine again,
 * which has run meanwhile: two that take turns are no storm. It also ends by a pause, which is
 * longer where many were woken, as the system may run another program meanwhile.
 */
static void wake_burst_update(struct gt_report *report, struct gt_report_goroutine *waker,
                              const struct gt_report_goroutine *woken)
{
    const double turns = 100;
    double pause = (double) gt_time_minus(report->now, waker->wakes_last);
    double most = report->limits[GT_LIMIT_STORM_TIME] * (waker->is_storm ? turns : 1);
    if (waker->wakes > 0 && woken->woken_in != waker->burst && pause <= most)
        return;
    waker->wakes = 0;
    waker->wakes_since = report->now;
    waker->burst = ++report->bursts;
    waker->is_storm = false;
}

/*
 * Counts the goroutines that one goroutine makes runnable at once. Each burst is one storm at most,
 * whether or not it takes longer, or is interrupted, when many are woken.
 */
static bool wake_is_storm(struct gt_report *report, struct gt_report_goroutine *waker,
                          struct gt_report_goroutine *woken)
{
    double most = report->limits[GT_LIMIT_STORM_TIMES] * (double) report->cpu.procs;
    wake_burst_update(report, waker, woken);
    woken->woken_in = waker->burst;
    waker->wakes_last = report->now;
    waker->wakes += waker->wakes < UINT32_MAX;
    double time = (double) gt_time_minus(report->now, waker->wakes_since);
    if (waker->is_storm || report->cpu.procs == 0 || (double) waker->wakes <= most ||
        time * most > report->limits[GT_LIMIT_STORM_TIME] * (double) waker->wakes)
        return false;
    waker->is_storm = true;
    return true;
}

gt_status gt_report_wake_add(struct gt_report *report, struct gt_report_goroutine *woken)
{
    struct gt_report_goroutine *waker = gt_report_goroutine_get(report, report->event->goroutine);
    if (!waker || waker == woken || gt_report_group_of(report, waker)->is_system ||
        !wake_is_storm(report, waker, woken))
        return GT_OK;
    struct gt_report_tally_key key = {.kind = GT_TALLY_STORM, .who = waker->group};
    gt_status status = gt_report_stack_number(report, gt_event_stack(report->event), &key.stack);
    return status == GT_OK ? gt_report_tally_add(report, &key, waker->id, waker->wakes_since)
                           : status;
}

gt_status gt_report_storm_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_WAKE_STORM, .example = GT_REPORT_NO_SPAN};
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != GT_TALLY_STORM ||
            (double) tally->count <= report->limits[GT_LIMIT_STORM_COUNT])
            continue;
        const struct gt_report_about about = {
            .figure = (double) tally->count,
            .count = tally->count,
            .group = report->groups.items[tally->key.who].text,
            .stack = tally->key.stack,
        };
        found.figure += about.figure;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, tally->longest.goroutine, tally->longest.start,
                            tally->longest.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_STORM_COUNT);
    return gt_report_found_add(report, &found);
}

gt_status gt_report_network_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine)
{
    const struct gt_report_tally_key key = {
        .kind = GT_TALLY_NETWORK, .who = goroutine->group, .stack = goroutine->stack};
    struct gt_report_tally *tally;
    return gt_report_tally_measure(report, &key, goroutine->id, goroutine->since, &tally);
}

gt_status gt_report_network_find(struct gt_report *report)
{
    static const struct gt_report_slow slow = {GT_TALLY_NETWORK, GT_LIMIT_NETWORK_P99,
                                               GT_LIMIT_NETWORK_COUNT, 0};
    struct gt_report_found found = {.kind = GT_KIND_NETWORK_WAKEUP, .example = GT_REPORT_NO_SPAN};
    double time = gt_report_slow_find(report, &slow, &found);
    if (found.top.count == 0)
        return GT_OK;
    found.share = gt_report_percent(time, gt_report_all_time(report));
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_NETWORK_P99);
    return gt_report_found_add(report, &found);
}
