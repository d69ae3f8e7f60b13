/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TESTS_SUPPORT_GROW_H
#define GT_TESTS_SUPPORT_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* The size of a block that holds this many bytes: a power of two. */
static inline size_t grow_room(size_t bytes)
{
    size_t room = 64;
    while (room < bytes)
        room *= 2;
    return room;
}

/*
 * Returns a block, allocated with malloc, that has the `used` bytes of `block`, which may be NULL,
 * and room for `more` bytes after them. It moves only when its room doubles, because sanitizers
 * copy a block whenever it grows. It must only grow by this function.
 */
static inline void *grow(void *block, size_t used, size_t more)
{
    if (block && used + more <= grow_room(used))
        return block;
    void *grown = realloc(block, grow_room(used + more));
    if (!grown)
        abort();
    return grown;
}

#endif
