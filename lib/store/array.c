/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/array.h"

#include <stdint.h>
#include <string.h>

#include "store/mem.h"

bool gt_store_array_reserve(void *array, size_t *room, size_t count, size_t size)
{
    void *items;
    size_t more = *room + *room / 2 + 8;
    if (count <= *room)
        return true;
    if (more < count)
        more = count;
    if (more > SIZE_MAX / 2 / size)
        return false;
    memcpy(&items, array, sizeof(items));
    items = gt_store_realloc(items, more * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof(items));
    *room = more;
    return true;
}

void *gt_array_zeros(size_t count, size_t size)
{
    void *items = count > SIZE_MAX / 2 / size ? NULL : gt_store_realloc(NULL, count * size);
    if (items)
        memset(items, 0, count * size);
    return items;
}
