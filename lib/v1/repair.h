/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_REPAIR_H
#define GT_V1_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"
#include "merge/repair.h"
#include "merge/result.h"
#include "v1/v1.h"

/* Sets an error at `offset` of the input, with a text as for gt_error_set. */
gt_result gt_v1_fail_at(struct gt_v1 *v1, gt_status status, uint64_t offset, const char *text, ...);

/* The same at the proc's next event; %s comes first in `text`, and stands for its name. */
gt_result gt_v1_fail_event(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_status status,
                           const char *text, uint64_t a, uint64_t b);

/* Sets the error: memory ran out, or the caller's limit was reached. Returns its status. */
gt_status gt_v1_no_memory(struct gt_v1 *v1);

/* The same for a rule. */
gt_result gt_v1_fail_memory(struct gt_v1 *v1);

/* Forgives the error that is set, as gt_repair_forgive. */
static inline bool gt_v1_forgive(struct gt_v1 *v1, const char *text)
{
    return gt_repair_forgive(&v1->repair, v1->error, text);
}

/*
 * Whether something was repaired, so that a strict reader would have ended. Some of what Go accepts
 * does not follow from the events before it. A lenient reader delivers that like a strict one as
 * long as the trace may be a good one; from the first repair on each state follows from the one
 * that was delivered before it.
 */
static inline bool gt_v1_is_repaired(const struct gt_v1 *v1)
{
    return v1->repair.count != 0;
}

/* Forgives an event that cannot happen: returns GT_RESULT_NONE, or GT_RESULT_ERROR. */
gt_result gt_v1_leave_out(struct gt_v1 *v1);

/*
 * These add a transition that the trace lacks, in front of the event that is being completed in
 * `data`. Return where that event is completed from now on.
 */

/* A transition of a goroutine or a proc; `type` is the gt_wire_type of such a status. */
GT_MUST_USE struct gt_event_data *gt_v1_force_change(struct gt_v1 *v1, struct gt_event_data *data,
                                                     uint8_t type, int64_t id, unsigned from,
                                                     unsigned to);

/* Brings a goroutine into a state, off its proc. Adds nothing if it was reported to be in it. */
GT_MUST_USE struct gt_event_data *gt_v1_force_goroutine(struct gt_v1 *v1,
                                                        struct gt_event_data *data,
                                                        struct gt_v1_goroutine *goroutine,
                                                        enum gt_v1_go_state state,
                                                        gt_go_state reported);

/* Lets the event happen that has been parked for the longest, whatever the state. */
void gt_v1_force(struct gt_v1 *v1);

#endif
