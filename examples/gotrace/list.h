/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `count` elements of `size` bytes. `list` points to the pointer to the first
 * element, which is NULL or from malloc, and `*capacity` is how many elements there is room
 * for. The room at least doubles, so that appending takes linear time. Returns false if there
 * is not enough memory; then nothing changes.
 */
bool list_reserve(void *list, size_t *capacity, size_t count, size_t size);

#endif
