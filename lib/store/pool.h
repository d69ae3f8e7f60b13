/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_POOL_H
#define GT_STORE_POOL_H

#include <stddef.h>

enum {
    /* Sizes are rounded up to whole units, which is all that a block costs besides itself. */
    GT_POOL_UNIT = 4,
    GT_POOL_LEAST = 12,
    GT_POOL_MOST = 3200
};

struct gt_store_pool_slab;

/*
 * Blocks of GT_POOL_LEAST to GT_POOL_MOST bytes, for which malloc's own costs would be much; they
 * lie side by side in slabs. What is given back is taken again, but no slab is freed before all
 * are. A pool of zeros is an empty one.
 */
struct gt_store_pool {
    struct gt_store_pool_slab *slabs;
    /* What is being used up: the rest of a slab, or a block that was given back. */
    unsigned char *at;
    size_t left;
    size_t memory;
    /* Blocks given back, by units. Each begins with where the next one is, and its own units. */
    unsigned char *given[GT_POOL_MOST / GT_POOL_UNIT + 1];
    /* How much these are, and from when on it is worth while to make larger ones of them. */
    size_t given_bytes, enough;
};

void gt_store_pool_destroy(struct gt_store_pool *pool); /* leaves an empty one */

/* NULL: out of memory. The eight bytes past a block may be read and written, too, but those are
 * to be as they were when the next one is used, as it may lie there. */
void *gt_store_pool_take(struct gt_store_pool *pool, size_t bytes);
/* Gives back a block of so many bytes. */
void gt_store_pool_give(struct gt_store_pool *pool, void *block, size_t bytes);

/* realloc for what is larger, which is not in a slab and goes to free; counts it as well. */
void *gt_pool_resize(struct gt_store_pool *pool, void *block, size_t from, size_t to);

/* What it takes from malloc. */
size_t gt_pool_memory(const struct gt_store_pool *pool);

#endif
