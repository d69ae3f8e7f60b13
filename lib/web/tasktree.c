/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/tasktree.h"

void gt_tasktree_measure(struct gt_tasktree *tree)
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

void gt_tasktree_free(struct gt_tasktree *tree)
{
    gt_array_free(tree->mem, &tree->lines);
    gt_array_free(tree->mem, &tree->times);
}

/* Marks a line and its ancestors as kept, up to the first one that is marked already. */
static void tasktree_keep(const struct gt_tasktree *tree, bool *is_kept, size_t line)
{
    while (!is_kept[line]) {
        is_kept[line] = true;
        if (tree->lines.items[line].parent == GT_STORE_NONE)
            return;
        line = tree->lines.items[line].parent;
    }
}

/* Moves the lines that are kept together. A parent comes first, so its new index is known. */
static void tasktree_close_gaps(struct gt_tasktree *tree, const bool *is_kept, uint32_t *indexes)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < tree->lines.count; i++) {
        if (!is_kept[i])
            continue;
        struct gt_tasktree_line line = tree->lines.items[i];
        if (line.parent != GT_STORE_NONE)
            line.parent = indexes[line.parent];
        indexes[i] = kept;
        tree->lines.items[kept++] = line;
    }
    tree->lines.count = kept;
}

bool gt_tasktree_filter(struct gt_tasktree *tree, struct gt_store *store, gt_tasktree_fn *is_wanted,
                        void *user_data)
{
    size_t count = tree->lines.count;
    bool *is_kept = gt_mem_zeros(tree->mem, count + 1);
    uint32_t *indexes = gt_mem_alloc(tree->mem, (count + 1) * sizeof(*indexes));
    bool good = is_kept && indexes;
    gt_store_lock_read(store);
    for (size_t i = 0; good && i < count; i++) {
        if (is_wanted(user_data, &tree->lines.items[i]))
            tasktree_keep(tree, is_kept, i);
    }
    gt_store_unlock(store);
    if (good) {
        tasktree_close_gaps(tree, is_kept, indexes);
        gt_tasktree_measure(tree);
    }
    gt_mem_free(tree->mem, is_kept, count + 1);
    gt_mem_free(tree->mem, indexes, (count + 1) * sizeof(*indexes));
    return good;
}
