/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_STATES_H
#define GT_TIMELINE_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/shared_text.h"

struct gt_timeline;
struct gt_tl_goroutine;

/* Which properties of a goroutine were announced so far, by instants of the category
 * "goroutine". */
enum gt_tl_announced {
    GT_TL_ANNOUNCED_NOTHING,
    GT_TL_ANNOUNCED_EXISTENCE,
    GT_TL_ANNOUNCED_FUNCTION
};

/* A goroutine's current state, which is drawn when it ends; with GT_TIMELINE_STATES only. */
struct gt_tl_state {
    uint32_t state;  /* a gt_go_state; GT_GO_UNDETERMINED while nothing is to be drawn */
    bool is_blocked; /* in a system call, without a proc */
    int64_t start;
    int64_t proc;
    int64_t thread;
    int64_t by;                    /* another goroutine that caused the state, or GT_NO_GOROUTINE */
    struct gt_shared_text *reason; /* NULL if there is none */
    uint32_t stack;
    enum gt_tl_announced announced;
};

/* Handles a transition of a goroutine, whose function is set already if it is known. */
void gt_tl_state_transition(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                            const gt_event *event, const gt_transition *transition);

/* Handles the loss of a proc by the goroutine that is in a system call on it, if there is one. */
void gt_tl_state_proc_lost(struct gt_timeline *timeline, int64_t id, const gt_event *event);

/* Announces the goroutine's new label. */
void gt_tl_state_label(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

/* Draws the goroutine's state up to the current time. */
void gt_tl_state_finish(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

#endif
