/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/object.h"
#include "base/time.h"

/* Makes what the numbers 0 of stacks, texts and groups stand for. */
static gt_status report_nothing_init(struct gt_report *report)
{
    uint32_t number;
    gt_status status = gt_texts_init(&report->texts, &report->mem);
    if (status == GT_OK)
        status = gt_stackset_init(&report->stacks, &report->mem);
    if (status == GT_OK)
        status = gt_array_extend(&report->mem, &report->places, 1);
    return status == GT_OK ? gt_report_group_number(report, 0, &number) : status;
}

gt_status gt_report_open(gt_report **out, const gt_report_options *options, gt_error *error)
{
    static const gt_report_options defaults = GT_REPORT_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("report", gt_report, gt_report_options, allocator, 0, &defaults, NULL);
    gt_status status;
    struct gt_report *report = gt_object_open(out, &layout, options, error, &status);
    if (!report)
        return status;
    struct gt_mem *mem = &report->mem;
    report->secret = gt_hash_secret(report);
    for (unsigned i = 0; i < GT_LIMITS; i++)
        report->limits[i] = gt_report_limit_usual(i);
    gt_pool_init(&report->octaves, mem, GT_OCTAVE_BYTES);
    gt_idmap_init_objects(&report->goroutines, mem, sizeof(struct gt_report_goroutine));
    gt_idmap_init_objects(&report->collector.sweeps, mem, sizeof(struct gt_report_sweep));
    gt_report_tasks_init(report);
    gt_report_gaps_init(report);
    report->health.step = GT_REPORT_NO_SPAN;
    report->collector.longest_cycle = report->collector.holder = GT_REPORT_NO_SPAN;
    report->cpu.saturated_longest = GT_REPORT_NO_SPAN;
    status = report_nothing_init(report);
    if (status != GT_OK)
        gt_report_close(&report);
    *out = report;
    return gt_error_report_plain(error, status);
}

void gt_report_close(gt_report **out)
{
    struct gt_report *report = out ? *out : NULL;
    if (!report || report->busy)
        return;
    struct gt_mem *mem = &report->mem;
    gt_texts_destroy(&report->texts);
    gt_stackset_destroy(&report->stacks);
    gt_array_free(mem, &report->places);
    gt_array_free(mem, &report->groups);
    gt_array_free(mem, &report->group_of_text);
    gt_pool_destroy(&report->octaves);
    gt_idmap_destroy(&report->goroutines);
    gt_idmap_destroy(&report->collector.sweeps);
    gt_array_free(mem, &report->collector.stops);
    gt_array_free(mem, &report->collector.stop_of_text);
    gt_report_tallies_free(report);
    gt_report_tasks_free(report);
    gt_array_free(mem, &report->blocking.queues);
    gt_array_free(mem, &report->creations.list);
    gt_array_free(mem, &report->findings.list);
    gt_array_free(mem, &report->findings.order);
    gt_mem_delete(mem, report, sizeof(*report));
    *out = NULL;
}

int64_t gt_report_duration(const struct gt_report *report)
{
    int64_t time = gt_time_minus(report->now, report->start);
    return time < 1 ? 1 : time;
}

double gt_report_percent(double part, double whole)
{
    const double all = 100;
    double share = whole > 0 ? part * all / whole : 0;
    return share < all ? share : all;
}

double gt_report_rate(const struct gt_report *report, uint64_t count)
{
    const double second = 1e9;
    return (double) count * second / (double) gt_report_duration(report);
}

double gt_report_all_time(const struct gt_report *report)
{
    double time = 0;
    for (size_t i = 0; i < report->groups.count; i++)
        time += (double) report->groups.items[i].time;
    return time;
}

static gt_status report_dispatch(struct gt_report *report, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_report_transition(report, event);
    case GT_EVENT_SYNC:
        return gt_report_sync(report, event);
    case GT_EVENT_METRIC:
        return gt_report_metric(report, event);
    case GT_EVENT_LABEL:
        return gt_report_label(report, event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return gt_report_range(report, event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_report_task_event(report, event);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return gt_report_region_event(report, event);
    default:
        return GT_OK;
    }
}

static void report_event_enter(struct gt_report *report, const gt_event *event)
{
    if (report->events == 0) {
        report->start = report->now = event->time;
        report->cpu.since = report->idle.since = event->time;
    }
    gt_report_gap_add(report, event->time);
    if (event->time > report->now)
        report->now = event->time;
    report->events++;
}

gt_status gt_report_event(gt_report *report, struct gt_reader *reader, const gt_event *event)
{
    if (!report || !event || report->busy || report->finished ||
        (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (report->failure != GT_OK)
        return report->failure;
    report->busy = true;
    report->reader = reader;
    report->event = event;
    report_event_enter(report, event);
    report->failure = report_dispatch(report, event);
    report->busy = false;
    return report->failure;
}

static gt_status report_find(struct gt_report *report)
{
    static gt_status (*const finders[])(struct gt_report * report) = {
        gt_report_growth_find,   gt_report_stuck_find,   gt_report_goroutines_finish,
        gt_report_lock_find,     gt_report_convoy_find,  gt_report_churn_find,
        gt_report_latency_find,  gt_report_syscall_find, gt_report_run_find,
        gt_report_channel_find,  gt_report_storm_find,   gt_report_network_find,
        gt_report_outlier_find,  gt_report_cpu_find,     gt_report_collector_find,
        gt_report_idle_find,     gt_report_gaps_find,    gt_report_health_find,
        gt_report_findings_sort,
    };
    gt_status status = GT_OK;
    for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]) && status == GT_OK; i++)
        status = finders[i](report);
    return status;
}

gt_status gt_report_finish(gt_report *report)
{
    if (!report || report->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (report->finished || report->failure != GT_OK)
        return report->failure;
    report->busy = true;
    report->failure = report_find(report);
    report->finished = true;
    report->busy = false;
    return report->failure;
}
