/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "timeline/selector.h"

/*
 * Which tasks came of a task, and which goroutines took part: Summarizer.Event and
 * UserTaskSummary.Descendents in internal/trace/summary.go, setTask in
 * cmd/trace/jsontrace.go.
 */

static struct gt_selected *make_task(struct gt_selector *selector, uint64_t id)
{
    struct gt_selected *task = gt_idmap_get(&selector->tasks, id);
    if (task)
        return task;
    task = gt_pool_take(&selector->task_pool);
    if (!task)
        return NULL;
    memset(task, 0, sizeof(*task));
    task->id = id;
    if (gt_idmap_put(&selector->tasks, id, task) == GT_OK)
        return task;
    gt_pool_give(&selector->task_pool, task);
    return NULL;
}

static gt_status set_parent(struct gt_selector *selector, struct gt_selected *task, uint64_t id)
{
    if (id == GT_NO_TASK || task->parent)
        return GT_OK;
    struct gt_selected *parent = make_task(selector, id);
    if (!parent)
        return gt_mem_failure(&selector->mem);
    task->parent = parent;
    if (parent->last_child)
        parent->last_child->sibling = task;
    else
        parent->child = task;
    parent->last_child = task;
    return GT_OK;
}

static gt_status take_part(struct gt_selector *selector, uint64_t task, int64_t goroutine)
{
    if (!make_task(selector, task))
        return gt_mem_failure(&selector->mem);
    return gt_tl_pairs_add(&selector->pairs, task, (uint64_t) goroutine);
}

static void set_goroutine(struct gt_selected *task, int64_t goroutine)
{
    if (!task->has_goroutine)
        task->goroutine = goroutine;
    task->has_goroutine = 1;
}

static gt_status take_task(struct gt_selector *selector, const gt_event *event)
{
    gt_task change = GT_TASK_INIT;
    gt_event_task(event, &change);
    struct gt_selected *task = make_task(selector, change.id);
    if (!task)
        return gt_mem_failure(&selector->mem);
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->has_start = task->has_goroutine = 1;
        task->start = event->time;
        task->goroutine = event->goroutine;
    } else {
        task->has_end = 1;
        task->end = event->time;
        set_goroutine(task, event->goroutine);
    }
    gt_status status = gt_tl_pairs_add(&selector->pairs, change.id, (uint64_t) event->goroutine);
    return status == GT_OK ? set_parent(selector, task, change.parent) : status;
}

static gt_status take_log(struct gt_selector *selector, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_event_log(event, &log);
    struct gt_selected *task = make_task(selector, log.task);
    if (!task)
        return gt_mem_failure(&selector->mem);
    set_goroutine(task, event->goroutine);
    return take_part(selector, log.task, event->goroutine);
}

static size_t depth_of(const struct gt_selector *selector, int64_t goroutine)
{
    return gt_idmap_get_number(&selector->depths, (uint64_t) goroutine);
}

static gt_status set_depth(struct gt_selector *selector, int64_t goroutine, size_t depth)
{
    if (depth == 0) {
        gt_idmap_remove(&selector->depths, (uint64_t) goroutine);
        return GT_OK;
    }
    return gt_idmap_put_number(&selector->depths, (uint64_t) goroutine, depth);
}

static gt_status take_region(struct gt_selector *selector, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_event_region(event, &region);
    size_t depth = depth_of(selector, event->goroutine);
    int begins = event->kind == GT_EVENT_REGION_BEGIN;
    gt_status status = GT_OK;
    if (begins || depth > 0)
        status = set_depth(selector, event->goroutine, begins ? depth + 1 : depth - 1);
    if (status == GT_OK && (begins || depth == 0))
        status = take_part(selector, region.task, event->goroutine);
    return status;
}

/* A goroutine that is created in a region is in one; one that ends is in none. */
static gt_status take_change(struct gt_selector *selector, const gt_event *event)
{
    static const char forever[] = "forever";
    gt_transition transition = GT_TRANSITION_INIT;
    gt_event_transition(event, &transition);
    int64_t id = transition.resource.id;
    if (transition.resource.kind != GT_RESOURCE_GOROUTINE || transition.from == transition.to)
        return GT_OK;
    if (transition.to == GT_GO_NOT_EXIST ||
        (transition.to == GT_GO_WAITING && transition.reason.size == sizeof(forever) - 1 &&
         memcmp(transition.reason.data, forever, sizeof(forever) - 1) == 0))
        return set_depth(selector, id, 0);
    if (transition.from == GT_GO_NOT_EXIST)
        return set_depth(selector, id, depth_of(selector, event->goroutine) > 0);
    return GT_OK;
}

gt_status gt_selector_take_task(struct gt_selector *selector, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return take_task(selector, event);
    case GT_EVENT_LOG:
        return take_log(selector, event);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return take_region(selector, event);
    case GT_EVENT_STATE_TRANSITION:
        return take_change(selector, event);
    default:
        return GT_OK;
    }
}

static gt_status show(struct gt_selector *selector, struct gt_selected *task)
{
    gt_status status = gt_mem_reserve(&selector->mem, &selector->shown, &selector->shown_capacity,
                                      selector->shown_count + 1, sizeof(struct gt_selected *));
    if (status != GT_OK)
        return status;
    task->is_shown = 1;
    task->order = selector->shown_count;
    selector->shown[selector->shown_count++] = task;
    return GT_OK;
}

/* A task first, then its children. One that claims to have come of itself comes once. */
static gt_status show_all(struct gt_selector *selector, struct gt_selected *root)
{
    struct gt_selected *task = root;
    for (;;) {
        gt_status status = show(selector, task);
        if (status != GT_OK)
            return status;
        struct gt_selected *next = task->child;
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

/* By when they began. Those that were there before go by when they ended. */
static int is_before(const struct gt_selector *selector, const struct gt_selected *a,
                     const struct gt_selected *b)
{
    int64_t x = a->has_start ? a->start : selector->start;
    int64_t y = b->has_start ? b->start : selector->start;
    if (x == y && !a->has_start && !b->has_start) {
        x = a->has_end ? a->end : selector->now;
        y = b->has_end ? b->end : selector->now;
    }
    return x != y ? x < y : a->order < b->order;
}

static void sift(struct gt_selector *selector, size_t i, size_t count)
{
    struct gt_selected **list = selector->shown, *moved = list[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(selector, list[child], list[child + 1]))
            child++;
        if (!is_before(selector, moved, list[child]))
            break;
        list[i] = list[child];
    }
    list[i] = moved;
}

static void sort(struct gt_selector *selector)
{
    struct gt_selected **list = selector->shown;
    for (size_t i = selector->shown_count / 2; i > 0; i--)
        sift(selector, i - 1, selector->shown_count);
    for (size_t last = selector->shown_count; last > 1; last--) {
        struct gt_selected *largest = list[0];
        list[0] = list[last - 1];
        list[last - 1] = largest;
        sift(selector, 0, last - 1);
    }
}

static gt_status add_rows(struct gt_selector *selector)
{
    for (size_t i = 0; i < selector->pairs.count; i++) {
        const struct gt_tl_pair *pair = &selector->pairs.list[i];
        const struct gt_selected *task = gt_idmap_get(&selector->tasks, pair->from);
        gt_status status = GT_OK;
        if (task && task->is_shown)
            status = gt_selector_add_row(selector, (int64_t) pair->to, 0);
        if (status != GT_OK)
            return status;
    }
    return GT_OK;
}

gt_status gt_selector_finish_task(struct gt_selector *selector)
{
    struct gt_selected *task = gt_idmap_get(&selector->tasks, selector->id);
    if (!task)
        return GT_ERR_NOT_AVAILABLE;
    if (selector->selection == GT_SELECT_FOCUS_TASK ? !task->has_start && !task->has_end
                                                    : !task->has_goroutine)
        return GT_ERR_NOT_AVAILABLE;
    if (selector->selection == GT_SELECT_TASK && task->goroutine == GT_NO_GOROUTINE)
        return GT_ERR_NOT_AVAILABLE;
    selector->range_start = task->has_start ? task->start : selector->start;
    selector->range_end = task->has_end ? task->end : selector->now;
    selector->focus = task->goroutine;
    gt_status status = show_all(selector, task);
    if (status != GT_OK)
        return status;
    sort(selector);
    return add_rows(selector);
}
