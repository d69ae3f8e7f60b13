/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_MEM_H
#define GT_BASE_MEM_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>

/*
 * The one way to memory: every byte that an object holds is asked for here,
 * counted, and held against the caller's limit.
 */
struct gt_mem {
    gt_allocator allocator;
    uint64_t limit; /* 0: none */
    uint64_t used;
    uint64_t peak;
    gt_status failure; /* why the last allocation gave nothing */
    /* Held in each call, also of the allocator's functions, while two threads share it; else NULL.
     */
    pthread_mutex_t *lock;
};

/* `allocator` may be NULL, or of zeros, for malloc. */
void gt_mem_init(struct gt_mem *mem, const gt_allocator *allocator, uint64_t limit);

/*
 * Makes an object of `bytes` zeros, and in it, at `mem_at`, the memory that it counts
 * itself and all that it comes to hold with. NULL on failure, with the reason in
 * `*status`.
 */
void *gt_mem_create(size_t bytes, size_t mem_at, const gt_allocator *allocator, uint64_t limit,
                    gt_status *status);

/* Frees an object that gt_mem_create made, with the memory `*mem` that is inside it. */
void gt_mem_delete(struct gt_mem *mem, void *object, size_t bytes);

/* What the last allocation left in mem->failure. */
gt_status gt_mem_last_failure(const struct gt_mem *mem);

/*
 * Why the last allocation gave nothing. To be asked after one only: so whoever returns it,
 * returns no GT_OK, which analyzers would not know.
 */
static inline gt_status gt_mem_failure(const struct gt_mem *mem)
{
    gt_status failure = gt_mem_last_failure(mem);
    assert(failure != GT_OK);
    return failure;
}

/* Sets it for what could not even be asked for. Returns `failure`. */
gt_status gt_mem_fail(struct gt_mem *mem, gt_status failure);

/* The bytes that are held, and the most that ever were. */
void gt_mem_count(const struct gt_mem *mem, uint64_t *used, uint64_t *peak);

/* Both return NULL on failure, with the reason in mem->failure. */
void *gt_mem_alloc(struct gt_mem *mem, size_t bytes);
void *gt_mem_realloc(struct gt_mem *mem, void *block, size_t old_bytes, size_t bytes);
/* `block` may be NULL. */
void gt_mem_free(struct gt_mem *mem, void *block, size_t bytes);

/*
 * Makes room for `count` elements of `element` bytes in the array `*data`, which
 * has room for `*capacity`; grows by at least half. On failure nothing changes.
 */
gt_status gt_mem_reserve(struct gt_mem *mem, void *data, size_t *capacity, size_t count,
                         size_t element);

#endif
