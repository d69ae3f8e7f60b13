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

gt_status gt_tl_pairs_add(struct gt_tl_pairs *pairs, uint64_t from, uint64_t to)
{
    uint64_t hash = gt_hash(gt_hash(from, pairs->secret) ^ to, pairs->secret);
    const struct gt_tl_pair *known;
    GT_INDEX_FIND(known, &pairs->list, &pairs->index, hash, known->from == from && known->to == to);
    return known ? GT_OK
                 : gt_index_append(&pairs->index, &pairs->list, pairs->mem, hash,
                                   (struct gt_tl_pair){from, to});
}
