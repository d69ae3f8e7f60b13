/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_GOROUTINE_H
#define GT_TIMELINE_GOROUTINE_H

#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "timeline/ranges.h"
#include "timeline/states.h"
#include "timeline/tasks.h"
#include "timeline/texts.h"

struct gt_timeline;

/* Why a goroutine may run: where the arrow to its next run comes from. */
enum gt_tl_cause {
    GT_TL_CAUSE_NONE,
    GT_TL_CAUSE_CREATED,
    GT_TL_CAUSE_UNBLOCKED,
    GT_TL_CAUSE_EXITED
};

/* What a viewer needs to know of a goroutine: gState in cmd/trace/gstate.go. */
struct gt_tl_goroutine {
    struct gt_tl_goroutine *next;
    struct gt_tl_goroutine *previous;
    int64_t id;
    struct gt_tl_text *root; /* its function; NULL while that is not known */
    struct gt_tl_text *label;
    struct gt_tl_text *block_reason; /* NULL where there is none */
    /* Whether a transition that is one told its function, and that is the runtime's. */
    int is_told;
    int is_system;
    /* The row it runs in, or GT_TL_NOWHERE, and since when. */
    int64_t row;
    int64_t start;
    uint32_t stop_stack; /* where it stopped last */
    uint32_t syscall_stack;
    int in_syscall;
    int64_t syscall_start;
    struct gt_tl_range *active;
    /* Drawn when the goroutine stops: after the run that they are in. */
    struct gt_tl_range *completed;
    struct gt_tl_range *last_completed;
    enum gt_tl_cause cause;
    struct gt_tl_text *cause_reason;
    int64_t cause_time;
    int64_t cause_row;
    uint32_t cause_stack;
    struct gt_tl_region *regions; /* the innermost first */
    struct gt_tl_state state;
};

struct gt_tl_goroutines {
    struct gt_idmap map;
    struct gt_pool pool;
    struct gt_tl_goroutine *first;
    /* Completed ranges of all of them. */
    unsigned completed;
};

/* NULL where there is none. */
struct gt_tl_goroutine *gt_tl_goroutine_find(struct gt_timeline *timeline, int64_t id);

/* The same, but makes it; NULL after a failure. */
struct gt_tl_goroutine *gt_tl_goroutine_make(struct gt_timeline *timeline, int64_t id);

/* Lets go of all that it has, and forgets it. */
void gt_tl_goroutine_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

/* Takes its name from a stack of its own unless it has one. */
void gt_tl_goroutine_augment(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             gt_stack stack);

/* Puts the name of its row together: "G1 main.main (label)". */
gt_string gt_tl_goroutine_name(struct gt_timeline *timeline,
                               const struct gt_tl_goroutine *goroutine);

void gt_tl_goroutine_label(struct gt_timeline *timeline, const gt_event *event);
void gt_tl_goroutine_range(struct gt_timeline *timeline, const gt_event *event,
                           const gt_range *range);

/* The methods of gState. Stacks are the emitter's. */
void gt_tl_goroutine_start(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           int64_t time, int64_t row);
void gt_tl_goroutine_stop(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                          int64_t time, uint32_t stack);
void gt_tl_goroutine_block(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           gt_string reason);
void gt_tl_goroutine_created(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row);
void gt_tl_goroutine_unblock(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             int64_t row);
void gt_tl_goroutine_exit_blocked(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);
void gt_tl_syscall_begin(struct gt_tl_goroutine *goroutine, int64_t time, int64_t row,
                         uint32_t stack);
void gt_tl_syscall_end(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       int64_t time, int blocked);

/* change.c: a goroutine's transition. */
void gt_tl_goroutine_changes(struct gt_timeline *timeline, const gt_event *event,
                             const gt_transition *transition);

void gt_tl_goroutines_finish(struct gt_timeline *timeline);

#endif
