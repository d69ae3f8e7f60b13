/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasi__

enum {
    MEM_PAGE = 65536 /* the size of a page of a WebAssembly memory, which the standard fixes */
};

/*
 * Grows the memory of a WebAssembly module by an eighth if malloc has grown it since the last call.
 * malloc takes only the pages that it needs, and each time costs: the host makes a new object for
 * the memory, and its garbage collector runs. A module has one thread.
 */
static void libc_grow_ahead(void)
{
    static size_t known;
    if (__builtin_wasm_memory_size(0) == known)
        return;
    /* The C library keeps what is freed at the end of its heap for later blocks. */
    void *volatile ahead = malloc(__builtin_wasm_memory_size(0) / 8 * MEM_PAGE);
    free(ahead);
    known = __builtin_wasm_memory_size(0);
}

#else

static void libc_grow_ahead(void)
{
}

#endif

static void *libc_allocate(void *context, size_t bytes)
{
    (void) context;
    void *block = malloc(bytes);
    libc_grow_ahead();
    return block;
}

static void *libc_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    (void) old_bytes;
    void *moved = realloc(block, bytes);
    libc_grow_ahead();
    return moved;
}

static void libc_release(void *context, void *block, size_t bytes)
{
    (void) context;
    (void) bytes;
    free(block);
}

void gt_mem_init(struct gt_mem *mem, const gt_allocator *allocator, uint64_t limit)
{
    static const gt_allocator libc_allocator = {
        sizeof(gt_allocator), NULL, libc_allocate, libc_reallocate, libc_release,
    };
    mem->allocator = allocator && allocator->allocate ? *allocator : libc_allocator;
    mem->limit = limit;
    mem->used = 0;
    mem->peak = 0;
    mem->failure = GT_OK;
    mem->lock = NULL;
}

static inline void mem_lock(const struct gt_mem *mem)
{
    if (mem->lock)
        mem->lock->acquire(mem->lock);
}

static inline void mem_unlock(const struct gt_mem *mem)
{
    if (mem->lock)
        mem->lock->release(mem->lock);
}

gt_status gt_mem_last_failure(const struct gt_mem *mem)
{
    mem_lock(mem);
    gt_status failure = mem->failure;
    mem_unlock(mem);
    return failure;
}

gt_status gt_mem_fail(struct gt_mem *mem, gt_status failure)
{
    mem_lock(mem);
    mem->failure = failure;
    mem_unlock(mem);
    return failure;
}

void gt_mem_count(const struct gt_mem *mem, uint64_t *used, uint64_t *peak)
{
    mem_lock(mem);
    *used = mem->used;
    *peak = mem->peak;
    mem_unlock(mem);
}

uint64_t gt_mem_needed(const struct gt_mem *mem)
{
    mem_lock(mem);
    uint64_t needed = mem->needed;
    mem_unlock(mem);
    return needed;
}

static bool mem_within_limit(struct gt_mem *mem, uint64_t more)
{
    if (mem->limit != 0 && (more > mem->limit || mem->used > mem->limit - more)) {
        mem->failure = GT_ERR_LIMIT;
        mem->needed = more > UINT64_MAX - mem->used ? UINT64_MAX : mem->used + more;
        return false;
    }
    return true;
}

static void mem_count_more(struct gt_mem *mem, uint64_t more)
{
    mem->used += more;
    if (mem->used > mem->peak)
        mem->peak = mem->used;
}

bool gt_mem_charge(struct gt_mem *mem, size_t bytes)
{
    mem_lock(mem);
    bool is_within = mem_within_limit(mem, bytes);
    if (is_within)
        mem_count_more(mem, bytes);
    mem_unlock(mem);
    return is_within;
}

void gt_mem_discharge(struct gt_mem *mem, size_t bytes)
{
    mem_lock(mem);
    mem->used -= bytes;
    mem_unlock(mem);
}

static void *mem_allocate(struct gt_mem *mem, size_t bytes)
{
    if (!mem_within_limit(mem, bytes))
        return NULL;
    void *block = mem->allocator.allocate(mem->allocator.context, bytes);
    if (!block) {
        mem->failure = GT_ERR_NO_MEMORY;
        return NULL;
    }
    mem_count_more(mem, bytes);
    return block;
}

void *gt_mem_alloc(struct gt_mem *mem, size_t bytes)
{
    mem_lock(mem);
    void *block = mem_allocate(mem, bytes);
    mem_unlock(mem);
    return block;
}

/* Both blocks are counted, because the old and the new block may exist at the same time. */
static void *mem_reallocate(struct gt_mem *mem, void *block, size_t old_bytes, size_t bytes)
{
    if (!mem_within_limit(mem, bytes))
        return NULL;
    void *moved = mem->allocator.reallocate(mem->allocator.context, block, old_bytes, bytes);
    if (!moved) {
        mem->failure = GT_ERR_NO_MEMORY;
        return NULL;
    }
    mem_count_more(mem, bytes);
    mem->used -= old_bytes;
    return moved;
}

void *gt_mem_realloc(struct gt_mem *mem, void *block, size_t old_bytes, size_t bytes)
{
    mem_lock(mem);
    void *moved = block ? mem_reallocate(mem, block, old_bytes, bytes) : mem_allocate(mem, bytes);
    mem_unlock(mem);
    return moved;
}

void *gt_mem_create(size_t bytes, size_t mem_at, const gt_allocator *allocator, uint64_t limit,
                    gt_status *status)
{
    struct gt_mem mem;
    gt_mem_init(&mem, allocator, limit);
    void *object = gt_mem_alloc(&mem, bytes);
    if (!object) {
        *status = gt_mem_failure(&mem);
        return NULL;
    }
    memset(object, 0, bytes);
    memcpy((char *) object + mem_at, &mem, sizeof(mem));
    return object;
}

void *gt_mem_zeros(struct gt_mem *mem, size_t bytes)
{
    void *block = gt_mem_alloc(mem, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void gt_mem_free(struct gt_mem *mem, void *block, size_t bytes)
{
    if (!block)
        return;
    mem_lock(mem);
    mem->used -= bytes;
    mem->allocator.release(mem->allocator.context, block, bytes);
    mem_unlock(mem);
}

void gt_mem_delete(struct gt_mem *mem, void *object, size_t bytes)
{
    struct gt_mem last = *mem;
    gt_mem_free(&last, object, bytes);
}

gt_status gt_mem_reserve(struct gt_mem *mem, void *data, size_t *capacity, size_t count_needed,
                         size_t element)
{
    if (count_needed <= *capacity)
        return GT_OK;
    size_t room = *capacity + *capacity / 2;
    if (room < count_needed)
        room = count_needed;
    if (room < 8)
        room = 8;
    if (room > SIZE_MAX / 2 / element)
        return gt_mem_fail(mem, GT_ERR_LIMIT);
    void *old;
    memcpy(&old, data, sizeof(old));
    void *grown = gt_mem_realloc(mem, old, *capacity * element, room * element);
    if (!grown)
        return gt_mem_failure(mem);
    memcpy(data, &grown, sizeof(grown));
    *capacity = room;
    return GT_OK;
}

gt_status gt_mem_extend(struct gt_mem *mem, void *data, size_t *count, size_t *capacity,
                        size_t least, size_t element)
{
    if (least <= *count)
        return GT_OK;
    gt_status status = gt_mem_reserve(mem, data, capacity, least, element);
    if (status != GT_OK)
        return status;
    char *items;
    memcpy(&items, data, sizeof(items));
    memset(items + *count * element, 0, (least - *count) * element);
    *count = least;
    return GT_OK;
}
