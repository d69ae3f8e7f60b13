/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/stackset_index.h"

#include <string.h>

enum {
    FIRST_ENTRIES = 64
};

static void place(struct gt_stackset_index *index, struct gt_stackset_entry entry)
{
    size_t at = entry.hash & index->mask;
    while (index->entries[at].id != 0)
        at = (at + 1) & index->mask;
    index->entries[at] = entry;
}

static gt_status grow(struct gt_mem *mem, struct gt_stackset_index *index)
{
    size_t count = index->entries ? (index->mask + 1) * 2 : FIRST_ENTRIES;
    struct gt_stackset_entry *entries = gt_mem_alloc(mem, count * sizeof(*entries));
    if (!entries)
        return gt_mem_failure(mem);
    memset(entries, 0, count * sizeof(*entries));
    struct gt_stackset_index old = *index;
    index->entries = entries;
    index->mask = count - 1;
    for (size_t i = 0; old.entries && i <= old.mask; i++) {
        if (old.entries[i].id != 0)
            place(index, old.entries[i]);
    }
    gt_stackset_index_free(mem, &old);
    return GT_OK;
}

gt_status gt_stackset_index_add(struct gt_mem *mem, struct gt_stackset_index *index, uint32_t hash,
                                uint32_t number)
{
    if (!index->entries || index->used * 2 > index->mask) {
        gt_status status = grow(mem, index);
        if (status != GT_OK)
            return status;
    }
    place(index, (struct gt_stackset_entry){number + 1, hash});
    index->used++;
    return GT_OK;
}

void gt_stackset_index_free(struct gt_mem *mem, struct gt_stackset_index *index)
{
    if (index->entries)
        gt_mem_free(mem, index->entries, (index->mask + 1) * sizeof(*index->entries));
    memset(index, 0, sizeof(*index));
}
