/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IDSET_H
#define IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IDSET_RECENT = 64,
    IDSET_BLOCK = 64
};

/* A block of 64 neighbouring ids, as a bit set of those that are members. */
struct idset_slot {
    /* The ids divided by 64, as unsigned numbers. */
    uint64_t block;
    /* A bit for each id. 0 means that the slot is free. */
    uint64_t members;
};

/*
 * A set of ids that only grows: a hash table with open addressing, of blocks of ids, since most ids
 * are consecutive. A set of zeros is empty.
 */
struct idset {
    /* The number of ids. */
    size_t count;
    /* The number of slots, which is a power of two or 0, and of those that are not free. */
    size_t capacity, used;
    /* Owned. */
    struct idset_slot *slots;
    uint64_t seed;
    /*
     * A cache of ids in the set, because the same ids are added again and again. They are stored
     * inverted, so that 0 stands for no id.
     */
    int64_t recent[IDSET_RECENT];
};

/* The id that no set can hold, such as GT_NO_GOROUTINE. */
#define IDSET_NONE ((int64_t) -1)

/* Implements idset_add for an id that is not in the cache. */
bool idset_add_new(struct idset *set, int64_t id);

/* Adds an id, unless it is IDSET_NONE. Returns false if there is not enough memory. */
static inline bool idset_add(struct idset *set, int64_t id)
{
    return set->recent[(uint64_t) id % IDSET_RECENT] == ~id || idset_add_new(set, id);
}

void idset_free(struct idset *set);

#endif
