/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_POOL_H
#define GT_STORE_POOL_H

#include <stddef.h>

enum {
    /* Sizes are rounded up to whole units, which is all that a block costs besides itself. */
    POOL_UNIT = 4,
    POOL_LEAST = 12,
    POOL_MOST = 3200
};

struct pool_slab;

/*
 * Blocks of POOL_LEAST to POOL_MOST bytes, for which malloc's own costs would be much; they lie
 * side by side in slabs. What is given back is taken again, but no slab is freed before all are. A
 * pool of zeros is an empty one.
 */
struct pool {
    struct pool_slab *slabs;
    /* What is being used up: the rest of a slab, or a block that was given back. */
    unsigned char *at;
    size_t left;
    size_t memory;
    /* Blocks given back, by units. Each begins with where the next one is, and its own units. */
    unsigned char *given[POOL_MOST / POOL_UNIT + 1];
    /* How much these are, and from when on it is worth while to make larger ones of them. */
    size_t given_bytes, enough;
};

void pool_destroy(struct pool *pool); /* leaves an empty one */

/* NULL: out of memory. The eight bytes past a block may be read and written, too, but those are
 * to be as they were when the next one is used, as it may lie there. */
void *pool_take(struct pool *pool, size_t bytes);
/* Gives back a block of so many bytes. */
void pool_give(struct pool *pool, void *block, size_t bytes);

/* realloc for what is larger, which is not in a slab and goes to free; counts it as well. */
void *pool_resize(struct pool *pool, void *block, size_t from, size_t to);

/* What it takes from malloc. */
size_t pool_memory(const struct pool *pool);

#endif
