/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/focus.h"

/* Tasks of a focus, their descendants, and the goroutines that take part in them. */

/* Returns the item to which a task belongs, or NULL. */
static struct gt_focus_item *task_item(const struct gt_focus *focus, uint64_t task)
{
    return gt_idmap_get(&focus->family, task);
}

/*
 * Notes to which item the parent of an item belongs. A task that is its own ancestor, which a
 * hostile trace can claim, has none.
 */
static void item_set_outer(struct gt_focus_item *item, struct gt_focus_item *outer)
{
    const struct gt_focus_item *other = outer;
    while (other && other != item)
        other = other->outer;
    if (!other && !item->outer)
        item->outer = outer;
}

/* Lets a task belong to the item of its parent, if there is one. */
static gt_status task_adopt(struct gt_focus *focus, const struct gt_focus_look *look)
{
    struct gt_focus_item *item = task_item(focus, look->task);
    struct gt_focus_item *parent = task_item(focus, look->parent);
    if (!parent || look->task == GT_BACKGROUND_TASK)
        return GT_OK;
    if (!item)
        return gt_idmap_put(&focus->family, look->task, parent);
    if (item->id == look->task)
        item_set_outer(item, parent);
    return GT_OK;
}

/* Notes that a goroutine takes part in a task, and so in those around it. */
static gt_status item_add_goroutine(struct gt_focus_item *item, int64_t goroutine)
{
    gt_status status = GT_OK;
    for (; item && status == GT_OK; item = item->outer) {
        item->is_found = true;
        if (goroutine != GT_NO_GOROUTINE)
            status = gt_idmap_put_number(&item->goroutines, (uint64_t) goroutine, 1);
    }
    return status;
}

/* Notes when the task of an item begins, or ends that may have begun before the trace. */
static void item_note_times(struct gt_focus_item *item, const gt_event *event)
{
    bool begins = event->kind == GT_EVENT_TASK_BEGIN;
    int64_t start = begins ? event->time : INT64_MIN;
    if (item->start == INT64_MAX)
        item->start = start;
    item->end = begins ? INT64_MAX : event->time;
}

/* Returns whether a goroutine that the event is about takes part in a task that is open. */
static bool task_has_goroutine(const struct gt_focus *focus, const struct gt_focus_look *look)
{
    for (size_t i = 0; i < focus->items.count; i++) {
        const struct gt_focus_item *item = focus->items.items[i];
        if (item->kind != GT_FOCUS_TASK || !item->is_open)
            continue;
        if (gt_idmap_get(&item->goroutines, (uint64_t) look->event->goroutine) ||
            gt_idmap_get(&item->goroutines, (uint64_t) look->subject))
            return true;
    }
    return false;
}

gt_status gt_focus_take_task(struct gt_focus *focus, const struct gt_focus_look *look,
                             bool *belongs)
{
    const gt_event *event = look->event;
    gt_status status = GT_OK;
    if (look->task == GT_NO_TASK) {
        *belongs |= focus->is_finished && task_has_goroutine(focus, look);
        return GT_OK;
    }
    if (event->kind == GT_EVENT_TASK_BEGIN && !focus->is_finished)
        status = task_adopt(focus, look);
    struct gt_focus_item *item = task_item(focus, look->task);
    if (!item || status != GT_OK)
        return status;
    *belongs = true;
    bool is_task = event->kind == GT_EVENT_TASK_BEGIN || event->kind == GT_EVENT_TASK_END;
    bool is_own = is_task && item->id == look->task;
    if (is_own)
        item->is_open = event->kind == GT_EVENT_TASK_BEGIN;
    if (focus->is_finished)
        return GT_OK;
    if (is_own)
        item_note_times(item, event);
    return item_add_goroutine(item, event->goroutine);
}
