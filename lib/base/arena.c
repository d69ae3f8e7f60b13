/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <string.h>

/* Each chunk is as large as all before it together, within these limits, so that an arena with few
 * texts is small. */
enum {
    CHUNK_LEAST = 1024,
    CHUNK_MOST = 16 * 1024
};

struct gt_arena_chunk {
    struct gt_arena_chunk *next;
    size_t bytes; /* the size of the allocation, including this header */
};

/* The size of the next chunk, which has to hold `size` bytes. */
static size_t arena_chunk_size(const struct gt_arena *arena, size_t size)
{
    size_t bytes = arena->bytes < CHUNK_LEAST  ? CHUNK_LEAST
                   : arena->bytes < CHUNK_MOST ? arena->bytes
                                               : CHUNK_MOST;
    return sizeof(struct gt_arena_chunk) + (size > bytes ? size : bytes);
}

static gt_status arena_grow(struct gt_arena *arena, struct gt_mem *mem, size_t size)
{
    if (size > SIZE_MAX / 2)
        return gt_mem_fail(mem, GT_ERR_LIMIT);
    size_t bytes = arena_chunk_size(arena, size);
    struct gt_arena_chunk *chunk = gt_mem_alloc(mem, bytes);
    if (!chunk)
        return gt_mem_failure(mem);
    *chunk = (struct gt_arena_chunk){arena->chunks, bytes};
    arena->chunks = chunk;
    arena->free = (char *) (chunk + 1);
    arena->free_bytes = bytes - sizeof(*chunk);
    arena->bytes += bytes;
    return GT_OK;
}

char *gt_arena_take(struct gt_arena *arena, struct gt_mem *mem, size_t size)
{
    if ((!arena->chunks || arena->free_bytes < size) && arena_grow(arena, mem, size) != GT_OK)
        return NULL;
    char *bytes = arena->free;
    arena->free += size;
    arena->free_bytes -= size;
    return bytes;
}

gt_status gt_arena_copy(struct gt_arena *arena, struct gt_mem *mem, gt_string *text)
{
    char *bytes = gt_arena_take(arena, mem, text->size);
    if (!bytes)
        return gt_mem_failure(mem);
    if (text->size > 0)
        memcpy(bytes, text->data, text->size);
    text->data = bytes;
    return GT_OK;
}

void gt_arena_free(struct gt_arena *arena, struct gt_mem *mem)
{
    while (arena->chunks) {
        struct gt_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        gt_mem_free(mem, chunk, chunk->bytes);
    }
    memset(arena, 0, sizeof(*arena));
}
