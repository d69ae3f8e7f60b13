/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_POOL_H
#define GT_BASE_POOL_H

#include <stddef.h>

#include "base/mem.h"

/*
 * Objects of one size that never move. A freed object's memory goes to the next
 * one, so a pool whose objects come and go allocates nothing.
 */
struct gt_pool {
    struct gt_mem *mem;
    struct gt_pool_slab *slabs;
    void *free;        /* objects that came back, linked through their first bytes */
    char *fresh;       /* the part of the newest slab that was never used */
    size_t fresh_left; /* in objects */
    size_t object;     /* bytes, a multiple of a pointer's */
    size_t slab_objects;
};

void gt_pool_init(struct gt_pool *pool, struct gt_mem *mem, size_t object);
void gt_pool_destroy(struct gt_pool *pool);

/* NULL on failure, with the reason in the pool's mem->failure. Not zeroed. */
void *gt_pool_take(struct gt_pool *pool);
void gt_pool_give(struct gt_pool *pool, void *object);

#endif
