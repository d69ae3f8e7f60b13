/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_MEM_H
#define GT_BASE_MEM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>

/*
 * How several threads share a struct gt_mem. An object that only one thread uses at a time has no
 * lock, so that a library without threads does not depend on them: the lock itself is in
 * base/thread.h.
 */
struct gt_mem_lock {
    void (*acquire)(struct gt_mem_lock *lock);
    void (*release)(struct gt_mem_lock *lock);
};

/*
 * The memory of one object, such as a reader. All memory that the object holds is allocated with
 * these functions, which count it and enforce the limit that the program has set.
 */
struct gt_mem {
    gt_allocator allocator;
    uint64_t limit;    /* the most bytes that may be used; 0: no limit */
    uint64_t used;     /* the number of bytes in use */
    uint64_t peak;     /* the largest value that `used` has had */
    gt_status failure; /* the status of the last allocation that failed */
    uint64_t needed;   /* the limit with which the last one that exceeded it had not; 0: none did */
    /*
     * The lock, which is held during each call, and so while the allocator runs. NULL if only one
     * thread uses the object.
     */
    struct gt_mem_lock *lock;
};

/* Initialises `*mem`. If `allocator` is NULL or all zeros, malloc is used. */
void gt_mem_init(struct gt_mem *mem, const gt_allocator *allocator, uint64_t limit);

/*
 * Creates an object of `bytes` zeros. The object has its struct gt_mem at the offset `mem_at`,
 * which counts the object itself and everything that the object will allocate. Returns NULL on
 * failure, with the reason in `*status`.
 */
void *gt_mem_create(size_t bytes, size_t mem_at, const gt_allocator *allocator, uint64_t limit,
                    gt_status *status);

/* Frees an object that gt_mem_create made, with the memory `*mem` that is inside it. */
void gt_mem_delete(struct gt_mem *mem, void *object, size_t bytes);

/* Returns mem->failure, with the lock held. */
gt_status gt_mem_last_failure(const struct gt_mem *mem);

/*
 * Returns why the last allocation failed. May only be called after a failure. The assertion tells
 * static analyzers that the result is not GT_OK.
 */
static inline gt_status gt_mem_failure(const struct gt_mem *mem)
{
    gt_status failure = gt_mem_last_failure(mem);
    assert(failure != GT_OK);
    return failure;
}

/*
 * Records a failure that was detected before the allocator was called, such as an overflow. Returns
 * `failure`.
 */
gt_status gt_mem_fail(struct gt_mem *mem, gt_status failure);

/* Reads mem->used and mem->peak, with the lock held. */
void gt_mem_count(const struct gt_mem *mem, uint64_t *used, uint64_t *peak);

/* Reads mem->needed, with the lock held. */
uint64_t gt_mem_needed(const struct gt_mem *mem);

/*
 * Counts bytes that the object holds and that are not its allocator's, and takes them off again.
 * The first returns false if that would exceed the limit; see gt_mem_failure.
 */
bool gt_mem_charge(struct gt_mem *mem, size_t bytes);
void gt_mem_discharge(struct gt_mem *mem, size_t bytes);

/* These functions return NULL on failure; see gt_mem_failure. */
void *gt_mem_alloc(struct gt_mem *mem, size_t bytes);
void *gt_mem_realloc(struct gt_mem *mem, void *block, size_t old_bytes, size_t bytes);
void *gt_mem_zeros(struct gt_mem *mem, size_t bytes); /* all bytes are 0 */
/* `block` may be NULL. */
void gt_mem_free(struct gt_mem *mem, void *block, size_t bytes);

/*
 * Makes room for `count` elements of `element` bytes in an array. `data` is the address of the
 * pointer to the array, and `*capacity` the number of elements for which the array has room, which
 * grows by at least half. On failure nothing changes.
 */
gt_status gt_mem_reserve(struct gt_mem *mem, void *data, size_t *capacity, size_t count,
                         size_t element);

/*
 * Makes room for `least` elements, as gt_mem_reserve does. If `*count` is less than `least`, sets
 * the elements from `*count` on to zeros and `*count` to `least`.
 */
gt_status gt_mem_extend(struct gt_mem *mem, void *data, size_t *count, size_t *capacity,
                        size_t least, size_t element);

#endif
