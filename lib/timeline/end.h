/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_END_H
#define GT_TIMELINE_END_H

#include <stdbool.h>

#include <gotrace/event.h>

#include "base/text.h"

/*
 * Whether the transition ends its goroutine by the rule of Summarizer.Event in
 * internal/trace/summary.go: a goroutine that waits forever counts as ended, too.
 */
static inline bool gt_tl_transition_is_end(const gt_transition *transition)
{
    return transition->to == GT_GO_NOT_EXIST ||
           (transition->to == GT_GO_WAITING && gt_text_is(transition->reason, "forever"));
}

#endif
