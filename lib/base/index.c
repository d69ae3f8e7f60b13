/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/index.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

enum {
    FIRST_ENTRIES = 8
};

/* The number of elements that a hash table of `entries` entries holds before it grows. */
static size_t index_most(size_t entries)
{
    return entries / 4 * 3;
}

static void index_place(struct gt_index *index, struct gt_index_entry entry)
{
    size_t i = entry.hash & index->mask;
    while (index->entries[i].ordinal_plus_1 != 0)
        i = (i + 1) & index->mask;
    index->entries[i] = entry;
}

static gt_status index_resize(struct gt_index *index, struct gt_mem *mem, size_t count)
{
    struct gt_index_entry *entries = gt_mem_zeros(mem, count * sizeof(*entries));
    if (!entries)
        return gt_mem_failure(mem);
    struct gt_index old = *index;
    *index = (struct gt_index){entries, count - 1, old.used};
    for (size_t i = 0; old.entries && i <= old.mask; i++) {
        if (old.entries[i].ordinal_plus_1 != 0)
            index_place(index, old.entries[i]);
    }
    gt_index_free(&old, mem);
    return GT_OK;
}

gt_status gt_index_reserve(struct gt_index *index, struct gt_mem *mem, size_t more)
{
    size_t count = index->entries ? index->mask + 1 : 0, grown = count;
    if (grown == 0)
        grown = FIRST_ENTRIES;
    while (more > index_most(grown) || index->used > index_most(grown) - more) {
        if (grown > SIZE_MAX / 4 / sizeof(struct gt_index_entry))
            return gt_mem_fail(mem, GT_ERR_LIMIT);
        grown *= 2;
    }
    return grown == count ? GT_OK : index_resize(index, mem, grown);
}

gt_status gt_index_add(struct gt_index *index, struct gt_mem *mem, uint64_t hash, size_t ordinal)
{
    if (ordinal >= UINT32_MAX)
        return gt_mem_fail(mem, GT_ERR_LIMIT);
    gt_status status = gt_index_reserve(index, mem, 1);
    if (status != GT_OK)
        return status;
    index_place(index, (struct gt_index_entry){(uint32_t) ordinal + 1, (uint32_t) hash});
    index->used++;
    return GT_OK;
}

/* Returns the index of the entry that holds an element, which must be in the index. */
static size_t index_find(const struct gt_index *index, uint64_t hash, size_t ordinal)
{
    assert(index->entries);
    size_t i = (uint32_t) hash & index->mask;
    while (index->entries[i].ordinal_plus_1 != (uint32_t) ordinal + 1) {
        assert(index->entries[i].ordinal_plus_1 != 0);
        i = (i + 1) & index->mask;
    }
    return i;
}

void gt_index_remove(struct gt_index *index, uint64_t hash, size_t ordinal)
{
    size_t gap = index_find(index, hash, ordinal);
    /*
     * Moves entries after the gap into it, except where the gap precedes an entry's home position,
     * because no lookup would find the entry there.
     */
    for (size_t i = (gap + 1) & index->mask; index->entries[i].ordinal_plus_1 != 0;
         i = (i + 1) & index->mask) {
        size_t home = index->entries[i].hash & index->mask;
        if (gt_hash_distance(index->mask, home, i) >= gt_hash_distance(index->mask, gap, i)) {
            index->entries[gap] = index->entries[i];
            gap = i;
        }
    }
    index->entries[gap].ordinal_plus_1 = 0;
    index->used--;
}

void gt_index_move(struct gt_index *index, uint64_t hash, size_t ordinal, size_t to)
{
    assert(to < UINT32_MAX);
    index->entries[index_find(index, hash, ordinal)].ordinal_plus_1 = (uint32_t) to + 1;
}

void gt_index_clear(struct gt_index *index)
{
    if (index->entries)
        memset(index->entries, 0, gt_index_bytes(index));
    index->used = 0;
}

size_t gt_index_bytes(const struct gt_index *index)
{
    return index->entries ? (index->mask + 1) * sizeof(*index->entries) : 0;
}

void gt_index_free(struct gt_index *index, struct gt_mem *mem)
{
    gt_mem_free(mem, index->entries, gt_index_bytes(index));
    *index = (struct gt_index){NULL, 0, 0};
}
