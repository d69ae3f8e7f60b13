/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/tally.h"

/* Adds the entries that are not in the index yet to it. */
static gt_status tally_index(struct gt_tally *tally, struct gt_mem *mem)
{
    gt_status status = GT_OK;
    for (size_t i = tally->index.used; i < tally->list.count && status == GT_OK; i++)
        status = gt_index_add(&tally->index, mem, gt_tally_hash(tally->list.items[i].key), i);
    return status;
}

struct gt_tally_entry *gt_tally_entry_add(struct gt_tally *tally, struct gt_mem *mem, uint32_t key)
{
    struct gt_tally_entry entry = {.key = key};
    if (gt_array_add(mem, &tally->list, entry) != GT_OK)
        return NULL;
    if (tally->list.count > GT_TALLY_FEW && tally_index(tally, mem) != GT_OK) {
        tally->list.count--;
        return NULL;
    }
    return &tally->list.items[tally->list.count - 1];
}

gt_status gt_tally_add_entry(struct gt_tally *tally, struct gt_mem *mem,
                             struct gt_tally_entry *more, uint32_t sync)
{
    struct gt_tally_entry *entry = gt_tally_entry_get(tally, mem, more->key);
    if (!entry)
        return gt_mem_failure(mem);
    gt_tally_settle(entry, sync);
    gt_tally_settle(more, sync);
    gt_amount_add(&entry->amount, &more->amount);
    gt_amount_add(&entry->later, &more->later);
    return GT_OK;
}

gt_status gt_tally_copy(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < from->list.count && status == GT_OK; i++)
        status = gt_tally_add_entry(to, mem, &from->list.items[i], sync);
    return status;
}

gt_status gt_tally_move(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync)
{
    gt_status status = gt_tally_copy(to, mem, from, sync);
    gt_tally_free(from, mem);
    return status;
}

void gt_tally_drop(struct gt_tally *tally, struct gt_mem *mem)
{
    gt_array_free(mem, &tally->list);
    gt_index_free(&tally->index, mem);
}
