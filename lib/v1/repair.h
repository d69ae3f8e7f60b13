/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_REPAIR_H
#define GT_V1_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"
#include "merge/repair.h"
#include "merge/result.h"
#include "v1/v1.h"

/* Sets an error at `offset` of the input. `text` is a format as for gt_error_set. */
gt_result gt_v1_fail_at(struct gt_v1 *v1, gt_status status, uint64_t offset, const char *text, ...);

/*
 * Sets an error at the proc's next event. In `text`, %s comes first and stands for the name of the
 * event.
 */
gt_result gt_v1_fail_event(struct gt_v1 *v1, const struct gt_v1_proc *proc, gt_status status,
                           const char *text, uint64_t a, uint64_t b);

/* Sets the error that memory ran out or the caller's limit was reached. Returns its status. */
gt_status gt_v1_no_memory(struct gt_v1 *v1);

/*
 * Sets the error that memory ran out or the caller's limit was reached. Returns GT_RESULT_ERROR,
 * for a rule.
 */
gt_result gt_v1_fail_memory(struct gt_v1 *v1);

/* Forgives the error that is set: see gt_repair_forgive. */
static inline bool gt_v1_forgive(struct gt_v1 *v1, const char *text)
{
    return gt_repair_forgive(&v1->repair, v1->error, text);
}

/*
 * Returns whether something was repaired, so that a strict reader would have ended. Go accepts some
 * events that contradict the events before them. A lenient reader delivers such events unchanged as
 * long as the trace may be undamaged; from the first repair on, each state that it delivers follows
 * from the one before. Regions that do not nest are no damage.
 */
static inline bool gt_v1_is_repaired(const struct gt_v1 *v1)
{
    return v1->repair.count != v1->repair.unnested;
}

/*
 * Forgives an event that cannot happen, and leaves it out. Returns GT_RESULT_NONE, or
 * GT_RESULT_ERROR if the error is not forgiven.
 */
gt_result gt_v1_leave_out(struct gt_v1 *v1);

/*
 * These functions add a transition that the trace lacks, before the event that is being completed
 * in `data`. They return the place where that event is to be completed.
 */

/* Adds a transition of a goroutine or a proc. `type` is the gt_wire_type of its status events. */
GT_MUST_USE struct gt_event_data *gt_v1_force_change(struct gt_v1 *v1, struct gt_event_data *data,
                                                     uint8_t type, int64_t id, unsigned from,
                                                     unsigned to);

/*
 * Brings a goroutine into a state and takes it off its proc. Adds no transition if this state was
 * the last one that was reported.
 */
GT_MUST_USE struct gt_event_data *gt_v1_force_goroutine(struct gt_v1 *v1,
                                                        struct gt_event_data *data,
                                                        struct gt_v1_goroutine *goroutine,
                                                        enum gt_v1_go_state state,
                                                        gt_go_state reported);

/* Lets the event happen that has been parked for the longest, whatever the state is. */
void gt_v1_force(struct gt_v1 *v1);

#endif
