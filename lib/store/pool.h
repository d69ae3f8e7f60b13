/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_POOL_H
#define GT_STORE_POOL_H

#include <stddef.h>

#include "base/mem.h"

enum {
    /* Sizes are rounded up to whole units; a block in use has no other overhead. */
    GT_POOL_UNIT = 4,
    GT_POOL_LEAST = 12,
    GT_POOL_MOST = 3200
};

struct gt_store_pool_slab;

/*
 * A pool of blocks of GT_POOL_LEAST to GT_POOL_MOST bytes, which lie side by side in slabs. A block
 * that was given back is reused, but the slabs are only freed with the pool. A pool of zeros is
 * empty, but `mem` must be set. Not safe for use by several threads at once.
 *
 * base/pool.h cannot replace it: chunks of tracks have hundreds of sizes, grow often, and need no
 * alignment, and there are so many of them that malloc's overhead of 8 bytes or more, or rounding
 * up to size classes, would count. So this pool has a free list for each size in units of 4 bytes,
 * and joins free blocks that are adjacent.
 */
struct gt_store_pool {
    struct gt_mem *mem;
    struct gt_store_pool_slab *slabs;
    /* The block from which new ones are cut, `left` bytes: the rest of a slab, or a block that was
     * given back. */
    unsigned char *at;
    size_t left;
    size_t memory; /* the bytes allocated */
    /* Lists of the blocks that were given back, by size in units. Each block begins with a struct
     * link. */
    unsigned char *given[GT_POOL_MOST / GT_POOL_UNIT + 1];
    /* The number of bytes in these lists, and the threshold above which adjacent blocks are
     * joined. */
    size_t given_bytes, enough;
};

/* Frees all blocks; the pool is then empty and can be used again. */
void gt_store_pool_destroy(struct gt_store_pool *pool);

/* Takes a block; its content is undefined and it has no alignment. NULL: out of memory. The eight
 * bytes after a block may be read, and also written if their content is restored before another
 * block is used, as they may belong to one. */
void *gt_store_pool_take(struct gt_store_pool *pool, size_t bytes);
/* Gives back a block that was taken with the same `bytes`. */
void gt_store_pool_give(struct gt_store_pool *pool, void *block, size_t bytes);

/* Calls gt_mem_realloc for larger memory, which is outside the slabs and is to be freed with
 * gt_mem_free. The pool only counts its bytes. NULL: out of memory, and nothing changes. */
void *gt_pool_resize(struct gt_store_pool *pool, void *block, size_t from, size_t to);

/* The number of bytes that the pool has allocated. */
size_t gt_pool_memory(const struct gt_store_pool *pool);

#endif
