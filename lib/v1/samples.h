/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SAMPLES_H
#define GT_V1_SAMPLES_H

#include "merge/result.h"
#include "v1/v1.h"

/* Links the samples of each goroutine in merge.sample_next, and sets merge.sampled. */
gt_status gt_v1_samples_chain(struct gt_v1 *v1);

/* Takes the next CPU sample, and completes its event in `data` except for the time. */
void gt_v1_sample_take(struct gt_v1 *v1, struct gt_event_data *data);

#endif
