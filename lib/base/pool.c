/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/pool.h"

#include <string.h>

struct gt_pool_slab {
    struct gt_pool_slab *next;
    size_t bytes;
};

/*
 * The size of slabs grows from one that suits small traces to one whose unused rest is still small.
 */
enum {
    FIRST_SLAB_OBJECTS = 16,
    MAX_SLAB_BYTES = 1 << 16
};

void gt_pool_init(struct gt_pool *pool, struct gt_mem *mem, size_t object)
{
    memset(pool, 0, sizeof(*pool));
    pool->mem = mem;
    pool->object = (object + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    pool->slab_objects = FIRST_SLAB_OBJECTS;
}

void gt_pool_destroy(struct gt_pool *pool)
{
    while (pool->slabs) {
        struct gt_pool_slab *slab = pool->slabs;
        pool->slabs = slab->next;
        gt_mem_free(pool->mem, slab, slab->bytes);
    }
    gt_pool_init(pool, pool->mem, pool->object);
}

static bool pool_add_slab(struct gt_pool *pool)
{
    size_t bytes = sizeof(struct gt_pool_slab) + pool->slab_objects * pool->object;
    struct gt_pool_slab *slab = gt_mem_alloc(pool->mem, bytes);
    if (!slab)
        return false;
    slab->next = pool->slabs;
    slab->bytes = bytes;
    pool->slabs = slab;
    pool->fresh = (char *) (slab + 1);
    pool->fresh_left = pool->slab_objects;
    if (bytes * 2 <= MAX_SLAB_BYTES)
        pool->slab_objects *= 2;
    return true;
}

void *gt_pool_take(struct gt_pool *pool)
{
    void *object = gt_pool_take_again(pool);
    if (object)
        return object;
    if (pool->fresh_left == 0 && !pool_add_slab(pool))
        return NULL;
    object = pool->fresh;
    pool->fresh += pool->object;
    pool->fresh_left--;
    return object;
}

void gt_pool_give(struct gt_pool *pool, void *object)
{
    memcpy(object, &pool->free, sizeof(pool->free));
    pool->free = object;
}
