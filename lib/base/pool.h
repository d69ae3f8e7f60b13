/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_POOL_H
#define GT_BASE_POOL_H

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

/*
 * A pool of objects of one size, which never move. The memory of an object that was given back is
 * used for a later one, so a pool whose objects come and go allocates nothing.
 */
struct gt_pool {
    struct gt_mem *mem;
    struct gt_pool_slab *slabs;
    void *free;          /* a list of objects that were given back, linked by their first bytes */
    char *fresh;         /* the part of the newest slab that was never used */
    size_t fresh_left;   /* its size in objects */
    size_t object;       /* the size of an object in bytes, a multiple of a pointer's */
    size_t slab_objects; /* how many objects the next slab will have */
};

void gt_pool_init(struct gt_pool *pool, struct gt_mem *mem, size_t object);
void gt_pool_destroy(struct gt_pool *pool);

/* An object, whose content is undefined. Returns NULL on failure; see gt_mem_failure. */
void *gt_pool_take(struct gt_pool *pool);

/* The same, but NULL if no object that was given back is left: it never takes memory. */
static inline void *gt_pool_take_again(struct gt_pool *pool)
{
    void *object = pool->free;
    if (object)
        memcpy(&pool->free, object, sizeof(pool->free));
    return object;
}

/* Gives an object back. */
void gt_pool_give(struct gt_pool *pool, void *object);

#endif
