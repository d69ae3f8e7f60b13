/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary_sort.h"

#include <string.h>

struct sorting {
    char *elements;
    size_t size;
    int (*before)(const void *a, const void *b);
};

static char *at(const struct sorting *sorting, size_t i)
{
    return sorting->elements + i * sorting->size;
}

static void swap(const struct sorting *sorting, size_t i, size_t j)
{
    char kept[GT_SORT_MAX_SIZE];
    memcpy(kept, at(sorting, i), sorting->size);
    memcpy(at(sorting, i), at(sorting, j), sorting->size);
    memcpy(at(sorting, j), kept, sorting->size);
}

static void sift(const struct sorting *sorting, size_t i, size_t count)
{
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && sorting->before(at(sorting, child), at(sorting, child + 1)))
            child++;
        if (!sorting->before(at(sorting, i), at(sorting, child)))
            return;
        swap(sorting, i, child);
    }
}

static int is_sorted(const struct sorting *sorting, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (sorting->before(at(sorting, i), at(sorting, i - 1)))
            return 0;
    }
    return 1;
}

void gt_summary_sort(void *elements, size_t count, size_t size,
                     int (*before)(const void *a, const void *b))
{
    const struct sorting sorting = {elements, size, before};
    if (is_sorted(&sorting, count))
        return;
    for (size_t i = count / 2; i > 0; i--)
        sift(&sorting, i - 1, count);
    for (size_t last = count; last > 1; last--) {
        swap(&sorting, 0, last - 1);
        sift(&sorting, 0, last - 1);
    }
}
