/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_OPTIONS_H
#define GT_READER_OPTIONS_H

#include <stdbool.h>

#include <gotrace/reader.h>

/* Reads the caller's options, which may be NULL for the defaults, and their allocator. */
gt_status gt_reader_options_take(gt_reader_options *out, gt_allocator *allocator,
                                 const gt_reader_options *options);

/* Says in `*failure` which member is not valid. Returns false if all are. */
bool gt_reader_options_explain(gt_error *failure, const void *options);

#endif
