/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/pairs.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/time.h"

void gt_pairs_init(struct gt_pairs *pairs, struct gt_mem *mem, uint64_t most, bool has_waits)
{
    memset(pairs, 0, sizeof(*pairs));
    pairs->mem = mem;
    pairs->most = most;
    pairs->has_waits = has_waits;
    pairs->secret = gt_hash_secret(pairs);
    gt_pool_init(&pairs->waits, mem, sizeof(struct gt_pair_waits));
    gt_pool_init(&pairs->octaves, mem, GT_OCTAVE_BYTES);
}

void gt_pairs_destroy(struct gt_pairs *pairs)
{
    gt_array_free(pairs->mem, &pairs->list);
    gt_index_free(&pairs->index, pairs->mem);
    gt_pool_destroy(&pairs->waits);
    gt_pool_destroy(&pairs->octaves);
}

/* Equal reasons are the same text, so the address is compared and hashed. */
static bool pair_has_reason(const struct gt_pair *pair, const struct gt_shared_text *reason)
{
    return !pair->waits || pair->waits->longest.reason == reason;
}

static gt_status pair_wait_add(struct gt_pairs *pairs, struct gt_pair *pair,
                               const struct gt_wait *wait)
{
    pair->count++;
    gt_time_add_to(&pair->time, wait->duration);
    if (!pair->waits)
        return GT_OK;
    if (wait->duration > pair->waits->longest.duration)
        pair->waits->longest = *wait;
    return gt_durations_add(&pair->waits->durations, pairs->mem, &pairs->octaves, wait->duration);
}

/* Adds a pair for a wait. The pair keeps a reference to the reason if it has details. */
static gt_status pairs_append(struct gt_pairs *pairs, uint64_t hash, const struct gt_wait *wait)
{
    struct gt_pair pair = {wait->waiter, wait->unblocker, 0, 0, NULL};
    if (pairs->has_waits) {
        pair.waits = gt_pool_take(&pairs->waits);
        if (!pair.waits)
            return gt_mem_failure(pairs->mem);
        gt_durations_init(&pair.waits->durations);
        pair.waits->longest = *wait;
        gt_shared_text_hold(wait->reason);
    }
    gt_status status = gt_index_append(&pairs->index, &pairs->list, pairs->mem, hash, pair);
    return status == GT_OK ? pair_wait_add(pairs, &pairs->list.items[pairs->list.count - 1], wait)
                           : status;
}

/* Of the reason only the address counts, and that only if there are details. */
static uint64_t pair_hash(const struct gt_pairs *pairs, uint32_t waiter, uint32_t unblocker,
                          const struct gt_shared_text *reason)
{
    uint64_t stacks = (uint64_t) waiter << 32 | unblocker;
    return pairs->has_waits ? gt_hash_pair(stacks, (uintptr_t) reason, pairs->secret)
                            : gt_hash(stacks, pairs->secret);
}

gt_status gt_pairs_add(struct gt_pairs *pairs, const struct gt_wait *wait)
{
    uint64_t hash = pair_hash(pairs, wait->waiter, wait->unblocker, wait->reason);
    struct gt_pair *pair;
    GT_INDEX_FIND(pair, &pairs->list, &pairs->index, hash,
                  pair->waiter == wait->waiter && pair->unblocker == wait->unblocker &&
                      pair_has_reason(pair, wait->reason));
    if (pair)
        return pair_wait_add(pairs, pair, wait);
    if (pairs->list.count < pairs->most)
        return pairs_append(pairs, hash, wait);
    pairs->lost++;
    return GT_OK;
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
    if (left->unblocker != right->unblocker || !left->waits)
        return left->unblocker < right->unblocker;
    return gt_text_compare(left->waits->longest.reason->string,
                           right->waits->longest.reason->string) < 0;
}

void gt_pairs_sort(struct gt_pairs *pairs)
{
    gt_sort(pairs->list.items, pairs->list.count, sizeof(struct gt_pair), pair_is_before, NULL);
    gt_index_clear(&pairs->index);
    for (size_t i = 0; i < pairs->list.count; i++) {
        const struct gt_pair *pair = &pairs->list.items[i];
        const struct gt_shared_text *reason = pair->waits ? pair->waits->longest.reason : NULL;
        /* There was room for as many before. */
        gt_index_add(&pairs->index, pairs->mem,
                     pair_hash(pairs, pair->waiter, pair->unblocker, reason), i);
    }
}
