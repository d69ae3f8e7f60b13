/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FREQUENCY_H
#define GT_V1_FREQUENCY_H

#include "v1/v1.h"

/*
 * Sets the duration of a tick. The record of the frequency is at the end of the trace and may be
 * missing: then a strict reader fails, and a lenient one estimates the frequency.
 */
gt_status gt_v1_set_frequency(struct gt_v1 *v1);

/*
 * Converts `span` ticks, which are negative or at least output.overflow_ticks, to nanoseconds. The
 * result is limited to the range from 0 to 2^62.
 */
int64_t gt_v1_to_ns_slow(const struct gt_v1 *v1, int64_t span);

#endif
