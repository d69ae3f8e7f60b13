/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/idmap.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

enum {
    FIRST_ENTRIES = 16
};

/* The golden ratio spreads neighbours evenly. */
#define FIRST_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

void gt_idmap_init(struct gt_idmap *map, struct gt_mem *mem)
{
    memset(map, 0, sizeof(*map));
    map->mem = mem;
    map->multiplier = FIRST_MULTIPLIER;
    gt_pool_init(&map->pool, mem, GT_IDMAP_BLOCK * sizeof(void *));
}

static void free_entries(struct gt_idmap *map)
{
    if (map->entries)
        gt_mem_free(map->mem, map->entries, (map->mask + 1) * sizeof(*map->entries));
}

void gt_idmap_destroy(struct gt_idmap *map)
{
    free_entries(map);
    gt_pool_destroy(&map->pool);
    gt_idmap_init(map, map->mem);
}

/* Returns where the entry went. */
static size_t place(struct gt_idmap *map, struct gt_idmap_entry entry)
{
    size_t i = gt_idmap_home(map, gt_idmap_key(&entry));
    while (map->entries[i].block)
        i = (i + 1) & map->mask;
    map->entries[i] = entry;
    return i;
}

/*
 * So many entries in a row, in an index at most half full, are no accident: the ids
 * were chosen for it. The hash then gets a multiplier that no file can know. By
 * chance a row that long comes up in one of a hundred indexes of any size.
 */
static size_t long_row(const struct gt_idmap *map)
{
    return 24 + 4 * (64 - map->shift);
}

/* Whether the entry at `at` stands in a row that makes searches long. */
static int is_long_row(const struct gt_idmap *map, size_t at)
{
    size_t row = 1, most = long_row(map);
    for (size_t i = (at + 1) & map->mask; row < most && map->entries[i].block;
         i = (i + 1) & map->mask)
        row++;
    for (size_t i = (at + map->mask) & map->mask; row < most && map->entries[i].block;
         i = (i + map->mask) & map->mask)
        row++;
    return row == most;
}

static gt_status rehash(struct gt_idmap *map, size_t count)
{
    struct gt_idmap_entry *entries = gt_mem_alloc(map->mem, count * sizeof(*entries));
    if (!entries)
        return gt_mem_failure(map->mem);
    memset(entries, 0, count * sizeof(*entries));
    struct gt_idmap old = *map;
    map->entries = entries;
    map->mask = count - 1;
    map->shift = 64;
    for (size_t n = count; n > 1; n /= 2)
        map->shift--;
    if (old.entries) {
        for (size_t i = 0; i <= old.mask; i++) {
            if (old.entries[i].block)
                place(map, old.entries[i]);
        }
        free_entries(&old);
    }
    return GT_OK;
}

static struct gt_idmap_entry make_lone(uint64_t id, void *value)
{
    struct gt_idmap_entry entry = {id >> GT_IDMAP_BLOCK_BITS, NULL};
    entry.key |= (id & (GT_IDMAP_BLOCK - 1)) << GT_IDMAP_LONE_SHIFT;
    entry.block = (void **) ((uintptr_t) value | 1);
    return entry;
}

static gt_status add_lone(struct gt_idmap *map, uint64_t id, void *value)
{
    if (!map->entries || map->used * 2 > map->mask) {
        size_t count = map->entries ? (map->mask + 1) * 2 : FIRST_ENTRIES;
        gt_status status = rehash(map, count);
        if (status != GT_OK)
            return status;
    }
    map->used++;
    if (!is_long_row(map, place(map, make_lone(id, value))))
        return GT_OK;
    uint64_t known = map->multiplier;
    map->multiplier = gt_hash_secret(map) | 1;
    gt_status status = rehash(map, map->mask + 1);
    if (status != GT_OK)
        map->multiplier = known;
    return status;
}

/* Gives a lone value a block, for neighbours. */
static gt_status spread(struct gt_idmap *map, struct gt_idmap_entry *entry)
{
    void **block = gt_pool_take(&map->pool);
    if (!block)
        return gt_mem_failure(map->mem);
    memset(block, 0, GT_IDMAP_BLOCK * sizeof(void *));
    uint64_t low = entry->key >> GT_IDMAP_LONE_SHIFT;
    block[low] = gt_idmap_value(entry, low);
    entry->key = gt_idmap_key(entry);
    entry->block = block;
    return GT_OK;
}

static struct gt_idmap_entry *find(const struct gt_idmap *map, uint64_t key)
{
    if (!map->entries)
        return NULL;
    for (size_t i = gt_idmap_home(map, key); map->entries[i].block; i = (i + 1) & map->mask) {
        if (gt_idmap_key(&map->entries[i]) == key)
            return &map->entries[i];
    }
    return NULL;
}

gt_status gt_idmap_put(struct gt_idmap *map, uint64_t id, void *value)
{
    assert(value && !((uintptr_t) value & 1));
    struct gt_idmap_entry *entry = find(map, id >> GT_IDMAP_BLOCK_BITS);
    if (!entry)
        return add_lone(map, id, value);
    if (gt_idmap_is_lone(entry)) {
        if (gt_idmap_value(entry, id)) {
            *entry = make_lone(id, value);
            return GT_OK;
        }
        gt_status status = spread(map, entry);
        if (status != GT_OK)
            return status;
    }
    entry->block[id & (GT_IDMAP_BLOCK - 1)] = value;
    return GT_OK;
}

/* Closes the gap at `i`, so that no search ends too early. */
static void remove_entry(struct gt_idmap *map, size_t i)
{
    for (size_t j = (i + 1) & map->mask; map->entries[j].block; j = (j + 1) & map->mask) {
        size_t home = gt_idmap_home(map, gt_idmap_key(&map->entries[j]));
        if (gt_hash_distance(map->mask, home, j) >= gt_hash_distance(map->mask, i, j)) {
            map->entries[i] = map->entries[j];
            i = j;
        }
    }
    map->entries[i].block = NULL;
    map->used--;
}

void gt_idmap_remove(struct gt_idmap *map, uint64_t id)
{
    struct gt_idmap_entry *entry = find(map, id >> GT_IDMAP_BLOCK_BITS);
    if (!entry || !gt_idmap_value(entry, id))
        return;
    if (!gt_idmap_is_lone(entry)) {
        entry->block[id & (GT_IDMAP_BLOCK - 1)] = NULL;
        for (size_t i = 0; i < GT_IDMAP_BLOCK; i++) {
            if (entry->block[i])
                return;
        }
        gt_pool_give(&map->pool, entry->block);
    }
    remove_entry(map, (size_t) (entry - map->entries));
}
