/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SWITCH_H
#define GT_BASE_SWITCH_H

#include <stdbool.h>

#include <gotrace/event.h>
#include <gotrace/stack.h>

#include "base/time.h"

/*
 * Finds switches between coroutines, such as those of iter.Pull. A switch is one record of a trace,
 * and a moment, but three transitions that follow each other by a nanosecond: the next goroutine
 * becomes runnable, the current one stops, and the next one runs. The next one gets the proc of the
 * current one, so that it has not waited for any. Go's own analyses count two nanoseconds as such a
 * wait.
 *
 * What else follows each other so closely differs: a goroutine that wakes another one has a stack
 * there, and one that stops has a reason. Events that were made, or that were read from a trace of
 * an older version to which it was converted, do not say that they are of a switch, so that it is
 * found by the transitions themselves.
 */
enum gt_switch_step {
    GT_SWITCH_NONE,
    GT_SWITCH_WAKES, /* this may be the first transition of a switch */
    GT_SWITCH_STOPS, /* the second one */
    GT_SWITCH_STARTS /* the third one, and there was a switch */
};

/* The last transition. A structure of zeros is that before the first one. */
struct gt_switch {
    enum gt_switch_step step;
    int64_t time; /* of the first transition of the switch */
    int64_t from; /* the goroutines */
    int64_t to;
};

static inline bool gt_switch_may_begin(const gt_event *event, const gt_transition *change)
{
    return change->from == GT_GO_WAITING && change->to == GT_GO_RUNNABLE &&
           event->goroutine != GT_NO_GOROUTINE && event->goroutine != change->resource.id &&
           gt_event_stack(event) == GT_STACK_NONE;
}

static inline bool gt_switch_stops(const struct gt_switch *last, const gt_event *event,
                                   const gt_transition *change)
{
    return last->step == GT_SWITCH_WAKES && change->resource.id == last->from &&
           event->goroutine == last->from && event->time == gt_time_plus(last->time, 1) &&
           change->from == GT_GO_RUNNING &&
           (change->to == GT_GO_WAITING || change->to == GT_GO_NOT_EXIST) &&
           change->reason.size == 0 && change->stack == GT_STACK_NONE;
}

static inline bool gt_switch_starts(const struct gt_switch *last, const gt_event *event,
                                    const gt_transition *change)
{
    return last->step == GT_SWITCH_STOPS && change->resource.id == last->to &&
           event->time == gt_time_plus(last->time, 2) && change->from == GT_GO_RUNNABLE &&
           change->to == GT_GO_RUNNING;
}

/* Takes in the next transition of a goroutine that changes its state, and returns its step. */
static inline enum gt_switch_step gt_switch_take(struct gt_switch *last, const gt_event *event,
                                                 const gt_transition *change)
{
    if (gt_switch_may_begin(event, change))
        *last =
            (struct gt_switch){GT_SWITCH_WAKES, event->time, event->goroutine, change->resource.id};
    else if (gt_switch_stops(last, event, change))
        last->step = GT_SWITCH_STOPS;
    else if (gt_switch_starts(last, event, change))
        last->step = GT_SWITCH_STARTS;
    else
        last->step = GT_SWITCH_NONE;
    return last->step;
}

#endif
