/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SORT_H
#define GT_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GT_SORT_MAX_SIZE = 64
};

/* Returns whether `a` must come before `b`. `context` is the pointer that was passed to gt_sort. */
typedef bool gt_sort_before(const void *a, const void *b, void *context);

/*
 * Sorts `count` elements of `size` bytes, at most GT_SORT_MAX_SIZE, in place by heapsort. Unlike
 * qsort, it is guaranteed not to allocate, not to recurse, and to take O(n log n) comparisons in
 * the worst case, and O(n) if the elements are already in order. It is not stable: where the result
 * must not depend on the original order, `before` must be a total order.
 */
void gt_sort(void *elements, size_t count, size_t size, gt_sort_before *before, void *context);

/*
 * Keeps the `most` smallest of all elements that are passed to it, in a bounded heap. `heap` is an
 * array of the `*count` elements that are kept, with the largest one in front; it must have room
 * for one more element as long as `*count` is less than `most`. gt_sort puts the array in order. A
 * call takes O(log n) comparisons.
 */
void gt_sort_keep_first(void *heap, size_t *count, size_t most, const void *element, size_t size,
                        gt_sort_before *before, void *context);

#endif
