/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_USES_H
#define GT_STORE_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uses_item {
    uint32_t name, cls;
    /* Another one of that name + 1; 0 if there is none. */
    uint32_t next;
    uint64_t count;
};

/* How many spans there are of each name and class that come together. */
struct uses {
    struct uses_item *list;
    size_t count, room;
    /* By a name's text: its last use + 1, or 0. */
    uint32_t *last;
    size_t texts, text_room;
};

void uses_destroy(struct uses *uses);

/* The number of a use, made if it is new. False: out of memory. */
bool uses_find(struct uses *uses, uint32_t name, uint32_t cls, uint32_t *number);
size_t uses_memory(const struct uses *uses);

/* The first ones have a bit of their own. */
static inline uint32_t uses_mask(uint32_t number)
{
    return UINT32_C(1) << number % 32;
}

#endif
