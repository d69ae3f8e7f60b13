/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/pairs.h"

#include <assert.h>
#include <string.h>

#include "analysis/summary_sort.h"
#include "base/hash.h"
#include "base/wraps.h"

enum {
    FIRST_SLOTS = 64
};

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most)
{
    memset(pairs, 0, sizeof(*pairs));
    pairs->mem = mem;
    pairs->most = most;
    pairs->secret = gt_hash_secret(pairs);
}

void gt_pairs_destroy(struct gt_pairs *pairs)
{
    if (pairs->slots)
        gt_mem_free(pairs->mem, pairs->slots, (pairs->mask + 1) * sizeof(*pairs->slots));
}

/* Where the pair is, or the free slot where it would be. */
static struct gt_pair *find(const struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker)
{
    uint64_t key = (uint64_t) waiter << 32 | unblocker;
    size_t i = (size_t) gt_hash(key, pairs->secret) & pairs->mask;
    for (;; i = (i + 1) & pairs->mask) {
        struct gt_pair *pair = &pairs->slots[i];
        if (pair->count == 0 || (pair->waiter == waiter && pair->unblocker == unblocker))
            return pair;
    }
}

static gt_status grow(struct gt_pairs *pairs)
{
    size_t room = pairs->slots ? 2 * (pairs->mask + 1) : FIRST_SLOTS;
    struct gt_pairs grown = *pairs;
    grown.mask = room - 1;
    grown.slots = gt_mem_alloc(pairs->mem, room * sizeof(struct gt_pair));
    if (!grown.slots)
        return gt_mem_failure(pairs->mem);
    memset(grown.slots, 0, room * sizeof(struct gt_pair));
    for (size_t i = 0; pairs->slots && i <= pairs->mask; i++) {
        const struct gt_pair *pair = &pairs->slots[i];
        if (pair->count != 0)
            *find(&grown, pair->waiter, pair->unblocker) = *pair;
    }
    gt_pairs_destroy(pairs);
    *pairs = grown;
    return GT_OK;
}

gt_status gt_pairs_add(struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker, int64_t time)
{
    if (!pairs->slots || 2 * pairs->count > pairs->mask) {
        gt_status status = grow(pairs);
        if (status != GT_OK)
            return status;
    }
    assert(pairs->slots);
    struct gt_pair *pair = find(pairs, waiter, unblocker);
    if (pair->count == 0 && pairs->count >= pairs->most) {
        pairs->lost++;
        return GT_OK;
    }
    pairs->count += pair->count == 0;
    pair->waiter = waiter;
    pair->unblocker = unblocker;
    pair->count++;
    pair->time = gt_time_plus(pair->time, time);
    return GT_OK;
}

static int comes_before(const void *a, const void *b)
{
    const struct gt_pair *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count;
    if (left->time != right->time)
        return left->time > right->time;
    if (left->waiter != right->waiter)
        return left->waiter < right->waiter;
    return left->unblocker < right->unblocker;
}

void gt_pairs_sort(struct gt_pairs *pairs)
{
    size_t count = 0;
    for (size_t i = 0; pairs->slots && i <= pairs->mask; i++) {
        if (pairs->slots[i].count != 0)
            pairs->slots[count++] = pairs->slots[i];
    }
    gt_summary_sort(pairs->slots, count, sizeof(*pairs->slots), comes_before);
}
