/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_OPTIONS_H
#define GT_RAW_OPTIONS_H

#include <gotrace/raw.h>

/* The options with defaults for what is not set, and their allocator; `options` may be NULL. */
gt_status gt_raw_options_take(gt_raw_options *out, gt_allocator *allocator,
                              const gt_raw_options *options);

/* Fills in the records that a version has, by type. */
void gt_raw_specs_fill(const gt_wire_spec *specs[256], uint32_t version);

#endif
