/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_RECENT_H
#define GT_BASE_RECENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/wraps.h"

/*
 * A cache in front of a gt_index: for the keys that were found lately, the ordinals of their
 * elements. Most keys of a trace are among a few, and to compare one element takes a third of the
 * time of hashing the key with a secret and visiting the index. Keys that share a place displace
 * each other, which costs the lookup in the index.
 *
 *     uint32_t *place = gt_recent_place(&pairs->recent, (uint64_t) a << 32 | b);
 *     GT_RECENT_FIND(pair, &pairs->list, place, pair->a == a && pair->b == b);
 *     if (pair)
 *         return pair;
 *     pair = pair_find(pairs, a, b); // by the index, to which it is added if it is new
 *     *place = (uint32_t) (pair - pairs->list.items);
 *
 * A cache of zeros is ready for use. The elements must not be removed from the array.
 */
enum {
    GT_RECENT_BITS = 8
};

struct gt_recent {
    uint32_t ordinals[1 << GT_RECENT_BITS];
};

/* Returns where the ordinal of the element with a key is, if it is in the cache. */
GT_WRAPS static inline uint32_t *gt_recent_place(struct gt_recent *recent, uint64_t key)
{
    return &recent->ordinals[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - GT_RECENT_BITS)];
}

/*
 * Sets the pointer `item` to the element of a GT_ARRAY at this place, if `is_same`, an expression
 * with `item` in it, is true; otherwise to NULL.
 */
#define GT_RECENT_FIND(item, array, place, is_same)                                                \
    do {                                                                                           \
        (item) = *(place) < (array)->count ? &(array)->items[*(place)] : NULL;                     \
        if ((item) && !(is_same))                                                                  \
            (item) = NULL;                                                                         \
    } while (0)

#endif
