/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/ranges.h"

#include <assert.h>
#include <string.h>

#include "timeline/timeline.h"

static int is_same(const struct gt_tl_range *known, const gt_range *range)
{
    if (known->name.size != range->name.size ||
        memcmp(known->name.data, range->name.data, range->name.size) != 0)
        return 0;
    if (!known->cause || !range->has_cause)
        return !known->cause && !range->has_cause;
    return known->cause->size == range->cause.size &&
           memcmp(known->cause->data, range->cause.data, range->cause.size) == 0;
}

struct gt_tl_range **gt_tl_range_find(struct gt_tl_range **list, const gt_range *range)
{
    while (*list && !is_same(*list, range))
        list = &(*list)->next;
    return list;
}

struct gt_tl_range *gt_tl_range_new(struct gt_timeline *timeline)
{
    struct gt_tl_range *made = gt_pool_take(&timeline->ranges.pool);
    if (made)
        memset(made, 0, sizeof(*made));
    else
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
    return made;
}

struct gt_tl_range *gt_tl_range_make(struct gt_timeline *timeline, struct gt_tl_range **list,
                                     const gt_range *range)
{
    struct gt_tl_range *made = *gt_tl_range_find(list, range);
    if (made)
        return made;
    made = gt_tl_range_new(timeline);
    if (!made)
        return NULL;
    made->name = range->name;
    if (range->has_cause) {
        made->cause = gt_tl_text_of_trace(&timeline->texts, range->cause);
        if (!made->cause) {
            gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
            gt_pool_give(&timeline->ranges.pool, made);
            return NULL;
        }
    }
    made->next = *list;
    *list = made;
    return made;
}

void gt_tl_range_remove(struct gt_timeline *timeline, struct gt_tl_range **link)
{
    struct gt_tl_range *range = *link;
    assert(range);
    *link = range->next;
    gt_tl_text_drop(&timeline->texts, range->cause);
    gt_pool_give(&timeline->ranges.pool, range);
}

void gt_tl_ranges_free(struct gt_timeline *timeline, struct gt_tl_range **list)
{
    while (*list)
        gt_tl_range_remove(timeline, list);
}

void gt_tl_range_draw(struct gt_timeline *timeline, const struct gt_tl_range *range, int64_t row)
{
    gt_tl_name_string(timeline, range->name);
    if (range->cause) {
        gt_tl_name_string(timeline, GT_TL_STRING(" ("));
        gt_tl_name_text(timeline, range->cause);
        gt_tl_name_string(timeline, GT_TL_STRING(")"));
    }
    gt_slice slice = gt_tl_slice(timeline, row, range->begin, range->end);
    slice.name = gt_tl_name_take(timeline);
    slice.stack = range->stack;
    slice.end_stack = range->end_stack;
    gt_viewer_argument blocked = {
        GT_TL_STRING("blocked"), GT_VIEWER_STRING, 0, 0, GT_TL_STRING(""),
    };
    if (range->blocked) {
        blocked.string.data = range->blocked;
        blocked.string.size = strlen(range->blocked);
        slice.arguments = &blocked;
        slice.argument_count = 1;
    }
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_slice(timeline->emitter, &slice));
}

/* There is a row for what is of the garbage collector; Go draws nothing else there. */
static int is_drawn(const struct gt_tl_range *range, int64_t row)
{
    if (row != GT_ROW_GC)
        return 1;
    for (size_t i = 0; i + 2 <= range->name.size; i++) {
        if (range->name.data[i] == 'G' && range->name.data[i + 1] == 'C')
            return 1;
    }
    return 0;
}

void gt_tl_range_changes(struct gt_timeline *timeline, struct gt_tl_range **list,
                         const gt_event *event, const gt_range *range, int64_t row)
{
    struct gt_tl_range *active = gt_tl_range_make(timeline, list, range);
    if (!active)
        return;
    if (event->kind == GT_EVENT_RANGE_END) {
        if (!active->has_begin)
            active->begin = timeline->start;
        active->end = event->time;
        active->end_stack = timeline->stack;
        if (is_drawn(active, row))
            gt_tl_range_draw(timeline, active, row);
        gt_tl_range_remove(timeline, gt_tl_range_find(list, range));
        return;
    }
    /* In later generations this says again what is known. */
    if (event->kind == GT_EVENT_RANGE_ACTIVE && active->has_begin)
        return;
    active->has_begin = 1;
    active->begin = event->kind == GT_EVENT_RANGE_BEGIN ? event->time : timeline->start;
    active->stack = timeline->stack;
}

void gt_tl_ranges_finish(struct gt_timeline *timeline, struct gt_tl_range **list, int64_t row)
{
    for (struct gt_tl_range *range = *list; range; range = range->next) {
        range->end = timeline->now;
        range->end_stack = 0;
        if (is_drawn(range, row))
            gt_tl_range_draw(timeline, range, row);
    }
    gt_tl_ranges_free(timeline, list);
}

/* globalRangeGenerator in cmd/trace/gen.go. */
void gt_tl_global_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range)
{
    if (event->kind != GT_EVENT_RANGE_ACTIVE || timeline->syncs < 2)
        gt_tl_range_changes(timeline, &timeline->global, event, range, GT_ROW_GC);
}

void gt_tl_global_finish(struct gt_timeline *timeline)
{
    gt_tl_ranges_finish(timeline, &timeline->global, GT_ROW_GC);
}
