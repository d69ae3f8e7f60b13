/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_IDMAP_H
#define GT_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"

/*
 * Maps ids to pointers. Ids of goroutines, procs and threads are mostly small
 * neighbours, so eight of them share a block the size of a cache line and only
 * the block is looked up by hash: 100,000 goroutines need an index of 200 KB.
 */
enum {
    GT_IDMAP_BLOCK_BITS = 3,
    GT_IDMAP_BLOCK = 1 << GT_IDMAP_BLOCK_BITS
};

struct gt_idmap_entry {
    uint64_t key; /* the ids' high bits */
    void **block; /* GT_IDMAP_BLOCK values; NULL where the entry is free */
};

struct gt_idmap {
    struct gt_mem *mem;
    struct gt_idmap_entry *entries;
    size_t mask; /* entries - 1, a power of two less one; 0 where there are none */
    size_t blocks;
    uint64_t multiplier;
    unsigned shift;
    struct gt_pool pool;
};

void gt_idmap_init(struct gt_idmap *map, struct gt_mem *mem);
void gt_idmap_destroy(struct gt_idmap *map);

static inline size_t gt_idmap_home(const struct gt_idmap *map, uint64_t key)
{
    return (size_t) (key * map->multiplier >> map->shift);
}

/* The value of `id`, or NULL. */
static inline void *gt_idmap_get(const struct gt_idmap *map, uint64_t id)
{
    if (!map->entries)
        return NULL;
    uint64_t key = id >> GT_IDMAP_BLOCK_BITS;
    for (size_t i = gt_idmap_home(map, key);; i = (i + 1) & map->mask) {
        const struct gt_idmap_entry *entry = &map->entries[i];
        if (!entry->block)
            return NULL;
        if (entry->key == key)
            return entry->block[id & (GT_IDMAP_BLOCK - 1)];
    }
}

/* Sets the value of `id`, which must not be NULL. */
gt_status gt_idmap_put(struct gt_idmap *map, uint64_t id, void *value);

/* Forgets `id` if it is there. */
void gt_idmap_remove(struct gt_idmap *map, uint64_t id);

#endif
