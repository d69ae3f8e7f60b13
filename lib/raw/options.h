/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_OPTIONS_H
#define GT_RAW_OPTIONS_H

#include <gotrace/raw.h>

/*
 * Reads the caller's options, which may be NULL for the defaults, and their allocator. Says in
 * `*failure` which member is not valid.
 */
gt_status gt_raw_options_take(gt_raw_options *out, gt_allocator *allocator,
                              const gt_raw_options *options, gt_error *failure);

/* Fills the table of the record types of a version. Types that the version lacks become NULL. */
void gt_raw_specs_fill(const gt_wire_spec *specs[256], uint32_t version);

#endif
