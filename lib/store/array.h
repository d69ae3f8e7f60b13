/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_ARRAY_H
#define GT_STORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `count` items of `size` bytes in the array that `array` points to, which
 * comes from malloc and has room for `*room`. False: out of memory, and nothing changed.
 */
bool gt_store_array_reserve(void *array, size_t *room, size_t count, size_t size);

/* `count` items of `size` bytes that are 0; NULL: out of memory. */
void *gt_array_zeros(size_t count, size_t size);

#endif
