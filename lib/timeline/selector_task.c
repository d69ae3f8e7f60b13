/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "timeline/end.h"
#include "timeline/selector.h"

/*
 * Finds the descendants of a task, and the goroutines that took part in them, like Summarizer.Event
 * and UserTaskSummary.Descendents in internal/trace/summary.go, and setTask in
 * cmd/trace/jsontrace.go.
 */

/* Returns the task, which is added if it is new. NULL on failure: see gt_mem_failure. */
static struct gt_selector_task *selector_task_make(struct gt_selector *selector, uint64_t id)
{
    struct gt_selector_task *task = gt_idmap_get(&selector->tasks, id);
    if (task)
        return task;
    task = gt_idmap_add(&selector->tasks, id);
    if (task)
        task->id = id;
    return task;
}

static gt_status selector_task_set_parent(struct gt_selector *selector,
                                          struct gt_selector_task *task, uint64_t id)
{
    if (id == GT_NO_TASK || task->parent)
        return GT_OK;
    struct gt_selector_task *parent = selector_task_make(selector, id);
    if (!parent)
        return gt_mem_failure(&selector->mem);
    task->parent = parent;
    if (parent->last_child)
        parent->last_child->sibling = task;
    else
        parent->first_child = task;
    parent->last_child = task;
    return GT_OK;
}

/* Notes that a goroutine took part in a task. */
static gt_status selector_task_add_goroutine(struct gt_selector *selector, uint64_t task,
                                             int64_t goroutine)
{
    if (!selector_task_make(selector, task))
        return gt_mem_failure(&selector->mem);
    return gt_tl_pairs_add(&selector->pairs, task, (uint64_t) goroutine);
}

static void selector_task_set_goroutine(struct gt_selector_task *task, int64_t goroutine)
{
    if (!task->has_goroutine)
        task->goroutine = goroutine;
    task->has_goroutine = true;
}

static gt_status selector_take_task_event(struct gt_selector *selector, const gt_event *event)
{
    gt_task told = GT_TASK_INIT;
    gt_event_task(event, &told);
    struct gt_selector_task *task = selector_task_make(selector, told.id);
    if (!task)
        return gt_mem_failure(&selector->mem);
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->has_start = task->has_goroutine = true;
        task->start = event->time;
        task->goroutine = event->goroutine;
    } else {
        task->has_end = true;
        task->end = event->time;
        selector_task_set_goroutine(task, event->goroutine);
    }
    gt_status status = gt_tl_pairs_add(&selector->pairs, told.id, (uint64_t) event->goroutine);
    return status == GT_OK ? selector_task_set_parent(selector, task, told.parent) : status;
}

static gt_status selector_take_log(struct gt_selector *selector, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(event, &log);
    struct gt_selector_task *task = selector_task_make(selector, log.task);
    if (!task)
        return gt_mem_failure(&selector->mem);
    selector_task_set_goroutine(task, event->goroutine);
    return selector_task_add_goroutine(selector, log.task, event->goroutine);
}

static size_t selector_region_depth(const struct gt_selector *selector, int64_t goroutine)
{
    return gt_idmap_get_number(&selector->region_depths, (uint64_t) goroutine);
}

static gt_status selector_set_region_depth(struct gt_selector *selector, int64_t goroutine,
                                           size_t depth)
{
    if (depth == 0) {
        gt_idmap_remove(&selector->region_depths, (uint64_t) goroutine);
        return GT_OK;
    }
    return gt_idmap_put_number(&selector->region_depths, (uint64_t) goroutine, depth);
}

/* The end of a region counts only if the region began before the trace. */
static gt_status selector_take_region(struct gt_selector *selector, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(event, &region);
    size_t depth = selector_region_depth(selector, event->goroutine);
    bool begins = event->kind == GT_EVENT_REGION_BEGIN;
    gt_status status = GT_OK;
    if (begins || depth > 0)
        status =
            selector_set_region_depth(selector, event->goroutine, begins ? depth + 1 : depth - 1);
    if (status == GT_OK && (begins || depth == 0))
        status = selector_task_add_goroutine(selector, region.task, event->goroutine);
    return status;
}

/* A goroutine that is created in a region starts in one region. A goroutine that ends is in no
 * region. */
static gt_status selector_take_transition(struct gt_selector *selector, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(event, &transition);
    int64_t id = transition.resource.id;
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE || transition.from == transition.to)
        return GT_OK;
    if (gt_tl_transition_is_end(&transition))
        return selector_set_region_depth(selector, id, 0);
    if (transition.from == GT_GO_NOT_EXIST)
        return selector_set_region_depth(selector, id,
                                         selector_region_depth(selector, event->goroutine) > 0);
    return GT_OK;
}

gt_status gt_selector_take_task(struct gt_selector *selector, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return selector_take_task_event(selector, event);
    case GT_EVENT_LOG:
        return selector_take_log(selector, event);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return selector_take_region(selector, event);
    case GT_EVENT_STATE_TRANSITION:
        return selector_take_transition(selector, event);
    default:
        return GT_OK;
    }
}

static gt_status selector_show(struct gt_selector *selector, struct gt_selector_task *task)
{
    task->is_shown = true;
    task->order = selector->shown.count;
    return gt_array_add(&selector->mem, &selector->shown, task);
}

/*
 * Shows a task before its children. A task that is its own ancestor, which a hostile trace can
 * claim, is shown once.
 */
static gt_status selector_show_descendants(struct gt_selector *selector,
                                           struct gt_selector_task *root)
{
    struct gt_selector_task *task = root;
    for (;;) {
        gt_status status = selector_show(selector, task);
        if (status != GT_OK)
            return status;
        struct gt_selector_task *next = task->first_child;
        while (!next || next->is_shown) {
            if (next) {
                next = next->sibling;
            } else if (task == root) {
                return GT_OK;
            } else {
                next = task->sibling;
                task = task->parent;
            }
        }
        task = next;
    }
}

/* Orders tasks by the times at which they begin. A task that began before the trace is ordered by
 * its end. */
static bool selector_task_before(const void *left, const void *right, void *context)
{
    const struct gt_selector *selector = context;
    const struct gt_selector_task *a = *(struct gt_selector_task *const *) left;
    const struct gt_selector_task *b = *(struct gt_selector_task *const *) right;
    int64_t a_time = a->has_start ? a->start : selector->start;
    int64_t b_time = b->has_start ? b->start : selector->start;
    if (a_time == b_time && !a->has_start && !b->has_start) {
        a_time = a->has_end ? a->end : selector->now;
        b_time = b->has_end ? b->end : selector->now;
    }
    return a_time != b_time ? a_time < b_time : a->order < b->order;
}

static gt_status selector_add_task_rows(struct gt_selector *selector)
{
    for (size_t i = 0; i < selector->pairs.list.count; i++) {
        const struct gt_tl_pair *pair = &selector->pairs.list.items[i];
        const struct gt_selector_task *task = gt_idmap_get(&selector->tasks, pair->from);
        gt_status status = GT_OK;
        if (task && task->is_shown)
            status = gt_selector_add_row(selector, (int64_t) pair->to, 0);
        if (status != GT_OK)
            return status;
    }
    return GT_OK;
}

static bool selector_task_is_available(const struct gt_selector *selector,
                                       const struct gt_selector_task *task)
{
    if (selector->selection == GT_SELECT_FOCUS_TASK)
        return task->has_start || task->has_end;
    return task->has_goroutine && task->goroutine != GT_NO_GOROUTINE;
}

gt_status gt_selector_finish_task(struct gt_selector *selector)
{
    struct gt_selector_task *task = gt_idmap_get(&selector->tasks, selector->id);
    if (!task || !selector_task_is_available(selector, task))
        return GT_ERR_NOT_AVAILABLE;
    selector->range_start = task->has_start ? task->start : selector->start;
    selector->range_end = task->has_end ? task->end : selector->now;
    selector->focus = task->goroutine;
    gt_status status = selector_show_descendants(selector, task);
    if (status != GT_OK)
        return status;
    gt_sort(selector->shown.items, selector->shown.count, sizeof(*selector->shown.items),
            selector_task_before, selector);
    return selector_add_task_rows(selector);
}
