/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/tasktree.h"

#include "base/sort.h"
#include "web/taskwork.h"

/* A task that has been reached from its parent. */
struct tasktree_node {
    /* Its index in the totals. */
    uint32_t task;
    /* The index of the parent's node, or GT_STORE_NONE. */
    uint32_t parent;
    /* The index of its line, or of that of its nearest ancestor that has one. */
    uint32_t line;
};

struct tasktree_nodes {
    GT_ARRAY(struct tasktree_node) list;
};

struct tasktree_making {
    struct gt_tasktree *tree;
    const struct gt_store *store;
    const struct gt_totals *totals;
    /* All tasks of the tree, each after its parent, depth first. */
    struct tasktree_nodes nodes;
    struct gt_taskwork work;
};

/* Pushes the children of a task from the last to the first, so that the first one is on top. */
static bool tasktree_push_children(struct tasktree_making *making, struct tasktree_nodes *pending,
                                   uint32_t task, uint32_t parent)
{
    const struct gt_totals_task *tasks = making->totals->tasks.items;
    for (uint32_t i = tasks[task].last_child; i != 0; i = tasks[i - 1].previous_sibling) {
        const struct tasktree_node child = {i - 1, parent, GT_STORE_NONE};
        if (gt_array_add(making->tree->mem, &pending->list, child) != GT_OK)
            return false;
    }
    return true;
}

/* Walks from a task to all below it, without recursion: there may be any number of levels. */
static bool tasktree_walk(struct tasktree_making *making, uint32_t task)
{
    struct gt_mem *mem = making->tree->mem;
    size_t bytes = making->totals->tasks.count * sizeof(bool);
    bool *is_seen = gt_mem_zeros(mem, bytes);
    struct tasktree_nodes pending = {.list = {NULL, 0, 0}};
    const struct tasktree_node root = {task, GT_STORE_NONE, GT_STORE_NONE};
    bool good = is_seen && gt_array_add(mem, &pending.list, root) == GT_OK;
    while (good && pending.list.count > 0) {
        struct tasktree_node node = pending.list.items[--pending.list.count];
        if (is_seen[node.task])
            continue;
        is_seen[node.task] = true;
        good = gt_array_add(mem, &making->nodes.list, node) == GT_OK &&
               tasktree_push_children(making, &pending, node.task,
                                      (uint32_t) making->nodes.list.count - 1);
    }
    gt_array_free(mem, &pending.list);
    gt_mem_free(mem, is_seen, bytes);
    return good;
}

static bool tasktree_find_work(struct tasktree_making *making)
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

/* Adds a time to those of a goroutine, whose starts come in order; times that meet are joined. */
static bool tasktree_add_time(struct gt_tasktree *tree, struct gt_tasktree_line *line,
                              int64_t start, int64_t end)
{
    struct gt_tasktree_time *last = tree->times.items + tree->times.count;
    if (line->time_count > 0 && start <= last[-1].end) {
        last[-1].end = end > last[-1].end ? end : last[-1].end;
        return true;
    }
    const struct gt_tasktree_time time = {start, end};
    line->time_count++;
    return gt_array_add(tree->mem, &tree->times, time) == GT_OK;
}

/* Limits the life of a goroutine that was created for a task to the time of the task. */
static int64_t tasktree_end_of(const struct gt_taskwork_item *item,
                               const struct gt_totals_task *task)
{
    if (item->kind != GT_TASKWORK_LIFE || !task->has_end || item->end <= task->end)
        return item->end;
    return item->start > task->end ? item->start : task->end;
}

/* Adds the line of a goroutine for what it did for one task: the items [first, last). */
static bool tasktree_add_goroutine(struct tasktree_making *making, size_t first, size_t last)
{
    struct gt_tasktree *tree = making->tree;
    const struct gt_taskwork_item *items = making->work.list.items;
    const struct tasktree_node *node = &making->nodes.list.items[items[first].task];
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
            !tasktree_add_time(tree, &line, items[i].start, tasktree_end_of(&items[i], task)))
            return false;
    }
    if (line.time_count == 0 &&
        !tasktree_add_time(tree, &line, items[first].start, items[last - 1].end))
        return false;
    return gt_array_add(tree->mem, &tree->lines, line) == GT_OK;
}

/* The goroutines of a task come in the order in which they began to work for it. */
static bool tasktree_line_comes(const void *left, const void *right, void *context)
{
    const struct gt_tasktree_line *a = left, *b = right;
    const struct gt_tasktree_time *times = context;
    if (times[a->first_time].start != times[b->first_time].start)
        return times[a->first_time].start < times[b->first_time].start;
    return a->ordinal < b->ordinal;
}

/* Adds the line of a task. One that the trace only mentions has no row, and so no line. */
static bool tasktree_add_task(struct tasktree_making *making, struct tasktree_node *node)
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

static bool tasktree_add_lines(struct tasktree_making *making)
{
    struct gt_tasktree *tree = making->tree;
    const struct gt_taskwork_item *items = making->work.list.items;
    size_t at = 0, count = making->work.list.count;
    for (size_t i = 0; i < making->nodes.list.count; i++) {
        if (!tasktree_add_task(making, &making->nodes.list.items[i]))
            return false;
        size_t first_line = tree->lines.count;
        for (size_t first = at; at < count && items[at].task == i; first = at) {
            while (at < count && items[at].task == i &&
                   items[at].goroutine == items[first].goroutine)
                at++;
            if (!tasktree_add_goroutine(making, first, at))
                return false;
        }
        gt_sort(tree->lines.items + first_line, tree->lines.count - first_line,
                sizeof(*tree->lines.items), tasktree_line_comes, tree->times.items);
    }
    return true;
}

/* Sets the depth of each line, and how many are below it. */
static void tasktree_measure(struct gt_tasktree *tree)
{
    struct gt_tasktree_line *lines = tree->lines.items;
    for (size_t i = 0; i < tree->lines.count; i++) {
        lines[i].inside = 0;
        lines[i].depth = lines[i].parent == GT_STORE_NONE ? 0 : lines[lines[i].parent].depth + 1;
    }
    for (size_t i = tree->lines.count; i > 0; i--) {
        if (lines[i - 1].parent != GT_STORE_NONE)
            lines[lines[i - 1].parent].inside += lines[i - 1].inside + 1;
    }
}

bool gt_tasktree_make(struct gt_tasktree *tree, struct gt_store *store,
                      const struct gt_totals *totals, uint64_t task)
{
    struct tasktree_making making = {
        .tree = tree, .store = store, .totals = totals, .work.mem = tree->mem};
    size_t number = gt_idmap_get_number(&totals->task_ids, task);
    if (number == 0)
        return true;
    gt_store_lock_read(store);
    bool good = tasktree_walk(&making, (uint32_t) number - 1) && tasktree_find_work(&making) &&
                tasktree_add_lines(&making);
    gt_store_unlock(store);
    gt_array_free(tree->mem, &making.nodes.list);
    gt_taskwork_free(&making.work);
    if (good)
        tasktree_measure(tree);
    return good;
}

void gt_tasktree_free(struct gt_tasktree *tree)
{
    gt_array_free(tree->mem, &tree->lines);
    gt_array_free(tree->mem, &tree->times);
}

/* Marks a line and all above it as kept, up to one that is already. */
static void tasktree_keep(const struct gt_tasktree *tree, bool *is_kept, size_t line)
{
    while (!is_kept[line]) {
        is_kept[line] = true;
        if (tree->lines.items[line].parent == GT_STORE_NONE)
            return;
        line = tree->lines.items[line].parent;
    }
}

/* Moves the lines that are kept together. A parent comes first, so its new place is known. */
static void tasktree_close_gaps(struct gt_tasktree *tree, const bool *is_kept, uint32_t *places)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < tree->lines.count; i++) {
        if (!is_kept[i])
            continue;
        struct gt_tasktree_line line = tree->lines.items[i];
        if (line.parent != GT_STORE_NONE)
            line.parent = places[line.parent];
        places[i] = kept;
        tree->lines.items[kept++] = line;
    }
    tree->lines.count = kept;
}

bool gt_tasktree_filter(struct gt_tasktree *tree, struct gt_store *store, gt_tasktree_fn *is_wanted,
                        void *user_data)
{
    size_t count = tree->lines.count;
    bool *is_kept = gt_mem_zeros(tree->mem, count + 1);
    uint32_t *places = gt_mem_alloc(tree->mem, (count + 1) * sizeof(*places));
    bool good = is_kept && places;
    gt_store_lock_read(store);
    for (size_t i = 0; good && i < count; i++) {
        if (is_wanted(user_data, &tree->lines.items[i]))
            tasktree_keep(tree, is_kept, i);
    }
    gt_store_unlock(store);
    if (good) {
        tasktree_close_gaps(tree, is_kept, places);
        tasktree_measure(tree);
    }
    gt_mem_free(tree->mem, is_kept, count + 1);
    gt_mem_free(tree->mem, places, (count + 1) * sizeof(*places));
    return good;
}
