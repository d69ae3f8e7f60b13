/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/options.h"

#include <assert.h>
#include <string.h>

#include "base/sized.h"

/* The first release's layout; members are only ever added at the end. */
struct options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_repair_fn on_repair;
    void *repair_data;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
};

static_assert(sizeof(gt_reader_options) == sizeof(struct options_v1), "gt_reader_options");

gt_status gt_options_take(gt_reader_options *out, gt_allocator *allocator,
                          const gt_reader_options *options)
{
    memset(out, 0, sizeof(*out));
    if (!options)
        return gt_allocator_take(allocator, NULL);
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct options_v1), options);
    if (status != GT_OK)
        return status;
    const uint64_t known = GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT |
                           GT_READER_AS_RECORDED | GT_READER_AHEAD;
    if (out->flags & ~known)
        return GT_ERR_INVALID_ARGUMENT;
    return gt_allocator_take(allocator, out->allocator);
}
