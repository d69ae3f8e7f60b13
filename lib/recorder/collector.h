/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_COLLECTOR_H
#define GT_RECORDER_COLLECTOR_H

#include "recorder/buffer.h"

/*
 * Events of the collector, which are numbered over all generations.
 *
 * Readers take the first such event in a trace with any number, and so must not come to a later one
 * first. If a cycle has begun before, they are told of it at the beginning of the trace. Otherwise
 * the event that begins the first one is in a batch of no thread, in which nothing is before it for
 * which they might have to wait. It must not be so in the middle of a trace; as any generation can
 * be the first one of a trace, the event is always in a batch of its own, which is replaced where
 * that is needed.
 */

/* What there was of the collector in a generation, which is over. */
struct gt_recorder_gc_part gt_recorder_gc_part(gt_recorder *recorder, uint64_t generation);

/*
 * Writes batches of no thread to `to`, where 2 * GT_BUFFER_HEAD bytes suffice, and returns the end:
 * that a cycle has begun before the generation, and the event that begins the first one in it.
 */
uint8_t *gt_recorder_gc_put_active(uint8_t *to, const struct gt_recorder_gc_part *part,
                                   uint64_t time);
uint8_t *gt_recorder_gc_put_lead(uint8_t *to, const struct gt_recorder_gc_part *part);

#endif
