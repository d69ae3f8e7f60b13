/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLES_H
#define GT_V2_TABLES_H

#include "v2/batch.h"
#include "v2/v2.h"

/*
 * Each takes a batch of the kind that its first byte tells, and adds its records to the
 * generation that is being read. An error is set with its place.
 */
gt_status gt_v2_add_strings(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_stacks(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_samples(struct gt_v2 *v2, const struct gt_v2_batch *batch);
/* The frequency and, since Go 1.25, the clock snapshot. */
gt_status gt_v2_add_sync(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_experiment(struct gt_v2 *v2, const struct gt_v2_batch *batch);

/* Sets how long a clock unit of the generation is, from its ticks a second. */
void gt_v2_set_frequency(struct gt_v2_generation *generation, uint64_t frequency);

#endif
