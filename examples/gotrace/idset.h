/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IDSET_H
#define IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of ids that only grows: an open-addressed hash table. Starts as all zeros. */
struct idset {
    size_t count;
    /* A power of two, or 0. */
    size_t capacity;
    /* Owned. IDSET_NONE where free. */
    int64_t *slots;
    uint64_t seed;
};

/* The one id that no set holds: "none", as in GT_NO_GOROUTINE and its like. */
#define IDSET_NONE ((int64_t) -1)

/* Adds an id unless it is there or is IDSET_NONE. False where there is no memory. */
bool idset_add(struct idset *set, int64_t id);

void idset_free(struct idset *set);

#endif
