/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_STATES_H
#define GT_TIMELINE_STATES_H

#include <stdint.h>

#include <gotrace/event.h>

#include "timeline/texts.h"

struct gt_timeline;
struct gt_tl_goroutine;

/* What is drawn of a goroutine's state when that ends, with GT_TIMELINE_STATES. */
struct gt_tl_state {
    /* A gt_go_state; GT_GO_UNDETERMINED where nothing is known yet, or any more. */
    uint32_t state;
    /* In a system call, without a proc. */
    int is_blocked;
    int64_t start;
    int64_t proc;
    int64_t thread;
    /* The goroutine that led to it, or GT_NO_GOROUTINE where none or itself did. */
    int64_t by;
    struct gt_tl_text *reason;
    uint32_t stack;
    /* What was told of the goroutine: nothing, that it is there, its function. */
    uint32_t told;
};

/* A transition of a goroutine, which has its function if that is known. */
void gt_tl_state_changes(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                         const gt_event *event, const gt_transition *transition);

/* The proc was taken from the goroutine that is in a system call on it, if one is. */
void gt_tl_state_proc_lost(struct gt_timeline *timeline, int64_t proc, const gt_event *event);

/* Tells of the goroutine, which has another label now. */
void gt_tl_state_labelled(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

/* Draws the state that it is in, until now. */
void gt_tl_state_finish(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

#endif
