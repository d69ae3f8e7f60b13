/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/arena.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void *arena_allocate(void *context, size_t bytes)
{
    struct arena *arena = context;
    void *block = arena->base + arena->used;

    if (rounded(bytes) > arena->size - arena->used)
        return NULL;
    arena->used += rounded(bytes);
    return block;
}

static void *arena_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    void *moved = arena_allocate(context, bytes);

    if (moved)
        memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
    return moved;
}

/* Only the last block can be freed. */
static void arena_release(void *context, void *block, size_t bytes)
{
    struct arena *arena = context;

    if ((char *) block + rounded(bytes) == arena->base + arena->used)
        arena->used = (size_t) ((char *) block - arena->base);
}

void arena_init(struct arena *arena, size_t size)
{
    arena->base = malloc(size);
    assert_non_null(arena->base);
    memset(arena->base, 0xa5, size);
    arena->size = size;
    arena->used = 0;
    arena->allocator.size = sizeof(arena->allocator);
    arena->allocator.context = arena;
    arena->allocator.allocate = arena_allocate;
    arena->allocator.reallocate = arena_reallocate;
    arena->allocator.release = arena_release;
}

void arena_free(struct arena *arena)
{
    free(arena->base);
    memset(arena, 0, sizeof(*arena));
}
