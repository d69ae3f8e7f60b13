/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IDSET_H
#define IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IDSET_RECENT = 64
};

/* A set of ids that only grows: a hash table with open addressing. A set of zeros is empty. */
struct idset {
    size_t count;
    /* A power of two, or 0. */
    size_t capacity;
    /* Owned. Free slots are IDSET_NONE. */
    int64_t *slots;
    uint64_t seed;
    /*
     * A cache of ids in the set, as the same ones come again and again. They are inverted, so that
     * 0 stands for none.
     */
    int64_t recent[IDSET_RECENT];
};

/* The id that no set can hold, such as GT_NO_GOROUTINE. */
#define IDSET_NONE ((int64_t) -1)

/* idset_add without the cache. */
bool idset_add_new(struct idset *set, int64_t id);

/* Adds an id, unless it is IDSET_NONE. Returns false if there is not enough memory. */
static inline bool idset_add(struct idset *set, int64_t id)
{
    return set->recent[(uint64_t) id % IDSET_RECENT] == ~id || idset_add_new(set, id);
}

void idset_free(struct idset *set);

#endif
