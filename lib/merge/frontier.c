/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/frontier.h"

#include <string.h>

#include "base/hash.h"

void gt_frontier_init(struct gt_frontier *f, struct gt_mem *mem)
{
    memset(f, 0, sizeof(*f));
    f->mem = mem;
    f->next_time = f->easy_until = INT64_MAX;
}

static void drop_parking(struct gt_frontier *f)
{
    gt_mem_free(f->mem, f->parked, f->parked_capacity * sizeof(*f->parked));
    if (f->buckets)
        gt_mem_free(f->mem, f->buckets, (f->bucket_mask + 1) * sizeof(struct gt_lane *));
    f->parked = NULL;
    f->buckets = NULL;
    f->parked_capacity = 0;
}

void gt_frontier_destroy(struct gt_frontier *f)
{
    if (f->near)
        gt_mem_free(f->mem, f->near, (f->capacity + 1) * sizeof(*f->near));
    drop_parking(f);
    gt_frontier_init(f, f->mem);
}

static void set_until(struct gt_frontier *f, int64_t time, uint32_t rank)
{
    f->until.time = time;
    f->until.rank = rank;
    f->near[0] = (struct gt_heap_item){time, &f->until};
}

static inline int is_later(const struct gt_frontier *f, const struct gt_heap_item *item)
{
    return gt_item_before(&f->near[0], item);
}

/*
 * Moves the later half of the near ones to the others, but for what comes before all that can be
 * there. Returns whether there was one to move.
 */
static int make_room(struct gt_frontier *f)
{
    size_t count = 0;
    if (f->later.count == 0)
        gt_radix_start(&f->later, f->near[GT_FRONTIER_NEAR / 2].lane);
    while (count < GT_FRONTIER_NEAR / 2 && gt_radix_fits(&f->later, f->near[count + 1].lane))
        gt_radix_add(&f->later, f->near[++count].lane);
    if (count == 0)
        return 0;
    const struct gt_lane *first = f->near[count].lane;
    f->near_count -= count;
    memmove(f->near + 1, f->near + 1 + count, f->near_count * sizeof(*f->near));
    if (first->rank > 0)
        set_until(f, first->time, first->rank - 1);
    else
        set_until(f, first->time - 1, UINT32_MAX);
    return 1;
}

static void make_heap(struct gt_frontier *f)
{
    for (size_t i = 1, j = f->near_count; i < j; i++, j--) {
        struct gt_heap_item item = f->near[i];
        f->near[i] = f->near[j];
        f->near[j] = item;
    }
    f->is_heap = 1;
}

/* There is no room for an item, unless it is a later one. */
static GT_NOINLINE void make_place(struct gt_frontier *f, struct gt_heap_item item)
{
    if (!is_later(f, &item) && !make_room(f))
        make_heap(f);
}

static inline void push(struct gt_frontier *f, struct gt_lane *lane)
{
    struct gt_heap_item item = {lane->time, lane};
    if (GT_UNLIKELY(f->near_count == GT_FRONTIER_NEAR && !f->is_heap))
        make_place(f, item);
    if (is_later(f, &item))
        gt_radix_add(&f->later, lane);
    else if (f->is_heap)
        gt_heap_up(f->near + 1, f->near_count++, item, 0);
    else
        gt_sorted_put(f->near, ++f->near_count, item);
}

/* The near ones are over. */
static void refill(struct gt_frontier *f)
{
    struct gt_lane *lanes[GT_FRONTIER_NEAR / 2];
    struct gt_lane until = {.time = INT64_MAX, .rank = UINT32_MAX};
    unsigned count = gt_radix_take(&f->later, GT_FRONTIER_NEAR / 2, lanes, &until);
    f->is_heap = 0;
    set_until(f, until.time, until.rank);
    /* Those of the last slot first, so that few have to be moved. */
    for (unsigned i = count; i > 0; i--)
        push(f, lanes[i - 1]);
}

static void find_first(struct gt_frontier *f)
{
    size_t count = f->near_count;
    f->easy_until = f->is_heap ? INT64_MIN : f->until.time;
    f->first = NULL;
    f->next_time = f->until.time;
    if (!f->is_heap && count > 0) {
        f->first = f->near[count].lane;
        f->next_time = f->near[count - 1].time;
    } else if (count > 0) {
        f->first = f->near[1].lane;
        for (size_t i = 2; i <= 3 && i <= count; i++) {
            if (f->near[i].time < f->next_time)
                f->next_time = f->near[i].time;
        }
    }
}

/* All is in order, but for those who were woken. */
static void settle(struct gt_frontier *f)
{
    for (struct gt_lane *next, *lane = f->woken; lane; lane = next) {
        next = lane->next;
        push(f, lane);
    }
    f->woken = NULL;
    if (f->near_count == 0)
        refill(f);
    find_first(f);
}

static void pop(struct gt_frontier *f)
{
    size_t count = --f->near_count;
    if (f->is_heap && count > 0)
        gt_heap_down(f->near + 1, count, 0, f->near[count + 1], 0);
}

gt_status gt_frontier_start(struct gt_frontier *f, size_t count)
{
    if (count > f->capacity || !f->near) {
        gt_frontier_destroy(f);
        f->near = gt_mem_alloc(f->mem, (count + 1) * sizeof(*f->near));
        if (!f->near)
            return gt_mem_failure(f->mem);
        f->capacity = count;
    }
    /* A merge that ended early may have left lanes behind. */
    if (f->parked_count != 0)
        memset(f->buckets, 0, (f->bucket_mask + 1) * sizeof(struct gt_lane *));
    gt_radix_clear(&f->later);
    f->near_count = f->parked_count = 0;
    f->is_heap = 0;
    f->lane_count = count;
    f->woken = NULL;
    set_until(f, INT64_MAX, UINT32_MAX);
    find_first(f);
    return GT_OK;
}

void gt_frontier_add(struct gt_frontier *f, struct gt_lane *lane)
{
    push(f, lane);
    settle(f);
}

void gt_frontier_resift_slow(struct gt_frontier *f)
{
    struct gt_heap_item item = {f->first->time, f->first};
    if (f->is_heap && !is_later(f, &item)) {
        gt_heap_down(f->near + 1, f->near_count, 0, item, 0);
    } else {
        pop(f);
        push(f, item.lane);
    }
    settle(f);
}

void gt_frontier_admit(struct gt_frontier *f)
{
    if (f->first)
        gt_frontier_resift(f);
    else
        settle(f);
}

void gt_frontier_remove(struct gt_frontier *f)
{
    pop(f);
    settle(f);
}

/*
 * Lanes with the same wish make up a pairing heap, so that many lanes that
 * wait for one thing cost no more than a logarithm each.
 */
static struct gt_lane *meld(struct gt_lane *a, struct gt_lane *b)
{
    if (!a || !b)
        return a ? a : b;
    struct gt_heap_item of_a = {a->time, a};
    struct gt_heap_item of_b = {b->time, b};
    if (gt_item_before(&of_b, &of_a)) {
        struct gt_lane *swap = a;
        a = b;
        b = swap;
    }
    b->sibling = a->child;
    a->child = b;
    return a;
}

static struct gt_lane *meld_pairs(struct gt_lane *list)
{
    struct gt_lane *pairs = NULL;
    while (list) {
        struct gt_lane *a = list;
        struct gt_lane *b = a->sibling;
        list = b ? b->sibling : NULL;
        a->sibling = NULL;
        if (b)
            b->sibling = NULL;
        a = meld(a, b);
        a->sibling = pairs;
        pairs = a;
    }
    struct gt_lane *heap = NULL;
    while (pairs) {
        struct gt_lane *next = pairs->sibling;
        pairs->sibling = NULL;
        heap = meld(heap, pairs);
        pairs = next;
    }
    return heap;
}

static struct gt_lane **bucket(struct gt_frontier *f, const struct gt_wish *wish)
{
    uint64_t h = gt_hash(wish->id, f->secret);
    h = gt_hash(wish->seq ^ h, wish->need);
    return &f->buckets[h & f->bucket_mask];
}

static int has_wish(const struct gt_lane *lane, const struct gt_wish *wish)
{
    return lane->wish_id == wish->id && lane->wish_seq == wish->seq && lane->need == wish->need;
}

/* The link to the head of the lanes with this wish; to NULL where there is none. */
static struct gt_lane **wish_link(struct gt_frontier *f, const struct gt_wish *wish)
{
    struct gt_lane **link = bucket(f, wish);
    while (*link && !has_wish(*link, wish))
        link = &(*link)->next;
    return link;
}

static void replace_head(struct gt_lane **link, struct gt_lane *head)
{
    struct gt_lane *next = *link ? (*link)->next : NULL;
    if (head)
        head->next = next;
    *link = head ? head : next;
}

/* Few traces park a lane, so what that takes is made for the first one. */
static gt_status make_parking(struct gt_frontier *f)
{
    size_t buckets = 16;
    while (buckets < f->lane_count)
        buckets *= 2;
    drop_parking(f);
    f->parked = gt_mem_alloc(f->mem, f->lane_count * sizeof(*f->parked));
    if (!f->parked)
        return gt_mem_failure(f->mem);
    f->parked_capacity = f->lane_count;
    f->buckets = gt_mem_alloc(f->mem, buckets * sizeof(struct gt_lane *));
    if (!f->buckets) {
        drop_parking(f);
        return gt_mem_failure(f->mem);
    }
    f->bucket_mask = buckets - 1;
    f->secret = gt_hash_secret(f->buckets);
    memset(f->buckets, 0, buckets * sizeof(struct gt_lane *));
    return GT_OK;
}

gt_status gt_frontier_park(struct gt_frontier *f)
{
    struct gt_lane *lane = f->first;
    gt_status status = f->lane_count > f->parked_capacity ? make_parking(f) : GT_OK;
    if (status != GT_OK)
        return status;
    lane->sibling = lane->child = NULL;
    struct gt_wish wish = {lane->wish_id, lane->wish_seq, lane->need};
    struct gt_lane **link = wish_link(f, &wish);
    replace_head(link, meld(lane, *link));
    struct gt_heap_item item = {lane->time, lane};
    gt_heap_up(f->parked, f->parked_count++, item, 1);
    gt_frontier_remove(f);
    return GT_OK;
}

static void unpark(struct gt_frontier *f, const struct gt_lane *lane)
{
    size_t hole = lane->position;
    f->parked_count--;
    if (hole < f->parked_count)
        gt_heap_put(f->parked, f->parked_count, hole, f->parked[f->parked_count], 1);
}

void gt_frontier_wake_slow(struct gt_frontier *f, const struct gt_wish *wish, int all)
{
    struct gt_lane **link = wish_link(f, wish);
    struct gt_lane *lane;
    while ((lane = *link) != NULL) {
        struct gt_lane *rest = meld_pairs(lane->child);
        replace_head(link, rest);
        unpark(f, lane);
        lane->next = f->woken;
        f->woken = lane;
        f->next_time = f->easy_until = INT64_MIN;
        if (!all || !rest)
            return;
    }
}
