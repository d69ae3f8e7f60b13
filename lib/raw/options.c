/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/options.h"

#include "base/sized.h"

static const struct gt_options_layout raw_options_layout = GT_OPTIONS_LAYOUT(
    gt_raw_options, progress_data, GT_RAW_KNOWN_VERSIONS | GT_RAW_SET_SIZES | GT_RAW_AS_GO);

gt_status gt_raw_options_take(gt_raw_options *out, gt_allocator *allocator,
                              const gt_raw_options *options, gt_error *failure)
{
    *out = (gt_raw_options) GT_RAW_OPTIONS_INIT;
    return gt_options_take(out, allocator, &raw_options_layout, options, failure);
}

void gt_raw_specs_fill(const gt_wire_spec *specs[256], uint32_t version)
{
    for (uint32_t type = 0; type < 256; type++)
        specs[type] = gt_wire_spec_get(version, type);
}
