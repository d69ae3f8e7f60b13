/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SLAB = 64 * 1024,
    SLACK = 8
};

struct gt_store_pool_slab {
    struct gt_store_pool_slab *next;
    unsigned char bytes[SLAB + SLACK];
};

void gt_store_pool_destroy(struct gt_store_pool *pool)
{
    struct gt_mem *mem = pool->mem;
    while (pool->slabs) {
        struct gt_store_pool_slab *next = pool->slabs->next;
        gt_mem_free(mem, pool->slabs, sizeof(*pool->slabs));
        pool->slabs = next;
    }
    memset(pool, 0, sizeof(*pool));
    pool->mem = mem;
}

static size_t pool_units_of(size_t bytes)
{
    return (bytes + GT_POOL_UNIT - 1) / GT_POOL_UNIT;
}

/* The start of a block that was given back. */
struct link {
    unsigned char *next;
    uint32_t units;
};

#define LINK_BYTES (offsetof(struct link, units) + sizeof(uint32_t))

_Static_assert(LINK_BYTES <= GT_POOL_LEAST, "a block of any size has room for a link");

static struct link pool_get_link(const unsigned char *block)
{
    struct link link;
    memcpy(&link, block, LINK_BYTES);
    return link;
}

static void pool_set_next(unsigned char *block, unsigned char *next)
{
    memcpy(block, &next, sizeof(next));
}

static void pool_put(struct gt_store_pool *pool, unsigned char *block, size_t units)
{
    struct link link = {pool->given[units], (uint32_t) units};
    memcpy(block, &link, LINK_BYTES);
    pool->given[units] = block;
    pool->given_bytes += units * GT_POOL_UNIT;
}

static unsigned char *pool_get(struct gt_store_pool *pool, size_t units)
{
    unsigned char *block = pool->given[units];
    if (block) {
        pool->given[units] = pool_get_link(block).next;
        pool->given_bytes -= units * GT_POOL_UNIT;
    }
    return block;
}

/* Puts adjacent free memory into the lists, as blocks of the largest sizes possible. */
static void pool_put_run(struct gt_store_pool *pool, unsigned char *run, size_t units)
{
    size_t most = GT_POOL_MOST / GT_POOL_UNIT;
    for (; units > most; units -= most, run += GT_POOL_MOST)
        pool_put(pool, run, most);
    if (units * GT_POOL_UNIT >= GT_POOL_LEAST)
        pool_put(pool, run, units);
}

/* Merges two lists that are sorted by address. */
static unsigned char *pool_merge(unsigned char *a, unsigned char *b)
{
    unsigned char *first = NULL, *last = NULL;
    while (a && b) {
        unsigned char **least = (uintptr_t) a < (uintptr_t) b ? &a : &b;
        if (!last)
            first = *least;
        else
            pool_set_next(last, *least);
        last = *least;
        *least = pool_get_link(last).next;
    }
    if (!last)
        return a ? a : b;
    pool_set_next(last, a ? a : b);
    return first;
}

/* Empties the lists and returns all of their blocks as one list, sorted by address. */
static unsigned char *pool_sort_given(struct gt_store_pool *pool)
{
    /* A merge sort from the bottom up: list i is NULL or has 2^i blocks. */
    unsigned char *lists[64] = {NULL}, *all = NULL;
    for (size_t units = 0; units <= GT_POOL_MOST / GT_POOL_UNIT; units++) {
        unsigned char *block;
        while ((block = pool_get(pool, units))) {
            size_t i = 0;
            pool_set_next(block, NULL);
            for (; lists[i]; i++) {
                block = pool_merge(lists[i], block);
                lists[i] = NULL;
            }
            lists[i] = block;
        }
    }
    for (size_t i = 0; i < 64; i++) {
        if (lists[i])
            all = !all ? lists[i] : pool_merge(all, lists[i]);
    }
    return all;
}

/* Joins free blocks that are adjacent. Where many chunks grow at once, the blocks that they leave
 * are too small for any of them. The next call is due when the lists have grown by a quarter of the
 * pool's memory, so that the amortised cost is small. */
static void pool_join_given(struct gt_store_pool *pool)
{
    unsigned char *run = NULL, *next = pool_sort_given(pool);
    size_t units = 0;
    while (next) {
        struct link link = pool_get_link(next);
        if (run && next != run + units * GT_POOL_UNIT) {
            pool_put_run(pool, run, units);
            run = NULL;
        }
        if (!run) {
            run = next;
            units = 0;
        }
        units += link.units;
        next = link.next;
    }
    if (run)
        pool_put_run(pool, run, units);
    pool->enough = pool->given_bytes + pool->memory / 4;
}

/* Puts the rest of the current block into the lists. It is smaller than a block that was asked for,
 * and so not larger than GT_POOL_MOST. */
static void pool_put_rest(struct gt_store_pool *pool)
{
    if (pool->left >= GT_POOL_LEAST)
        pool_put(pool, pool->at, pool->left / GT_POOL_UNIT);
    pool->left = 0;
}

/* Makes the largest free block the current one, from which several small ones may be cut, or a new
 * slab if no free block has `units` units. False: out of memory. */
static bool pool_refill(struct gt_store_pool *pool, size_t units)
{
    struct gt_store_pool_slab *slab;
    size_t most = GT_POOL_MOST / GT_POOL_UNIT;
    if (pool->given_bytes > pool->enough + SLAB)
        pool_join_given(pool);
    while (most >= units && !pool->given[most])
        most--;
    if (most >= units) {
        pool_put_rest(pool);
        pool->at = pool_get(pool, most);
        pool->left = most * GT_POOL_UNIT;
        return true;
    }
    slab = gt_mem_alloc(pool->mem, sizeof(*slab));
    if (!slab)
        return false;
    pool_put_rest(pool);
    slab->next = pool->slabs;
    pool->slabs = slab;
    pool->memory += sizeof(*slab);
    pool->at = slab->bytes;
    pool->left = SLAB;
    return true;
}

void *gt_store_pool_take(struct gt_store_pool *pool, size_t bytes)
{
    size_t units = pool_units_of(bytes);
    unsigned char *block = pool_get(pool, units);
    if (block)
        return block;
    if (pool->left < units * GT_POOL_UNIT && !pool_refill(pool, units))
        return NULL;
    block = pool->at;
    pool->at += units * GT_POOL_UNIT;
    pool->left -= units * GT_POOL_UNIT;
    return block;
}

void gt_store_pool_give(struct gt_store_pool *pool, void *block, size_t bytes)
{
    pool_put(pool, block, pool_units_of(bytes));
}

void *gt_pool_resize(struct gt_store_pool *pool, void *block, size_t from, size_t to)
{
    block = gt_mem_realloc(pool->mem, block, from, to);
    if (block)
        pool->memory += to - from;
    return block;
}

size_t gt_pool_memory(const struct gt_store_pool *pool)
{
    return pool->memory;
}
