/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/ranges.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "timeline/arguments.h"
#include "timeline/timeline.h"

static bool range_equals(const struct gt_tl_range *known, const gt_range *range)
{
    if (!gt_text_equal(known->name, range->name))
        return false;
    if (!known->cause || !range->has_cause)
        return !known->cause && !range->has_cause;
    return gt_text_equal(known->cause->string, range->cause);
}

struct gt_tl_range **gt_tl_range_find(struct gt_tl_range **list, const gt_range *range)
{
    while (*list && !range_equals(*list, range))
        list = &(*list)->next;
    return list;
}

struct gt_tl_range *gt_tl_range_new(struct gt_timeline *timeline)
{
    struct gt_tl_range *range = gt_pool_take(&timeline->ranges.pool);
    if (range)
        memset(range, 0, sizeof(*range));
    else
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
    return range;
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
        made->cause = gt_tl_text_get(timeline, range->cause);
        if (!made->cause) {
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
    gt_shared_text_drop(&timeline->texts, range->cause);
    gt_pool_give(&timeline->ranges.pool, range);
}

void gt_tl_ranges_free(struct gt_timeline *timeline, struct gt_tl_range **list)
{
    while (*list)
        gt_tl_range_remove(timeline, list);
}

void gt_tl_range_draw(struct gt_timeline *timeline, const struct gt_tl_range *range, int64_t row)
{
    struct gt_tl_arguments arguments;
    arguments.count = 0;
    gt_tl_name_string(&timeline->name, range->name);
    if (range->cause)
        gt_tl_name_in_parentheses(&timeline->name, range->cause->string);
    gt_slice slice = gt_tl_slice(timeline, row, range->begin, range->end);
    slice.name = gt_tl_name_end(timeline);
    slice.stack = range->stack;
    slice.end_stack = range->end_stack;
    if (range->blocked) {
        gt_string blocked = {range->blocked, strlen(range->blocked)};
        gt_tl_arguments_add_string(&arguments, GT_TL_STRING("blocked"), blocked);
        slice.arguments = arguments.list;
        slice.argument_count = arguments.count;
    }
    gt_tl_draw_slice(timeline, &slice);
}

/*
 * Of the ranges of the program, Go draws only those that have GC in their names. Their row does not
 * tell them: a goroutine can have the same number.
 */
static bool range_is_drawn(const struct gt_timeline *timeline, struct gt_tl_range *const *list,
                           const struct gt_tl_range *range)
{
    if (list != &timeline->global)
        return true;
    for (size_t i = 0; i + 2 <= range->name.size; i++) {
        if (range->name.data[i] == 'G' && range->name.data[i + 1] == 'C')
            return true;
    }
    return false;
}

void gt_tl_range_event(struct gt_timeline *timeline, struct gt_tl_range **list,
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
        if (range_is_drawn(timeline, list, active))
            gt_tl_range_draw(timeline, active, row);
        gt_tl_range_remove(timeline, gt_tl_range_find(list, range));
        return;
    }
    /* Each generation after the first begins with events that repeat which ranges are active. */
    if (event->kind == GT_EVENT_RANGE_ACTIVE && active->has_begin)
        return;
    active->has_begin = true;
    active->begin = event->kind == GT_EVENT_RANGE_BEGIN ? event->time : timeline->start;
    active->stack = timeline->stack;
}

void gt_tl_ranges_finish(struct gt_timeline *timeline, struct gt_tl_range **list, int64_t row)
{
    for (struct gt_tl_range *range = *list; range; range = range->next) {
        range->end = timeline->now;
        range->end_stack = 0;
        if (range_is_drawn(timeline, list, range))
            gt_tl_range_draw(timeline, range, row);
    }
    gt_tl_ranges_free(timeline, list);
}

/* Does what globalRangeGenerator does in cmd/trace/gen.go of Go's source. */
void gt_tl_global_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range)
{
    if (event->kind != GT_EVENT_RANGE_ACTIVE || timeline->syncs < 2)
        gt_tl_range_event(timeline, &timeline->global, event, range, GT_ROW_GC);
}

void gt_tl_global_finish(struct gt_timeline *timeline)
{
    gt_tl_ranges_finish(timeline, &timeline->global, GT_ROW_GC);
}
