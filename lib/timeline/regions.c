/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/open_find.h"
#include "timeline/arguments.h"
#include "timeline/selector.h"
#include "timeline/tasks.h"
#include "timeline/timeline.h"

/*
 * Regions of goroutines: emitRegion in cmd/trace/gen.go draws what internal/trace/summary.go
 * finds. The end of a region ends the innermost open one, unless that has another task or name.
 */

struct gt_tl_region_end {
    int64_t time;
    int64_t goroutine;
    uint32_t stack;
};

static bool region_is_shown(const struct gt_timeline *timeline, uint64_t task)
{
    if (timeline->tasks.has_all_regions)
        return true;
    const struct gt_selector_task *selected = gt_idmap_get(&timeline->selector->tasks, task);
    return selected && selected->is_shown;
}

static void region_draw(struct gt_timeline *timeline, const struct gt_tl_region *region,
                        const struct gt_tl_region_end *end)
{
    struct gt_tl_arguments arguments;
    if (!region->name || region->name->string.size == 0 || end->goroutine == GT_NO_GOROUTINE ||
        !region_is_shown(timeline, region->task))
        return;
    gt_slice slice = gt_tl_slice(timeline, end->goroutine, region->start, end->time);
    arguments.count = 0;
    gt_tl_arguments_add(&arguments, GT_TL_STRING("taskid"), GT_VIEWER_UNSIGNED, region->task);
    gt_tl_name_hex(&timeline->name, region->task);
    slice.scope = gt_tl_name_end(timeline);
    slice.name = region->name->string;
    slice.category = GT_TL_STRING("Region");
    slice.stack = region->stack;
    slice.end_stack = end->stack;
    slice.task = region->task;
    slice.arguments = arguments.list;
    slice.argument_count = arguments.count;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_async_slice(timeline->emitter, &slice));
}

/* Adds a region without a name, the innermost one of a list. NULL on failure. */
static struct gt_tl_region *region_push(struct gt_timeline *timeline, struct gt_tl_region **list)
{
    struct gt_tl_region *region = gt_pool_take(&timeline->tasks.region_pool);
    if (!region) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        return NULL;
    }
    memset(region, 0, sizeof(*region));
    region->next = *list;
    *list = region;
    return region;
}

/* Frees the first region of a list, or of the rest of one. */
static void region_pop(struct gt_timeline *timeline, struct gt_tl_region **list)
{
    struct gt_tl_region *region = *list;
    *list = region->next;
    gt_shared_text_drop(&timeline->texts, region->name);
    gt_pool_give(&timeline->tasks.region_pool, region);
}

static void region_set(struct gt_timeline *timeline, struct gt_tl_region *region,
                       const gt_event *event, const gt_region *told)
{
    region->name = gt_tl_text_get(timeline, told->type);
    region->task = told->task;
    region->start = event->time;
    region->goroutine = event->goroutine;
    region->stack = timeline->stack;
}

/* Returns the pointer to the open region that ends, of at least one. */
static struct gt_tl_region **region_find(const struct gt_timeline *timeline,
                                         struct gt_tl_goroutine *goroutine, const gt_region *told)
{
    const struct gt_shared_text *name =
        gt_shared_text_find(&timeline->texts, told->type, goroutine->regions->name);
    struct gt_tl_region **link;
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, next,
                       (*link)->task == told->task && (*link)->name && (*link)->name == name);
    return link;
}

static void region_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       const gt_event *event, const gt_region *told)
{
    const struct gt_tl_region_end end = {event->time, event->goroutine, timeline->stack};
    if (!goroutine->regions) {
        /* The region began before the trace did. */
        struct gt_tl_region *region = region_push(timeline, &goroutine->regions);
        if (!region)
            return;
        region_set(timeline, region, event, told);
        region->start = timeline->start;
        region->stack = 0;
    }
    struct gt_tl_region **link = region_find(timeline, goroutine, told);
    region_draw(timeline, *link, &end);
    region_pop(timeline, link);
}

void gt_tl_region_event(struct gt_timeline *timeline, const gt_event *event)
{
    gt_region told = GT_REGION_INIT;
    gt_event_region(event, &told);
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, event->goroutine);
    if (!goroutine)
        return;
    if (event->kind == GT_EVENT_REGION_END) {
        region_end(timeline, goroutine, event, &told);
        return;
    }
    struct gt_tl_region *region = region_push(timeline, &goroutine->regions);
    if (region)
        region_set(timeline, region, event, &told);
}

void gt_tl_regions_inherit(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t creator)
{
    const struct gt_tl_goroutine *from = gt_tl_goroutine_find(timeline, creator);
    gt_tl_regions_free(timeline, goroutine);
    if (from && from != goroutine && from->regions)
        region_push(timeline, &goroutine->regions);
}

/*
 * In Go, the regions of a system goroutine, or of a goroutine whose function is not known, do not
 * end with the goroutine but last until the trace ends.
 */
void gt_tl_regions_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t ender)
{
    const struct gt_tl_region_end end = {timeline->now, ender, timeline->stack};
    bool stay_open = !timeline->exact && (!goroutine->has_function || goroutine->is_system);
    while (goroutine->regions) {
        struct gt_tl_region *region = goroutine->regions;
        if (stay_open && region->name) {
            goroutine->regions = region->next;
            region->next = timeline->tasks.orphans;
            timeline->tasks.orphans = region;
            continue;
        }
        region_draw(timeline, region, &end);
        region_pop(timeline, &goroutine->regions);
    }
}

void gt_tl_regions_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    while (goroutine->regions)
        region_pop(timeline, &goroutine->regions);
}

static void regions_draw_open(struct gt_timeline *timeline, struct gt_tl_region **list)
{
    while (*list && timeline->status == GT_OK) {
        const struct gt_tl_region_end end = {timeline->now, (*list)->goroutine, 0};
        region_draw(timeline, *list, &end);
        region_pop(timeline, list);
    }
}

void gt_tl_regions_finish(struct gt_timeline *timeline)
{
    struct gt_tl_goroutine *goroutine = timeline->goroutines.first;
    for (; goroutine; goroutine = goroutine->next)
        regions_draw_open(timeline, &goroutine->regions);
    regions_draw_open(timeline, &timeline->tasks.orphans);
}
