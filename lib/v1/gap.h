/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_GAP_H
#define GT_V1_GAP_H

#include "v1/v1.h"

/*
 * What a lenient reader finds between the batches of a trace: text that the program prints to the
 * same file, damage, and the rest of another trace. No record says where a batch ends, and text may
 * look like events, so a gap is seen only by a record that cannot be, and is then looked for in all
 * of the batch that the record seems to be in.
 */

/*
 * Passes over a gap. The error is set, with the fault of the record at `event` that cannot be. The
 * batch that the record seems to be in begins at `batch`, which is NULL before the first one. Sets
 * `*begin` to where the gap begins, which may be before the record, and `*next` to the batch behind
 * it, or to the end of what is to be read. Returns GT_OK, or the status of the error if the reader
 * is strict, or if memory is the cause.
 */
gt_status gt_v1_gap_pass(struct gt_v1 *v1, const uint8_t *batch, const uint8_t *event,
                         const uint8_t **begin, const uint8_t **next);

#endif
