/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLES_H
#define GT_V2_TABLES_H

#include <gotrace/status.h>

#include "v2/batch.h"

struct gt_v2;
struct gt_v2_generation;

/*
 * Each takes a batch of the kind that its first byte says, and adds its records
 * to the generation that is being read. Errors are set with their place.
 */
gt_status gt_v2_add_strings(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_stacks(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_samples(struct gt_v2 *v2, const struct gt_v2_batch *batch);
/* Frequency and, from 1.25 on, the clock snapshot. */
gt_status gt_v2_add_sync(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_experiment(struct gt_v2 *v2, const struct gt_v2_batch *batch);

/* What times of the generation are reckoned by. */
void gt_v2_set_frequency(struct gt_v2_generation *generation, uint64_t frequency);

/* Puts the samples in order of time, and those of one time in order of the file. */
void gt_v2_sort_samples(struct gt_v2 *v2);

#endif
