/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/open_find.h"
#include "base/text.h"
#include "rewrite/focus.h"

/* Regions of a focus, and what happens in them. */

/* Returns the item for a type of regions, or NULL. */
static struct gt_focus_item *region_item(const struct gt_focus *focus, gt_string type)
{
    for (size_t i = 0; i < focus->items.count; i++) {
        struct gt_focus_item *item = focus->items.items[i];
        if (item->kind == GT_FOCUS_REGION &&
            gt_text_equal((gt_string){item->type, item->type_size}, type))
            return item;
    }
    return NULL;
}

static struct gt_focus_goroutine *goroutine_find(const struct gt_focus *focus, int64_t id)
{
    return gt_idmap_get(&focus->goroutines, (uint64_t) id);
}

/* Returns a goroutine, which is added if it is new. NULL on failure: see gt_mem_failure. */
static struct gt_focus_goroutine *goroutine_make(struct gt_focus *focus, int64_t id)
{
    struct gt_focus_goroutine *goroutine = goroutine_find(focus, id);
    return goroutine ? goroutine : gt_idmap_add(&focus->goroutines, (uint64_t) id);
}

/* Returns whether a goroutine is in a region of an item at a time. */
static bool goroutine_is_inside(const struct gt_focus_goroutine *goroutine, int64_t time)
{
    return goroutine &&
           (goroutine->count != 0 || (goroutine->has_early && time <= goroutine->early_end));
}

/* Notes that a region of an item begins or ends. It ends an item that is open no more. */
static void item_note_region(struct gt_focus *focus, struct gt_focus_item *item, int64_t time,
                             bool begins)
{
    if (focus->is_finished)
        return;
    item->is_found = true;
    if (begins && time < item->start)
        item->start = time;
    if (!begins)
        item->end = time;
    item->open_count = begins ? item->open_count + 1 : item->open_count - 1;
}

static gt_status region_begin(struct gt_focus *focus, const struct gt_focus_look *look,
                              bool *belongs)
{
    struct gt_focus_goroutine *goroutine = goroutine_make(focus, look->event->goroutine);
    struct gt_focus_region *region = goroutine ? gt_pool_take(&focus->regions) : NULL;
    if (!region)
        return gt_mem_failure(&focus->mem);
    struct gt_focus_item *item = region_item(focus, look->type);
    *region = (struct gt_focus_region){
        .outer = goroutine->innermost,
        .task = look->task,
        .item = item,
        .belongs = item || goroutine_is_inside(goroutine, look->event->time)};
    goroutine->innermost = region;
    goroutine->count += item != NULL;
    *belongs |= region->belongs;
    if (item)
        item_note_region(focus, item, look->event->time, true);
    region->type = gt_shared_text_get(&focus->types, look->type);
    return region->type ? GT_OK : gt_mem_failure(&focus->mem);
}

/* Ends the region to which `link` points. */
static void region_end(struct gt_focus *focus, struct gt_focus_goroutine *goroutine,
                       struct gt_focus_region **link, int64_t time)
{
    struct gt_focus_region *region = *link;
    *link = region->outer;
    if (region->item) {
        goroutine->count--;
        item_note_region(focus, region->item, time, false);
    }
    gt_shared_text_drop(&focus->types, region->type);
    gt_pool_give(&focus->regions, region);
}

/* Takes the end of a region that began before the trace. */
static gt_status region_end_early(struct gt_focus *focus, const struct gt_focus_look *look,
                                  bool *belongs)
{
    struct gt_focus_item *item = region_item(focus, look->type);
    if (!item) {
        *belongs |=
            goroutine_is_inside(goroutine_find(focus, look->event->goroutine), look->event->time);
        return GT_OK;
    }
    *belongs = true;
    struct gt_focus_goroutine *goroutine = goroutine_make(focus, look->event->goroutine);
    if (!goroutine)
        return gt_mem_failure(&focus->mem);
    if (focus->is_finished)
        return GT_OK;
    goroutine->has_early = item->is_found = true;
    goroutine->early_end = item->end = look->event->time;
    item->start = INT64_MIN;
    return GT_OK;
}

static gt_status region_take_end(struct gt_focus *focus, const struct gt_focus_look *look,
                                 bool *belongs)
{
    struct gt_focus_goroutine *goroutine = goroutine_find(focus, look->event->goroutine);
    struct gt_focus_region **link;
    if (!goroutine || !goroutine->innermost)
        return region_end_early(focus, look, belongs);
    const struct gt_shared_text *type =
        gt_shared_text_find(&focus->types, look->type, goroutine->innermost->type);
    GT_OPEN_FIND_ENDED(link, &goroutine->innermost, outer,
                       (*link)->task == look->task && (*link)->type == type);
    *belongs |= (*link)->belongs;
    region_end(focus, goroutine, link, look->event->time);
    return GT_OK;
}

/* Ends the regions of a goroutine that ends. */
static void goroutine_end(struct gt_focus *focus, const struct gt_focus_look *look)
{
    struct gt_focus_goroutine *goroutine = goroutine_find(focus, look->subject);
    if (!goroutine)
        return;
    while (goroutine->innermost)
        region_end(focus, goroutine, &goroutine->innermost, look->event->time);
    if (!goroutine->has_early)
        gt_idmap_drop(&focus->goroutines, (uint64_t) look->subject, goroutine);
}

gt_status gt_focus_take_region(struct gt_focus *focus, const struct gt_focus_look *look,
                               bool *belongs)
{
    const gt_event *event = look->event;
    if (event->kind == GT_EVENT_REGION_BEGIN)
        return region_begin(focus, look, belongs);
    if (event->kind == GT_EVENT_REGION_END)
        return region_take_end(focus, look, belongs);
    *belongs |= goroutine_is_inside(goroutine_find(focus, event->goroutine), event->time) ||
                goroutine_is_inside(goroutine_find(focus, look->subject), event->time);
    if (look->ends)
        goroutine_end(focus, look);
    return GT_OK;
}

void gt_focus_drop_regions(struct gt_focus *focus)
{
    struct gt_focus_goroutine *goroutine;
    size_t place = 0;
    while ((goroutine = gt_idmap_next(&focus->goroutines, &place))) {
        while (goroutine->innermost)
            region_end(focus, goroutine, &goroutine->innermost, 0);
    }
}
