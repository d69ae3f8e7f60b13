/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/reader.h>

#include "analysis/report/report.h"
#include "base/time.h"

static bool cpu_is_saturated(const struct gt_report_cpu *cpu)
{
    return cpu->procs > 0 && cpu->running >= cpu->procs && cpu->runnable > 0;
}

void gt_report_cpu_advance(struct gt_report *report)
{
    struct gt_report_cpu *cpu = &report->cpu;
    int64_t time = gt_time_minus(report->now, cpu->since);
    if (time <= 0)
        return;
    cpu->since = report->now;
    cpu->proc_time += (double) cpu->procs * (double) time;
    if (cpu->is_saturated)
        gt_time_add_to(&cpu->saturated, time);
}

/* A state that lasts no time does not end a stretch in which the procs were saturated. */
static void cpu_saturation_update(struct gt_report *report)
{
    struct gt_report_cpu *cpu = &report->cpu;
    bool is_saturated = cpu_is_saturated(cpu);
    if (is_saturated == cpu->is_saturated)
        return;
    if (is_saturated)
        cpu->saturated_since = report->now;
    else
        gt_report_span_keep(&cpu->saturated_longest, GT_NO_GOROUTINE, cpu->saturated_since,
                            report->now);
    cpu->is_saturated = is_saturated;
}

void gt_report_cpu_change(struct gt_report *report, const struct gt_report_change *change)
{
    struct gt_report_cpu *cpu = &report->cpu;
    gt_report_cpu_advance(report);
    cpu->running -= change->from == GT_GO_RUNNING && !change->is_in_host;
    cpu->running += change->to == GT_GO_RUNNING && !change->is_to_host;
    cpu->runnable -= change->from == GT_GO_RUNNABLE;
    cpu->runnable += change->to == GT_GO_RUNNABLE;
    cpu_saturation_update(report);
}

/* The first value that is told holds from the beginning on. */
gt_status gt_report_cpu_set_procs(struct gt_report *report, uint64_t procs)
{
    gt_report_cpu_advance(report);
    gt_report_idle_advance(report);
    if (report->cpu.procs == 0)
        report->cpu.proc_time = (double) procs * (double) gt_time_minus(report->now, report->start);
    report->cpu.procs = procs;
    cpu_saturation_update(report);
    return gt_report_idle_update(report);
}

gt_status gt_report_cpu_first_procs(struct gt_report *report)
{
    uint64_t procs = gt_reader_get_first_procs(report->reader);
    return procs == 0 ? GT_OK : gt_report_cpu_set_procs(report, procs);
}

double gt_report_proc_time(const struct gt_report *report)
{
    const struct gt_report_cpu *cpu = &report->cpu;
    return cpu->procs > 0 ? cpu->proc_time
                          : (double) report->idle.procs_most * (double) gt_report_duration(report);
}

/* The groups that run most. */
static void cpu_runners_keep(const struct gt_report *report, struct gt_report_top *top)
{
    for (size_t i = 0; i < report->groups.count; i++) {
        const struct gt_report_group *group = &report->groups.items[i];
        const struct gt_report_about about = {
            .figure = (double) group->running, .count = group->runs, .group = group->text};
        if (group->running > 0 && !group->is_host)
            gt_report_top_keep(top, &about);
    }
}

gt_status gt_report_cpu_find(struct gt_report *report)
{
    struct gt_report_cpu *cpu = &report->cpu;
    gt_report_cpu_advance(report);
    if (cpu->is_saturated)
        gt_report_span_keep(&cpu->saturated_longest, GT_NO_GOROUTINE, cpu->saturated_since,
                            report->now);
    double share = gt_report_percent((double) cpu->saturated, (double) gt_report_duration(report));
    if (cpu->saturated == 0 || share <= report->limits[GT_LIMIT_SATURATED_SHARE] ||
        (double) cpu->saturated <= report->limits[GT_LIMIT_SATURATED_TIME])
        return GT_OK;
    struct gt_report_found found = {
        .kind = GT_KIND_CPU_SATURATED,
        .figure = (double) cpu->saturated,
        .share = share,
        .excess = gt_report_excess(report, share, GT_LIMIT_SATURATED_SHARE),
        .example = cpu->saturated_longest,
    };
    cpu_runners_keep(report, &found.top);
    return gt_report_found_add(report, &found);
}
