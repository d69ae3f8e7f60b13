/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_TRANSITION_H
#define GT_REWRITE_TRANSITION_H

#include "rewrite/writer.h"

/*
 * These functions handle a transition of a proc or a goroutine for
 * gt_rewrite_transition. Events that share a record with later ones are held: see gt_rewrite_held.
 */
gt_status gt_rewrite_proc_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 const gt_transition *change);
gt_status gt_rewrite_goroutine_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                      const gt_transition *transition);

/*
 * Offers the next event to the held event, which there must be. If the event completes or continues
 * the held one, sets
 * `*is_taken`, and the event has been handled. Otherwise the held event is written without it.
 */
gt_status gt_rewrite_held_offer(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                bool *is_taken);

/* Writes the held event, if there is one, because no event follows it. */
gt_status gt_rewrite_held_release(struct gt_writer *writer);

#endif
