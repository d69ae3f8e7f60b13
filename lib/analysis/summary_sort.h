/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_SORT_H
#define GT_ANALYSIS_SUMMARY_SORT_H

#include <stddef.h>

enum {
    GT_SORT_MAX_SIZE = 64
};

/*
 * Sorts `count` elements of `size` bytes, at most GT_SORT_MAX_SIZE, of which no two are
 * the same. In place, and never slower than n log n, which qsort does not promise.
 */
void gt_summary_sort(void *elements, size_t count, size_t size,
                     int (*before)(const void *a, const void *b));

#endif
