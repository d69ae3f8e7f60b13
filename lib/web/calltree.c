/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/calltree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "web/distribution.h"

enum {
    FIRST_CAPACITY = 1024
};

/* The place of a node that is not kept. All bits are ones, so that memset can set it. */
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
    /*
     * A hash table of nodes by parent and function: the index of a node + 1, or 0 in a free slot.
     * The number of slots is a power of two.
     */
    uint32_t *slots;
    size_t slot_count;
    /*
     * A seed of the hash function, so that a trace cannot be crafted to make its functions collide.
     */
    uint64_t seed;
};

static uint64_t calltree_hash(const struct maker *maker, uint32_t parent, uint32_t function)
{
    uint64_t value = ((uint64_t) parent << 32 | function) ^ maker->seed;
    value = (value ^ value >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 29) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 32;
}

static uint32_t *calltree_find_slot(const struct maker *maker, uint32_t parent, uint32_t function)
{
    size_t mask = maker->slot_count - 1;
    size_t i = (size_t) calltree_hash(maker, parent, function) & mask;
    for (; maker->slots[i] != 0; i = (i + 1) & mask) {
        const struct gt_calltree_node *node = &maker->tree->nodes[maker->slots[i] - 1];
        if (node->parent == parent && node->function == function)
            break;
    }
    return &maker->slots[i];
}

static bool calltree_grow_slots(struct maker *maker)
{
    const struct gt_calltree *tree = maker->tree;
    size_t count = maker->slot_count == 0 ? 2 * FIRST_CAPACITY : 2 * maker->slot_count;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (!slots)
        return false;
    free(maker->slots);
    maker->slots = slots;
    maker->slot_count = count;
    for (size_t i = 1; i < tree->count; i++)
        *calltree_find_slot(maker, tree->nodes[i].parent, tree->nodes[i].function) =
            (uint32_t) i + 1;
    return true;
}

static bool calltree_reserve(struct gt_calltree *tree, size_t count)
{
    if (count <= tree->capacity)
        return true;
    size_t capacity = tree->capacity == 0 ? FIRST_CAPACITY : 2 * tree->capacity;
    struct gt_calltree_node *nodes = realloc(tree->nodes, capacity * sizeof(*nodes));
    if (!nodes)
        return false;
    tree->nodes = nodes;
    tree->capacity = capacity;
    return true;
}

/*
 * Finds or adds the node of a function that `parent` calls. Returns its index + 1, or 0 if there is
 * not enough memory.
 */
static uint32_t calltree_child_of(struct maker *maker, uint32_t parent, uint32_t function)
{
    struct gt_calltree *tree = maker->tree;
    /* The table is kept at most half full, so that runs of occupied slots stay short. */
    if (tree->count >= maker->slot_count / 2 && !calltree_grow_slots(maker))
        return 0;
    uint32_t *slot = calltree_find_slot(maker, parent, function);
    if (*slot == 0) {
        if (!calltree_reserve(tree, tree->count + 1))
            return 0;
        tree->nodes[tree->count++] =
            (struct gt_calltree_node){.parent = parent, .function = function};
        *slot = (uint32_t) tree->count;
    }
    return *slot;
}

static void calltree_add_self(struct maker *maker, uint32_t node, int64_t weight)
{
    int64_t *self = &maker->tree->nodes[node].self;
    *self = gt_distribution_sum(*self, weight);
}

/*
 * Marks the frames that some weight passes through. All of them are less than `count`, because a
 * caller has a lower number than what it calls.
 */
static void mark_used(struct maker *maker, const int64_t *weights, size_t count)
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
    mark_used(maker, weights, count);
    maker->node_of[0] = root + 1;
    if (count > 0 && weights[0] != 0) {
        uint32_t none = calltree_child_of(maker, root, GT_CALLTREE_NO_STACK);
        if (none == 0)
            return false;
        calltree_add_self(maker, none - 1, weights[0]);
    }
    for (size_t i = 1; i < count; i++) {
        if (maker->node_of[i] == 0)
            continue;
        const struct gt_store_frame *frame = &maker->frames[i];
        maker->node_of[i] =
            calltree_child_of(maker, maker->node_of[frame->parent] - 1, frame->function);
        if (maker->node_of[i] == 0)
            return false;
        calltree_add_self(maker, maker->node_of[i] - 1, weights[i]);
    }
    return true;
}

static bool calltree_add_groups(struct maker *maker, const struct gt_stackweights *weights)
{
    struct gt_calltree *tree = maker->tree;
    if (!calltree_reserve(tree, 1))
        return false;
    tree->nodes[tree->count++] = (struct gt_calltree_node){.function = GT_CALLTREE_ROOT};
    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        uint32_t root = 1;
        if (!weights->groups[cls])
            continue;
        if (weights->kind == GT_WEIGHTS_WALL)
            root = calltree_child_of(maker, 0, GT_CALLTREE_CLASS + cls);
        if (root == 0 ||
            !calltree_add_group(maker, root - 1, weights->groups[cls], weights->frames[cls]))
            return false;
    }
    return true;
}

static void calltree_add_up(struct gt_calltree *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct gt_calltree_node *node = &tree->nodes[i];
        node->total = gt_distribution_sum(node->total, node->self);
        if (i > 0) {
            int64_t *above = &tree->nodes[node->parent].total;
            *above = gt_distribution_sum(*above, node->total);
        }
    }
}

static int calltree_compare_totals(const void *a, const void *b)
{
    const struct gt_calltree_node *left = *(const struct gt_calltree_node *const *) a;
    const struct gt_calltree_node *right = *(const struct gt_calltree_node *const *) b;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    /* A parent comes first, although its total may equal that of its child. */
    return left < right ? -1 : left > right;
}

/* Sets places[i] to 0 for the `count` largest nodes. These include the parent of each of them. */
static bool calltree_choose(const struct gt_calltree *tree, size_t count, uint32_t *places)
{
    const struct gt_calltree_node **order = malloc(tree->count * sizeof(*order));
    if (!order)
        return false;
    for (size_t i = 0; i < tree->count; i++)
        order[i] = &tree->nodes[i];
    qsort(order, tree->count, sizeof(*order), calltree_compare_totals);
    for (size_t i = 0; i < count; i++)
        places[order[i] - tree->nodes] = 0;
    free(order);
    return true;
}

/* Copies the nodes whose place is not DROPPED, and sets their places to their new indexes. */
static void calltree_copy_kept(const struct gt_calltree *tree, uint32_t *places,
                               struct gt_calltree *to)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (places[i] == DROPPED)
            continue;
        places[i] = (uint32_t) to->count;
        to->nodes[to->count] = tree->nodes[i];
        to->nodes[to->count++].parent = places[tree->nodes[i].parent];
    }
}

/* Adds to each kept node that lost children one child that stands for all of those. */
static void calltree_add_others(const struct gt_calltree *tree, const uint32_t *places,
                                uint32_t *others, struct gt_calltree *to)
{
    for (size_t i = 1; i < tree->count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        if (places[i] != DROPPED || places[parent] == DROPPED)
            continue;
        if (others[parent] == 0) {
            others[parent] = (uint32_t) to->count;
            to->nodes[to->count++] =
                (struct gt_calltree_node){.parent = places[parent], .function = GT_CALLTREE_OTHER};
        }
        struct gt_calltree_node *other = &to->nodes[others[parent]];
        other->self = gt_distribution_sum(other->self, tree->nodes[i].total);
        other->total = other->self;
    }
}

/* Drops the smallest nodes if there are more than GT_CALLTREE_NODES. */
static bool calltree_limit(struct gt_calltree *tree)
{
    if (tree->count <= GT_CALLTREE_NODES)
        return true;
    /* Half of the nodes are kept, because each of them may get a child for those that it lost. */
    struct gt_calltree small = {.nodes = malloc(GT_CALLTREE_NODES * sizeof(*small.nodes)),
                                .capacity = GT_CALLTREE_NODES};
    uint32_t *places = malloc(tree->count * sizeof(*places));
    uint32_t *others = calloc(tree->count, sizeof(*others));
    bool made = small.nodes && places && others;
    if (made) {
        memset(places, 0xff, tree->count * sizeof(*places));
        made = calltree_choose(tree, GT_CALLTREE_NODES / 2, places);
    }
    if (made) {
        calltree_copy_kept(tree, places, &small);
        calltree_add_others(tree, places, others, &small);
        free(tree->nodes);
        *tree = small;
    } else {
        free(small.nodes);
    }
    free(places);
    free(others);
    return made;
}

bool gt_calltree_make(struct gt_calltree *tree, const struct gt_stackweights *weights,
                      const struct gt_store_frame *frames, size_t frame_count)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    struct maker maker = {
        .tree = tree,
        .frames = frames,
        .frame_count = frame_count,
        .node_of = calloc(frame_count, sizeof(*maker.node_of)),
        .seed = (uint64_t) now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t) tree,
    };
    bool made = maker.node_of && calltree_add_groups(&maker, weights);
    free(maker.node_of);
    free(maker.slots);
    if (!made)
        return false;
    calltree_add_up(tree);
    return calltree_limit(tree);
}

void gt_calltree_free(struct gt_calltree *tree)
{
    free(tree->nodes);
    *tree = (struct gt_calltree){0};
}
