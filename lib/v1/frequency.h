/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FREQUENCY_H
#define GT_V1_FREQUENCY_H

#include "v1/v1.h"

/*
 * Sets how long a tick is. The record of the frequency comes last, and may be missing: then a
 * strict reader fails, and a lenient one estimates it.
 */
gt_status gt_v1_set_frequency(struct gt_v1 *v1);

/*
 * The nanoseconds of `span` ticks, which are negative, or output.overflow_ticks or more. The
 * result is limited to the range from 0 to 2^62.
 */
int64_t gt_v1_to_ns_slow(const struct gt_v1 *v1, int64_t span);

#endif
