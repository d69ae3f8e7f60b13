/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/pairs.h"

#include <string.h>

#include "base/hash.h"

enum {
    FIRST_INDEX = 64
};

void gt_tl_pairs_init(struct gt_tl_pairs *pairs, struct gt_mem *mem)
{
    memset(pairs, 0, sizeof(*pairs));
    pairs->mem = mem;
    pairs->secret = gt_hash_secret(pairs);
}

void gt_tl_pairs_destroy(struct gt_tl_pairs *pairs)
{
    gt_mem_free(pairs->mem, pairs->list, pairs->capacity * sizeof(*pairs->list));
    if (pairs->index)
        gt_mem_free(pairs->mem, pairs->index, (pairs->mask + 1) * sizeof(*pairs->index));
    pairs->list = NULL;
    pairs->index = NULL;
}

/* Where the pair is in the index, or where it can go. */
static size_t find(const struct gt_tl_pairs *pairs, uint64_t from, uint64_t to)
{
    size_t i = (size_t) gt_hash(gt_hash(from, pairs->secret) ^ to, pairs->secret) & pairs->mask;
    for (; pairs->index[i] != 0; i = (i + 1) & pairs->mask) {
        const struct gt_tl_pair *pair = &pairs->list[pairs->index[i] - 1];
        if (pair->from == from && pair->to == to)
            break;
    }
    return i;
}

static gt_status grow(struct gt_tl_pairs *pairs)
{
    size_t count = pairs->index ? (pairs->mask + 1) * 2 : FIRST_INDEX;
    if (count > UINT32_MAX)
        return GT_ERR_LIMIT;
    uint32_t *index = gt_mem_alloc(pairs->mem, count * sizeof(*index));
    if (!index)
        return gt_mem_failure(pairs->mem);
    memset(index, 0, count * sizeof(*index));
    if (pairs->index)
        gt_mem_free(pairs->mem, pairs->index, (pairs->mask + 1) * sizeof(*pairs->index));
    pairs->index = index;
    pairs->mask = count - 1;
    for (size_t i = 0; i < pairs->count; i++)
        index[find(pairs, pairs->list[i].from, pairs->list[i].to)] = (uint32_t) (i + 1);
    return GT_OK;
}

gt_status gt_tl_pairs_add(struct gt_tl_pairs *pairs, uint64_t from, uint64_t to)
{
    gt_status status = GT_OK;
    if (!pairs->index || pairs->count * 2 > pairs->mask)
        status = grow(pairs);
    if (status != GT_OK)
        return status;
    size_t at = find(pairs, from, to);
    if (pairs->index[at] != 0)
        return GT_OK;
    status = gt_mem_reserve(pairs->mem, &pairs->list, &pairs->capacity, pairs->count + 1,
                            sizeof(*pairs->list));
    if (status != GT_OK)
        return status;
    pairs->list[pairs->count].from = from;
    pairs->list[pairs->count].to = to;
    pairs->index[at] = (uint32_t) ++pairs->count;
    return GT_OK;
}
