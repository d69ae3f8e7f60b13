/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ARROW_ARROW_H
#define GT_ARROW_ARROW_H

#include <gotrace/arrow.h>

enum {
    GT_ARROW_COLUMNS_MAX = 32
};

/* The format of the values of a column; of strings that of the indexes into their dictionary. */
const char *gt_arrow_format(uint32_t kind);

/* Make what a stream gives, in memory of its own. Return GT_ERR_NO_MEMORY if there is none. */
gt_status gt_arrow_schema_make(struct ArrowSchema *out, uint32_t table,
                               const gt_allocator *allocator);
gt_status gt_arrow_array_make(struct ArrowArray *out, const gt_batch *batch,
                              const gt_allocator *allocator);

#endif
