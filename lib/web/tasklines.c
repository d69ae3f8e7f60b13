/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/tasklines.h"

#include "base/sort.h"
#include "web/taskwork.h"
#include "web/totals.h"

/* A task that has been reached from its parent. */
struct tasklines_node {
    /* Its index in the totals. */
    uint32_t task;
    /* The index of the parent's node, or GT_STORE_NONE. */
    uint32_t parent;
    /* The index of its line, or of the line of the nearest ancestor that has one. */
    uint32_t line;
};

struct tasklines_nodes {
    GT_ARRAY(struct tasklines_node) list;
};

struct tasklines_making {
    struct gt_tasktree *tree;
    const struct gt_store *store;
    const struct gt_totals *totals;
    /* All tasks of the tree, each after its parent, depth first. */
    struct tasklines_nodes nodes;
    struct gt_taskwork work;
};

/* Pushes the children of a task from the last to the first, so that the first one is on top. */
static bool tasklines_push_children(struct tasklines_making *making,
                                    struct tasklines_nodes *pending, uint32_t task, uint32_t parent)
{
    const struct gt_totals_task *tasks = making->totals->tasks.items;
    for (uint32_t i = tasks[task].last_child; i != 0; i = tasks[i - 1].previous_sibling) {
        const struct tasklines_node child = {i - 1, parent, GT_STORE_NONE};
        if (gt_array_add(making->tree->mem, &pending->list, child) != GT_OK)
            return false;
    }
    return true;
}

/* Walks from a task to all below it, without recursion: there may be any number of levels. */
static bool tasklines_walk(struct tasklines_making *making, uint32_t task)
{
    struct gt_mem *mem = making->tree->mem;
    size_t bytes = making->totals->tasks.count * sizeof(bool);
    bool *is_seen = gt_mem_zeros(mem, bytes);
    struct tasklines_nodes pending = {.list = {NULL, 0, 0}};
    const struct tasklines_node root = {task, GT_STORE_NONE, GT_STORE_NONE};
    bool good = is_seen && gt_array_add(mem, &pending.list, root) == GT_OK;
    while (good && pending.list.count > 0) {
        struct tasklines_node node = pending.list.items[--pending.list.count];
        if (is_seen[node.task])
            continue;
        is_seen[node.task] = true;
        good = gt_array_add(mem, &making->nodes.list, node) == GT_OK &&
               tasklines_push_children(making, &pending, node.task,
                                       (uint32_t) making->nodes.list.count - 1);
    }
    gt_array_free(mem, &pending.list);
    gt_mem_free(mem, is_seen, bytes);
    return good;
}

static bool tasklines_find_work(struct tasklines_making *making)
{
    struct gt_taskwork *work = &making->work;
    for (size_t i = 0; i < making->nodes.list.count; i++) {
        const struct gt_totals_task *task =
            &making->totals->tasks.items[making->nodes.list.items[i].task];
        if (!gt_taskwork_add(work, making->store, making->totals, task, (uint32_t) i))
            return false;
    }
    if (!gt_taskwork_add_created(work, making->store))
        return false;
    gt_taskwork_sort(work);
    return true;
}

/* Adds an interval to those of a goroutine, which arrive sorted by start. Intervals that touch or
 * overlap are joined. */
static bool tasklines_add_time(struct gt_tasktree *tree, struct gt_tasktree_line *line,
                               int64_t start, int64_t end)
{
    struct gt_tasktree_time *last =
        line->time_count > 0 ? &tree->times.items[tree->times.count - 1] : NULL;
    if (last && start <= last->end) {
        last->end = end > last->end ? end : last->end;
        return true;
    }
    const struct gt_tasktree_time time = {start, end};
    line->time_count++;
    return gt_array_add(tree->mem, &tree->times, time) == GT_OK;
}

/* Limits the life of a goroutine that was created for a task to the time of the task. */
static int64_t tasklines_end_of(const struct gt_taskwork_item *item,
                                const struct gt_totals_task *task)
{
    if (item->kind != GT_TASKWORK_LIFE || !task->has_end || item->end <= task->end)
        return item->end;
    return item->start > task->end ? item->start : task->end;
}

/* Adds the line of a goroutine for what it did for one task: the items [first, last). */
static bool tasklines_add_goroutine(struct tasklines_making *making, size_t first, size_t last)
{
    struct gt_tasktree *tree = making->tree;
    const struct gt_taskwork_item *items = making->work.list.items;
    const struct tasklines_node *node = &making->nodes.list.items[items[first].task];
    const struct gt_totals_task *task = &making->totals->tasks.items[node->task];
    struct gt_tasktree_line line = {.view = GT_STORE_VIEW_GOROUTINE,
                                    .ordinal = items[first].goroutine,
                                    .parent = node->line,
                                    .first_time = (uint32_t) tree->times.count};
    for (size_t i = first; i < last; i++) {
        line.regions += items[i].kind == GT_TASKWORK_REGION;
        line.logs += items[i].kind == GT_TASKWORK_LOG;
        line.is_created = line.is_created || items[i].kind == GT_TASKWORK_LIFE;
        if (items[i].kind != GT_TASKWORK_LOG && items[i].kind != GT_TASKWORK_EDGE &&
            !tasklines_add_time(tree, &line, items[i].start, tasklines_end_of(&items[i], task)))
            return false;
    }
    if (line.time_count == 0 &&
        !tasklines_add_time(tree, &line, items[first].start, items[last - 1].end))
        return false;
    return gt_array_add(tree->mem, &tree->lines, line) == GT_OK;
}

/* Compares two lines by the time at which the goroutine began to work for the task. */
static bool tasklines_line_comes(const void *left, const void *right, void *context)
{
    const struct gt_tasktree_line *a = left, *b = right;
    const struct gt_tasktree_time *times = context;
    if (times[a->first_time].start != times[b->first_time].start)
        return times[a->first_time].start < times[b->first_time].start;
    return a->ordinal < b->ordinal;
}

/* Adds the line of a task. A task that the trace only mentions has no row, and therefore no
 * line. */
static bool tasklines_add_task(struct tasklines_making *making, struct tasklines_node *node)
{
    struct gt_tasktree *tree = making->tree;
    uint64_t id = making->totals->tasks.items[node->task].id;
    struct gt_tasktree_line line = {.view = GT_VIEW_TASK, .parent = GT_STORE_NONE};
    if (node->parent != GT_STORE_NONE)
        line.parent = making->nodes.list.items[node->parent].line;
    node->line = line.parent;
    if (!gt_store_find_row(making->store, GT_VIEW_TASK, (int64_t) id, &line.ordinal))
        return true;
    node->line = (uint32_t) tree->lines.count;
    return gt_array_add(tree->mem, &tree->lines, line) == GT_OK;
}

static bool tasklines_add_lines(struct tasklines_making *making)
{
    struct gt_tasktree *tree = making->tree;
    const struct gt_taskwork_item *items = making->work.list.items;
    size_t at = 0, count = making->work.list.count;
    for (size_t i = 0; i < making->nodes.list.count; i++) {
        if (!tasklines_add_task(making, &making->nodes.list.items[i]))
            return false;
        size_t first_line = tree->lines.count;
        for (size_t first = at; at < count && items[at].task == i; first = at) {
            while (at < count && items[at].task == i &&
                   items[at].goroutine == items[first].goroutine)
                at++;
            if (!tasklines_add_goroutine(making, first, at))
                return false;
        }
        /* Without this check the address of an element would be computed although the list may be
         * empty. */
        if (tree->lines.count > first_line)
            gt_sort(&tree->lines.items[first_line], tree->lines.count - first_line,
                    sizeof(*tree->lines.items), tasklines_line_comes, tree->times.items);
    }
    return true;
}

bool gt_tasklines_make(struct gt_tasktree *tree, struct gt_store *store, const void *context,
                       uint64_t task)
{
    const struct gt_totals *totals = context;
    struct tasklines_making making = {
        .tree = tree, .store = store, .totals = totals, .work.mem = tree->mem};
    size_t number = gt_idmap_get_number(&totals->task_ids, task);
    if (number == 0)
        return true;
    gt_store_lock_read(store);
    bool good = tasklines_walk(&making, (uint32_t) number - 1) && tasklines_find_work(&making) &&
                tasklines_add_lines(&making);
    gt_store_unlock(store);
    gt_array_free(tree->mem, &making.nodes.list);
    gt_taskwork_free(&making.work);
    if (good)
        gt_tasktree_measure(tree);
    return good;
}
