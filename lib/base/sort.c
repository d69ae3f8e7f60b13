/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"

#include <assert.h>
#include <string.h>

struct sort {
    char *elements;
    size_t size;
    gt_sort_before *before;
    void *context;
};

static char *sort_at(const struct sort *sort, size_t i)
{
    return sort->elements + i * sort->size;
}

static bool sort_is_before(const struct sort *sort, const void *a, const void *b)
{
    return sort->before(a, b, sort->context);
}

/* Sifts `element` down from the hole at index `i` to its place in the heap. */
static void sort_sift(const struct sort *sort, size_t i, size_t count, const char *element)
{
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count &&
            sort_is_before(sort, sort_at(sort, child), sort_at(sort, child + 1)))
            child++;
        if (!sort_is_before(sort, element, sort_at(sort, child)))
            break;
        memcpy(sort_at(sort, i), sort_at(sort, child), sort->size);
    }
    memcpy(sort_at(sort, i), element, sort->size);
}

static bool sort_is_done(const struct sort *sort, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (sort_is_before(sort, sort_at(sort, i), sort_at(sort, i - 1)))
            return false;
    }
    return true;
}

void gt_sort(void *elements, size_t count, size_t size, gt_sort_before *before, void *context)
{
    const struct sort sort = {elements, size, before, context};
    char element[GT_SORT_MAX_SIZE];
    assert(size <= sizeof(element));
    if (sort_is_done(&sort, count))
        return;
    for (size_t i = count / 2; i > 0; i--) {
        memcpy(element, sort_at(&sort, i - 1), size);
        sort_sift(&sort, i - 1, count, element);
    }
    for (size_t last = count - 1; last > 0; last--) {
        memcpy(element, sort_at(&sort, last), size);
        memcpy(sort_at(&sort, last), sort_at(&sort, 0), size);
        sort_sift(&sort, 0, last, element);
    }
}

/* Sifts `element` up from the hole at index `i` to its place in the heap. */
static void sort_rise(const struct sort *sort, size_t i, const char *element)
{
    for (size_t parent; i > 0; i = parent) {
        parent = (i - 1) / 2;
        if (!sort_is_before(sort, sort_at(sort, parent), element))
            break;
        memcpy(sort_at(sort, i), sort_at(sort, parent), sort->size);
    }
    memcpy(sort_at(sort, i), element, sort->size);
}

void gt_sort_keep_first(void *heap, size_t *count, size_t most, const void *element, size_t size,
                        gt_sort_before *before, void *context)
{
    const struct sort sort = {heap, size, before, context};
    if (*count < most)
        sort_rise(&sort, (*count)++, element);
    else if (most > 0 && before(element, heap, context))
        sort_sift(&sort, 0, *count, element);
}
