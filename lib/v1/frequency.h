/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FREQUENCY_H
#define GT_V1_FREQUENCY_H

#include "v1/v1.h"

/*
 * Sets how long a tick is. Without the record, which comes last, a strict reader
 * fails, and a lenient one estimates it.
 */
gt_status gt_v1_set_frequency(struct gt_v1 *v1);

#endif
