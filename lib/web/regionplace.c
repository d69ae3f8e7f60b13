/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/regionplace.h"

#include "base/open_find.h"
#include "base/text.h"

static struct gt_regionplace_goroutine *regionplace_find(struct gt_regionplace *place, int64_t id)
{
    if (!place->ids.mem) {
        gt_idmap_init(&place->ids, place->mem);
        gt_pool_init(&place->pool, place->mem, sizeof(struct gt_regionplace_region));
    }
    size_t number = gt_idmap_get_number(&place->ids, (uint64_t) id);
    if (number != 0)
        return &place->goroutines.items[number - 1];
    size_t count = place->goroutines.count;
    if (count >= UINT32_MAX - 1 || gt_array_reserve(place->mem, &place->goroutines, 1) != GT_OK ||
        gt_idmap_put_number(&place->ids, (uint64_t) id, count + 1) != GT_OK ||
        gt_array_extend(place->mem, &place->goroutines, count + 1) != GT_OK)
        return NULL;
    return &place->goroutines.items[count];
}

/* Returns the pc of the outermost frame, or 0 if there is no stack. */
static uint64_t regionplace_root_of(gt_reader *reader, gt_stack stack)
{
    const gt_frame *frames;
    size_t count;
    if (gt_stack_view(reader, stack, &frames, &count) != GT_OK || count == 0)
        return 0;
    return frames[count - 1].pc;
}

static bool regionplace_fail(struct gt_regionplace *place)
{
    place->out_of_memory = true;
    return false;
}

static bool regionplace_begin(struct gt_regionplace *place, gt_reader *reader,
                              const gt_event *event, uint64_t task)
{
    struct gt_regionplace_goroutine *goroutine = regionplace_find(place, event->goroutine);
    struct gt_regionplace_region *region = goroutine ? gt_pool_take(&place->pool) : NULL;
    if (!region)
        return regionplace_fail(place);
    bool is_hidden = regionplace_root_of(reader, gt_event_stack(event)) != place->pc;
    *region = (struct gt_regionplace_region){goroutine->regions, task, is_hidden};
    goroutine->regions = region;
    return !is_hidden;
}

/* Frees the first region of a list, or of the rest of one. Returns whether it was hidden. */
static bool regionplace_drop(struct gt_regionplace *place, struct gt_regionplace_region **link)
{
    struct gt_regionplace_region *region = *link;
    bool is_hidden = region->is_hidden;
    *link = region->outer;
    gt_pool_give(&place->pool, region);
    return is_hidden;
}

/* If a region's begin is not in the trace, its place is unknown, which counts as pc 0. */
static bool regionplace_end(struct gt_regionplace *place, const gt_event *event, uint64_t task)
{
    size_t number = gt_idmap_get_number(&place->ids, (uint64_t) event->goroutine);
    struct gt_regionplace_goroutine *goroutine =
        number != 0 ? &place->goroutines.items[number - 1] : NULL;
    if (!goroutine || !goroutine->regions)
        return place->pc == 0;
    struct gt_regionplace_region **link;
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, outer, (*link)->task == task);
    return !regionplace_drop(place, link);
}

static bool regionplace_region(struct gt_regionplace *place, gt_reader *reader,
                               const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    if (gt_event_region(event, &region) != GT_OK || !gt_text_equal(region.type, place->type))
        return true;
    return event->kind == GT_EVENT_REGION_BEGIN
               ? regionplace_begin(place, reader, event, region.task)
               : regionplace_end(place, event, region.task);
}

/* When a goroutine ends, so do its regions. Its id may be reused by another goroutine. */
static void regionplace_forget(struct gt_regionplace *place, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &transition) != GT_OK ||
        transition.resource.kind != GT_RESOURCE_GOROUTINE || transition.to != GT_GO_NOT_EXIST)
        return;
    size_t number = gt_idmap_get_number(&place->ids, (uint64_t) transition.resource.id);
    while (number != 0 && place->goroutines.items[number - 1].regions)
        regionplace_drop(place, &place->goroutines.items[number - 1].regions);
}

bool gt_regionplace_shows(struct gt_regionplace *place, gt_reader *reader, const gt_event *event)
{
    if (event->kind == GT_EVENT_REGION_BEGIN || event->kind == GT_EVENT_REGION_END)
        return regionplace_region(place, reader, event);
    if (event->kind == GT_EVENT_STATE_TRANSITION && place->goroutines.count > 0)
        regionplace_forget(place, event);
    return true;
}

void gt_regionplace_free(struct gt_regionplace *place)
{
    gt_array_free(place->mem, &place->goroutines);
    if (!place->ids.mem)
        return;
    gt_idmap_destroy(&place->ids);
    gt_pool_destroy(&place->pool);
}
