/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool list_reserve(void *list, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    size_t room = *capacity < SIZE_MAX / 2 && count < 2 * *capacity ? 2 * *capacity : count;
    room = room < 16 ? 16 : room;
    if (room > SIZE_MAX / size)
        return false;
    /* A pointer of any type; C has no type that refers to all of them. */
    void *old;
    memcpy(&old, list, sizeof(old));
    void *grown = realloc(old, room * size);
    if (!grown)
        return false;
    memcpy(list, &grown, sizeof(grown));
    *capacity = room;
    return true;
}
