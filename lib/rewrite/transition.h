/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_TRANSITION_H
#define GT_REWRITE_TRANSITION_H

#include "rewrite/writer.h"

/*
 * Transitions of procs and of goroutines, `change`. See gt_rewrite_transition, which also keeps
 * back what gt_rewrite_held is for.
 */
gt_status gt_rewrite_proc_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 const gt_transition *change);
gt_status gt_rewrite_goroutine_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                      const gt_transition *change);

/*
 * Offers the next event to what is held back. If the event completes or continues it, sets
 * `*is_taken`, and the event is done; otherwise what is held back is written without it.
 */
gt_status gt_rewrite_held_offer(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                bool *is_taken);

/* Writes what is held back, if anything, as no event follows it. */
gt_status gt_rewrite_held_release(struct gt_writer *writer);

#endif
