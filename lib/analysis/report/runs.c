/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/time.h"

/* A call that has not ended yet may still be short. */
gt_status gt_report_syscall_add(struct gt_report *report,
                                const struct gt_report_goroutine *goroutine, uint32_t to)
{
    const struct gt_report_tally_key key = {
        .kind = GT_TALLY_SYSCALL, .who = goroutine->group, .stack = goroutine->stack};
    const struct gt_report_group *group = gt_report_group_of(report, goroutine);
    struct gt_report_tally *tally;
    if (to == GT_GO_UNDETERMINED || group->is_system || group->is_tracing)
        return GT_OK;
    gt_status status =
        gt_report_tally_measure(report, &key, goroutine->id, goroutine->since, &tally);
    if (tally)
        tally->lost += to == GT_GO_RUNNABLE;
    return status;
}

gt_status gt_report_syscall_find(struct gt_report *report)
{
    static const char lost[] = "the proc was lost";
    struct gt_report_slow slow = {GT_TALLY_SYSCALL, GT_LIMIT_SYSCALL_P99, GT_LIMIT_SYSCALL_COUNT,
                                  0};
    struct gt_report_found found = {.kind = GT_KIND_SLOW_SYSCALL, .example = GT_REPORT_NO_SPAN};
    gt_status status =
        gt_texts_add_borrowed(&report->texts, (gt_string){lost, sizeof(lost) - 1}, &slow.lost);
    if (status != GT_OK)
        return status;
    double time = gt_report_slow_find(report, &slow, &found);
    if (found.top.count == 0)
        return GT_OK;
    found.share = gt_report_percent(time, gt_report_all_time(report));
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_SYSCALL_P99);
    return gt_report_found_add(report, &found);
}

gt_status gt_report_run_add(struct gt_report *report, const struct gt_report_goroutine *goroutine,
                            gt_stack stack)
{
    struct gt_report_tally_key key = {.kind = GT_TALLY_RUN, .who = goroutine->group};
    gt_report_cpu_advance(report);
    int64_t waited = gt_time_minus(report->cpu.saturated, goroutine->saturated_before);
    if ((double) waited <= report->limits[GT_LIMIT_RUN_TIME] ||
        gt_report_group_of(report, goroutine)->is_system)
        return GT_OK;
    gt_status status = gt_report_stack_number(report, stack, &key.stack);
    return status == GT_OK ? gt_report_tally_add(report, &key, goroutine->id,
                                                 gt_time_minus(report->now, waited))
                           : status;
}

gt_status gt_report_run_find(struct gt_report *report)
{
    struct gt_report_found found = {.kind = GT_KIND_LONG_RUN, .example = GT_REPORT_NO_SPAN};
    int64_t time = 0;
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != GT_TALLY_RUN)
            continue;
        const struct gt_report_about about = {
            .figure = (double) gt_time_minus(tally->longest.end, tally->longest.start),
            .count = tally->count,
            .group = report->groups.items[tally->key.who].text,
            .stack = tally->key.stack,
        };
        gt_time_add_to(&time, tally->time);
        gt_report_top_keep(&found.top, &about);
        gt_report_span_keep(&found.example, tally->longest.goroutine, tally->longest.start,
                            tally->longest.end);
    }
    if (found.top.count == 0)
        return GT_OK;
    found.figure = (double) gt_time_minus(found.example.end, found.example.start);
    found.share = gt_report_percent((double) time, gt_report_proc_time(report));
    found.excess = gt_report_excess(report, found.figure, GT_LIMIT_RUN_TIME);
    return gt_report_found_add(report, &found);
}
