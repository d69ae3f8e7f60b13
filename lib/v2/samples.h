/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_SAMPLES_H
#define GT_V2_SAMPLES_H

#include "v2/v2.h"

/* Sorts the samples by time, and those with equal times by their offset in the input. */
void gt_v2_samples_sort(struct gt_v2 *v2);

/* Adds the event of the next sample to `*events`, which must have room. */
gt_status gt_v2_sample_take(struct gt_v2 *v2, struct gt_events *events);

#endif
