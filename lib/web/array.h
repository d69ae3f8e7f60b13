/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ARRAY_H
#define GT_WEB_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Arrays that grow as base/array.h says, for structures without a struct gt_mem: `array` is the
 * address of the pointer to the array, which is NULL or to be freed with free(), and `size` is the
 * size of an item in bytes. The functions return false if memory runs out, and change nothing then.
 */

/* Makes room for `count` items. `*capacity` is the number of items that there is room for. */
bool gt_web_array_reserve(void *array, size_t *capacity, size_t count, size_t size);

/* Makes `*count`, the number of items, greater than `index`. New items are 0. */
bool gt_web_array_extend(void *array, size_t *count, size_t index, size_t size);

#endif
