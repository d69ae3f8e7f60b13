/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/mem.h"

#include <stdlib.h>

void *gt_store_realloc(void *block, size_t bytes)
{
    return realloc(block, bytes);
}

void gt_store_mem_init(struct gt_mem *mem)
{
    gt_mem_init(mem, NULL, 0);
}
