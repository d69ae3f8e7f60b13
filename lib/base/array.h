/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_ARRAY_H
#define GT_BASE_ARRAY_H

#include <stddef.h>

#include "base/mem.h"

/*
 * A growing array, as a member of a structure or as a variable:
 *
 *     GT_ARRAY(struct gt_frame) frames;
 *
 *     struct gt_frame *frame = gt_array_push(mem, &frames);
 *     if (!frame)
 *         return gt_mem_failure(mem);
 *     *frame = ...;
 *
 * An array of zeros is empty. The items lie one after the other and move when the array
 * grows. The macros evaluate their arguments more than once.
 */
#define GT_ARRAY(type)                                                                             \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/*
 * Makes room for `more` items after the last one. The capacity grows by at least half, so that
 * appending takes linear time. The result is a gt_status; on failure nothing changes.
 */
#define gt_array_reserve(mem, array, more)                                                         \
    gt_mem_reserve((mem), &(array)->items, &(array)->capacity, (array)->count + (more),            \
                   sizeof(*(array)->items))

/*
 * Appends an item, whose content is undefined, and returns it. Returns NULL on failure; see
 * gt_mem_failure.
 */
#define gt_array_push(mem, array)                                                                  \
    (gt_array_reserve(mem, array, 1) == GT_OK ? &(array)->items[(array)->count++] : NULL)

/*
 * Appends the item that follows `array`, an expression. The result is a gt_status; on failure
 * nothing changes.
 */
#define gt_array_add(mem, array, ...)                                                              \
    (gt_array_reserve(mem, array, 1) == GT_OK                                                      \
         ? ((array)->items[(array)->count++] = (__VA_ARGS__), GT_OK)                               \
         : gt_mem_failure(mem))

/*
 * Appends items of zeros until the array has `least` of them, for an array that is indexed by
 * numbers that are assigned consecutively. The result is a gt_status; on failure nothing changes.
 */
#define gt_array_extend(mem, array, least)                                                         \
    gt_mem_extend((mem), &(array)->items, &(array)->count, &(array)->capacity, (least),            \
                  sizeof(*(array)->items))

/*
 * The index of an item, which is a pointer into the array; if it is NULL, the index that the next
 * item to be appended will have.
 */
#define gt_array_index(array, item) ((item) ? (size_t) ((item) - (array)->items) : (array)->count)

/* The number of bytes that the array occupies. */
#define gt_array_bytes(array) ((array)->capacity * sizeof(*(array)->items))

/* Frees the memory; the array is then empty and can be used again. */
#define gt_array_free(mem, array)                                                                  \
    (gt_mem_free((mem), (array)->items, gt_array_bytes(array)), (array)->items = NULL,             \
     (array)->count = 0, (array)->capacity = 0)

#endif
