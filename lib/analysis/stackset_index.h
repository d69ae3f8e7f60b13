/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_STACKSET_INDEX_H
#define GT_ANALYSIS_STACKSET_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct gt_stackset_entry {
    uint32_t id; /* and 1; 0 where the entry is free */
    uint32_t hash;
};

/*
 * Finds numbered things by a hash of what they are. To look one up, go through those that
 * may be it:
 *
 *     size_t at = hash & index->mask;
 *     while ((id = gt_stackset_next(index, hash, &at)) != 0)
 *         if (number id - 1 is it) ...
 */
struct gt_stackset_index {
    struct gt_stackset_entry *entries;
    size_t mask; /* entries - 1, a power of two less one; 0 where there are none */
    size_t used;
};

/* The next entry with this hash: its id and 1, or 0 where there is none. */
static inline uint32_t gt_stackset_next(const struct gt_stackset_index *index, uint32_t hash,
                                        size_t *at)
{
    if (!index->entries)
        return 0;
    for (;;) {
        const struct gt_stackset_entry *entry = &index->entries[*at];
        *at = (*at + 1) & index->mask;
        if (entry->id == 0 || entry->hash == hash)
            return entry->id;
    }
}

/* Adds a number that is not there, below UINT32_MAX. */
gt_status gt_stackset_index_add(struct gt_mem *mem, struct gt_stackset_index *index, uint32_t hash,
                                uint32_t number);

void gt_stackset_index_free(struct gt_mem *mem, struct gt_stackset_index *index);

#endif
