/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_INDEX_H
#define GT_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/mem.h"

/*
 * A hash index: finds the elements of a caller's array by their keys. It holds only the
 * ordinal of each element and 32 bits of its key's hash; the keys stay in the array, and the
 * caller compares them. A lookup visits the elements whose hash matches:
 *
 *     struct gt_probe probe = gt_index_probe(&index, hash);
 *     while (gt_index_next(&index, &probe)) {
 *         if (list[probe.ordinal].key == key)
 *             return &list[probe.ordinal];
 *     }
 *
 * and an insertion, after a lookup that found nothing, adds the next ordinal:
 *
 *     status = gt_index_add(&index, mem, hash, count);
 *
 * Keys that come from a file must be hashed with a secret (gt_hash, gt_text_hash), because a
 * file could otherwise choose keys that all collide. An index of zeros is empty. The memory is
 * counted by the gt_mem that is passed, which must be the same one in all calls.
 */
struct gt_index_entry {
    uint32_t ordinal_plus_1; /* 0: the entry is free */
    uint32_t hash;
};

/* Open addressing with linear probing; at most three quarters of the entries are used. */
struct gt_index {
    struct gt_index_entry *entries;
    size_t mask; /* the number of entries, a power of two, minus 1; 0 if there are none */
    size_t used;
};

/* A lookup in progress. It is invalid after any change of the index. */
struct gt_probe {
    size_t next; /* the index of the entry to visit next */
    uint32_t hash;
    uint32_t ordinal; /* the ordinal of the element that gt_index_next found */
};

/* Starts a lookup. Only the lower 32 bits of `hash` are used. */
static inline struct gt_probe gt_index_probe(const struct gt_index *index, uint64_t hash)
{
    return (struct gt_probe){(uint32_t) hash & index->mask, (uint32_t) hash, 0};
}

/*
 * Finds the next element with the hash and sets probe->ordinal. Returns false if there are no more.
 */
static inline bool gt_index_next(const struct gt_index *index, struct gt_probe *probe)
{
    if (!index->entries)
        return false;
    for (;;) {
        const struct gt_index_entry *entry = &index->entries[probe->next];
        if (entry->ordinal_plus_1 == 0)
            return false;
        probe->next = (probe->next + 1) & index->mask;
        if (entry->hash == probe->hash) {
            probe->ordinal = entry->ordinal_plus_1 - 1;
            return true;
        }
    }
}

/*
 * Adds an element that is not in the index. Returns GT_ERR_LIMIT if `ordinal` is UINT32_MAX or more
 * or the memory limit is reached, and GT_ERR_NO_MEMORY if there is no memory. On failure nothing
 * changes.
 */
gt_status gt_index_add(struct gt_index *index, struct gt_mem *mem, uint64_t hash, size_t ordinal);

/* Makes room for `more` elements, so that gt_index_add cannot run out of memory for them. */
gt_status gt_index_reserve(struct gt_index *index, struct gt_mem *mem, size_t more);

/* Removes an element, which must be in the index. Other elements keep their ordinals. */
void gt_index_remove(struct gt_index *index, uint64_t hash, size_t ordinal);

/* Changes the ordinal of an element, which must be in the index, because it moved in the array. */
void gt_index_move(struct gt_index *index, uint64_t hash, size_t ordinal, size_t to);

/*
 * The lookup for elements of a GT_ARRAY: sets the pointer `item` to the one that has the hash and
 * for which `is_same`, an expression with `item` in it, is true; to NULL if there is none.
 *
 *     const struct pair *pair;
 *     GT_INDEX_FIND(pair, &pairs->list, &pairs->index, hash, pair->a == a && pair->b == b);
 */
#define GT_INDEX_FIND(item, array, index, hash, is_same)                                           \
    do {                                                                                           \
        struct gt_probe index_probe = gt_index_probe((index), (hash));                             \
        (item) = NULL;                                                                             \
        while (!(item) && gt_index_next((index), &index_probe)) {                                  \
            (item) = &(array)->items[index_probe.ordinal];                                         \
            if (!(is_same))                                                                        \
                (item) = NULL;                                                                     \
        }                                                                                          \
    } while (0)

/*
 * Appends the item that follows `hash`, an expression, to a GT_ARRAY and adds it to the index. The
 * result is a gt_status; on failure the number of items does not change.
 */
#define gt_index_append(index, array, mem, hash, ...)                                              \
    (gt_array_reserve(mem, array, 1) == GT_OK &&                                                   \
             gt_index_add(index, mem, hash, (array)->count) == GT_OK                               \
         ? ((array)->items[(array)->count++] = (__VA_ARGS__), GT_OK)                               \
         : gt_mem_failure(mem))

/*
 * Removes all elements, but keeps the memory, so that as many can be added again without failure.
 */
void gt_index_clear(struct gt_index *index);

/* The number of bytes that the index occupies. */
size_t gt_index_bytes(const struct gt_index *index);

/* Frees the memory; the index is then empty and can be used again. */
void gt_index_free(struct gt_index *index, struct gt_mem *mem);

#endif
