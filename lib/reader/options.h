/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_OPTIONS_H
#define GT_READER_OPTIONS_H

#include <gotrace/reader.h>

/* The options with defaults for what is not set, and their allocator; `options` may be NULL. */
gt_status gt_options_take(gt_reader_options *out, gt_allocator *allocator,
                          const gt_reader_options *options);

#endif
