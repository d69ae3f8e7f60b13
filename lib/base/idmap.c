/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/idmap.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

enum {
    FIRST_ENTRIES = 16
};

/* 2^64 divided by the golden ratio, which spreads neighbouring keys evenly. */
#define FIRST_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

void gt_idmap_init_objects(struct gt_idmap *map, struct gt_mem *mem, size_t size)
{
    memset(map, 0, sizeof(*map));
    map->mem = mem;
    map->multiplier = FIRST_MULTIPLIER;
    gt_pool_init(&map->pool, mem, GT_IDMAP_BLOCK * sizeof(void *));
    gt_pool_init(&map->objects, mem, size);
}

void gt_idmap_init(struct gt_idmap *map, struct gt_mem *mem)
{
    gt_idmap_init_objects(map, mem, 0);
}

static void idmap_free_entries(struct gt_idmap *map)
{
    if (map->entries)
        gt_mem_free(map->mem, map->entries, (map->mask + 1) * sizeof(*map->entries));
}

void gt_idmap_destroy(struct gt_idmap *map)
{
    idmap_free_entries(map);
    gt_pool_destroy(&map->pool);
    gt_pool_destroy(&map->objects);
    gt_idmap_init_objects(map, map->mem, map->objects.object);
}

/* Inserts the entry into the hash table and returns its index. */
static size_t idmap_place(struct gt_idmap *map, struct gt_idmap_entry entry)
{
    size_t i = gt_idmap_home(map, gt_idmap_key(&entry));
    while (map->entries[i].block)
        i = (i + 1) & map->mask;
    map->entries[i] = entry;
    return i;
}

/*
 * A run of occupied entries of this length, in a hash table that is at most half full, indicates
 * that the ids were chosen to collide. The hash function then gets a secret multiplier, which no
 * file can know. With ids that were not chosen, one hash table in a hundred has a run of this
 * length, whatever its size.
 */
static size_t idmap_long_run(const struct gt_idmap *map)
{
    return 24 + 4 * (64 - map->shift);
}

/* Whether the entry with the index `at` lies in a run that makes searches long. */
static bool idmap_is_in_long_run(const struct gt_idmap *map, size_t at)
{
    size_t run = 1, most = idmap_long_run(map);
    for (size_t i = (at + 1) & map->mask; run < most && map->entries[i].block;
         i = (i + 1) & map->mask)
        run++;
    for (size_t i = (at + map->mask) & map->mask; run < most && map->entries[i].block;
         i = (i + map->mask) & map->mask)
        run++;
    return run == most;
}

static gt_status idmap_rehash(struct gt_idmap *map, size_t count)
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
                idmap_place(map, old.entries[i]);
        }
        idmap_free_entries(&old);
    }
    return GT_OK;
}

static struct gt_idmap_entry idmap_make_lone(uint64_t id, void *value)
{
    struct gt_idmap_entry entry = {id >> GT_IDMAP_BLOCK_BITS, NULL};
    entry.key |= (id & (GT_IDMAP_BLOCK - 1)) << GT_IDMAP_LONE_SHIFT;
    entry.block = (void **) ((uintptr_t) value | 1);
    return entry;
}

static gt_status idmap_add_lone(struct gt_idmap *map, uint64_t id, void *value)
{
    if (!map->entries || map->used * 2 > map->mask) {
        size_t count = map->entries ? (map->mask + 1) * 2 : FIRST_ENTRIES;
        gt_status status = idmap_rehash(map, count);
        if (status != GT_OK)
            return status;
    }
    map->used++;
    if (!idmap_is_in_long_run(map, idmap_place(map, idmap_make_lone(id, value))))
        return GT_OK;
    uint64_t known = map->multiplier;
    map->multiplier = gt_hash(known, gt_hash_secret(map)) | 1;
    gt_status status = idmap_rehash(map, map->mask + 1);
    if (status != GT_OK)
        map->multiplier = known;
    return status;
}

/* Moves the value of a lone id to a block of its own, which neighbouring ids can share. */
static gt_status idmap_make_block(struct gt_idmap *map, struct gt_idmap_entry *entry)
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

static struct gt_idmap_entry *idmap_find(const struct gt_idmap *map, uint64_t key)
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
    struct gt_idmap_entry *entry = idmap_find(map, id >> GT_IDMAP_BLOCK_BITS);
    if (!entry)
        return idmap_add_lone(map, id, value);
    if (gt_idmap_is_lone(entry)) {
        if (gt_idmap_value(entry, id)) {
            *entry = idmap_make_lone(id, value);
            return GT_OK;
        }
        gt_status status = idmap_make_block(map, entry);
        if (status != GT_OK)
            return status;
    }
    entry->block[id & (GT_IDMAP_BLOCK - 1)] = value;
    return GT_OK;
}

void *gt_idmap_add(struct gt_idmap *map, uint64_t id)
{
    void *object = gt_pool_take(&map->objects);
    if (!object)
        return NULL;
    memset(object, 0, map->objects.object);
    if (gt_idmap_put(map, id, object) == GT_OK)
        return object;
    gt_pool_give(&map->objects, object);
    return NULL;
}

void *gt_idmap_next_id(const struct gt_idmap *map, size_t *place, uint64_t *id)
{
    size_t count = map->entries ? (map->mask + 1) * GT_IDMAP_BLOCK : 0;
    while (*place < count) {
        const struct gt_idmap_entry *entry = &map->entries[*place / GT_IDMAP_BLOCK];
        *id = gt_idmap_key(entry) << GT_IDMAP_BLOCK_BITS | *place % GT_IDMAP_BLOCK;
        *place += entry->block ? 1 : (size_t) GT_IDMAP_BLOCK;
        void *value = entry->block ? gt_idmap_value(entry, *id) : NULL;
        if (value)
            return value;
    }
    return NULL;
}

/* Frees entry `i`, and moves later entries of the run back so that no search ends too early. */
static void idmap_remove_entry(struct gt_idmap *map, size_t i)
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
    struct gt_idmap_entry *entry = idmap_find(map, id >> GT_IDMAP_BLOCK_BITS);
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
    idmap_remove_entry(map, (size_t) (entry - map->entries));
}

void gt_idmap_drop(struct gt_idmap *map, uint64_t id, void *object)
{
    gt_idmap_remove(map, id);
    gt_pool_give(&map->objects, object);
}
