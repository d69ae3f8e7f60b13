/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/frontier.h"

#include <string.h>

#include "base/hash.h"

void gt_frontier_init(struct gt_frontier *f, struct gt_mem *mem)
{
    memset(f, 0, sizeof(*f));
    f->mem = mem;
    f->next_time = INT64_MAX;
    f->behind.rank = UINT32_MAX;
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
    if (f->ready)
        gt_mem_free(f->mem, f->ready, (f->capacity + 1) * sizeof(*f->ready));
    drop_parking(f);
    gt_frontier_init(f, f->mem);
}

static int is_sorted(const struct gt_frontier *f)
{
    return f->lane_count <= GT_FEW_LANES;
}

static void end_sorted(struct gt_frontier *f)
{
    f->ready[f->ready_count] = (struct gt_heap_item){INT64_MAX, &f->behind};
}

static void push(struct gt_frontier *f, struct gt_lane *lane)
{
    struct gt_heap_item item = {lane->time, lane};
    if (is_sorted(f)) {
        gt_sorted_up(f->ready, f->ready_count++, item);
        end_sorted(f);
    } else {
        gt_heap_up(f->ready, f->ready_count++, item, 0);
    }
}

/* All is in order, but for those who were woken. */
static inline void settle(struct gt_frontier *f)
{
    for (; f->woken; f->woken = f->woken->next_key)
        push(f, f->woken);
    f->first = f->ready_count > 0 ? f->ready[0].lane : NULL;
    f->next_time = f->ready_count > 1 ? f->ready[1].time : INT64_MAX;
    if (f->ready_count > 2 && f->ready[2].time < f->next_time)
        f->next_time = f->ready[2].time;
}

gt_status gt_frontier_start(struct gt_frontier *f, size_t count)
{
    if (count > f->capacity) {
        gt_frontier_destroy(f);
        f->ready = gt_mem_alloc(f->mem, (count + 1) * sizeof(*f->ready));
        if (!f->ready)
            return gt_mem_failure(f->mem);
        f->capacity = count;
    }
    /* A merge that ended early may have left lanes behind. */
    if (f->parked_count != 0)
        memset(f->buckets, 0, (f->bucket_mask + 1) * sizeof(struct gt_lane *));
    f->ready_count = f->parked_count = 0;
    f->lane_count = count;
    f->first = f->woken = NULL;
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
    if (is_sorted(f))
        gt_sorted_down(f->ready, item);
    else
        gt_heap_down(f->ready, f->ready_count, 0, item, 0);
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
    f->ready_count--;
    if (is_sorted(f))
        memmove(f->ready, f->ready + 1, (f->ready_count + 1) * sizeof(*f->ready));
    else if (f->ready_count > 0)
        gt_heap_down(f->ready, f->ready_count, 0, f->ready[f->ready_count], 0);
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
        link = &(*link)->next_key;
    return link;
}

static void replace_head(struct gt_lane **link, struct gt_lane *head)
{
    struct gt_lane *next = *link ? (*link)->next_key : NULL;
    if (head)
        head->next_key = next;
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
        lane->next_key = f->woken;
        f->woken = lane;
        f->next_time = INT64_MIN;
        if (!all || !rest)
            return;
    }
}
