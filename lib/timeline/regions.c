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

static int is_shown(const struct gt_timeline *t, uint64_t task)
{
    if (t->tasks.has_all_regions)
        return 1;
    const struct gt_selected *selected = gt_idmap_get(&t->selector->tasks, task);
    return selected && selected->is_shown;
}

static void draw_region(struct gt_timeline *t, const struct gt_tl_region *region,
                        const struct gt_tl_region_end *end)
{
    if (!region->name || region->name->size == 0 || end->goroutine == GT_NO_GOROUTINE ||
        !is_shown(t, region->task))
        return;
    gt_slice slice = gt_tl_slice(t, end->goroutine, region->start, end->time);
    gt_tl_name_hex(t, region->task);
    slice.scope = gt_tl_name_take(t);
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
    if (t->status == GT_OK)
        gt_tl_note(t, gt_emitter_async_slice(t->emitter, &slice));
}

/* A region on top of the list, without a name yet; NULL after a failure. */
static struct gt_tl_region *push(struct gt_timeline *t, struct gt_tl_region **list)
{
    struct gt_tl_region *region = gt_pool_take(&t->tasks.region_pool);
    if (!region) {
        gt_tl_note(t, gt_mem_failure(&t->mem));
        return NULL;
    }
    memset(region, 0, sizeof(*region));
    region->next = *list;
    *list = region;
    return region;
}

static void pop(struct gt_timeline *t, struct gt_tl_region **list)
{
    struct gt_tl_region *region = *list;
    *list = region->next;
    gt_tl_text_drop(&t->texts, region->name);
    gt_pool_give(&t->tasks.region_pool, region);
}

static void set_region(struct gt_timeline *t, struct gt_tl_region *region, const gt_event *event,
                       const gt_region *said)
{
    region->name = gt_tl_text_of_trace(&t->texts, said->type);
    if (!region->name)
        gt_tl_note(t, gt_mem_failure(&t->mem));
    region->task = said->task;
    region->start = event->time;
    region->goroutine = event->goroutine;
    region->stack = t->stack;
}

static void end_region(struct gt_timeline *t, struct gt_tl_goroutine *g, const gt_event *event,
                       const gt_region *said)
{
    const struct gt_tl_region_end end = {event->time, event->goroutine, t->stack};
    if (!g->regions) {
        /* It began before the trace did. */
        struct gt_tl_region *region = push(t, &g->regions);
        if (!region)
            return;
        set_region(t, region, event, said);
        region->start = t->start;
        region->stack = 0;
    }
    draw_region(t, g->regions, &end);
    pop(t, &g->regions);
}

void gt_tl_region_changes(struct gt_timeline *t, const gt_event *event)
{
    gt_region said = GT_REGION_INIT;
    gt_event_region(event, &said);
    struct gt_tl_goroutine *g = gt_tl_goroutine_find(t, event->goroutine);
    if (!g)
        return;
    if (event->kind == GT_EVENT_REGION_END) {
        end_region(t, g, event, &said);
        return;
    }
    struct gt_tl_region *region = push(t, &g->regions);
    if (region)
        set_region(t, region, event, &said);
}

void gt_tl_regions_inherit(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t creator)
{
    const struct gt_tl_goroutine *from = gt_tl_goroutine_find(t, creator);
    gt_tl_regions_free(t, g);
    if (from && from != g && from->regions)
        push(t, &g->regions);
}

/* Go has it that system goroutines, and those without a name, are in no region that could end. */
void gt_tl_regions_end(struct gt_timeline *t, struct gt_tl_goroutine *g, int64_t ender)
{
    const struct gt_tl_region_end end = {t->now, ender, t->stack};
    int goes_on = !t->exact && (!g->is_told || g->is_system);
    while (g->regions) {
        struct gt_tl_region *region = g->regions;
        if (goes_on && region->name) {
            g->regions = region->next;
            region->next = t->tasks.orphans;
            t->tasks.orphans = region;
            continue;
        }
        draw_region(t, region, &end);
        pop(t, &g->regions);
    }
}

void gt_tl_regions_free(struct gt_timeline *t, struct gt_tl_goroutine *g)
{
    while (g->regions)
        pop(t, &g->regions);
}

static void finish(struct gt_timeline *t, struct gt_tl_region **list)
{
    while (*list && t->status == GT_OK) {
        const struct gt_tl_region_end end = {t->now, (*list)->goroutine, 0};
        draw_region(t, *list, &end);
        pop(t, list);
    }
}

void gt_tl_regions_finish(struct gt_timeline *t)
{
    for (struct gt_tl_goroutine *g = t->goroutines.first; g; g = g->next)
        finish(t, &g->regions);
    finish(t, &t->tasks.orphans);
}
