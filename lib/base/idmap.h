/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_IDMAP_H
#define GT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/wraps.h"

/*
 * A hash map from ids to pointers. Most ids of goroutines, procs and threads are small and
 * consecutive. Therefore eight neighbouring ids share a block of values, which has the size of a
 * cache line, and only the block is looked up by hash: 100,000 goroutines need a hash table of 200
 * KB. An id without neighbours in the map has no block; its value is stored in the hash table
 * itself, so that scattered ids waste no memory.
 */
enum {
    GT_IDMAP_BLOCK_BITS = 3,
    GT_IDMAP_BLOCK = 1 << GT_IDMAP_BLOCK_BITS,
    /* Where an entry's `key` holds the low bits of a lone id, above the bits of the key. */
    GT_IDMAP_LONE_SHIFT = 64 - GT_IDMAP_BLOCK_BITS
};

struct gt_idmap_entry {
    uint64_t key; /* the high bits of the ids; see GT_IDMAP_LONE_SHIFT */
    void **block; /* GT_IDMAP_BLOCK values, or the value of a lone id, tagged; NULL: free */
};

struct gt_idmap {
    struct gt_mem *mem;
    struct gt_idmap_entry *entries;
    size_t mask; /* the number of entries, a power of two, minus 1; 0 if there are none */
    size_t used; /* the number of entries that are not free */
    uint64_t multiplier;
    unsigned shift;
    struct gt_pool pool;    /* allocates the blocks */
    struct gt_pool objects; /* allocates the values that gt_idmap_add makes */
};

void gt_idmap_init(struct gt_idmap *map, struct gt_mem *mem);
/* Initialises a map whose values are objects of `size` bytes, which gt_idmap_add makes. */
void gt_idmap_init_objects(struct gt_idmap *map, struct gt_mem *mem, size_t size);
/* Frees the map and all values that it has made. The map is then empty and can be used again. */
void gt_idmap_destroy(struct gt_idmap *map);

/* The index of the entry at which the search for a key begins. */
GT_WRAPS static inline size_t gt_idmap_home(const struct gt_idmap *map, uint64_t key)
{
    return (size_t) (key * map->multiplier >> map->shift);
}

static inline uint64_t gt_idmap_key(const struct gt_idmap_entry *entry)
{
    return entry->key & UINT64_MAX >> GT_IDMAP_BLOCK_BITS;
}

/* Whether the entry holds the value of a lone id, which is tagged by an odd address. */
static inline bool gt_idmap_is_lone(const struct gt_idmap_entry *entry)
{
    return (uintptr_t) entry->block & 1;
}

/* The value of `id` in the entry that has its key, or NULL if the entry has no value for `id`. */
static inline void *gt_idmap_value(const struct gt_idmap_entry *entry, uint64_t id)
{
    uint64_t low = id & (GT_IDMAP_BLOCK - 1);
    if (!gt_idmap_is_lone(entry))
        return entry->block[low];
    return entry->key >> GT_IDMAP_LONE_SHIFT == low ? (void *) ((uintptr_t) entry->block ^ 1)
                                                    : NULL;
}

/* The value of `id`, or NULL if it is not in the map. */
static inline void *gt_idmap_get(const struct gt_idmap *map, uint64_t id)
{
    if (!map->entries)
        return NULL;
    uint64_t key = id >> GT_IDMAP_BLOCK_BITS;
    for (size_t i = gt_idmap_home(map, key);; i = (i + 1) & map->mask) {
        const struct gt_idmap_entry *entry = &map->entries[i];
        if (!entry->block)
            return NULL;
        if (gt_idmap_key(entry) == key)
            return gt_idmap_value(entry, id);
    }
}

/*
 * Returns the address at which the value of `id` is stored, which may hold NULL. Returns NULL if
 * `id` has no block at the first entry of its search; gt_idmap_get may then still find it.
 */
static inline void **gt_idmap_place(const struct gt_idmap *map, uint64_t id)
{
    uint64_t key = id >> GT_IDMAP_BLOCK_BITS;
    if (!map->entries)
        return NULL;
    const struct gt_idmap_entry *entry = &map->entries[gt_idmap_home(map, key)];
    if (!entry->block || gt_idmap_key(entry) != key || gt_idmap_is_lone(entry))
        return NULL;
    return &entry->block[id & (GT_IDMAP_BLOCK - 1)];
}

/* Sets the value of `id`, which must not be NULL and must have an even address. */
gt_status gt_idmap_put(struct gt_idmap *map, uint64_t id, void *value);

/*
 * Makes the value of `id`, which must not be in the map: an object of zeros. Returns NULL on
 * failure; see gt_mem_failure.
 */
void *gt_idmap_add(struct gt_idmap *map, uint64_t id);

/*
 * Makes the value of `id` as gt_idmap_add does, but only in the usual case that needs no memory: a
 * neighbour of `id` is in the map, and a value was dropped before. Returns NULL in any other case,
 * and if `id` is in the map.
 */
static inline void *gt_idmap_add_again(struct gt_idmap *map, uint64_t id)
{
    void **place = gt_idmap_place(map, id);
    void *object = place && !*place ? gt_pool_take_again(&map->objects) : NULL;
    if (!object)
        return NULL;
    memset(object, 0, map->objects.object);
    *place = object;
    return object;
}

/* Removes `id` and frees its value `object`, which gt_idmap_add has made. */
void gt_idmap_drop(struct gt_idmap *map, uint64_t id, void *object);

/*
 * These functions work like gt_idmap_get and gt_idmap_put, for a map from ids to numbers. A number
 * must not be 0, which stands for an id that is not in the map, and must be less than half of the
 * address space: it counts things in memory.
 */
static inline size_t gt_idmap_get_number(const struct gt_idmap *map, uint64_t id)
{
    return (size_t) ((uintptr_t) gt_idmap_get(map, id) >> 1);
}

static inline gt_status gt_idmap_put_number(struct gt_idmap *map, uint64_t id, size_t number)
{
    return gt_idmap_put(map, id, (void *) ((uintptr_t) number << 1));
}

/*
 * Returns the values one after the other, in no order, and their ids, then NULL. `*place` starts as
 * 0. The map must not change meanwhile.
 */
void *gt_idmap_next_id(const struct gt_idmap *map, size_t *place, uint64_t *id);

static inline void *gt_idmap_next(const struct gt_idmap *map, size_t *place)
{
    uint64_t id;
    return gt_idmap_next_id(map, place, &id);
}

/* Removes `id`, if it is in the map. */
void gt_idmap_remove(struct gt_idmap *map, uint64_t id);

#endif
