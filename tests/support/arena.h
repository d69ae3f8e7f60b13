/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_ARENA_H
#define TESTS_SUPPORT_ARENA_H

#include <stddef.h>

#include <gotrace/allocator.h>

/*
 * An allocator for measurements: it places blocks one after the other in memory that the process
 * has already touched, so that times do not depend on the system's allocator. Set `used` to 0 to
 * use it again.
 */
struct arena {
    /* Pass its address to the library. */
    gt_allocator allocator;
    char *base;
    size_t size;
    size_t used;
};

void arena_init(struct arena *arena, size_t size);
void arena_free(struct arena *arena);

#endif
