/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_GENERATION_H
#define GT_REWRITE_GENERATION_H

#include "rewrite/writer.h"

/*
 * Handles a Sync of the input, at `time`. If it is to be written, the open generation ends, and
 * another one begins unless the Sync is the last one.
 */
gt_status gt_rewrite_sync(struct gt_writer *writer, const gt_event *event, int64_t time);

/*
 * Begins a generation at `time`, with the batches of experiments that were kept for it. `is_cut`
 * says whether it begins within a generation of the input.
 */
gt_status gt_rewrite_generation_begin(struct gt_writer *writer, int64_t time, bool is_cut);

/*
 * Begins a generation within one of the input, before the event at `time`: writes a Sync, and the
 * statuses of everything that exists. It is the first one, or follows one that has ended.
 */
gt_status gt_rewrite_cut(struct gt_writer *writer, int64_t time);

/* Begins the output at a time, and makes it last until another one, though it has no event. */
gt_status gt_rewrite_rest(struct gt_writer *writer, int64_t start, int64_t end);

/*
 * Returns whether the open generation has the size that the options ask for, and another one can
 * begin before the event at `time`.
 */
bool gt_rewrite_is_full(const struct gt_writer *writer, int64_t time);

/* Ends the open generation, if there is one. */
gt_status gt_rewrite_generation_end(struct gt_writer *writer);

/*
 * Ends the trace. A trace without generations, as the input may be, is valid only in versions with
 * end markers; otherwise this is an error.
 */
gt_status gt_rewrite_finish(struct gt_writer *writer);

/*
 * Keeps the batches of experiments of a Sync, for the generation that it begins, and for one that
 * begins within it.
 */
gt_status gt_rewrite_batches_keep(struct gt_writer *writer, const gt_event *event);

/*
 * Drops the batches that were kept. Unless `all` is set, keeps those that apply to all generations
 * but are only in the first one.
 */
void gt_rewrite_batches_drop(struct gt_writer *writer, bool all);

#endif
