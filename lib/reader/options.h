/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_OPTIONS_H
#define GT_READER_OPTIONS_H

#include <gotrace/reader.h>

/*
 * Reads the caller's options, which may be NULL for the defaults, and their allocator. Says in
 * `*failure` which member is not valid.
 */
gt_status gt_reader_options_take(gt_reader_options *out, gt_allocator *allocator,
                                 const gt_reader_options *options, gt_error *failure);

#endif
