/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/inner.h"

static void *inner_allocate(void *context, size_t bytes)
{
    return gt_mem_alloc(context, bytes);
}

static void *inner_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    return gt_mem_realloc(context, block, old_bytes, bytes);
}

static void inner_release(void *context, void *block, size_t bytes)
{
    gt_mem_free(context, block, bytes);
}

gt_allocator gt_inner_allocator(struct gt_mem *mem)
{
    return (gt_allocator){sizeof(gt_allocator), mem, inner_allocate, inner_reallocate,
                          inner_release};
}
