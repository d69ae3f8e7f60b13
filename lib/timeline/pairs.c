/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/pairs.h"

#include <string.h>

#include "base/hash.h"

void gt_tl_pairs_init(struct gt_tl_pairs *pairs, struct gt_mem *mem)
{
    memset(pairs, 0, sizeof(*pairs));
    pairs->mem = mem;
    pairs->secret = gt_hash_secret(pairs);
}

void gt_tl_pairs_destroy(struct gt_tl_pairs *pairs)
{
    gt_array_free(pairs->mem, &pairs->list);
    gt_index_free(&pairs->index, pairs->mem);
}

static bool pairs_contain(const struct gt_tl_pairs *pairs, uint64_t hash, uint64_t from,
                          uint64_t to)
{
    struct gt_probe probe = gt_index_probe(&pairs->index, hash);
    while (gt_index_next(&pairs->index, &probe)) {
        const struct gt_tl_pair *pair = &pairs->list.items[probe.ordinal];
        if (pair->from == from && pair->to == to)
            return true;
    }
    return false;
}

gt_status gt_tl_pairs_add(struct gt_tl_pairs *pairs, uint64_t from, uint64_t to)
{
    uint64_t hash = gt_hash(gt_hash(from, pairs->secret) ^ to, pairs->secret);
    if (pairs_contain(pairs, hash, from, to))
        return GT_OK;
    gt_status status = gt_array_reserve(pairs->mem, &pairs->list, 1);
    if (status == GT_OK)
        status = gt_index_add(&pairs->index, pairs->mem, hash, pairs->list.count);
    if (status == GT_OK)
        pairs->list.items[pairs->list.count++] = (struct gt_tl_pair){from, to};
    return status;
}
