/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/frontier.h"

#include <string.h>

#include "base/hash.h"

void gt_v2_frontier_init(struct gt_v2_frontier *f, struct gt_mem *mem)
{
    memset(f, 0, sizeof(*f));
    f->mem = mem;
    f->next_time = INT64_MAX;
}

static void drop_parking(struct gt_v2_frontier *f)
{
    gt_mem_free(f->mem, f->parked, f->parked_capacity * sizeof(*f->parked));
    if (f->buckets)
        gt_mem_free(f->mem, f->buckets, (f->bucket_mask + 1) * sizeof(struct gt_v2_thread *));
    f->parked = NULL;
    f->buckets = NULL;
    f->parked_capacity = 0;
}

void gt_v2_frontier_destroy(struct gt_v2_frontier *f)
{
    gt_mem_free(f->mem, f->ready, f->capacity * sizeof(*f->ready));
    drop_parking(f);
    gt_v2_frontier_init(f, f->mem);
}

/*
 * In a generation of few threads the ready ones are kept sorted, which reads
 * traces 6 % faster; in one of many that would take quadratic time.
 */
enum {
    FEW_THREADS = 32
};

static int is_sorted(const struct gt_v2_frontier *f)
{
    return f->thread_count <= FEW_THREADS;
}

static void push(struct gt_v2_frontier *f, struct gt_v2_thread *thread)
{
    struct gt_v2_heap_item item = {thread->time, thread};
    if (is_sorted(f))
        gt_v2_sorted_up(f->ready, f->ready_count++, item);
    else
        gt_v2_heap_up(f->ready, f->ready_count++, item, 0);
}

static void sift(struct gt_v2_frontier *f, struct gt_v2_heap_item item)
{
    if (is_sorted(f))
        gt_v2_sorted_down(f->ready, f->ready_count, 0, item);
    else
        gt_v2_heap_down(f->ready, f->ready_count, 0, item, 0);
}

/* All is in order, but for those who were woken. */
static inline void settle(struct gt_v2_frontier *f)
{
    for (; f->woken; f->woken = f->woken->next_key)
        push(f, f->woken);
    f->first = f->ready_count > 0 ? f->ready[0].thread : NULL;
    f->next_time = f->ready_count > 1 ? f->ready[1].time : INT64_MAX;
    if (f->ready_count > 2 && f->ready[2].time < f->next_time)
        f->next_time = f->ready[2].time;
}

gt_status gt_v2_frontier_start(struct gt_v2_frontier *f, struct gt_v2_thread **threads,
                               size_t count)
{
    if (count > f->capacity) {
        gt_v2_frontier_destroy(f);
        f->ready = gt_mem_alloc(f->mem, count * sizeof(*f->ready));
        if (!f->ready)
            return f->mem->failure;
        f->capacity = count;
    }
    f->ready_count = f->parked_count = 0;
    f->thread_count = count;
    for (size_t i = 0; i < count; i++)
        push(f, threads[i]);
    settle(f);
    return GT_OK;
}

void gt_v2_frontier_resift(struct gt_v2_frontier *f)
{
    struct gt_v2_heap_item item = {f->first->time, f->first};
    sift(f, item);
    settle(f);
}

void gt_v2_frontier_remove(struct gt_v2_frontier *f)
{
    f->ready_count--;
    if (is_sorted(f))
        memmove(f->ready, f->ready + 1, f->ready_count * sizeof(*f->ready));
    else if (f->ready_count > 0)
        gt_v2_heap_down(f->ready, f->ready_count, 0, f->ready[f->ready_count], 0);
    settle(f);
}

/*
 * Threads with the same wish make up a pairing heap, so that many threads that
 * wait for one thing cost no more than a logarithm each.
 */
static struct gt_v2_thread *meld(struct gt_v2_thread *a, struct gt_v2_thread *b)
{
    if (!a || !b)
        return a ? a : b;
    struct gt_v2_heap_item of_a = {a->time, a};
    struct gt_v2_heap_item of_b = {b->time, b};
    if (gt_v2_item_before(&of_b, &of_a)) {
        struct gt_v2_thread *swap = a;
        a = b;
        b = swap;
    }
    b->sibling = a->child;
    a->child = b;
    return a;
}

static struct gt_v2_thread *meld_pairs(struct gt_v2_thread *list)
{
    struct gt_v2_thread *pairs = NULL;
    while (list) {
        struct gt_v2_thread *a = list;
        struct gt_v2_thread *b = a->sibling;
        list = b ? b->sibling : NULL;
        a->sibling = NULL;
        if (b)
            b->sibling = NULL;
        a = meld(a, b);
        a->sibling = pairs;
        pairs = a;
    }
    struct gt_v2_thread *heap = NULL;
    while (pairs) {
        struct gt_v2_thread *next = pairs->sibling;
        pairs->sibling = NULL;
        heap = meld(heap, pairs);
        pairs = next;
    }
    return heap;
}

static struct gt_v2_thread **bucket(struct gt_v2_frontier *f, const struct gt_v2_wish *wish)
{
    uint64_t h = gt_hash(wish->id, f->secret);
    h = gt_hash(wish->seq ^ h, (uint64_t) wish->need);
    return &f->buckets[h & f->bucket_mask];
}

/* The link to the head of the threads with this wish; to NULL where there is none. */
static struct gt_v2_thread **wish_link(struct gt_v2_frontier *f, const struct gt_v2_wish *wish)
{
    struct gt_v2_thread **link = bucket(f, wish);
    while (*link && ((*link)->wish_id != wish->id || (*link)->wish_seq != wish->seq ||
                     (*link)->need != wish->need))
        link = &(*link)->next_key;
    return link;
}

static void replace_head(struct gt_v2_thread **link, struct gt_v2_thread *head)
{
    struct gt_v2_thread *next = *link ? (*link)->next_key : NULL;
    if (head)
        head->next_key = next;
    *link = head ? head : next;
}

/* Few traces park a thread, so what that takes is made for the first one. */
static gt_status make_parking(struct gt_v2_frontier *f)
{
    size_t buckets = 16;
    while (buckets < f->thread_count)
        buckets *= 2;
    drop_parking(f);
    f->parked = gt_mem_alloc(f->mem, f->thread_count * sizeof(*f->parked));
    if (!f->parked)
        return f->mem->failure;
    f->parked_capacity = f->thread_count;
    f->buckets = gt_mem_alloc(f->mem, buckets * sizeof(struct gt_v2_thread *));
    if (!f->buckets) {
        drop_parking(f);
        return f->mem->failure;
    }
    f->bucket_mask = buckets - 1;
    f->secret = gt_hash_secret(f->buckets);
    memset(f->buckets, 0, buckets * sizeof(struct gt_v2_thread *));
    return GT_OK;
}

gt_status gt_v2_frontier_park(struct gt_v2_frontier *f)
{
    struct gt_v2_thread *thread = f->first;
    gt_status status = f->thread_count > f->parked_capacity ? make_parking(f) : GT_OK;
    if (status != GT_OK)
        return status;
    thread->sibling = thread->child = NULL;
    struct gt_v2_wish wish = {thread->wish_id, thread->wish_seq, (enum gt_v2_need) thread->need};
    struct gt_v2_thread **link = wish_link(f, &wish);
    replace_head(link, meld(thread, *link));
    struct gt_v2_heap_item item = {thread->time, thread};
    gt_v2_heap_up(f->parked, f->parked_count++, item, 1);
    gt_v2_frontier_remove(f);
    return GT_OK;
}

static void unpark(struct gt_v2_frontier *f, const struct gt_v2_thread *thread)
{
    size_t hole = thread->position;
    f->parked_count--;
    if (hole < f->parked_count)
        gt_v2_heap_put(f->parked, f->parked_count, hole, f->parked[f->parked_count], 1);
}

void gt_v2_frontier_wake_slow(struct gt_v2_frontier *f, const struct gt_v2_wish *wish, int all)
{
    struct gt_v2_thread **link = wish_link(f, wish);
    struct gt_v2_thread *thread;
    while ((thread = *link) != NULL) {
        struct gt_v2_thread *rest = meld_pairs(thread->child);
        replace_head(link, rest);
        unpark(f, thread);
        thread->next_key = f->woken;
        f->woken = thread;
        f->next_time = INT64_MIN;
        if (!all || !rest)
            return;
    }
}
