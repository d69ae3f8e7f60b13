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

#endif
