/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_USES_H
#define GT_STORE_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct gt_uses_item {
    uint32_t name, cls;
    /* The number of another use of that name, plus 1; 0 if there is none. */
    uint32_t next;
    uint64_t count;
};

/* The number of spans for each name and class that occur together. An object of zeros is empty,
 * but `mem` must be set. */
struct gt_uses {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_uses_item) list;
    /* By the text of a name: the number of its newest use, plus 1, or 0. */
    GT_ARRAY(uint32_t) newest;
};

void gt_uses_destroy(struct gt_uses *uses);

/* Finds the number of a use, which is added if it is new. False: out of memory. */
bool gt_uses_find(struct gt_uses *uses, uint32_t name, uint32_t cls, uint32_t *number);

/* Returns the bit of a use. There are 32 bits, which further uses share. */
static inline uint32_t gt_uses_mask(uint32_t number)
{
    return UINT32_C(1) << number % 32;
}

#endif
