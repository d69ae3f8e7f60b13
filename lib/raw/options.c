/* SPDX-License-Identifier: BSD-3-Clause */
#include "raw/options.h"

#include <assert.h>
#include <string.h>

#include "base/sized.h"

/* The first release's layout; members are only ever added at the end. */
struct raw_options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

static_assert(sizeof(gt_raw_options) == sizeof(struct raw_options_v1), "gt_raw_options");

gt_status gt_raw_options_take(gt_raw_options *out, gt_allocator *allocator,
                              const gt_raw_options *options)
{
    const uint64_t known = GT_RAW_KNOWN_VERSIONS | GT_RAW_SET_SIZES | GT_RAW_AS_GO;
    memset(out, 0, sizeof(*out));
    if (!options)
        return gt_allocator_take(allocator, NULL);
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct raw_options_v1), options);
    if (status == GT_OK && (out->flags & ~known))
        status = GT_ERR_INVALID_ARGUMENT;
    return status == GT_OK ? gt_allocator_take(allocator, out->allocator) : status;
}

void gt_raw_specs_fill(const gt_wire_spec *specs[256], uint32_t version)
{
    for (uint32_t type = 0; type < 256; type++)
        specs[type] = gt_wire_spec_get(version, type);
}
