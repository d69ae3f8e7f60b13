/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ARENA_H
#define GT_BASE_ARENA_H

#include <stddef.h>

#include <gotrace/types.h>

#include "base/mem.h"

/*
 * An arena for byte strings, such as the texts of a trace. The bytes never move, have no alignment,
 * and are all freed at once. An arena of zeros is empty. The memory is counted by the gt_mem that
 * is passed, which must be the same one in all calls.
 */
struct gt_arena {
    struct gt_arena_chunk *chunks; /* the newest one first */
    char *free;                    /* the unused part of the newest chunk */
    size_t free_bytes;
    size_t bytes; /* the total size of all chunks */
};

/*
 * Allocates `size` bytes, whose content is undefined. Returns NULL on failure; see gt_mem_failure.
 */
char *gt_arena_take(struct gt_arena *arena, struct gt_mem *mem, size_t size);

/* Replaces `*text` by a copy in the arena. On failure `*text` is unchanged. */
gt_status gt_arena_copy(struct gt_arena *arena, struct gt_mem *mem, gt_string *text);

/* Frees everything; the arena is then empty and can be used again. */
void gt_arena_free(struct gt_arena *arena, struct gt_mem *mem);

#endif
