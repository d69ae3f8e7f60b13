/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/report.h"
#include "base/open_find.h"
#include "base/time.h"

void gt_report_tasks_init(struct gt_report *report)
{
    struct gt_report_tasks *tasks = &report->tasks;
    gt_idmap_init_objects(&tasks->open, &report->mem, sizeof(struct gt_report_task));
    gt_pool_init(&tasks->regions, &report->mem, sizeof(struct gt_report_region));
}

void gt_report_tasks_free(struct gt_report *report)
{
    gt_idmap_destroy(&report->tasks.open);
    gt_pool_destroy(&report->tasks.regions);
}

/* Something that has ended. */
struct outlier {
    enum gt_tally_kind kind;
    uint32_t type;
    uint32_t group; /* the number */
    uint32_t stack;
    int64_t goroutine;
    int64_t since;
};

/* Counts it by its type, of which the longest one is kept with its stack. */
static gt_status outlier_add(struct gt_report *report, const struct outlier *outlier)
{
    const struct gt_report_tally_key key = {.kind = outlier->kind, .who = outlier->type};
    struct gt_report_tally *tally;
    gt_status status =
        gt_report_tally_measure(report, &key, outlier->goroutine, outlier->since, &tally);
    if (!tally || tally->longest.end != report->now || tally->longest.start != outlier->since)
        return status;
    tally->longest_group = outlier->group;
    tally->longest_stack = outlier->stack;
    return status;
}

static gt_status task_begin(struct gt_report *report, const gt_task *begun)
{
    struct gt_report_tasks *tasks = &report->tasks;
    struct gt_report_goroutine *goroutine =
        gt_report_goroutine_get(report, report->event->goroutine);
    if (tasks->open_count >= GT_REPORT_OPEN || gt_idmap_get(&tasks->open, begun->id))
        return GT_OK;
    struct gt_report_task *task = gt_idmap_add(&tasks->open, begun->id);
    if (!task)
        return gt_mem_failure(&report->mem);
    tasks->open_count++;
    task->since = report->now;
    task->goroutine = report->event->goroutine;
    if (goroutine) {
        goroutine->tasks++;
        task->group = goroutine->group;
    }
    gt_status status = gt_texts_add(&report->texts, begun->type, &task->type);
    return status == GT_OK
               ? gt_report_stack_number(report, gt_event_stack(report->event), &task->stack)
               : status;
}

static gt_status task_end(struct gt_report *report, uint64_t id)
{
    struct gt_report_tasks *tasks = &report->tasks;
    struct gt_report_task *task = gt_idmap_get(&tasks->open, id);
    if (!task)
        return GT_OK;
    struct gt_report_goroutine *goroutine = gt_report_goroutine_get(report, task->goroutine);
    /* The id may be that of a later goroutine. */
    if (goroutine && goroutine->tasks > 0)
        goroutine->tasks--;
    const struct outlier outlier = {GT_TALLY_TASK, task->type,      task->group,
                                    task->stack,   task->goroutine, task->since};
    tasks->open_count--;
    gt_status status = outlier_add(report, &outlier);
    gt_idmap_drop(&tasks->open, id, task);
    return status;
}

gt_status gt_report_task_event(struct gt_report *report, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &task);
    if (status != GT_OK)
        return status;
    return event->kind == GT_EVENT_TASK_BEGIN ? task_begin(report, &task)
                                              : task_end(report, task.id);
}

/* Regions that are nested too deeply, or too many, are only counted. */
static gt_status region_begin(struct gt_report *report, struct gt_report_goroutine *goroutine,
                              const gt_region *begun)
{
    struct gt_report_tasks *tasks = &report->tasks;
    if (goroutine->regions_left_out > 0 || tasks->region_count >= GT_REPORT_OPEN) {
        goroutine->regions_left_out++;
        return GT_OK;
    }
    struct gt_report_region *region = gt_pool_take(&tasks->regions);
    if (!region)
        return gt_mem_failure(&report->mem);
    *region = (struct gt_report_region){
        .outer = goroutine->region,
        .task = begun->task,
        .since = report->now,
        .is_of_task = begun->task != GT_BACKGROUND_TASK && begun->task != GT_NO_TASK,
    };
    tasks->region_count++;
    goroutine->region = region;
    goroutine->task_regions += region->is_of_task;
    gt_status status = gt_texts_add(&report->texts, begun->type, &region->type);
    return status == GT_OK
               ? gt_report_stack_number(report, gt_event_stack(report->event), &region->stack)
               : status;
}

/* Closes the first region of a list, or of the rest of one. */
static void region_drop(struct gt_report *report, struct gt_report_goroutine *goroutine,
                        struct gt_report_region **link)
{
    struct gt_report_region *region = *link;
    *link = region->outer;
    goroutine->task_regions -= region->is_of_task;
    report->tasks.region_count--;
    gt_pool_give(&report->tasks.regions, region);
}

static gt_status region_end(struct gt_report *report, struct gt_report_goroutine *goroutine,
                            const gt_region *ended)
{
    if (goroutine->regions_left_out > 0) {
        goroutine->regions_left_out--;
        return GT_OK;
    }
    /* It began before the trace. */
    if (!goroutine->region)
        return GT_OK;
    struct gt_report_region **link;
    uint32_t type = gt_texts_number(&report->texts, ended->type, goroutine->region->type);
    GT_OPEN_FIND_ENDED(link, &goroutine->region, outer,
                       (*link)->task == ended->task && (*link)->type == type);
    const struct gt_report_region *region = *link;
    const struct outlier outlier = {GT_TALLY_REGION, region->type,  goroutine->group,
                                    region->stack,   goroutine->id, region->since};
    region_drop(report, goroutine, link);
    return outlier_add(report, &outlier);
}

gt_status gt_report_region_event(struct gt_report *report, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    struct gt_report_goroutine *goroutine = gt_report_goroutine_get(report, event->goroutine);
    gt_status status = gt_event_region(event, &region);
    if (status != GT_OK || !goroutine)
        return status;
    return event->kind == GT_EVENT_REGION_BEGIN ? region_begin(report, goroutine, &region)
                                                : region_end(report, goroutine, &region);
}

void gt_report_regions_drop(struct gt_report *report, struct gt_report_goroutine *goroutine)
{
    while (goroutine->region)
        region_drop(report, goroutine, &goroutine->region);
}

struct outlier_limits {
    enum gt_tally_kind tally;
    unsigned kind;
    unsigned times;
    unsigned time;
    unsigned count;
};

static gt_status outlier_find(struct gt_report *report, const struct outlier_limits *limits)
{
    struct gt_report_found found = {.kind = limits->kind, .example = GT_REPORT_NO_SPAN};
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != limits->tally)
            continue;
        const struct gt_report_about about = {
            .figure = gt_report_tally_quantile(report, tally, 0.99),
            .count = tally->count,
            .group = report->groups.items[tally->longest_group].text,
            .detail = tally->key.who,
            .stack = tally->longest_stack,
        };
        double usual = gt_report_tally_quantile(report, tally, 0.5);
        double times = about.figure / (usual < 1 ? 1 : usual);
        if ((double) tally->count < report->limits[limits->count] ||
            about.figure <= report->limits[limits->time] || times <= report->limits[limits->times])
            continue;
        gt_report_top_keep(&found.top, &about);
        if (gt_report_excess(report, times, limits->times) > found.excess)
            found.excess = gt_report_excess(report, times, limits->times);
        if (about.figure <= found.figure)
            continue;
        found.figure = about.figure;
        found.example = tally->longest;
    }
    return found.top.count == 0 ? GT_OK : gt_report_found_add(report, &found);
}

gt_status gt_report_outlier_find(struct gt_report *report)
{
    static const struct outlier_limits tasks = {GT_TALLY_TASK, GT_KIND_TASK_OUTLIER,
                                                GT_LIMIT_TASK_TIMES, GT_LIMIT_TASK_TIME,
                                                GT_LIMIT_TASK_COUNT};
    static const struct outlier_limits regions = {GT_TALLY_REGION, GT_KIND_REGION_OUTLIER,
                                                  GT_LIMIT_REGION_TIMES, GT_LIMIT_REGION_TIME,
                                                  GT_LIMIT_REGION_COUNT};
    gt_status status = outlier_find(report, &tasks);
    return status == GT_OK ? outlier_find(report, &regions) : status;
}
