/* SPDX-License-Identifier: BSD-3-Clause */

#include "view/memory.h"

#include <stdlib.h>

#include "store/mem.h"

static int left = -1;

void memory_fail_after(int successes)
{
    left = successes;
}

void *gt_store_realloc(void *block, size_t bytes)
{
    if (left == 0)
        return NULL;
    left -= left > 0;
    return realloc(block, bytes);
}
