/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_DOWNGRADE_TABLE_H
#define GT_REWRITE_DOWNGRADE_TABLE_H

#include <stdint.h>

#include "rewrite/downgrade.h"

/*
 * The texts and stacks of the whole trace, which it has at its end. Each is added when an event
 * first refers to it. Ids are from 1 on; 0 is the empty text, and no stack.
 */

gt_status gt_downgrade_text(struct gt_downgrader *d, gt_string text, uint64_t *id);
gt_status gt_downgrade_stack(struct gt_downgrader *d, const gt_event *event, gt_stack stack,
                             uint64_t *id);

/*
 * Sets `*id` to a stack of one frame: the outermost one of `stack`, with whose function the
 * goroutine began. `*id` is 0 if the stack has no frames.
 */
gt_status gt_downgrade_root(struct gt_downgrader *d, const gt_event *event, gt_stack stack,
                            uint64_t *id);

/*
 * Sets `*id` to `known`, or if that is 0, to a stack of one frame without a pc and a function, for
 * records of which Go 1.21's viewer needs a frame: it refuses a GoCreate without the stack with
 * which the goroutine begins, and panics if what opened a region has no stack, which for a task
 * that a goroutine inherits is its GoCreate. Go 1.21 writes such a stack itself for the goroutines
 * of threads that C has created (traceGoCreate in runtime/trace.go).
 */
gt_status gt_downgrade_some_stack(struct gt_downgrader *d, uint64_t known, uint64_t *id);

/* Writes all texts and stacks. */
gt_status gt_downgrade_tables_flush(struct gt_downgrader *d);

#endif
