/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

/*
 * The goroutines of the program that are runnable are in a list, in the order in which they became
 * so, and the first one has waited longest. While the world is stopped, nothing can run.
 */
static const struct gt_report_goroutine *idle_head(const struct gt_report *report)
{
    const struct gt_report_idle *idle = &report->idle;
    return idle->procs_running < report->cpu.procs && idle->stops == 0 ? idle->first : NULL;
}

void gt_report_idle_advance(struct gt_report *report)
{
    struct gt_report_idle *idle = &report->idle;
    const struct gt_report_goroutine *head = idle_head(report);
    int64_t since = idle->since;
    idle->since = report->now;
    if (!head || idle->is_open)
        return;
    int64_t late = gt_time_plus(head->since, (int64_t) report->limits[GT_LIMIT_IDLE_TIME]);
    since = late > since ? late : since;
    if (since >= report->now)
        return;
    idle->is_open = true;
    idle->open = (struct gt_report_span){head->id, since, since};
    idle->open_group = head->group;
    idle->open_stack = head->stack;
}

gt_status gt_report_idle_update(struct gt_report *report)
{
    struct gt_report_idle *idle = &report->idle;
    const struct gt_report_goroutine *head = idle_head(report);
    const struct gt_report_tally_key key = {
        .kind = GT_TALLY_IDLE, .who = idle->open_group, .stack = idle->open_stack};
    if (!idle->is_open || (head && head->id == idle->open.goroutine))
        return GT_OK;
    idle->is_open = false;
    return gt_report_tally_add(report, &key, idle->open.goroutine, idle->open.start);
}

void gt_report_idle_enter(struct gt_report *report, struct gt_report_goroutine *goroutine)
{
    struct gt_report_idle *idle = &report->idle;
    const struct gt_report_group *group = gt_report_group_of(report, goroutine);
    if (group->is_system || group->is_tracing)
        return;
    gt_report_idle_advance(report);
    goroutine->is_ready = true;
    goroutine->ready_before = idle->last;
    goroutine->ready_after = NULL;
    if (idle->last)
        idle->last->ready_after = goroutine;
    else
        idle->first = goroutine;
    idle->last = goroutine;
}

gt_status gt_report_idle_leave(struct gt_report *report, struct gt_report_goroutine *goroutine)
{
    struct gt_report_idle *idle = &report->idle;
    if (!goroutine->is_ready)
        return GT_OK;
    gt_report_idle_advance(report);
    goroutine->is_ready = false;
    if (goroutine->ready_before)
        goroutine->ready_before->ready_after = goroutine->ready_after;
    else
        idle->first = goroutine->ready_after;
    if (goroutine->ready_after)
        goroutine->ready_after->ready_before = goroutine->ready_before;
    else
        idle->last = goroutine->ready_before;
    return gt_report_idle_update(report);
}

gt_status gt_report_idle_proc(struct gt_report *report, const gt_transition *change)
{
    struct gt_report_idle *idle = &report->idle;
    gt_report_idle_advance(report);
    if (change->from == GT_PROC_RUNNING && idle->procs_running > 0)
        idle->procs_running--;
    idle->procs_running += change->to == GT_PROC_RUNNING;
    if (idle->procs_running > idle->procs_most)
        idle->procs_most = idle->procs_running;
    return gt_report_idle_update(report);
}

gt_status gt_report_idle_stop(struct gt_report *report, bool begins)
{
    struct gt_report_idle *idle = &report->idle;
    gt_report_idle_advance(report);
    if (begins)
        idle->stops++;
    else
        idle->stops--;
    return gt_report_idle_update(report);
}

gt_status gt_report_idle_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_CPU_IDLE_WITH_WORK,
                                    .example = GT_REPORT_NO_SPAN};
    uint64_t count = 0;
    gt_report_idle_advance(report);
    report->idle.first = NULL;
    gt_status status = gt_report_idle_update(report);
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != GT_TALLY_IDLE)
            continue;
        const struct gt_report_about about = {
            .figure = (double) tally->time,
            .count = tally->count,
            .group = report->groups.items[tally->key.who].text,
            .stack = tally->key.stack,
        };
        count += tally->count;
        found.figure += about.figure;
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, tally->longest.goroutine, tally->longest.start,
                            tally->longest.end);
    }
    found.share = gt_report_percent(found.figure, (double) gt_report_duration(report));
    if (status != GT_OK || count == 0 || (double) count < report->limits[GT_LIMIT_IDLE_COUNT] ||
        found.share <= report->limits[GT_LIMIT_IDLE_SHARE] ||
        found.figure <= report->limits[GT_LIMIT_IDLE_SUM])
        return status;
    found.excess = gt_report_excess(report, found.share, GT_LIMIT_IDLE_SHARE);
    return gt_report_found_add(report, &found);
}
