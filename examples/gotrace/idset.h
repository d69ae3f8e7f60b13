/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IDSET_H
#define IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IDSET_RECENT = 64
};

/* A set of ids that only grows: an open-addressed hash table. Starts as all zeros. */
struct idset {
    size_t count;
    /* A power of two, or 0. */
    size_t capacity;
    /* Owned. IDSET_NONE where free. */
    int64_t *slots;
    uint64_t seed;
    /* Some that are there, inverted so that 0 is none: the same ones come again and again. */
    int64_t recent[IDSET_RECENT];
};

/* The one id that no set holds: "none", as in GT_NO_GOROUTINE and its like. */
#define IDSET_NONE ((int64_t) -1)

/* idset_add of one that need not have been there before. */
bool idset_add_new(struct idset *set, int64_t id);

/* Adds an id unless it is there or is IDSET_NONE. False where there is no memory. */
static inline bool idset_add(struct idset *set, int64_t id)
{
    return set->recent[(uint64_t) id % IDSET_RECENT] == ~id || idset_add_new(set, id);
}

void idset_free(struct idset *set);

#endif
