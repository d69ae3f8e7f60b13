/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/taskwork.h"

#include "base/bisect.h"
#include "base/sort.h"
#include "web/taskevents.h"

/* A goroutine that may have been created while its creator worked for a task. */
struct taskwork_child {
    uint32_t creator, goroutine;
    int64_t start, end;
};

struct taskwork_children {
    struct gt_mem *mem;
    GT_ARRAY(struct taskwork_child) list;
};

/* Adds an item, unless the goroutine has no row. */
static bool taskwork_item_add(struct gt_taskwork *work, const struct gt_store *store, int64_t id,
                              struct gt_taskwork_item item)
{
    if (!gt_store_find_row(store, GT_STORE_VIEW_GOROUTINE, id, &item.goroutine))
        return true;
    item.end = item.end > item.start ? item.end : item.start;
    return gt_array_add(work->mem, &work->list, item) == GT_OK;
}

static bool taskwork_add_regions(struct gt_taskwork *work, const struct gt_store *store,
                                 const struct gt_totals *totals, const struct gt_totals_task *task,
                                 uint32_t number)
{
    struct gt_record_region region;
    for (struct gt_record_place place = task->last_region; place.type != 0;
         place = region.previous) {
        gt_taskevents_region(totals, place, &region);
        const struct gt_taskwork_item item = {
            .task = number,
            .kind = GT_TASKWORK_REGION,
            .start = region.begin != GT_RECORD_NONE ? region.begin : 0,
            .end = region.end != GT_RECORD_NONE ? region.end : totals->end};
        if (!taskwork_item_add(work, store, region.goroutine, item))
            return false;
    }
    return true;
}

/* Adds the logs of a task, its begin and its end. */
static bool taskwork_add_events(struct gt_taskwork *work, const struct gt_store *store,
                                const struct gt_totals *totals, const struct gt_totals_task *task,
                                uint32_t number)
{
    struct gt_totals_event event, end = {.time = 0};
    bool has_end = false;
    for (uint64_t at = task->last_event; at != 0; at = event.previous) {
        gt_totals_get_event(totals, at - 1, &event);
        bool is_log = event.kind == GT_TOTALS_LOG;
        struct gt_taskwork_item item = {.task = number,
                                        .kind = is_log ? GT_TASKWORK_LOG : GT_TASKWORK_EDGE,
                                        .start = event.time,
                                        .end = event.time};
        /* Events are visited from the last to the first, so the end of the task is visited before
         * its begin. */
        if (event.kind == GT_TOTALS_TASK_BEGIN && has_end && end.goroutine == event.goroutine) {
            item.kind = GT_TASKWORK_WHOLE;
            item.end = end.time;
        }
        if (!taskwork_item_add(work, store, event.goroutine, item))
            return false;
        if (event.kind == GT_TOTALS_TASK_END && !has_end)
            end = event;
        has_end = has_end || event.kind == GT_TOTALS_TASK_END;
    }
    return true;
}

bool gt_taskwork_add(struct gt_taskwork *work, const struct gt_store *store,
                     const struct gt_totals *totals, const struct gt_totals_task *task,
                     uint32_t number)
{
    /* The background task, to which everything without a task belongs, is nobody's work. */
    return task->id == 0 || (taskwork_add_regions(work, store, totals, task, number) &&
                             taskwork_add_events(work, store, totals, task, number));
}

static bool taskwork_has_children(const struct gt_taskwork_item *item)
{
    return item->kind == GT_TASKWORK_REGION || item->kind == GT_TASKWORK_WHOLE;
}

static bool taskwork_comes_by_goroutine(const void *left, const void *right, void *context)
{
    const struct gt_taskwork_item *a = left, *b = right;
    (void) context;
    if (a->goroutine != b->goroutine)
        return a->goroutine < b->goroutine;
    return a->start != b->start ? a->start < b->start : a->task < b->task;
}

static bool taskwork_comes_by_task(const void *left, const void *right, void *context)
{
    const struct gt_taskwork_item *a = left, *b = right;
    if (a->task != b->task)
        return a->task < b->task;
    return taskwork_comes_by_goroutine(left, right, context);
}

static bool taskwork_child_comes(const void *left, const void *right, void *context)
{
    const struct taskwork_child *a = left, *b = right;
    (void) context;
    if (a->creator != b->creator)
        return a->creator < b->creator;
    return a->start != b->start ? a->start < b->start : a->goroutine < b->goroutine;
}

/* Returns the position of the first item of a goroutine in the list, which is sorted by these. */
static size_t taskwork_first_of(const struct gt_taskwork *work, uint32_t goroutine)
{
    size_t at;
    GT_BISECT(at, 0, work->list.count, work->list.items[at].goroutine < goroutine);
    return at;
}

/* Lists the goroutines whose creators worked for any task. */
static bool taskwork_children_find(struct taskwork_children *children,
                                   const struct gt_taskwork *work, const struct gt_store *store)
{
    uint32_t count = gt_store_row_count(store, GT_STORE_VIEW_GOROUTINE);
    struct gt_store_head head;
    struct gt_store_row row;
    for (uint32_t i = 0; i < count; i++) {
        if (!gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, i, &head) || head.parent >= count)
            continue;
        size_t first = taskwork_first_of(work, head.parent);
        if (first == work->list.count || work->list.items[first].goroutine != head.parent ||
            !gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, i, &row))
            continue;
        const struct taskwork_child child = {head.parent, i, row.start, row.end};
        if (gt_array_add(children->mem, &children->list, child) != GT_OK)
            return false;
    }
    return true;
}

/*
 * Adds the children that were created in the time of an item of their creator. `open` has the items
 * that have begun, with the latest on top; the children come in the order of their starts, so an
 * item that has ended before one of them is of no use for the others.
 */
static bool taskwork_children_place(struct gt_taskwork *work,
                                    const struct taskwork_children *children, size_t *open)
{
    size_t next = 0, depth = 0, count = work->list.count;
    uint32_t creator = GT_STORE_NONE;
    for (size_t i = 0; i < children->list.count; i++) {
        const struct taskwork_child *child = &children->list.items[i];
        const struct gt_taskwork_item *items = work->list.items;
        if (child->creator != creator) {
            creator = child->creator;
            depth = 0;
            GT_BISECT(next, 0, count, items[next].goroutine < creator);
        }
        for (;
             next < count && items[next].goroutine == creator && items[next].start <= child->start;
             next++) {
            if (taskwork_has_children(&items[next]))
                open[depth++] = next;
        }
        while (depth > 0 && items[open[depth - 1]].end < child->start)
            depth--;
        if (depth == 0)
            continue;
        const struct gt_taskwork_item life = {.task = items[open[depth - 1]].task,
                                              .goroutine = child->goroutine,
                                              .kind = GT_TASKWORK_LIFE,
                                              .start = child->start,
                                              .end = child->end};
        if (gt_array_add(work->mem, &work->list, life) != GT_OK)
            return false;
    }
    return true;
}

bool gt_taskwork_add_created(struct gt_taskwork *work, const struct gt_store *store)
{
    struct taskwork_children children = {.mem = work->mem};
    size_t bytes = (work->list.count + 1) * sizeof(size_t);
    size_t *open = gt_mem_alloc(work->mem, bytes);
    gt_sort(work->list.items, work->list.count, sizeof(*work->list.items),
            taskwork_comes_by_goroutine, NULL);
    bool good = open && taskwork_children_find(&children, work, store);
    gt_sort(children.list.items, children.list.count, sizeof(*children.list.items),
            taskwork_child_comes, NULL);
    good = good && taskwork_children_place(work, &children, open);
    gt_mem_free(work->mem, open, bytes);
    gt_array_free(children.mem, &children.list);
    return good;
}

void gt_taskwork_sort(struct gt_taskwork *work)
{
    gt_sort(work->list.items, work->list.count, sizeof(*work->list.items), taskwork_comes_by_task,
            NULL);
}

void gt_taskwork_free(struct gt_taskwork *work)
{
    gt_array_free(work->mem, &work->list);
}
