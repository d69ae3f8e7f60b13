/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TRANSITION_H
#define GT_TIMELINE_TRANSITION_H

#include <gotrace/event.h>

struct gt_timeline;

/* Handles a transition of a goroutine. */
void gt_tl_goroutine_transition(struct gt_timeline *timeline, const gt_event *event,
                                const gt_transition *transition);

#endif
