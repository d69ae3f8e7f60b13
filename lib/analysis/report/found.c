/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/found.h"

#include "analysis/report/report.h"
#include "base/sized.h"
#include "base/sort.h"
#include "base/time.h"

void gt_report_span_keep(struct gt_report_span *longest, int64_t goroutine, int64_t start,
                         int64_t end)
{
    if (end < start || (longest->end >= longest->start &&
                        gt_time_span(start, end) <= gt_time_span(longest->start, longest->end)))
        return;
    *longest = (struct gt_report_span){goroutine, start, end};
}

/* A total order, so that equal traces have equal reports. */
static bool report_about_is_before(const void *a, const void *b, void *context)
{
    const struct gt_report_about *left = a, *right = b;
    (void) context;
    if (left->figure != right->figure)
        return left->figure > right->figure;
    if (left->count != right->count)
        return left->count > right->count;
    if (left->group != right->group)
        return left->group < right->group;
    if (left->detail != right->detail)
        return left->detail < right->detail;
    return left->stack != right->stack ? left->stack < right->stack : left->other < right->other;
}

void gt_report_top_keep(struct gt_report_top *top, const struct gt_report_about *about)
{
    gt_sort_keep_first(top->list, &top->count, GT_REPORT_SUBJECTS, about, sizeof(*about),
                       report_about_is_before, NULL);
}

double gt_report_excess(const struct gt_report *report, double value, unsigned limit)
{
    double threshold = report->limits[limit];
    return threshold > 0 ? value / threshold : value;
}

gt_status gt_report_found_add(struct gt_report *report, struct gt_report_found *found)
{
    gt_sort(found->top.list, found->top.count, sizeof(found->top.list[0]), report_about_is_before,
            NULL);
    gt_status status =
        gt_array_add(&report->mem, &report->findings.order, (uint32_t) report->findings.list.count);
    return status == GT_OK ? gt_array_add(&report->mem, &report->findings.list, *found) : status;
}

/*
 * Whether a kind of finding is often only what others lead to: goroutines wait for a processor, and
 * what they do takes longer, where all are in use or cannot be used.
 */
static bool kind_is_effect(unsigned kind)
{
    return kind == GT_KIND_SCHEDULER_LATENCY || kind == GT_KIND_NETWORK_WAKEUP ||
           kind == GT_KIND_TASK_OUTLIER || kind == GT_KIND_REGION_OUTLIER;
}

static bool kind_is_cause(unsigned kind)
{
    return kind == GT_KIND_THROTTLED || kind == GT_KIND_SUSPENDED ||
           kind == GT_KIND_GC_STOP_THE_WORLD || kind == GT_KIND_CPU_SATURATED ||
           kind == GT_KIND_GC_CPU || kind == GT_KIND_LONG_RUN || kind == GT_KIND_CPU_IDLE_WITH_WORK;
}

/* The worst first; but causes come before their effects, and take their place. */
static void findings_rank(struct gt_report_findings *findings)
{
    double effect = 0;
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct gt_report_found *found = &findings->list.items[i];
        if (kind_is_effect(found->kind) && found->excess > effect)
            effect = found->excess;
    }
    for (size_t i = 0; i < findings->list.count; i++) {
        struct gt_report_found *found = &findings->list.items[i];
        found->rank = found->excess;
        if (kind_is_cause(found->kind) && found->excess < effect)
            found->rank = effect;
    }
}

static bool report_found_is_before(const void *a, const void *b, void *context)
{
    const struct gt_report_found *list = context;
    const struct gt_report_found *left = &list[*(const uint32_t *) a];
    const struct gt_report_found *right = &list[*(const uint32_t *) b];
    if (left->rank != right->rank)
        return left->rank > right->rank;
    if (kind_is_effect(left->kind) != kind_is_effect(right->kind))
        return kind_is_effect(right->kind);
    if (left->excess != right->excess)
        return left->excess > right->excess;
    return left->kind < right->kind;
}

gt_status gt_report_findings_sort(struct gt_report *report)
{
    findings_rank(&report->findings);
    gt_sort(report->findings.order.items, report->findings.order.count, sizeof(uint32_t),
            report_found_is_before, report->findings.list.items);
    return GT_OK;
}

static const struct gt_report_found *report_found_at(const gt_report *report, size_t index)
{
    if (index >= gt_report_finding_count(report))
        return NULL;
    return &report->findings.list.items[report->findings.order.items[index]];
}

size_t gt_report_finding_count(const gt_report *report)
{
    return report && report->finished && report->failure == GT_OK ? report->findings.order.count
                                                                  : 0;
}

gt_status gt_report_get_finding(const gt_report *report, size_t index, gt_report_finding *finding)
{
    if (!report || !gt_struct_fits(finding, GT_UP_TO(gt_report_finding, end)))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_report_found *found = report_found_at(report, index);
    if (!found)
        return GT_ERR_NOT_AVAILABLE;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    gt_status status = gt_report_get_kind(found->kind, &kind);
    const gt_report_finding all = {
        .size = sizeof(all),
        .name = kind.name,
        .kind = found->kind,
        .subject_count = found->top.count,
        .figure = found->figure,
        .share = found->share,
        .excess = found->excess,
        .goroutine = found->example.goroutine,
        .start = found->example.start,
        .end = found->example.end,
    };
    gt_struct_give(finding, &all, sizeof(all));
    return status;
}

gt_status gt_report_get_subject(const gt_report *report, size_t finding, size_t index,
                                gt_report_subject *subject)
{
    if (!report || !gt_struct_fits(subject, GT_UP_TO(gt_report_subject, count)))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_report_found *found = report_found_at(report, finding);
    if (!found || index >= found->top.count)
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_report_about *about = &found->top.list[index];
    const gt_report_subject all = {
        .size = sizeof(all),
        .group = report->texts.list.items[about->group],
        .detail = report->texts.list.items[about->detail],
        .figure = about->figure,
        .count = about->count,
    };
    gt_struct_give(subject, &all, sizeof(all));
    return GT_OK;
}

gt_status gt_report_subject_frames(const gt_report *report, size_t finding, size_t index,
                                   uint32_t which, gt_frame *frames, size_t capacity, size_t *count)
{
    if (!report || !count || which > GT_REPORT_STACK_OTHER || (!frames && capacity != 0))
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_report_found *found = report_found_at(report, finding);
    if (!found || index >= found->top.count)
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_report_about *about = &found->top.list[index];
    *count = gt_stackset_frames(&report->stacks,
                                which == GT_REPORT_STACK_OWN ? about->stack : about->other, frames,
                                capacity);
    return GT_OK;
}

gt_status gt_report_get_info(const gt_report *report, gt_report_info *info)
{
    if (!report || !gt_struct_fits(info, GT_UP_TO(gt_report_info, end)))
        return GT_ERR_INVALID_ARGUMENT;
    const gt_report_info all = {
        .size = sizeof(all),
        .events = report->events,
        .goroutines = report->goroutine_count,
        .stacks = report->stacks.stacks.count,
        .procs = report->cpu.procs,
        .memory = report->mem.used,
        .memory_peak = report->mem.peak,
        .start = report->start,
        .end = report->now,
    };
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}
