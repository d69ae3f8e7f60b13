/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_ARRAY_H
#define GT_STORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `count` items of `size` bytes in an array. `array` is the address of the pointer
 * to the array, which is NULL or to be freed with free(), and `*room` the number of items that it
 * has room for. False: out of memory, and nothing changes.
 */
bool gt_store_array_reserve(void *array, size_t *room, size_t count, size_t size);

/* Allocates `count` items of `size` bytes, all of them 0. NULL: out of memory. */
void *gt_array_zeros(size_t count, size_t size);

#endif
