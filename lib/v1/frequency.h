/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FREQUENCY_H
#define GT_V1_FREQUENCY_H

#include "v1/v1.h"

/*
 * Sets how long a tick is. Without the record, which comes last, a strict reader
 * fails, and a lenient one estimates it.
 */
gt_status gt_v1_set_frequency(struct gt_v1 *v1);

/* The ns of `span` ticks, which are at least v1->overflow_ticks or negative: 2^62 at most, and 0 at
 * least. */
int64_t gt_v1_overflow_to_ns(const struct gt_v1 *v1, int64_t span);

#endif
