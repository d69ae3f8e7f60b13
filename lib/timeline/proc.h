/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_PROC_H
#define GT_TIMELINE_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "timeline/ranges.h"

struct gt_timeline;

enum {
    /* The rows of procs below this number are named even if no event is about the proc. */
    GT_TL_NAMED_PROCS = 1 << 12
};

struct gt_tl_proc {
    struct gt_tl_proc *next;
    int64_t id;
    bool has_transition; /* an event was about this proc, so its row is named */
    bool has_syscall;    /* a goroutine entered a system call here and has not returned */
    int64_t syscall_goroutine;
    struct gt_tl_range *ranges;
};

struct gt_tl_procs {
    struct gt_idmap map;
    struct gt_tl_proc *first;
    int64_t largest;         /* the largest id */
    struct gt_idmap threads; /* the threads whose rows are named */
};

/* Returns NULL if the proc is not known. With `make` it is added then, and NULL means failure. */
struct gt_tl_proc *gt_tl_proc_find(struct gt_timeline *timeline, int64_t id, bool make);

/* Handles a transition of a proc. */
void gt_tl_proc_transition(struct gt_timeline *timeline, const gt_event *event,
                           const gt_transition *transition);
void gt_tl_proc_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range);

/* Names the row of a thread, which may be GT_NO_THREAD, unless the row is named already. */
void gt_tl_thread_name(struct gt_timeline *timeline, int64_t id);

/* Draws the ranges that are still active. */
void gt_tl_procs_finish(struct gt_timeline *timeline);

/* Names the rows of procs. */
void gt_tl_procs_name(struct gt_timeline *timeline);

#endif
