/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_GAP_H
#define GT_V2_GAP_H

#include <stdbool.h>

#include <gotrace/status.h>

struct gt_v2;
struct gt_v2_batch;

/*
 * A place where a batch should begin and does not: text that the program prints to the same file,
 * damage, zeros of a file that was made larger than the trace, or another trace. The gap reaches to
 * the next batch that can be of the trace, or to the end of the input. Only a lenient reader looks
 * for that batch.
 */

/*
 * Opens a gap at the next byte. The error is set; gt_v2_gap_open_here sets it, where `batch`
 * only looks like a batch or an end marker of the trace.
 */
void gt_v2_gap_open(struct gt_v2 *v2);
void gt_v2_gap_open_here(struct gt_v2 *v2, const struct gt_v2_batch *batch);

/*
 * Advances the source to the end of the gap. Returns GT_AGAIN if bytes are not available yet;
 * another call continues.
 */
gt_status gt_v2_gap_skip(struct gt_v2 *v2);

/*
 * Reports what the gap was, which has ended. Returns false if the trace ends there, because the
 * rest of the input is of another one.
 */
bool gt_v2_gap_close(struct gt_v2 *v2);

/*
 * Whether the gap, behind which `next` is the next batch, or NULL if none comes, has the end marker
 * of a generation. Any byte of it may be that if the next batch is of a later generation. If none
 * comes, the first byte is it, or any byte of text, as a digit 4, or if the generation has all that
 * it needs.
 */
bool gt_v2_gap_has_end(const struct gt_v2 *v2, const struct gt_v2_batch *next);

/*
 * Sets `*is` to whether the end marker at the next byte is followed by what can follow it: text may
 * begin with the same byte, which is the digit 4. Behind the last batch of a generation nothing is
 * waited for.
 */
gt_status gt_v2_gap_is_end(struct gt_v2 *v2, bool *is);

/*
 * Whether a batch can follow the batches so far. That is asked only where something else may look
 * like a batch: text, as the digit 1 begins a batch of an experiment, and what is behind the end of
 * a trace, such as strings that the generation has already.
 */
bool gt_v2_gap_is_batch(const struct gt_v2 *v2, const struct gt_v2_batch *batch);

/*
 * Ends a batch where the header of another trace begins in it, which was written over it or behind
 * a part of it. Looks for one only if the batch is the first one, or cut off, or hardly fits, or if
 * bytes follow that are no batch of the trace. Sets `*is` to false if that trace begins before the
 * data of the batch, so that there is no batch. Returns GT_AGAIN if bytes are not available yet.
 */
gt_status gt_v2_gap_cut_batch(struct gt_v2 *v2, struct gt_v2_batch *batch, bool is_cut, bool *is);

#endif
