/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/frontier.h"

#include <string.h>

#include "base/hash.h"

void gt_frontier_init(struct gt_frontier *frontier, struct gt_mem *mem)
{
    memset(frontier, 0, sizeof(*frontier));
    frontier->mem = mem;
    frontier->next_time = frontier->easy_until = INT64_MAX;
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

void gt_frontier_destroy(struct gt_frontier *frontier)
{
    if (frontier->near)
        gt_mem_free(frontier->mem, frontier->near,
                    (frontier->capacity + 1) * sizeof(*frontier->near));
    frontier_free_parking(frontier);
    gt_frontier_init(frontier, frontier->mem);
}

static void frontier_set_until(struct gt_frontier *frontier, int64_t time, uint32_t rank)
{
    frontier->until.time = time;
    frontier->until.rank = rank;
    frontier->near[0] = (struct gt_heap_item){time, &frontier->until};
}

/* Whether the item belongs into `later`. */
static inline bool frontier_is_later(const struct gt_frontier *frontier,
                                     const struct gt_heap_item *item)
{
    return gt_heap_item_before(&frontier->near[0], item);
}

/*
 * Moves the later half of the near lanes to `later`, as far as they can be added there. Returns
 * whether that made room.
 */
static bool frontier_make_room(struct gt_frontier *frontier)
{
    size_t count = 0;
    if (frontier->later.count == 0)
        gt_radix_start(&frontier->later, frontier->near[GT_FRONTIER_NEAR / 2].lane);
    while (count < GT_FRONTIER_NEAR / 2 &&
           gt_radix_fits(&frontier->later, frontier->near[count + 1].lane))
        gt_radix_add(&frontier->later, frontier->near[++count].lane);
    if (count == 0)
        return false;
    const struct gt_lane *first = frontier->near[count].lane;
    frontier->near_count -= count;
    memmove(frontier->near + 1, frontier->near + 1 + count,
            frontier->near_count * sizeof(*frontier->near));
    if (first->rank > 0)
        frontier_set_until(frontier, first->time, first->rank - 1);
    else
        frontier_set_until(frontier, first->time - 1, UINT32_MAX);
    return true;
}

/* Turns the sorted array into a heap: in ascending order it is one. */
static void frontier_make_heap(struct gt_frontier *frontier)
{
    for (size_t i = 1, j = frontier->near_count; i < j; i++, j--) {
        struct gt_heap_item item = frontier->near[i];
        frontier->near[i] = frontier->near[j];
        frontier->near[j] = item;
    }
    frontier->is_heap = true;
}

/* The sorted array is full. Makes room for the item, unless it belongs into `later`. */
static GT_NOINLINE void frontier_make_place(struct gt_frontier *frontier, struct gt_heap_item item)
{
    if (!frontier_is_later(frontier, &item) && !frontier_make_room(frontier))
        frontier_make_heap(frontier);
}

static inline void frontier_push(struct gt_frontier *frontier, struct gt_lane *lane)
{
    struct gt_heap_item item = {lane->time, lane};
    if (GT_UNLIKELY(frontier->near_count == GT_FRONTIER_NEAR && !frontier->is_heap))
        frontier_make_place(frontier, item);
    if (frontier_is_later(frontier, &item))
        gt_radix_add(&frontier->later, lane);
    else if (frontier->is_heap)
        gt_heap_up(frontier->near + 1, frontier->near_count++, item, false);
    else
        gt_sorted_insert(frontier->near, ++frontier->near_count, item);
}

/* There are no more near lanes: takes the earliest of the others. */
static void frontier_refill(struct gt_frontier *frontier)
{
    struct gt_lane *lanes[GT_FRONTIER_NEAR / 2];
    struct gt_lane until = {.time = INT64_MAX, .rank = UINT32_MAX};
    unsigned count = gt_radix_take(&frontier->later, GT_FRONTIER_NEAR / 2, lanes, &until);
    frontier->is_heap = false;
    frontier_set_until(frontier, until.time, until.rank);
    /* In reverse, because lanes of later slots come first in the sorted array. */
    for (unsigned i = count; i > 0; i--)
        frontier_push(frontier, lanes[i - 1]);
}

static void frontier_find_first(struct gt_frontier *frontier)
{
    size_t count = frontier->near_count;
    frontier->easy_until = frontier->is_heap ? INT64_MIN : frontier->until.time;
    frontier->first = NULL;
    frontier->next_time = frontier->until.time;
    if (!frontier->is_heap && count > 0) {
        frontier->first = frontier->near[count].lane;
        frontier->next_time = frontier->near[count - 1].time;
    } else if (count > 0) {
        frontier->first = frontier->near[1].lane;
        for (size_t i = 2; i <= 3 && i <= count; i++) {
            if (frontier->near[i].time < frontier->next_time)
                frontier->next_time = frontier->near[i].time;
        }
    }
}

/* Adds lanes that were woken, and finds the first lane. */
static void frontier_settle(struct gt_frontier *frontier)
{
    for (struct gt_lane *next, *lane = frontier->woken; lane; lane = next) {
        next = lane->next;
        frontier_push(frontier, lane);
    }
    frontier->woken = NULL;
    if (frontier->near_count == 0)
        frontier_refill(frontier);
    frontier_find_first(frontier);
}

/* Removes the first lane. */
static void frontier_pop(struct gt_frontier *frontier)
{
    size_t count = --frontier->near_count;
    if (frontier->is_heap && count > 0)
        gt_heap_down(frontier->near + 1, count, 0, frontier->near[count + 1], false);
}

gt_status gt_frontier_start(struct gt_frontier *frontier, size_t count)
{
    if (count > frontier->capacity || !frontier->near) {
        gt_frontier_destroy(frontier);
        frontier->near = gt_mem_alloc(frontier->mem, (count + 1) * sizeof(*frontier->near));
        if (!frontier->near)
            return gt_mem_failure(frontier->mem);
        frontier->capacity = count;
    }
    /* A merge that ended early may have left parked lanes. */
    if (frontier->parked_count != 0)
        memset(frontier->buckets, 0, (frontier->bucket_mask + 1) * sizeof(struct gt_lane *));
    gt_radix_clear(&frontier->later);
    frontier->near_count = frontier->parked_count = 0;
    frontier->is_heap = false;
    frontier->lane_count = count;
    frontier->woken = NULL;
    frontier_set_until(frontier, INT64_MAX, UINT32_MAX);
    frontier_find_first(frontier);
    return GT_OK;
}

void gt_frontier_add(struct gt_frontier *frontier, struct gt_lane *lane)
{
    frontier_push(frontier, lane);
    frontier_settle(frontier);
}

void gt_frontier_resift_slow(struct gt_frontier *frontier)
{
    struct gt_heap_item item = {frontier->first->time, frontier->first};
    if (frontier->is_heap && !frontier_is_later(frontier, &item)) {
        gt_heap_down(frontier->near + 1, frontier->near_count, 0, item, false);
    } else {
        frontier_pop(frontier);
        frontier_push(frontier, item.lane);
    }
    frontier_settle(frontier);
}

void gt_frontier_admit(struct gt_frontier *frontier)
{
    if (frontier->first)
        gt_frontier_resift(frontier);
    else
        frontier_settle(frontier);
}

void gt_frontier_remove(struct gt_frontier *frontier)
{
    frontier_pop(frontier);
    frontier_settle(frontier);
}

/*
 * Lanes with the same wish are a pairing heap by time, so that each costs no more than a
 * logarithm if many lanes wait for the same thing.
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

/* The link to the head of the heap of lanes with this wish; the link is NULL if there is none. */
static struct gt_lane **wish_link(struct gt_frontier *frontier, const struct gt_wish *wish)
{
    struct gt_lane **link = wish_bucket(frontier, wish);
    while (*link && !lane_has_wish(*link, wish))
        link = &(*link)->next;
    return link;
}

/* Replaces the head of a heap; with NULL removes the heap, which is empty then. */
static void wish_replace_head(struct gt_lane **link, struct gt_lane *head)
{
    struct gt_lane *next = *link ? (*link)->next : NULL;
    if (head)
        head->next = next;
    *link = head ? head : next;
}

/* Few traces park a lane, so the memory for it is allocated when the first one is parked. */
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
        frontier->next_time = frontier->easy_until = INT64_MIN;
        if (!all || !rest)
            return;
    }
}
