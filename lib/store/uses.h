/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_USES_H
#define GT_STORE_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_uses_item {
    uint32_t name, cls;
    /* Another one of that name + 1; 0 if there is none. */
    uint32_t next;
    uint64_t count;
};

/* How many spans there are of each name and class that come together. */
struct gt_uses {
    struct gt_uses_item *list;
    size_t count, room;
    /* By a name's text: its last use + 1, or 0. */
    uint32_t *last;
    size_t texts, text_room;
};

void gt_uses_destroy(struct gt_uses *uses);

/* The number of a use, made if it is new. False: out of memory. */
bool gt_uses_find(struct gt_uses *uses, uint32_t name, uint32_t cls, uint32_t *number);
size_t gt_uses_memory(const struct gt_uses *uses);

/* The first ones have a bit of their own. */
static inline uint32_t gt_uses_mask(uint32_t number)
{
    return UINT32_C(1) << number % 32;
}

#endif
