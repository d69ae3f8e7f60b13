/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/pairs.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/time.h"

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most)
{
    memset(pairs, 0, sizeof(*pairs));
    pairs->mem = mem;
    pairs->most = most;
    pairs->secret = gt_hash_secret(pairs);
}

void gt_pairs_destroy(struct gt_pairs *pairs)
{
    gt_array_free(pairs->mem, &pairs->list);
    gt_index_free(&pairs->index, pairs->mem);
}

gt_status gt_pairs_add(struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker, int64_t time)
{
    uint64_t hash = gt_hash((uint64_t) waiter << 32 | unblocker, pairs->secret);
    struct gt_pair *pair;
    GT_INDEX_FIND(pair, &pairs->list, &pairs->index, hash,
                  pair->waiter == waiter && pair->unblocker == unblocker);
    if (pair) {
        pair->count++;
        gt_time_add_to(&pair->time, time);
        return GT_OK;
    }
    if (pairs->list.count >= pairs->most) {
        pairs->lost++;
        return GT_OK;
    }
    return gt_index_append(&pairs->index, &pairs->list, pairs->mem, hash,
                           (struct gt_pair){waiter, unblocker, 1, time});
}

/* The most frequent pairs come first. */
static bool pair_is_before(const void *a, const void *b, void *context)
{
    const struct gt_pair *left = a, *right = b;
    (void) context;
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
    gt_sort(pairs->list.items, pairs->list.count, sizeof(struct gt_pair), pair_is_before, NULL);
}
