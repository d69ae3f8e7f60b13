/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/frontier.h"

#include <string.h>

#include "base/hash.h"

enum {
    /*
     * With at least this many bits for the rank, a time before the base never fits a key, as
     * gt_frontier_span requires: see frontier_set_base.
     */
    LEAST_RANK_BITS = 2,
    /*
     * The number of leaves is rounded up to a power of two only up to 2^MOST_SPARE_BITS lanes, to
     * save memory with more.
     */
    MOST_SPARE_BITS = 12
};

void gt_frontier_init(struct gt_frontier *frontier, struct gt_mem *mem)
{
    memset(frontier, 0, sizeof(*frontier));
    frontier->mem = mem;
    frontier->next_time = INT64_MAX;
}

static void frontier_free_parking(struct gt_frontier *frontier)
{
    gt_mem_free(frontier->mem, frontier->parked,
                frontier->parked_capacity * sizeof(*frontier->parked));
    if (frontier->buckets)
        gt_mem_free(frontier->mem, frontier->buckets,
                    (frontier->bucket_mask + 1) * sizeof(struct gt_lane *));
    frontier->parked = NULL;
    frontier->buckets = NULL;
    frontier->parked_capacity = 0;
}

/* The number of bytes for the keys of a tree and the array of lanes that follows them. */
static size_t frontier_tree_size(size_t leaves)
{
    return 2 * leaves * sizeof(uint64_t) + leaves * sizeof(struct gt_lane *);
}

static void frontier_free_tree(struct gt_frontier *frontier)
{
    if (frontier->keys)
        gt_mem_free(frontier->mem, frontier->keys, frontier_tree_size(frontier->capacity));
}

void gt_frontier_destroy(struct gt_frontier *frontier)
{
    frontier_free_tree(frontier);
    frontier_free_parking(frontier);
    gt_frontier_init(frontier, frontier->mem);
}

/* Returns the key of the lane that comes first, where keys consist of ranks only. */
static uint64_t frontier_lesser(const struct gt_frontier *frontier, uint64_t a, uint64_t b)
{
    if (a == GT_FRONTIER_NONE || b == GT_FRONTIER_NONE)
        return a == GT_FRONTIER_NONE ? b : a;
    int64_t time_a = frontier->lanes[a]->time, time_b = frontier->lanes[b]->time;
    if (time_a == time_b)
        return a < b ? a : b;
    return time_a < time_b ? a : b;
}

static void frontier_set_far_key(struct gt_frontier *frontier, uint32_t rank, uint64_t key)
{
    uint64_t *keys = frontier->keys;
    size_t i = frontier->leaves + rank;
    keys[i] = key;
    for (; i > 1; i /= 2)
        keys[i / 2] = frontier_lesser(frontier, keys[i], keys[i ^ 1]);
}

/* Switches to keys that consist of ranks only. */
static void frontier_go_far(struct gt_frontier *frontier)
{
    uint64_t *keys = frontier->keys;
    frontier->is_far = frontier->is_hard = true;
    for (size_t i = 0; i < frontier->leaves; i++) {
        if (keys[frontier->leaves + i] != GT_FRONTIER_NONE)
            keys[frontier->leaves + i] = i;
    }
    for (size_t i = frontier->leaves - 1; i > 0; i--)
        keys[i] = frontier_lesser(frontier, keys[2 * i], keys[2 * i + 1]);
}

/*
 * Sets the base from the time of the first lane that is added. Keys can represent a range of times
 * around that: 18 years with 16 lanes, 2 hours with a million. The difference between a time before
 * the base and the base wraps around. It exceeds the span of keys, which is below 2^62, because the
 * base does not exceed 2^62.
 */
static void frontier_set_base(struct gt_frontier *frontier, int64_t time)
{
    const int64_t most = INT64_C(1) << (64 - LEAST_RANK_BITS);
    frontier->span = (GT_FRONTIER_NONE >> frontier->rank_bits) - 1;
    int64_t half = (int64_t) (frontier->span / 2);
    frontier->base = time < INT64_MIN + half ? INT64_MIN : time - half;
    if (frontier->base > most)
        frontier->base = most;
}

/* Sets the key of a ready lane by its time. */
static void frontier_place(struct gt_frontier *frontier, const struct gt_lane *lane)
{
    if (!frontier->is_far) {
        uint64_t span = gt_frontier_span(frontier, lane);
        if (span <= frontier->span) {
            gt_frontier_set_key(frontier, lane->rank, gt_frontier_key(frontier, lane, span));
            return;
        }
        frontier_go_far(frontier);
    }
    frontier_set_far_key(frontier, lane->rank, lane->rank);
}

static void frontier_take_out(struct gt_frontier *frontier, const struct gt_lane *lane)
{
    if (frontier->is_far)
        frontier_set_far_key(frontier, lane->rank, GT_FRONTIER_NONE);
    else
        gt_frontier_set_key(frontier, lane->rank, GT_FRONTIER_NONE);
}

/* Adds lanes that were woken, and determines the first lane. */
static void frontier_settle(struct gt_frontier *frontier)
{
    for (const struct gt_lane *lane = frontier->woken; lane; lane = lane->next)
        frontier_place(frontier, lane);
    frontier->woken = NULL;
    frontier->is_hard = frontier->is_far;
    if (frontier->keys[1] == GT_FRONTIER_NONE) {
        frontier->first = NULL;
        frontier->next_time = INT64_MAX;
    } else if (frontier->is_far) {
        frontier->first = frontier->lanes[frontier->keys[1]];
        frontier->next_time = frontier->first->time;
    } else {
        gt_frontier_find_first(frontier);
    }
}

static gt_status frontier_make_tree(struct gt_frontier *frontier, size_t leaves)
{
    if (leaves > frontier->capacity) {
        gt_frontier_destroy(frontier);
        frontier->keys = gt_mem_alloc(frontier->mem, frontier_tree_size(leaves));
        if (!frontier->keys)
            return gt_mem_failure(frontier->mem);
        frontier->capacity = leaves;
    }
    frontier->leaves = leaves;
    frontier->lanes = (struct gt_lane **) (frontier->keys + 2 * leaves);
    for (size_t i = 0; i < 2 * leaves; i++)
        frontier->keys[i] = GT_FRONTIER_NONE;
    return GT_OK;
}

gt_status gt_frontier_start(struct gt_frontier *frontier, size_t count)
{
    unsigned bits = LEAST_RANK_BITS;
    while ((size_t) 1 << bits < count)
        bits++;
    gt_status status =
        frontier_make_tree(frontier, bits > MOST_SPARE_BITS ? count : (size_t) 1 << bits);
    if (status != GT_OK)
        return status;
    /* A previous merge that ended early may have left parked lanes. */
    if (frontier->parked_count != 0)
        memset(frontier->buckets, 0, (frontier->bucket_mask + 1) * sizeof(struct gt_lane *));
    frontier->rank_bits = bits;
    frontier->rank_mask = ((size_t) 1 << bits) - 1;
    frontier->lane_count = count;
    frontier->parked_count = 0;
    frontier->span = 0;
    frontier->is_far = false;
    frontier->woken = NULL;
    frontier_settle(frontier);
    return GT_OK;
}

void gt_frontier_add(struct gt_frontier *frontier, struct gt_lane *lane)
{
    if (frontier->span == 0)
        frontier_set_base(frontier, lane->time);
    frontier->lanes[lane->rank] = lane;
    frontier_place(frontier, lane);
    frontier_settle(frontier);
}

void gt_frontier_resift_slow(struct gt_frontier *frontier)
{
    frontier_place(frontier, frontier->first);
    frontier_settle(frontier);
}

void gt_frontier_admit(struct gt_frontier *frontier)
{
    if (frontier->first)
        frontier_place(frontier, frontier->first);
    frontier_settle(frontier);
}

void gt_frontier_remove(struct gt_frontier *frontier)
{
    frontier_take_out(frontier, frontier->first);
    frontier_settle(frontier);
}

/*
 * Merges two pairing heaps, which order lanes with the same wish by time, so that each lane costs
 * no more than logarithmic time even if many lanes wait for the same condition.
 */
static struct gt_lane *lanes_meld(struct gt_lane *a, struct gt_lane *b)
{
    if (!a || !b)
        return a ? a : b;
    struct gt_heap_item of_a = {a->time, a};
    struct gt_heap_item of_b = {b->time, b};
    if (gt_heap_item_before(&of_b, &of_a)) {
        struct gt_lane *swap = a;
        a = b;
        b = swap;
    }
    b->sibling = a->child;
    a->child = b;
    return a;
}

static struct gt_lane *lanes_meld_pairs(struct gt_lane *list)
{
    struct gt_lane *pairs = NULL;
    while (list) {
        struct gt_lane *a = list;
        struct gt_lane *b = a->sibling;
        list = b ? b->sibling : NULL;
        a->sibling = NULL;
        if (b)
            b->sibling = NULL;
        a = lanes_meld(a, b);
        a->sibling = pairs;
        pairs = a;
    }
    struct gt_lane *heap = NULL;
    while (pairs) {
        struct gt_lane *next = pairs->sibling;
        pairs->sibling = NULL;
        heap = lanes_meld(heap, pairs);
        pairs = next;
    }
    return heap;
}

static struct gt_lane **wish_bucket(struct gt_frontier *frontier, const struct gt_wish *wish)
{
    uint64_t h = gt_hash(wish->id, frontier->secret);
    h = gt_hash(wish->seq ^ h, wish->need);
    return &frontier->buckets[h & frontier->bucket_mask];
}

static bool lane_has_wish(const struct gt_lane *lane, const struct gt_wish *wish)
{
    return lane->wish_id == wish->id && lane->wish_seq == wish->seq && lane->need == wish->need;
}

/*
 * Returns the link to the head of the heap of lanes with this wish. The link is NULL if no lane has
 * it.
 */
static struct gt_lane **wish_link(struct gt_frontier *frontier, const struct gt_wish *wish)
{
    struct gt_lane **link = wish_bucket(frontier, wish);
    while (*link && !lane_has_wish(*link, wish))
        link = &(*link)->next;
    return link;
}

/*
 * Replaces the head of a heap. If `head` is NULL, the heap is empty and is removed from its list.
 */
static void wish_replace_head(struct gt_lane **link, struct gt_lane *head)
{
    struct gt_lane *next = *link ? (*link)->next : NULL;
    if (head)
        head->next = next;
    *link = head ? head : next;
}

/*
 * Allocates the memory for parked lanes. This is done when the first lane is parked, as most traces
 * park none.
 */
static gt_status frontier_make_parking(struct gt_frontier *frontier)
{
    size_t buckets = 16;
    while (buckets < frontier->lane_count)
        buckets *= 2;
    frontier_free_parking(frontier);
    frontier->parked =
        gt_mem_alloc(frontier->mem, frontier->lane_count * sizeof(*frontier->parked));
    if (!frontier->parked)
        return gt_mem_failure(frontier->mem);
    frontier->parked_capacity = frontier->lane_count;
    frontier->buckets = gt_mem_alloc(frontier->mem, buckets * sizeof(struct gt_lane *));
    if (!frontier->buckets) {
        frontier_free_parking(frontier);
        return gt_mem_failure(frontier->mem);
    }
    frontier->bucket_mask = buckets - 1;
    frontier->secret = gt_hash_secret(frontier->buckets);
    memset(frontier->buckets, 0, buckets * sizeof(struct gt_lane *));
    return GT_OK;
}

gt_status gt_frontier_park(struct gt_frontier *frontier)
{
    struct gt_lane *lane = frontier->first;
    gt_status status =
        frontier->lane_count > frontier->parked_capacity ? frontier_make_parking(frontier) : GT_OK;
    if (status != GT_OK)
        return status;
    lane->sibling = lane->child = NULL;
    struct gt_wish wish = {lane->wish_id, lane->wish_seq, lane->need};
    struct gt_lane **link = wish_link(frontier, &wish);
    wish_replace_head(link, lanes_meld(lane, *link));
    struct gt_heap_item item = {lane->time, lane};
    gt_heap_up(frontier->parked, frontier->parked_count++, item, true);
    gt_frontier_remove(frontier);
    return GT_OK;
}

static void frontier_unpark(struct gt_frontier *frontier, const struct gt_lane *lane)
{
    size_t hole = lane->position;
    frontier->parked_count--;
    if (hole < frontier->parked_count)
        gt_heap_replace(frontier->parked, frontier->parked_count, hole,
                        frontier->parked[frontier->parked_count], true);
}

void gt_frontier_wake_slow(struct gt_frontier *frontier, const struct gt_wish *wish, bool all)
{
    struct gt_lane **link = wish_link(frontier, wish);
    struct gt_lane *lane;
    while ((lane = *link) != NULL) {
        struct gt_lane *rest = lanes_meld_pairs(lane->child);
        wish_replace_head(link, rest);
        frontier_unpark(frontier, lane);
        lane->next = frontier->woken;
        frontier->woken = lane;
        frontier->next_time = INT64_MIN;
        frontier->is_hard = true;
        if (!all || !rest)
            return;
    }
}
