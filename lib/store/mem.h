/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_MEM_H
#define GT_STORE_MEM_H

#include <stddef.h>

#include "base/mem.h"

/* Like realloc(), for `bytes` above 0; the result is to be freed with free(). It has a file of its
 * own so that tests can link a version that fails. */
void *gt_store_realloc(void *block, size_t bytes);

/* Calls gt_mem_init, for libc's allocator without a limit. Here for the same reason. */
void gt_store_mem_init(struct gt_mem *mem);

#endif
