/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLES_H
#define GT_V2_TABLES_H

#include "v2/batch.h"
#include "v2/v2.h"

/*
 * Whether the first entry of a batch of strings or stacks, of which only its `size` bytes at `data`
 * are known, has an id that the generation has defined already, as it does in another trace's.
 */
bool gt_v2_table_has(const struct gt_v2 *v2, const uint8_t *data, size_t size);

/*
 * Each of these functions takes a batch of the kind that its first byte says, and adds its records
 * to the generation that is being read. An error is set with its place.
 */
gt_status gt_v2_add_strings(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_stacks(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_samples(struct gt_v2 *v2, const struct gt_v2_batch *batch);
/* Adds the frequency and, since Go 1.25, the clock snapshot. */
gt_status gt_v2_add_sync(struct gt_v2 *v2, const struct gt_v2_batch *batch);
gt_status gt_v2_add_experiment(struct gt_v2 *v2, const struct gt_v2_batch *batch);

/* Sets the duration of a clock unit of the generation from its ticks per second. */
void gt_v2_set_frequency(struct gt_v2_generation *generation, uint64_t frequency);

#endif
