/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SORT_H
#define GT_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GT_SORT_MAX_SIZE = 64
};

/* Whether `a` must come before `b`. `context` is what gt_sort was given. */
typedef bool gt_sort_before(const void *a, const void *b, void *context);

/*
 * Sorts `count` elements of `size` bytes, at most GT_SORT_MAX_SIZE, in place: a heapsort. It
 * allocates nothing, does not recurse, and takes O(n log n) comparisons at worst, none of which
 * qsort promises; O(n) if the elements are in order already. It is not stable: where the result
 * must not depend on how the elements lay before, `before` must order all of them.
 */
void gt_sort(void *elements, size_t count, size_t size, gt_sort_before *before, void *context);

/*
 * Keeps the first `most` of all elements that it is given. `heap` is an array of the `*count`
 * elements that are kept, with the last of them in front; it must have room for one more as long
 * as `*count` is less than `most`. gt_sort puts it in order. Takes O(log n) comparisons.
 */
void gt_sort_keep_first(void *heap, size_t *count, size_t most, const void *element, size_t size,
                        gt_sort_before *before, void *context);

#endif
