/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/listing_tree.h"

enum {
    SLICE = 16384
};

struct node {
    uint32_t parent;
    uint32_t child;
    uint32_t sibling;
    bool is_listed;
};

struct tree {
    struct node *nodes;
    uint32_t total;
    /* The index of an additional last node, which is the parent of all rows without one. */
    uint32_t root;
    uint32_t *rows;
    uint16_t *depths;
    size_t count;
};

static void listing_tree_read_parents(struct tree *tree, struct gt_store *store, uint32_t view)
{
    struct gt_store_head head;
    for (uint32_t i = 0; i < tree->total; i++) {
        if (i % SLICE == 0)
            gt_store_lock_read(store);
        tree->nodes[i] = (struct node){tree->root, GT_STORE_NONE, GT_STORE_NONE, false};
        if (gt_store_get_head(store, view, i, &head) && head.parent < tree->total &&
            head.parent != i)
            tree->nodes[i].parent = head.parent;
        if (i % SLICE == SLICE - 1 || i == tree->total - 1)
            gt_store_unlock(store);
    }
    tree->nodes[tree->root] = (struct node){GT_STORE_NONE, GT_STORE_NONE, GT_STORE_NONE, false};
}

static void listing_tree_put_first(struct tree *tree, uint32_t at)
{
    struct node *node = &tree->nodes[at], *parent = &tree->nodes[node->parent];
    node->sibling = parent->child;
    parent->child = at;
}

static void listing_tree_link(struct tree *tree, const struct gt_listing *listing)
{
    for (size_t i = 0; i < listing->row_count; i++)
        tree->nodes[listing->rows[i]].is_listed = true;
    for (uint32_t i = tree->total; i > 0; i--) {
        if (!tree->nodes[i - 1].is_listed)
            listing_tree_put_first(tree, i - 1);
    }
    for (size_t i = listing->row_count; i > 0; i--)
        listing_tree_put_first(tree, listing->rows[i - 1]);
}

static void listing_tree_visit(struct tree *tree, uint32_t at, uint32_t depth)
{
    if (!tree->nodes[at].is_listed)
        return;
    /* Rows that are still marked after the walk have not been visited. */
    tree->nodes[at].is_listed = false;
    tree->rows[tree->count] = at;
    tree->depths[tree->count] = (uint16_t) (depth < UINT16_MAX ? depth : UINT16_MAX);
    tree->count++;
}

static void listing_tree_walk(struct tree *tree)
{
    const struct node *nodes = tree->nodes;
    uint32_t at = tree->root, depth = 0;
    for (;;) {
        if (nodes[at].child != GT_STORE_NONE) {
            at = nodes[at].child;
            depth++;
        } else {
            while (at != tree->root && nodes[at].sibling == GT_STORE_NONE) {
                at = nodes[at].parent;
                depth--;
            }
            if (at == tree->root)
                return;
            at = nodes[at].sibling;
        }
        listing_tree_visit(tree, at, depth - 1);
    }
}

bool gt_listing_tree(struct gt_listing *listing, struct gt_store *store, uint32_t view,
                     uint32_t total)
{
    struct tree tree = {.total = total, .root = total};
    struct gt_mem *mem = listing->mem;
    size_t bytes = ((size_t) total + 1) * sizeof(*tree.nodes), count = listing->row_count + 1;
    tree.nodes = gt_mem_alloc(mem, bytes);
    tree.rows = gt_mem_alloc(mem, count * sizeof(*tree.rows));
    tree.depths = gt_mem_alloc(mem, count * sizeof(*tree.depths));
    bool good = tree.nodes && tree.rows && tree.depths;
    if (good) {
        listing_tree_read_parents(&tree, store, view);
        listing_tree_link(&tree, listing);
        listing_tree_walk(&tree);
        /* In a broken trace rows may be their own ancestors. The walk does not reach these. */
        for (size_t i = 0; i < listing->row_count; i++)
            listing_tree_visit(&tree, listing->rows[i], 0);
        gt_mem_free(mem, listing->rows, count * sizeof(*listing->rows));
        listing->rows = tree.rows;
        listing->depths = tree.depths;
    } else {
        gt_mem_free(mem, tree.rows, count * sizeof(*tree.rows));
        gt_mem_free(mem, tree.depths, count * sizeof(*tree.depths));
    }
    gt_mem_free(mem, tree.nodes, bytes);
    return good;
}
