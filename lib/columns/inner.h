/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_INNER_H
#define GT_COLUMNS_INNER_H

#include <gotrace/allocator.h>

#include "base/mem.h"

/*
 * An allocator for an object that belongs to another one, so that its memory counts as memory of
 * that one, `mem`, and has its limit.
 */
gt_allocator gt_inner_allocator(struct gt_mem *mem);

/* The status of the outer object after the inner one had this one. */
static inline gt_status gt_inner_status(const struct gt_mem *mem, gt_status status)
{
    return status == GT_ERR_NO_MEMORY ? gt_mem_failure(mem) : status;
}

#endif
