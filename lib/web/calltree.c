/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/calltree.h"

#include <string.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/sort.h"
#include "base/time.h"
#include "web/distribution.h"

/* The new index of a node that is not kept. All of its bits are 1, so that memset can set it. */
#define DROPPED UINT32_MAX

/* A tree while it is being built. */
struct maker {
    struct gt_calltree *tree;
    const struct gt_store_frame *frames;
    size_t frame_count;
    /*
     * For each frame, in the group that is being added: the index of its node + 1, or 0 if no
     * weight passes through the frame.
     */
    uint32_t *node_of;
    /* The nodes except the root, by parent and function. */
    struct gt_index index;
    uint64_t secret;
};

/*
 * Finds or adds the node of the function of a frame that `parent` calls. Returns its index + 1, or
 * 0 if there is not enough memory.
 */
static uint32_t calltree_child_of(struct maker *maker, uint32_t parent,
                                  const struct gt_store_frame *frame)
{
    const uint32_t function = frame->function;
    struct gt_calltree *tree = maker->tree;
    uint64_t hash = gt_hash_pair(parent, function, maker->secret);
    struct gt_probe probe = gt_index_probe(&maker->index, hash);
    while (gt_index_next(&maker->index, &probe)) {
        struct gt_calltree_node *node = &tree->nodes[probe.ordinal];
        if (node->parent != parent || node->function != function ||
            (tree->by_line && node->line != frame->line))
            continue;
        if (node->line != frame->line)
            node->line = 0;
        return probe.ordinal + 1;
    }
    if (gt_mem_reserve(tree->mem, &tree->nodes, &tree->capacity, tree->count + 1,
                       sizeof(*tree->nodes)) != GT_OK ||
        gt_index_add(&maker->index, tree->mem, hash, tree->count) != GT_OK)
        return 0;
    tree->nodes[tree->count++] = (struct gt_calltree_node){
        .parent = parent, .function = function, .file = frame->file, .line = frame->line};
    return (uint32_t) tree->count;
}

static void calltree_add_self(struct maker *maker, uint32_t node, int64_t weight)
{
    int64_t *self = &maker->tree->nodes[node].self;
    gt_time_add_to(self, weight);
}

/*
 * Marks the frames that some weight passes through. All of them are less than `count`, because a
 * caller has a lower number than what it calls.
 */
static void calltree_frames_mark(struct maker *maker, const int64_t *weights, size_t count)
{
    memset(maker->node_of, 0, maker->frame_count * sizeof(*maker->node_of));
    for (size_t i = count; i-- > 1;) {
        if (weights[i] != 0)
            maker->node_of[i] = 1;
        if (maker->node_of[i] != 0)
            maker->node_of[maker->frames[i].parent] = 1;
    }
}

static bool calltree_add_group(struct maker *maker, uint32_t root, const int64_t *weights,
                               size_t count)
{
    if (count > maker->frame_count)
        count = maker->frame_count;
    calltree_frames_mark(maker, weights, count);
    maker->node_of[0] = root + 1;
    if (count > 0 && weights[0] != 0) {
        uint32_t none = calltree_child_of(
            maker, root, &(struct gt_store_frame){.function = GT_CALLTREE_NO_STACK});
        if (none == 0)
            return false;
        calltree_add_self(maker, none - 1, weights[0]);
    }
    for (size_t i = 1; i < count; i++) {
        if (maker->node_of[i] == 0)
            continue;
        const struct gt_store_frame *frame = &maker->frames[i];
        maker->node_of[i] = calltree_child_of(maker, maker->node_of[frame->parent] - 1, frame);
        if (maker->node_of[i] == 0)
            return false;
        calltree_add_self(maker, maker->node_of[i] - 1, weights[i]);
    }
    return true;
}

static bool calltree_add_groups(struct maker *maker, const struct gt_stackweights *weights)
{
    struct gt_calltree *tree = maker->tree;
    if (gt_mem_reserve(tree->mem, &tree->nodes, &tree->capacity, 1, sizeof(*tree->nodes)) != GT_OK)
        return false;
    tree->nodes[tree->count++] = (struct gt_calltree_node){.function = GT_CALLTREE_ROOT};
    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        uint32_t root = 1;
        if (weights->groups[cls].count == 0)
            continue;
        if (weights->kind == GT_WEIGHTS_WALL)
            root = calltree_child_of(maker, 0,
                                     &(struct gt_store_frame){.function = GT_CALLTREE_CLASS + cls});
        if (root == 0 || !calltree_add_group(maker, root - 1, weights->groups[cls].items,
                                             weights->groups[cls].count))
            return false;
    }
    return true;
}

static void calltree_add_up(struct gt_calltree *tree)
{
    for (size_t i = tree->count; i > 0; i--) {
        struct gt_calltree_node *node = &tree->nodes[i - 1];
        gt_time_add_to(&node->total, node->self);
        if (i > 1) {
            int64_t *above = &tree->nodes[node->parent].total;
            gt_time_add_to(above, node->total);
        }
    }
}

static bool calltree_total_is_before(const void *a, const void *b, void *context)
{
    const struct gt_calltree_node *left = *(const struct gt_calltree_node *const *) a;
    const struct gt_calltree_node *right = *(const struct gt_calltree_node *const *) b;
    (void) context;
    if (left->total != right->total)
        return left->total > right->total;
    /* A parent comes first, although its total may equal that of its child. */
    return left < right;
}

/* Sets indexes[i] to 0 for the `count` largest nodes. These include the parent of each of them. */
static bool calltree_choose(const struct gt_calltree *tree, size_t count, uint32_t *indexes)
{
    size_t bytes = tree->count * sizeof(struct gt_calltree_node *);
    const struct gt_calltree_node **order = gt_mem_alloc(tree->mem, bytes);
    if (!order)
        return false;
    for (size_t i = 0; i < tree->count; i++)
        order[i] = &tree->nodes[i];
    gt_sort(order, tree->count, sizeof(*order), calltree_total_is_before, NULL);
    for (size_t i = 0; i < count; i++)
        indexes[order[i] - tree->nodes] = 0;
    gt_mem_free(tree->mem, order, bytes);
    return true;
}

/* Copies the nodes that are not DROPPED, and stores their new indexes in `indexes`. */
static void calltree_copy_kept(const struct gt_calltree *tree, uint32_t *indexes,
                               struct gt_calltree *to)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (indexes[i] == DROPPED)
            continue;
        indexes[i] = (uint32_t) to->count;
        to->nodes[to->count] = tree->nodes[i];
        to->nodes[to->count++].parent = indexes[tree->nodes[i].parent];
    }
}

/* Adds to each kept node that lost children one child that stands for all of those. */
static void calltree_add_others(const struct gt_calltree *tree, const uint32_t *indexes,
                                uint32_t *others, struct gt_calltree *to)
{
    for (size_t i = 1; i < tree->count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        if (indexes[i] != DROPPED || indexes[parent] == DROPPED)
            continue;
        if (others[parent] == 0) {
            others[parent] = (uint32_t) to->count;
            to->nodes[to->count++] =
                (struct gt_calltree_node){.parent = indexes[parent], .function = GT_CALLTREE_OTHER};
        }
        struct gt_calltree_node *other = &to->nodes[others[parent]];
        gt_time_add_to(&other->self, tree->nodes[i].total);
        other->total = other->self;
    }
}

/* Drops the smallest nodes if there are more than GT_CALLTREE_NODES. */
static bool calltree_limit(struct gt_calltree *tree)
{
    if (tree->count <= GT_CALLTREE_NODES)
        return true;
    /* Half of the nodes are kept, because each of them may get a child for those that it lost. */
    struct gt_mem *mem = tree->mem;
    struct gt_calltree small = {.mem = mem};
    size_t bytes = tree->count * sizeof(uint32_t);
    uint32_t *indexes = gt_mem_alloc(mem, bytes);
    uint32_t *others = gt_mem_zeros(mem, bytes);
    bool made = indexes && others &&
                gt_mem_reserve(mem, &small.nodes, &small.capacity, GT_CALLTREE_NODES,
                               sizeof(*small.nodes)) == GT_OK;
    if (made) {
        memset(indexes, 0xff, bytes);
        made = calltree_choose(tree, GT_CALLTREE_NODES / 2, indexes);
    }
    if (made) {
        calltree_copy_kept(tree, indexes, &small);
        calltree_add_others(tree, indexes, others, &small);
        gt_calltree_free(tree);
        *tree = small;
    } else {
        gt_calltree_free(&small);
    }
    gt_mem_free(mem, indexes, bytes);
    gt_mem_free(mem, others, bytes);
    return made;
}

bool gt_calltree_make(struct gt_calltree *tree, const struct gt_stackweights *weights,
                      const struct gt_store_frame *frames, size_t frame_count)
{
    struct maker maker = {
        .tree = tree,
        .frames = frames,
        .frame_count = frame_count,
        .node_of = gt_mem_alloc(weights->mem, frame_count * sizeof(*maker.node_of)),
        .secret = gt_hash_secret(tree),
    };
    tree->mem = weights->mem;
    bool made = maker.node_of && calltree_add_groups(&maker, weights);
    gt_mem_free(tree->mem, maker.node_of, frame_count * sizeof(*maker.node_of));
    gt_index_free(&maker.index, tree->mem);
    if (!made)
        return false;
    calltree_add_up(tree);
    return calltree_limit(tree);
}

void gt_calltree_free(struct gt_calltree *tree)
{
    gt_mem_free(tree->mem, tree->nodes, tree->capacity * sizeof(*tree->nodes));
    *tree = (struct gt_calltree){0};
}
