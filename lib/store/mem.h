/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_MEM_H
#define GT_STORE_MEM_H

#include <stddef.h>

/* realloc, for `bytes` above 0; what it gives goes to free. A file of its own, so that a test
 * can link one that fails. */
void *gt_store_realloc(void *block, size_t bytes);

#endif
