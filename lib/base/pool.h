/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_POOL_H
#define GT_BASE_POOL_H

#include <stddef.h>
#include <string.h>

#include "base/mem.h"

/*
 * A pool of objects of one size, which never move. The memory of a freed object is used for a later
 * one, so a pool allocates nothing while the number of its objects stays constant.
 */
struct gt_pool {
    struct gt_mem *mem;
    struct gt_pool_slab *slabs;
    void *free;          /* the free list, which links freed objects by their first bytes */
    char *fresh;         /* the part of the newest slab that has never been used */
    size_t fresh_left;   /* the size of `fresh` in objects */
    size_t object;       /* the size of an object in bytes, a multiple of the size of a pointer */
    size_t slab_objects; /* the number of objects that the next slab will have */
};

void gt_pool_init(struct gt_pool *pool, struct gt_mem *mem, size_t object);
void gt_pool_destroy(struct gt_pool *pool);

/* Allocates an object, whose content is undefined. Returns NULL on failure; see gt_mem_failure. */
void *gt_pool_take(struct gt_pool *pool);

/*
 * Takes an object from the free list. Returns NULL if the list is empty, and never allocates
 * memory.
 */
static inline void *gt_pool_take_again(struct gt_pool *pool)
{
    void *object = pool->free;
    if (object)
        memcpy(&pool->free, object, sizeof(pool->free));
    return object;
}

/* Returns an object to the free list. */
void gt_pool_give(struct gt_pool *pool, void *object);

#endif
