/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "timeline/selector.h"
#include "timeline/tasks.h"
#include "timeline/timeline.h"

/*
 * Regions of goroutines: emitRegion in cmd/trace/gen.go, for what
 * internal/trace/summary.go finds. A region's end is that of the innermost one.
 */

/* The end of a region. */
struct gt_tl_region_end {
    int64_t time;
    int64_t goroutine;
    uint32_t stack;
};

static int is_shown(const struct gt_timeline *timeline, uint64_t task)
{
    if (timeline->tasks.has_all_regions)
        return 1;
    const struct gt_selector_task *selected = gt_idmap_get(&timeline->selector->tasks, task);
    return selected && selected->is_shown;
}

static void draw_region(struct gt_timeline *timeline, const struct gt_tl_region *region,
                        const struct gt_tl_region_end *end)
{
    if (!region->name || region->name->size == 0 || end->goroutine == GT_NO_GOROUTINE ||
        !is_shown(timeline, region->task))
        return;
    gt_slice slice = gt_tl_slice(timeline, end->goroutine, region->start, end->time);
    gt_tl_name_hex(timeline, region->task);
    slice.scope = gt_tl_name_take(timeline);
    slice.name.data = region->name->data;
    slice.name.size = region->name->size;
    slice.category = GT_TL_STRING("Region");
    slice.stack = region->stack;
    slice.end_stack = end->stack;
    slice.task = region->task;
    gt_viewer_argument argument = {
        GT_TL_STRING("taskid"), GT_VIEWER_UNSIGNED, 0, region->task, GT_TL_STRING(""),
    };
    slice.arguments = &argument;
    slice.argument_count = 1;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_async_slice(timeline->emitter, &slice));
}

/* A region on top of the list, without a name yet; NULL after a failure. */
static struct gt_tl_region *push(struct gt_timeline *timeline, struct gt_tl_region **list)
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

static void pop(struct gt_timeline *timeline, struct gt_tl_region **list)
{
    struct gt_tl_region *region = *list;
    *list = region->next;
    gt_tl_text_drop(&timeline->texts, region->name);
    gt_pool_give(&timeline->tasks.region_pool, region);
}

static void set_region(struct gt_timeline *timeline, struct gt_tl_region *region,
                       const gt_event *event, const gt_region *said)
{
    region->name = gt_tl_text_of_trace(&timeline->texts, said->type);
    if (!region->name)
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
    region->task = said->task;
    region->start = event->time;
    region->goroutine = event->goroutine;
    region->stack = timeline->stack;
}

static void end_region(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       const gt_event *event, const gt_region *said)
{
    const struct gt_tl_region_end end = {event->time, event->goroutine, timeline->stack};
    if (!goroutine->regions) {
        /* It began before the trace did. */
        struct gt_tl_region *region = push(timeline, &goroutine->regions);
        if (!region)
            return;
        set_region(timeline, region, event, said);
        region->start = timeline->start;
        region->stack = 0;
    }
    draw_region(timeline, goroutine->regions, &end);
    pop(timeline, &goroutine->regions);
}

void gt_tl_region_changes(struct gt_timeline *timeline, const gt_event *event)
{
    gt_region said = GT_REGION_INIT;
    gt_event_region(event, &said);
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, event->goroutine);
    if (!goroutine)
        return;
    if (event->kind == GT_EVENT_REGION_END) {
        end_region(timeline, goroutine, event, &said);
        return;
    }
    struct gt_tl_region *region = push(timeline, &goroutine->regions);
    if (region)
        set_region(timeline, region, event, &said);
}

void gt_tl_regions_inherit(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t creator)
{
    const struct gt_tl_goroutine *from = gt_tl_goroutine_find(timeline, creator);
    gt_tl_regions_free(timeline, goroutine);
    if (from && from != goroutine && from->regions)
        push(timeline, &goroutine->regions);
}

/* Go has it that system goroutines, and those without a name, are in no region that could end. */
void gt_tl_regions_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t ender)
{
    const struct gt_tl_region_end end = {timeline->now, ender, timeline->stack};
    int goes_on = !timeline->exact && (!goroutine->is_told || goroutine->is_system);
    while (goroutine->regions) {
        struct gt_tl_region *region = goroutine->regions;
        if (goes_on && region->name) {
            goroutine->regions = region->next;
            region->next = timeline->tasks.orphans;
            timeline->tasks.orphans = region;
            continue;
        }
        draw_region(timeline, region, &end);
        pop(timeline, &goroutine->regions);
    }
}

void gt_tl_regions_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    while (goroutine->regions)
        pop(timeline, &goroutine->regions);
}

static void finish(struct gt_timeline *timeline, struct gt_tl_region **list)
{
    while (*list && timeline->status == GT_OK) {
        const struct gt_tl_region_end end = {timeline->now, (*list)->goroutine, 0};
        draw_region(timeline, *list, &end);
        pop(timeline, list);
    }
}

void gt_tl_regions_finish(struct gt_timeline *timeline)
{
    for (struct gt_tl_goroutine *goroutine = timeline->goroutines.first; goroutine;
         goroutine = goroutine->next)
        finish(timeline, &goroutine->regions);
    finish(timeline, &timeline->tasks.orphans);
}
