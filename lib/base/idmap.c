/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/idmap.h"

#include <string.h>

#include "base/hash.h"

enum {
    FIRST_ENTRIES = 16,
    /*
     * So many entries in a row, in an index at most half full, are no accident:
     * the ids were chosen for it. The hash then gets a multiplier that no file can
     * know. By chance a row of 256 comes up in none of the indexes that fit memory.
     */
    LONG_ROW = 256
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

/* Returns where the block went. */
static size_t place(struct gt_idmap *map, uint64_t key, void **block)
{
    size_t i = gt_idmap_home(map, key);
    while (map->entries[i].block)
        i = (i + 1) & map->mask;
    map->entries[i].key = key;
    map->entries[i].block = block;
    return i;
}

/* Whether the entry at `at` stands in a row that makes searches long. */
static int is_long_row(const struct gt_idmap *map, size_t at)
{
    size_t row = 1;
    for (size_t i = (at + 1) & map->mask; row < LONG_ROW && map->entries[i].block;
         i = (i + 1) & map->mask)
        row++;
    for (size_t i = (at - 1) & map->mask; row < LONG_ROW && map->entries[i].block;
         i = (i - 1) & map->mask)
        row++;
    return row == LONG_ROW;
}

static gt_status rehash(struct gt_idmap *map, size_t count)
{
    struct gt_idmap_entry *entries = gt_mem_alloc(map->mem, count * sizeof(*entries));
    if (!entries)
        return map->mem->failure;
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
                place(map, old.entries[i].key, old.entries[i].block);
        }
        free_entries(&old);
    }
    return GT_OK;
}

static gt_status add_block(struct gt_idmap *map, uint64_t key, void ***block)
{
    if (!map->entries || map->blocks * 2 > map->mask) {
        size_t count = map->entries ? (map->mask + 1) * 2 : FIRST_ENTRIES;
        gt_status status = rehash(map, count);
        if (status != GT_OK)
            return status;
    }
    *block = gt_pool_take(&map->pool);
    if (!*block)
        return map->mem->failure;
    memset(*block, 0, GT_IDMAP_BLOCK * sizeof(void *));
    map->blocks++;
    if (!is_long_row(map, place(map, key, *block)))
        return GT_OK;
    uint64_t known = map->multiplier;
    map->multiplier = gt_hash_secret(map) | 1;
    gt_status status = rehash(map, map->mask + 1);
    if (status != GT_OK)
        map->multiplier = known;
    return status;
}

static struct gt_idmap_entry *find(const struct gt_idmap *map, uint64_t key)
{
    if (!map->entries)
        return NULL;
    for (size_t i = gt_idmap_home(map, key); map->entries[i].block; i = (i + 1) & map->mask) {
        if (map->entries[i].key == key)
            return &map->entries[i];
    }
    return NULL;
}

gt_status gt_idmap_put(struct gt_idmap *map, uint64_t id, void *value)
{
    uint64_t key = id >> GT_IDMAP_BLOCK_BITS;
    const struct gt_idmap_entry *entry = find(map, key);
    void **block = entry ? entry->block : NULL;
    if (!block) {
        gt_status status = add_block(map, key, &block);
        if (status != GT_OK)
            return status;
    }
    block[id & (GT_IDMAP_BLOCK - 1)] = value;
    return GT_OK;
}

/* Closes the gap at `i`, so that no search ends too early. */
static void remove_entry(struct gt_idmap *map, size_t i)
{
    for (size_t j = (i + 1) & map->mask; map->entries[j].block; j = (j + 1) & map->mask) {
        size_t home = gt_idmap_home(map, map->entries[j].key);
        if (((j - home) & map->mask) >= ((j - i) & map->mask)) {
            map->entries[i] = map->entries[j];
            i = j;
        }
    }
    map->entries[i].block = NULL;
    map->blocks--;
}

void gt_idmap_remove(struct gt_idmap *map, uint64_t id)
{
    struct gt_idmap_entry *entry = find(map, id >> GT_IDMAP_BLOCK_BITS);
    if (!entry)
        return;
    entry->block[id & (GT_IDMAP_BLOCK - 1)] = NULL;
    for (size_t i = 0; i < GT_IDMAP_BLOCK; i++) {
        if (entry->block[i])
            return;
    }
    gt_pool_give(&map->pool, entry->block);
    remove_entry(map, (size_t) (entry - map->entries));
}
