/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_AHEAD_H
#define GT_READER_AHEAD_H

#include <gotrace/status.h>

#include "base/mem.h"
#include "model/event.h"

/*
 * A thread that decodes events before they are asked for. The decoder belongs to one
 * thread at a time: to the other one from gt_ahead_go until that has nothing more to do,
 * and to the caller's after gt_ahead_next has given all of it and said so. So whatever
 * ends what earlier events refer to, the start of a generation above all, is the caller's
 * to do, in its own thread; and no one sees a difference but in time.
 */
struct gt_ahead;

/*
 * Decodes some events to `*events`, as few as it likes. 0 with none where the caller must
 * do the next step.
 */
typedef int gt_ahead_more(void *decoder, struct gt_events *events);

/*
 * Starts the thread. From here on `mem`, which it is made of, may be used by both. NULL where there
 * is no memory for it, or no thread to be had.
 */
struct gt_ahead *gt_ahead_create(struct gt_mem *mem, gt_ahead_more *more, void *decoder);

/* Ends the thread, wherever it is. `ahead` may be NULL. */
void gt_ahead_destroy(struct gt_ahead *ahead);

/* Leaves the decoder to the other thread. All that it gave must have been taken. */
void gt_ahead_go(struct gt_ahead *ahead);

/*
 * The next events; those of the last call are over. Waits for them. NULL where the decoder is the
 * caller's again.
 */
const struct gt_events *gt_ahead_next(struct gt_ahead *ahead);

/* Something to be done in the caller's thread. */
typedef void gt_ahead_call(void *data, const void *argument);

/*
 * For the decoder: calls the function in the caller's thread, once that has taken all events
 * given before, and waits until it returns. At once where that is the thread we are in.
 */
void gt_ahead_run(struct gt_ahead *ahead, gt_ahead_call *call, void *data, const void *argument);

#endif
