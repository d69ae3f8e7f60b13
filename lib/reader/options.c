/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/options.h"

#include "base/sized.h"

static const struct gt_options_layout reader_options_layout = GT_OPTIONS_LAYOUT(
    gt_reader_options, execute_data,
    GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT | GT_READER_AS_RECORDED |
        GT_READER_AHEAD | GT_READER_TRACK | GT_READER_UNFORCED);

gt_status gt_reader_options_take(gt_reader_options *out, gt_allocator *allocator,
                                 const gt_reader_options *options, gt_error *failure)
{
    *out = (gt_reader_options) GT_READER_OPTIONS_INIT;
    return gt_options_take(out, allocator, &reader_options_layout, options, failure);
}
