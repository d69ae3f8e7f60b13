/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_GOROUTINE_H
#define GT_TIMELINE_GOROUTINE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "base/shared_text.h"
#include "timeline/ranges.h"
#include "timeline/states.h"
#include "timeline/tasks.h"

struct gt_timeline;

/* The reason why a goroutine can run again. An arrow to its next run shows it. */
enum gt_tl_cause {
    GT_TL_CAUSE_NONE,
    GT_TL_CAUSE_CREATED,
    GT_TL_CAUSE_UNBLOCKED,
    GT_TL_CAUSE_EXITED /* a system call that blocked has ended */
};

/* The state of a goroutine that drawing depends on, as in gState of cmd/trace/gstate.go. */
struct gt_tl_goroutine {
    struct gt_tl_goroutine *next;
    struct gt_tl_goroutine *previous;
    int64_t id;
    struct gt_shared_text *root; /* its outermost function; NULL while it is not known */
    struct gt_shared_text *label;
    struct gt_shared_text *block_reason;
    bool has_function;   /* a transition that changed its state named its function */
    bool is_system;      /* that function is one of the runtime's */
    int64_t row;         /* where it runs, or GT_TL_NO_ROW */
    int64_t start;       /* when the run began */
    uint32_t stop_stack; /* where its last run ended */
    uint32_t syscall_stack;
    bool in_syscall;
    int64_t syscall_start;
    struct gt_tl_range *active;
    struct gt_tl_range *completed; /* ended ranges, which are drawn when the current run ends */
    struct gt_tl_range *last_completed;
    enum gt_tl_cause cause;
    struct gt_shared_text *cause_reason;
    int64_t cause_time;
    int64_t cause_row;
    uint32_t cause_stack;
    struct gt_tl_region *regions; /* the innermost one first */
    struct gt_tl_state state;
};

struct gt_tl_goroutines {
    struct gt_idmap map;
    struct gt_tl_goroutine *first;
    unsigned completed; /* the number of completed ranges of all goroutines */
};

/* Returns NULL if the goroutine is not known. */
struct gt_tl_goroutine *gt_tl_goroutine_find(struct gt_timeline *timeline, int64_t id);

/* Returns the goroutine, which is added if it is not known. NULL on failure. */
struct gt_tl_goroutine *gt_tl_goroutine_make(struct gt_timeline *timeline, int64_t id);

/* Frees the goroutine and all that belongs to it. */
void gt_tl_goroutine_free(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine);

/* Takes the goroutine's function from a stack of its own, unless it is known. */
void gt_tl_goroutine_set_root(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                              gt_stack stack);

/* Names the goroutine's row: "G1 main.main (label)". */
void gt_tl_goroutine_name_row(struct gt_timeline *timeline,
                              const struct gt_tl_goroutine *goroutine);

/* Handles a label event. */
void gt_tl_goroutine_label(struct gt_timeline *timeline, const gt_event *event);

/* Handles an event of a goroutine's range. */
void gt_tl_goroutine_range(struct gt_timeline *timeline, const gt_event *event,
                           const gt_range *range);

/* These functions correspond to the methods of Go's gState. Stacks are ids of the emitter. */

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
                       int64_t time, bool blocked);

/* Draws what is still open, and names the rows of goroutines. */
void gt_tl_goroutines_finish(struct gt_timeline *timeline);

#endif
