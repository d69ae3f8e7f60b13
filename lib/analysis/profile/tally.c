/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/tally.h"

#include <assert.h>
#include <string.h>

enum {
    /* A goroutine's own tally has few keys. */
    FIRST_ENTRIES = 4
};

static gt_status grow(struct gt_tally *tally, struct gt_mem *mem)
{
    size_t count = tally->entries ? (tally->mask + 1) * 2 : FIRST_ENTRIES;
    struct gt_tally_entry *entries = gt_mem_alloc(mem, count * sizeof(*entries));
    if (!entries)
        return gt_mem_failure(mem);
    memset(entries, 0, count * sizeof(*entries));
    struct gt_tally old = *tally;
    tally->entries = entries;
    tally->mask = count - 1;
    for (size_t i = 0; old.entries && i <= old.mask; i++) {
        if (old.entries[i].key == 0)
            continue;
        size_t at = gt_tally_home(tally, old.entries[i].key);
        while (entries[at].key != 0)
            at = (at + 1) & tally->mask;
        entries[at] = old.entries[i];
    }
    gt_tally_free(&old, mem);
    return GT_OK;
}

struct gt_tally_entry *gt_tally_new_entry(struct gt_tally *tally, struct gt_mem *mem, uint32_t key)
{
    if ((!tally->entries || tally->used * 4 > tally->mask * 3) && grow(tally, mem) != GT_OK)
        return NULL;
    assert(tally->entries);
    size_t at = gt_tally_home(tally, key);
    while (tally->entries[at].key != 0)
        at = (at + 1) & tally->mask;
    tally->entries[at].key = key;
    tally->used++;
    return &tally->entries[at];
}

gt_status gt_tally_add_entry(struct gt_tally *tally, struct gt_mem *mem,
                             struct gt_tally_entry *more, uint32_t sync)
{
    struct gt_tally_entry *entry = gt_tally_entry_of(tally, mem, more->key);
    if (!entry)
        return gt_mem_failure(mem);
    gt_tally_settle(entry, sync);
    gt_tally_settle(more, sync);
    gt_amount_add(&entry->amount, &more->amount);
    gt_amount_add(&entry->later, &more->later);
    return GT_OK;
}

gt_status gt_tally_move(struct gt_tally *to, struct gt_mem *mem, struct gt_tally *from,
                        uint32_t sync)
{
    gt_status status = GT_OK;
    for (size_t i = 0; from->entries && i <= from->mask && status == GT_OK; i++) {
        if (from->entries[i].key != 0)
            status = gt_tally_add_entry(to, mem, &from->entries[i], sync);
    }
    gt_tally_free(from, mem);
    return status;
}

void gt_tally_drop(struct gt_tally *tally, struct gt_mem *mem)
{
    gt_mem_free(mem, tally->entries, (tally->mask + 1) * sizeof(*tally->entries));
    memset(tally, 0, sizeof(*tally));
}
