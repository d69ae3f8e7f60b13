/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TRANSITION_H
#define GT_TIMELINE_TRANSITION_H

#include <stdbool.h>

#include <gotrace/event.h>

#include "base/text.h"

struct gt_timeline;

/* Handles a transition of a goroutine. */
void gt_tl_goroutine_transition(struct gt_timeline *timeline, const gt_event *event,
                                const gt_transition *transition);

/*
 * Whether a goroutine ends, as Summarizer.Event in internal/trace/summary.go has it: one that
 * waits forever counts as ended, too.
 */
static inline bool gt_tl_transition_is_end(const gt_transition *transition)
{
    return transition->to == GT_GO_NOT_EXIST ||
           (transition->to == GT_GO_WAITING && gt_text_is(transition->reason, "forever"));
}

#endif
