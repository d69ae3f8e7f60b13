/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/array.h"

#include <string.h>

#include "base/mem.h"

bool gt_web_array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
    struct gt_mem mem;
    if (count <= *capacity)
        return true;
    gt_mem_init(&mem, NULL, 0);
    mem.used = *capacity * size;
    return gt_mem_reserve(&mem, array, capacity, count, size) == GT_OK;
}

bool gt_web_array_extend(void *array, size_t *count, size_t index, size_t size)
{
    char *items;
    size_t old = *count;
    if (index < old)
        return true;
    if (!gt_web_array_reserve(array, count, index + 1, size))
        return false;
    memcpy(&items, array, sizeof(items));
    memset(items + old * size, 0, (*count - old) * size);
    return true;
}
